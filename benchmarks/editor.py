"""The time that an editor waits for findings after a change, compared with `learnings check`.

    python -m benchmarks.editor

The learnings files have 400 and 2,000 lines. Each change edits a line in the middle; the time ends
when `learnings lsp` has sent its diagnostics. A change and a check take turns.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.memory import Writer
from benchmarks.timing import LEARNINGS, Timed, report, run
from tests.support.language_client import language_client

FILE = "agents/learnings.md"
SIZES = (400, 2_000)
RUNS = 40
WARM_UP = 3


def text_of(lines: int) -> str:
    """Return a learnings file with about this many lines, or a few more."""
    writer, made = Writer(lines), ["# Learnings", ""]
    while len(made) < lines:
        made += writer.section(2)
    return "\n".join(made).rstrip("\n") + "\n"


def repository(folder: Path, text: str) -> None:
    """Commit the file, and instructions that name it."""
    (folder / "agents").mkdir()
    (folder / FILE).write_text(text, encoding="utf-8")
    (folder / "AGENTS.md").write_text(f"Read {FILE}.\n", encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        run(["git", *words], folder)


def measure(folder: Path, text: str) -> tuple[Timed, Timed]:
    """Return the seconds of changes, and of checks as processes."""
    changes: list[float] = []
    checks: list[float] = []
    lines = text.splitlines(keepends=True)
    middle = len(lines) // 2
    with language_client(folder) as editor:
        editor.initialize()
        editor.open(FILE, text)
        editor.diagnostics(FILE)
        for number in range(RUNS + WARM_UP):
            edited = [*lines[:middle], f"{number} {lines[middle]}", *lines[middle + 1 :]]
            begun = time.perf_counter()
            editor.change(FILE, "".join(edited))
            editor.diagnostics(FILE)
            changes.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            run([*LEARNINGS, "check", FILE], folder)
            checks.append(time.perf_counter() - begun)
        editor.end()
    return Timed(tuple(changes[WARM_UP:])), Timed(tuple(checks[WARM_UP:]))


def main() -> int:
    """Print a line for each size."""
    for size in SIZES:
        text = text_of(size)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            repository(folder, text)
            change, check = measure(folder, text)
        report(f"{text.count(chr(10)):,} lines, change / `learnings check`", change, check)
    return 0


if __name__ == "__main__":
    sys.exit(main())
