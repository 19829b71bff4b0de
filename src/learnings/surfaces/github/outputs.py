"""What a step hands on: its outputs, its summary, and the report as a file."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from learnings.core.due.triggers import DUE, NOT_DUE, STARVED, Verdict
from learnings.core.errors import UsageProblem
from learnings.core.text import printable
from learnings.surfaces.render import due_words

_WORST_FIRST = (DUE, STARVED, NOT_DUE)
REPORT = "learnings-report.md"


def outputs_of(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """The outputs that follow from verdicts: the worst of them, the reasons, the entries to do."""
    words = {each.verdict for each in verdicts}
    batch = sum(len(each.batch) for each in verdicts if each.verdict == DUE)
    reasons = [printable(f"{each.report.file}: {due_words.reason(each)}") for each in verdicts]
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
    """Append to a file that the runner has named; nothing where it has named none.

    Raises UsageProblem where it cannot be written.
    """
    if path:
        with _said_in_one_sentence(path), Path(path).open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))


def size(path: str | None) -> int:
    """The bytes of a file that the runner has named; 0 where there is none."""
    try:
        return Path(path).stat().st_size if path else 0
    except OSError:
        return 0


def save_report(folder: str | None, text: str) -> str:
    """Write the report into the runner's folder for such files; return its path, "" without one.

    Raises UsageProblem where it cannot be written.
    """
    if not folder:
        return ""
    path = Path(folder) / REPORT
    with _said_in_one_sentence(path):
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return str(path)


@contextmanager
def _said_in_one_sentence(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageProblem(
            f"cannot write {path}, which the environment names for a runner "
            f"({error.strerror or 'unknown reason'}); unset GITHUB_STEP_SUMMARY, GITHUB_OUTPUT and "
            "RUNNER_TEMP outside of one"
        ) from None
