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

from learnings.app.setup import origin
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


@dataclass(slots=True)
class Turn:
    """A part at work: its next case, its failures, and the folder in which it leaves them."""

    part: Part
    seed: int
    left: Path
    number: int = 0
    failures: int = 0

    def work(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.failures < MOST_FAILURES:
            self.try_next()

    def try_next(self) -> None:
        problems = self.part.tried(self.number)
        if problems:
            self.failures += 1
            self.keep(problems)
        self.number += 1

    def keep(self, problems: Sequence[str]) -> None:
        """Leave the case in a folder and say how it is repeated."""
        case = f"{self.part.name}:{self.number}"
        folder = self.left / f"{self.part.name}-{self.seed}-{self.number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if self.part.folder.exists():
            shutil.copytree(self.part.folder, folder / "case", symlinks=True)
        command = f"make fuzz FUZZ_SEED={self.seed} FUZZ_ONLY={case}"
        text = "\n".join([command, "", *problems, ""])
        (folder / "problems.txt").write_text(text, "utf-8", "backslashreplace")
        shown = "".join(f"\n    {problem.splitlines()[-1][:300]}" for problem in problems[:5])
        say(f"{case} failed, left in {folder}{shown}\n    {command}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n".encode(errors="backslashreplace").decode())
    sys.stdout.flush()


def main(argv: Sequence[str] | None = None) -> int:
    """Attack, and print the counts; returns 1 if a case failed."""
    args = _arguments(argv)
    name, _, number = args.only.partition(":")
    seed = int(args.seed) if args.seed else secrets.randbelow(10**9)
    with tempfile.TemporaryDirectory(prefix="learnings-fuzz-") as temporary, ExitStack() as stack:
        folder = Path(temporary).resolve()
        _be_hermetic(folder)
        kinds = [PARTS[name]] if name else [*PARTS.values()]
        turns = [Turn(stack.enter_context(kind(folder, seed)), seed, args.left) for kind in kinds]
        say(f"seed {seed}")
        if number:
            turns[0].number = int(number)
            turns[0].try_next()
        end = time.monotonic() + (0 if number else 60 * args.minutes)
        while time.monotonic() < end and any(turn.failures < MOST_FAILURES for turn in turns):
            for turn in turns:
                turn.work(min(SLICE, end - time.monotonic()))
        for turn in turns:
            counts = ", ".join(f"{count} {what}" for what, count in turn.part.counts.most_common())
            say(f"{turn.part.name:9} {turn.failures} of {turn.number} failed: {counts}")
    return int(any(turn.failures for turn in turns))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="default: 60")
    parser.add_argument("--seed", default="", help="a number; default: a random one, printed")
    only = f"one of {', '.join(PARTS)}, or one case"
    parser.add_argument("--only", default="", metavar="PART[:CASE]", help=only)
    parser.add_argument("--left", type=Path, default=ROOT / "build/fuzz", help="for failures")
    args = parser.parse_args(argv)
    if args.only and args.only.partition(":")[0] not in PARTS:
        parser.error(f"--only takes {only}")
    return args


def _be_hermetic(folder: Path) -> None:
    """Change the environment of this process to that of the tests."""
    setattr(origin, "recorded", dict)  # noqa: B010  (else doctor asks git in this checkout)
    for name in filter(is_foreign, [*os.environ]):
        del os.environ[name]
    for name in ("home", "nowhere"):
        (folder / name).mkdir()
    os.environ.update(variables(folder / "home", ceiling=folder))
    os.chdir(folder / "nowhere")


if __name__ == "__main__":
    raise SystemExit(main())
