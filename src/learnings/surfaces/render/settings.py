"""A page about one setting."""

from __future__ import annotations

import json
from collections.abc import Mapping

from learnings.core.settings.keys import FILE_KEYS, Key


def setting_page(key: Key, table: str) -> str:
    """Return the documentation of a setting as Markdown; table is empty at the top level."""
    place = f"in the table `{table}`" if table else "at the top level"
    if not table and key.name in FILE_KEYS:
        place += " for all learnings files, or in `[[file]]` for one"
    lines = [
        f"# {f'{table}.' * bool(table)}{key.name}",
        f"*Setting {place}.* {key.doc[0].upper()}{key.doc[1:]}.",
        f"- takes {key.kind.wants}",
    ]
    text = "\n\n".join(lines)
    if key.default is None:
        return f"{text}\n"
    value = dict(key.default) if isinstance(key.default, Mapping) else key.default
    example = f"{key.name} = {json.dumps(value)}"
    header = f"[{table}]\n" if table else ""
    return f"{text}\n- by default, as in `learnings.toml`:\n\n```toml\n{header}{example}\n```\n"
