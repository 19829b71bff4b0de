"""Attack learnings for as long as one likes: `make fuzz`, or `python -m tests.fuzz --help`.

The parts take turns. A case that fails is left in a folder, with the command that repeats it.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.api import ApiPart, GitLabPart
from tests.fuzz.crashes import CrashPart
from tests.fuzz.damage import DamagePart
from tests.fuzz.files import FilePart
from tests.fuzz.part import Part
from tests.support.guard import ROOT
from tests.support.surroundings import is_foreign, variables

PARTS: Mapping[str, type[Part]] = {
    part.name: part for part in (CrashPart, FilePart, DamagePart, ApiPart, GitLabPart)
}
SLICE = 20.0  # seconds that a part works before the next one does
MOST_FAILURES = 25  # of one part; then it is left alone
LEFT = ROOT / "build" / "fuzz"


@dataclass(slots=True)
class Turn:
    """A part at work: its next case, the time that it took, its failures."""

    part: Part
    number: int = 0
    seconds: float = 0.0
    failures: int = 0

    def work(self, seconds: float, session: Session) -> None:
        start = time.monotonic()
        while time.monotonic() < start + seconds and self.failures < MOST_FAILURES:
            self.try_next(session)
        self.seconds += time.monotonic() - start

    def try_next(self, session: Session) -> None:
        problems = self.part.tried(self.number)
        if problems:
            self.failures += 1
            session.keep(self.part, self.number, problems)
        self.number += 1


@dataclass(slots=True)
class Session:
    """One run of the harness: its seed, and the folder of failures."""

    seed: int
    left: Path

    def keep(self, part: Part, number: int, problems: Sequence[str]) -> None:
        """Leave a case that failed in a folder and say how it is repeated."""
        folder = self.left / f"{part.name}-{self.seed}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if part.folder.exists():
            shutil.copytree(part.folder, folder / "case", symlinks=True)
        command = f"make fuzz FUZZ_SEED={self.seed} FUZZ_ONLY={part.name}:{number}"
        text = "\n".join([command, "", *problems, ""])
        (folder / "problems.txt").write_text(text, "utf-8", "backslashreplace")
        lines = (problem.splitlines() for problem in problems[:5])
        shown = "\n    ".join(
            (rows[-1] if "Traceback" in rows[0] else rows[0])[:300] for rows in lines
        )
        self.print(f"{part.name}:{number} failed, left in {folder}\n    {shown}\n    {command}")

    def print(self, text: str) -> None:
        sys.stdout.write(f"{text}\n".encode(errors="backslashreplace").decode())
        sys.stdout.flush()


def main(argv: Sequence[str] | None = None) -> int:
    """Attack, and print the counts; returns 1 if a case failed."""
    args = _arguments(argv)
    name, _, number = (args.only or "").partition(":")
    seed = int(args.seed) if args.seed else secrets.randbelow(10**9)
    with tempfile.TemporaryDirectory(prefix="learnings-fuzz-") as temporary, ExitStack() as stack:
        folder = Path(temporary).resolve()
        _be_hermetic(folder)
        kinds = [PARTS[name]] if name else [*PARTS.values()]
        turns = [Turn(stack.enter_context(kind(folder, seed))) for kind in kinds]
        end = time.monotonic() + 60 * args.minutes
        session = Session(seed, args.left)
        session.print(f"seed {seed}")
        if number:
            turns[0].number = int(number)
            turns[0].try_next(session)
        while not number and time.monotonic() < end:
            if all(turn.failures >= MOST_FAILURES for turn in turns):
                break
            for turn in turns:
                turn.work(min(SLICE, end - time.monotonic()), session)
        session.print(_summary(turns))
    return int(any(turn.failures for turn in turns))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="default: 60")
    parser.add_argument("--seed", default="", help="a number; default: a random one, printed")
    parser.add_argument(
        "--only", default="", metavar="PART[:CASE]", help=f"one of {', '.join(PARTS)}, or one case"
    )
    parser.add_argument("--left", type=Path, default=LEFT, help="where failures are left")
    args = parser.parse_args(argv)
    if args.only and args.only.partition(":")[0] not in PARTS:
        parser.error(f"--only takes one of {', '.join(PARTS)}")
    return args


def _be_hermetic(folder: Path) -> None:
    """Change the environment of this process to that of the tests."""
    for name in [*os.environ]:
        if is_foreign(name):
            del os.environ[name]
    home = folder / "home"
    home.mkdir()
    os.environ.update(variables(home, ceiling=folder))
    (folder / "nowhere").mkdir()
    os.chdir(folder / "nowhere")


def _summary(turns: Sequence[Turn]) -> str:
    rows = []
    for turn in turns:
        counts = ", ".join(f"{number} {name}" for name, number in turn.part.counts.most_common())
        minutes = turn.seconds / 60
        rows.append(f"{turn.part.name:9} {turn.failures} failed in {minutes:.1f} minutes: {counts}")
    return "\n".join(rows)


if __name__ == "__main__":
    raise SystemExit(main())
