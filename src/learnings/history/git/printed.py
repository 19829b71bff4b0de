"""What git prints with `--raw -z`: commits, and the files that differ from their parents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from learnings.history.git.commands import SEPARATOR

_HEADER = b"\x01"  # what commands makes git print before each commit
_SUBMODULE = b"160000"
_REGULAR = b"100"  # how the modes of regular files begin


class Change(NamedTuple):
    """A file in two trees: its mode and its id before and after, None for no file."""

    old_mode: bytes
    mode: bytes
    before: str | None
    after: str | None

    @property
    def regular(self) -> tuple[str | None, str | None]:
        """The ids before and after, None where there is no regular file."""
        old, new = self.old_mode.startswith(_REGULAR), self.mode.startswith(_REGULAR)
        return self.before if old else None, self.after if new else None


class PrintedCommit(NamedTuple):
    """The fields that git was asked to print for a commit, and the changes of each diff by path.

    A merge has a diff for each parent with other files; for the rest git prints nothing.
    """

    fields: list[str]
    diffs: list[dict[str, Change]]


def printed_commits(chunks: Iterable[bytes]) -> Iterator[list[PrintedCommit]]:
    """Yield the commits of a log, those that are complete after a chunk together."""
    rest, row, last = b"", b"", b""
    commits: list[PrintedCommit] = []
    for chunk in chain(chunks, [b"\0"]):
        *tokens, rest = (rest + chunk).split(b"\0")
        for token in tokens:
            if row:
                commits[-1].diffs[-1][os.fsdecode(token)] = _change(row)
                row = b""
            elif (field := token.lstrip(b"\n")).startswith(_HEADER):
                if not commits or field != last:
                    fields = field[1:].decode("ascii", "replace").split(SEPARATOR)
                    commits.append(PrintedCommit(fields, []))
                commits[-1].diffs.append({})
                last = field
            elif field.startswith(b":"):
                row = field
        if len(commits) > 1:  # the last one may go on
            yield commits[:-1]
            del commits[:-1]
    if commits:
        yield commits


def changes_in(printed: bytes) -> Iterator[tuple[str, Change]]:
    """Yield the files of one diff, with their paths."""
    tokens = printed.split(b"\0")
    for row, path in zip(tokens[::2], tokens[1::2], strict=False):
        yield os.fsdecode(path), _change(row)


def _change(row: bytes) -> Change:
    """Read `:mode mode id id status`."""
    old_mode, mode, before, after, _ = row.removeprefix(b":").split(b" ")
    return Change(old_mode, mode, _id(old_mode, before), _id(mode, after))


def _id(mode: bytes, name: bytes) -> str | None:
    return None if mode == _SUBMODULE or not name.strip(b"0") else name.decode("ascii")
