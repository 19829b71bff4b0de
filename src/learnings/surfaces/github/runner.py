"""What a step gives to its runner: outputs, and the report as a file."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from learnings.core.due.triggers import DUE, NOT_DUE, STARVED, Verdict
from learnings.core.errors import UsageProblem
from learnings.core.text import printable
from learnings.surfaces.render import due_words
from learnings.surfaces.render.workflow_commands import without_commands

_WORST_FIRST = (DUE, STARVED, NOT_DUE)
REPORT = "learnings-report.md"


def outputs_for(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Return the outputs for verdicts: the worst of them, the reasons, the size of the batches."""
    words = {verdict.verdict for verdict in verdicts}
    batch = sum(len(verdict.batch) for verdict in verdicts if verdict.verdict == DUE)
    reasons = [f"{verdict.report.file}: {due_words.reason(verdict)}" for verdict in verdicts]
    return {
        "verdict": next((word for word in _WORST_FIRST if word in words), NOT_DUE),
        "reasons": "\n".join(without_commands(printable(reason)) for reason in reasons),
        "batch-size": str(batch),
    }


def output_text(outputs: Mapping[str, str]) -> str:
    """Return outputs in the form that a runner reads; no value can end early or set another."""
    return "".join(_output(name, value) for name, value in outputs.items())


def _output(name: str, value: str) -> str:
    delimiter = f"end_{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def append(path: str | None, text: str) -> None:
    """Append to a file that the runner has named; do nothing where it has named none.

    Raises UsageProblem where it cannot be written.
    """
    if path:
        with _explained(path), Path(path).open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))


def size(path: str | None) -> int:
    """Return the bytes of a file that the runner has named; 0 where there is none."""
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
    with _explained(path):
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return str(path)


@contextmanager
def _explained(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageProblem(
            f"cannot write {path}, which the environment names for a runner "
            f"({error.strerror or 'unknown reason'}); unset GITHUB_STEP_SUMMARY, GITHUB_OUTPUT and "
            "RUNNER_TEMP outside of one"
        ) from None
