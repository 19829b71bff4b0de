"""The memory of the repository `due`."""

from __future__ import annotations

import re

FILE = "agents/learnings.md"
MOMENT = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC")


def memory(*titles: str, body: str | None = None) -> str:
    return "# Learnings\n\n" + "\n".join(
        f"## {title}\n\n{body or f'text of {title}'}\n" for title in titles
    )


def as_shown(name: str, value: object) -> str:
    """Return a field of a request as a dry run shows it."""
    text = MOMENT.sub("NOW", ", ".join(value) if isinstance(value, list) else str(value))
    shown = "\n".join(f"    {line}".rstrip() for line in text.split("\n"))
    return f"  {name}:\n{shown}\n" if "\n" in text else f"  {name}: {text}\n"
