"""The losses and alterations that the installed `learnings verify` catches, and its false alarms.

    python benchmarks/gate.py [--learnings PATH] [THEME ...]

Each case of the acceptance table (tests/gate) is a separate git repository, and one process of the
command judges it. A loss or an alteration is caught if the exit code, the named entries and the
shown words match the case. A harmless change is a false alarm if the command refuses it, or prints
a notice that the case does not allow. The list below the table names the failures.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.timing import LEARNINGS
from tests.gate.case import Case
from tests.gate.judging import Answer, complaints, prepare
from tests.gate.themes import THEMES
from tests.support.repository import GitRepository
from tests.support.surroundings import is_foreign, variables


class Judged(NamedTuple):
    """A case, and the errors in the answer to it."""

    theme: str
    case: Case
    wrong: list[str]


def answer(command: Sequence[str], arguments: Sequence[str], folder: Path) -> Answer:
    """Run the command in a repository, once per format."""
    runs = [
        subprocess.run([*command, *arguments, *more], cwd=folder, capture_output=True, check=False)
        for more in ((), ("--format", "json"))
    ]
    text, document = (run.stdout.decode("utf-8", "replace") for run in runs)
    codes = runs[1].returncode, runs[0].returncode
    try:
        return Answer(json.loads(document), text, codes)
    except ValueError:
        return Answer({}, text, codes)


def judged(command: Sequence[str], theme: str, case: Case) -> Judged:
    """Create the repository of a case and run the command on it."""
    with tempfile.TemporaryDirectory() as folder:
        repository = GitRepository(Path(folder, "repository"))
        arguments = prepare(case, repository)
        wrong = [*complaints(case, answer(command, arguments, repository.path))]
    return Judged(theme, case, wrong)


def row(name: str, results: Sequence[Judged]) -> str:
    """Return a row of the table: the counts of one theme, or of all."""
    alterations = [one for one in results if one.case.is_alteration]
    harmless = [one for one in results if not one.case.is_alteration]
    missed = sum(bool(one.wrong) for one in alterations)
    alarms = sum(bool(one.wrong) for one in harmless)
    caught = len(alterations) - missed
    cells = (name, len(alterations), caught, missed, len(harmless), alarms)
    return f"| {' | '.join(map(str, cells))} |"


def isolate(home: Path) -> None:
    """Remove this machine's settings from the environment, as the tests do."""
    home.mkdir()
    for name in [name for name in os.environ if is_foreign(name)]:
        del os.environ[name]
    os.environ.update(variables(home, ceiling=home.parent))


def main() -> int:
    """Print the table and the failures; return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Judge the gate by the acceptance table.")
    parser.add_argument("--learnings", type=Path, help="the command (default: the installed one)")
    parser.add_argument("theme", nargs="*", help="only themes whose names have one of these words")
    options = parser.parse_args()
    command = [str(options.learnings.resolve())] if options.learnings else LEARNINGS
    results = []
    with tempfile.TemporaryDirectory() as folder:
        isolate(Path(folder, "home"))
        for theme in THEMES:
            if not options.theme or any(word in theme.theme for word in options.theme):
                results += [judged(command, theme.theme, case) for case in theme.cases]
    print("| theme | losses, alterations | caught | missed | harmless | false alarms |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in dict.fromkeys(result.theme for result in results):
        print(row(name, [one for one in results if one.theme == name]))
    print(row("all", results))
    wrong = [one for one in results if one.wrong]
    for one in wrong:
        print(f"\n{one.theme}: {one.case.name} ({one.case.shape}), wanted {one.case.want}")
        print("".join(f"  {what}\n" for what in one.wrong), end="")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
