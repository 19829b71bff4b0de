"""What a step hands on: its outputs, its summary, and the report as a file."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from learnings.core.triggers import DUE, NOT_DUE, STARVED, Verdict
from learnings.surfaces.render import due_words

_WORST_FIRST = (DUE, STARVED, NOT_DUE)
REPORT = "learnings-report.md"


def outputs_of(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """The outputs that follow from verdicts: the worst of them, the reasons, the entries to do."""
    words = {each.verdict for each in verdicts}
    batch = sum(len(each.batch) for each in verdicts if each.verdict == DUE)
    reasons = [f"{each.report.file}: {due_words.reason(each)}" for each in verdicts]
    return {
        "verdict": next((word for word in _WORST_FIRST if word in words), NOT_DUE),
        "reasons": "\n".join(reasons),
        "batch-size": str(batch),
    }


def written(outputs: Mapping[str, str]) -> str:
    """Outputs in the form that a runner reads; no value can end early or set another one."""
    return "".join(_written(name, value) for name, value in outputs.items())


def _written(name: str, value: str) -> str:
    word = f"end_{secrets.token_hex(16)}"
    return f"{name}<<{word}\n{value}\n{word}\n"


def append(path: str | None, text: str) -> None:
    """Append to a file that the runner has named; nothing where it has named none."""
    if path:
        with Path(path).open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))


def save_report(folder: str | None, text: str) -> str:
    """Write the report into the runner's folder for such files; return its path, "" without one."""
    if not folder:
        return ""
    path = Path(folder) / REPORT
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return str(path)
