"""Git commands begun on a guess, before the modules are loaded that will ask for their answers.

Loading takes about as long as git needs for a history of some thousand commits. A wrong guess
costs nothing but the work: a command is taken up only by who asks for exactly the same one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from learnings.core.default_file import DEFAULT_FILE
from learnings.history.git import commands, process

_ANOTHER_HISTORY = ("--at", "--replay")
_FIRST_ENTRY = re.compile(rb"^## ", re.MULTILINE)
_LARGEST = 1 << 20
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


@contextmanager
def begun(words: Sequence[str], cwd: Path) -> Iterator[None]:
    """Begin what a command with these words after its name will most likely ask git for.

    What nobody has asked for in the end is stopped.
    """
    try:
        _begin(words, cwd)
        yield
    finally:
        process.end_begun()


def _begin(words: Sequence[str], cwd: Path) -> None:
    if any(word.startswith(_ANOTHER_HISTORY) for word in words):
        return
    files = [word for word in words if word.endswith(".md") and not word.startswith("-")]
    file = Path(os.path.realpath(cwd / (files[0] if files else DEFAULT_FILE)))
    top = next((folder for folder in file.parents if (folder / ".git").exists()), None)
    if top is None or not file.is_file():
        return
    process.begin(commands.opening("HEAD"), file.parent)
    process.begin(commands.CONTENTS, top, interactive=True)
    head = _head(top / ".git")
    # Where something was remembered, most of this will not be asked again.
    if head is not None and not (top / ".git" / "learnings").exists():
        _begin_history(top, file, head)


def _begin_history(top: Path, file: Path, head: str) -> None:
    path = file.relative_to(top).as_posix()
    ignored = top / commands.IGNORED_REVISIONS
    first_line = _first_entry(file)
    if first_line is not None:
        listed = str(ignored) if ignored.is_file() else None
        process.begin(commands.blame(path, first_line, head, listed), top, prompt=True)
    process.begin(commands.file_commits(head, [path]), top, prompt=True)
    process.begin(commands.dates([head]), top)


def _first_entry(file: Path) -> int | None:
    """Return the line of the first heading at level 2: what most files begin their entries with."""
    try:
        with file.open("rb") as stream:
            text = stream.read(_LARGEST)
    except OSError:
        return None
    found = _FIRST_ENTRY.search(text)
    return text.count(b"\n", 0, found.start()) + 1 if found else None


def _head(git_folder: Path) -> str | None:
    """Return the commit that is checked out, if that takes no more than reading small files."""
    try:
        head = (git_folder / "HEAD").read_text("ascii").strip()
        if head.startswith("ref: "):
            ref = head.removeprefix("ref: ")
            loose = git_folder / ref
            head = loose.read_text("ascii").strip() if loose.is_file() else _packed(git_folder, ref)
    except (OSError, ValueError):
        return None
    return head if _COMMIT.fullmatch(head) else None


def _packed(git_folder: Path, ref: str) -> str:
    packed = git_folder / "packed-refs"
    if packed.stat().st_size > _LARGEST:
        return ""
    rows = (line.split(" ") for line in packed.read_text("utf-8").splitlines())
    return next((row[0] for row in rows if row[1:] == [ref]), "")
