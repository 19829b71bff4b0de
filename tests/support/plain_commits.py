"""Commits of everything in a plain work tree, written without a process.

`git add` and `git commit` together take 9 ms of processor time, and the tests make thousands of
commits. A work tree is plain if git could only do one thing: regular files, no ignore or attribute
files, the configuration of the tests, no merge in progress. A test compares the objects, the index
and the reflog with git's; anything else is left to git itself.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

from tests.support.surroundings import GIT_CONFIG

# Leftovers of a merge, a rebase or a shallow clone in `.git`, and the rules of one clone (`info`).
UNPLAIN_STATES = frozenset(
    {
        *("BISECT_LOG", "CHERRY_PICK_HEAD", "MERGE_HEAD", "REVERT_HEAD", "SQUASH_MSG"),
        *("config.worktree", "hooks", "info", "rebase-apply", "rebase-merge", "sequencer"),
        *("index.lock", "packed-refs", "shallow"),
    }
)
# A person whose name git does not change: no brackets or punctuation at its ends.
PERSON = re.compile(r"\w(?:[\w .'\[\]-]*[\w\]])? <[\w.+@\[\]-]+>")
# 2026-03-01T12:00:00 +0000
STAMP = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d [+-]\d{4}")
NO_COMMIT = "0" * 40
INDEX_ENTRY = struct.Struct(">10I20sH")


class NotPlainError(Exception):
    """A commit that git itself must make."""


class StagedFile(NamedTuple):
    """A file of the work tree: its path in the repository, its state on disk, its blob."""

    path: bytes
    status: os.stat_result
    blob: bytes

    @property
    def mode(self) -> int:
        """Return the mode that git keeps: executable or not."""
        return 0o100755 if self.status.st_mode & stat.S_IXUSR else 0o100644


def write_commit(
    tree: Path, message: str, *, config: bytes, author: str, committer: str, dates: tuple[str, str]
) -> str:
    """Stage all of the work tree `tree` and commit it; return the hash of the commit.

    `config` is the expected text of `.git/config`; a person is `Name <mail>`; `dates` are those of
    author and committer, `2026-03-01T12:00:00 +0000`. Raises NotPlainError before it writes
    anything that git would trip over.
    """
    folder = tree / ".git"
    _check_surroundings(folder, config)
    branch = _branch(folder)
    signatures = [_signature(*pair) for pair in zip((author, committer), dates, strict=True)]
    text = _message(message)
    try:
        files = [
            StagedFile(path, status, _write_object(folder, b"blob", data))
            for path, status, data in _contents(os.fsencode(tree), b"")
        ]
        parent = _parent(folder / branch)
    except OSError as error:
        raise NotPlainError from error
    files.sort(key=lambda file: file.path)
    root = _write_tree(folder, {file.path: file for file in files})
    heads = [b"parent " + parent.encode()] if parent else []
    people = [b"author " + signatures[0], b"committer " + signatures[1]]
    data = b"\n".join([b"tree " + root.hex().encode(), *heads, *people, b"", text])
    commit = _write_object(folder, b"commit", data).hex()
    (folder / "index").write_bytes(_index(files))
    _move_branch(folder, branch, (parent, commit), signatures[1] + _reason(text, parent))
    return commit


def _check_surroundings(folder: Path, config: bytes) -> None:
    """Raise NotPlainError if a setting, a state or a variable could make a difference."""
    try:
        plain = (
            sys.platform == "linux"
            and not UNPLAIN_STATES.intersection(os.listdir(folder))  # noqa: PTH208
            and (folder / "config").read_bytes() == config
            and Path(os.environ["GIT_CONFIG_GLOBAL"]).read_text(encoding="utf-8") == GIT_CONFIG
            and not Path(os.environ["GIT_CONFIG_SYSTEM"]).stat().st_size
            and not Path(os.environ["XDG_CONFIG_HOME"], "git").exists()
        )
        # Version 3 of the index can have files that must not be touched.
        index = folder / "index"
        plain = plain and (not index.exists() or index.read_bytes()[:8] == b"DIRC\0\0\0\2")
    except (OSError, KeyError, UnicodeError) as error:
        raise NotPlainError from error
    if not plain:
        raise NotPlainError


def _branch(folder: Path) -> str:
    head = (folder / "HEAD").read_text(encoding="utf-8")
    if not head.startswith("ref: refs/heads/"):
        raise NotPlainError
    return head.removeprefix("ref: ").strip()


def _parent(reference: Path) -> str:
    """Return the commit of a branch; empty for an unborn branch."""
    if not reference.exists():
        return ""
    parent = reference.read_text(encoding="utf-8").strip()
    if len(parent) != len(NO_COMMIT):
        raise NotPlainError
    return parent


def _signature(person: str, date: str) -> bytes:
    if not PERSON.fullmatch(person) or not STAMP.fullmatch(date):
        raise NotPlainError
    moment = datetime.strptime(date, "%Y-%m-%dT%H:%M:%S %z")
    return f"{person} {int(moment.timestamp())} {date[-5:]}".encode()


def _message(message: str) -> bytes:
    """Return the message as git stores it; raises NotPlainError if git would change it."""
    lines = message.split("\n")
    blank = any(not line for line in (lines[0], lines[-1])) or "\n\n\n" in message
    if blank or "\0" in message or any(line != line.rstrip() for line in lines):
        raise NotPlainError
    try:
        return message.encode() + b"\n"
    except UnicodeEncodeError as error:
        raise NotPlainError from error


def _reason(text: bytes, parent: str) -> bytes:
    """Return the end of a line of the reflog."""
    kind = b"commit" if parent else b"commit (initial)"
    return b"\t%s: %s\n" % (kind, text.partition(b"\n")[0])


def _contents(folder: bytes, prefix: bytes) -> Iterator[tuple[bytes, os.stat_result, bytes]]:
    """Yield path, state and content of the files below a folder of the work tree."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name == b".git" and not prefix:
                continue
            # Rules for git, a nested repository, names that git refuses.
            if name.lower().startswith((b".git", b"git~")) or b"\\" in name:
                raise NotPlainError
            if entry.is_dir(follow_symlinks=False):
                yield from _contents(entry.path, prefix + name + b"/")
            elif entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as file:  # noqa: PTH123  (half the time of a Path)
                    data = file.read()
                    yield prefix + name, os.fstat(file.fileno()), data
            else:
                raise NotPlainError


def _write_tree(folder: Path, files: Mapping[bytes, StagedFile]) -> bytes:
    """Write the tree of files, with paths relative to it, and its subtrees; return its id."""
    below: dict[bytes, dict[bytes, StagedFile]] = {}
    rows: list[tuple[bytes, bytes]] = []
    for path, file in files.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            below.setdefault(name, {})[rest] = file
        else:
            rows.append((name, b"%o %s\0" % (file.mode, name) + file.blob))
    for name, rest_of in below.items():
        # Git sorts folders as if their names ended in a slash.
        rows.append((name + b"/", b"40000 %s\0" % name + _write_tree(folder, rest_of)))
    return _write_object(folder, b"tree", b"".join(row for _, row in sorted(rows)))


def _write_object(folder: Path, kind: bytes, data: bytes) -> bytes:
    """Write a loose object if it does not exist; return its id as bytes."""
    whole = b"%s %d\0" % (kind, len(data)) + data
    digest = sha1(whole, usedforsecurity=False)
    name = digest.hexdigest()
    shelf = f"{folder}/objects/{name[:2]}"
    path = f"{shelf}/{name[2:]}"
    if not os.path.exists(path):  # noqa: PTH110  (thousands of times)
        os.makedirs(shelf, exist_ok=True)  # noqa: PTH103
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
        with os.fdopen(handle, "wb") as file:
            file.write(zlib.compress(whole, 1))
    return digest.digest()


def _index(files: list[StagedFile]) -> bytes:
    """Return an index (version 2) of the files, which are sorted by path."""
    entries = [_index_entry(file) for file in files]
    data = b"DIRC" + struct.pack(">II", 2, len(entries)) + b"".join(entries)
    return data + sha1(data, usedforsecurity=False).digest()


def _index_entry(file: StagedFile) -> bytes:
    status = file.status
    moments = (
        *divmod(status.st_ctime_ns, 10**9),
        *divmod(status.st_mtime_ns, 10**9),
    )
    owner = (status.st_dev, status.st_ino, file.mode, status.st_uid, status.st_gid, status.st_size)
    numbers = [number & 0xFFFFFFFF for number in (*moments, *owner)]
    entry = INDEX_ENTRY.pack(*numbers, file.blob, min(len(file.path), 0xFFF)) + file.path
    return entry + b"\0" * (8 - len(entry) % 8)


def _move_branch(folder: Path, branch: str, move: tuple[str, str], reason: bytes) -> None:
    """Move a branch from the first of two commits to the second, and record it in the reflogs."""
    parent, commit = move
    line = f"{parent or NO_COMMIT} {commit} ".encode() + reason
    for name in ("HEAD", branch):
        log = folder / "logs" / name
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as file:
            file.write(line)
    reference = folder / branch
    reference.parent.mkdir(parents=True, exist_ok=True)
    reference.write_text(f"{commit}\n", encoding="utf-8")
