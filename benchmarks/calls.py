"""The functions of ours that a command calls: how many, in how many modules, how deep.

    python benchmarks/calls.py [--in FOLDER] [--list] [COMMAND …]

The command (default: `due`) runs in a made repository with one learnings file and 30 commits, or in
FOLDER: first without a cache, then in a new process with the cache of the first. A function counts
once, wherever it was called from; modules with such functions count, and the frames of ours that
were open at the same time. Lambdas, comprehensions, and the bodies of modules and classes are no
functions. --list prints them all.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Self

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.timing import environment

OURS = str(Path(__file__).resolve().parent.parent / "src" / "learnings")
FILE = "agents/learnings.md"
COMMITS, CONSOLIDATED = 30, 12


class Calls:
    """The functions of ours that run while it is active, in all threads."""

    def __init__(self) -> None:
        self.functions: dict[CodeType, int] = {}
        self.deepest = 0

    def __enter__(self) -> Self:
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not _is_function(frame.f_code):
            return
        depth = _depth(frame)
        self.functions[frame.f_code] = max(depth, self.functions.get(frame.f_code, 0))
        self.deepest = max(self.deepest, depth)

    def __str__(self) -> str:
        modules = {code.co_filename for code in self.functions}
        return f"{len(self.functions)} functions in {len(modules)} modules, {self.deepest} deep"

    def rows(self) -> list[str]:
        """Return each function with its module, line and depth."""
        places = {code: Path(code.co_filename).relative_to(OURS) for code in self.functions}
        return sorted(
            f"{place}:{code.co_firstlineno} {code.co_qualname} {self.functions[code]}"
            for code, place in places.items()
        )


def _is_function(code: CodeType) -> bool:
    is_body = not code.co_flags & 0x2  # CO_OPTIMIZED and CO_NEWLOCALS: of functions only
    return code.co_filename.startswith(OURS) and not is_body and not code.co_name.startswith("<")


def _depth(frame: FrameType | None) -> int:
    depth = 0
    while frame is not None:
        depth += _is_function(frame.f_code)
        frame = frame.f_back
    return depth


def make(folder: Path) -> None:
    """Commit an entry on every second day; one commit consolidates."""

    def git(*words: str, date: str = "") -> None:
        day = f"{date}T12:00:00 +0000"
        dates = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day} if date else {}
        subprocess.run(["git", *words], cwd=folder, env={**os.environ, **dates}, check=True)

    git("init", "--quiet", "--template=", "--initial-branch=main")
    file, work = folder / FILE, folder / "service.py"
    file.parent.mkdir()
    entries: list[str] = []
    for number in range(1, COMMITS + 1):
        work.write_text(f"NUMBER = {number}\n", encoding="utf-8")
        if number == CONSOLIDATED:
            del entries[:4]
        if number % 2:
            entries.append(f"\n## When build {number} hangs\n\nRestart worker {number} by hand.\n")
            file.write_text("# Learnings\n" + "".join(entries), encoding="utf-8")
        git("add", "--all")
        git("commit", "--quiet", f"--message=Day {number}", date=f"2026-03-{number:02}")


def count(words: Sequence[str]) -> Calls:
    """Run a command without its output and return what it called."""
    with Path(os.devnull).open("w", encoding="utf-8") as nothing, Calls() as calls:
        from learnings.surfaces.cli.main import main  # noqa: PLC0415  (its import counts, too)

        kept, sys.stdout = sys.stdout, nothing
        main(words)
        sys.stdout = kept
    return calls


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--in", dest="folder", type=Path, help="a repository")
    parser.add_argument("--list", action="store_true", help="print the functions, too")
    parser.add_argument("words", nargs="*", default=["due"], metavar="COMMAND")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        os.environ.update(environment() | {"XDG_CACHE_HOME": f"{place}/cache"})
        folder = args.folder or Path(place) / "repository"
        if not args.folder:
            folder.mkdir()
            make(folder)
        for name in ("cold", "warm"):
            if (child := os.fork()) == 0:
                os.chdir(folder)
                calls = count(args.words)
                listed = calls.rows() if args.list else []
                print(f"{' '.join(args.words)}, {name}: {calls}", *listed, sep="\n", flush=True)
                os._exit(0)
            os.waitpid(child, 0)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
