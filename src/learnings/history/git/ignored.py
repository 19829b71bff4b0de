"""The files that git ignores by the rules of the repository, not of a user or machine.

This module asks git only if a rule may match: starting git takes longer than checking a file.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from learnings.core.errors import UntrustedHistory
from learnings.core.patterns import lazy_pattern
from learnings.history.regular_file import read_regular

IGNORE_FILE = ".gitignore"
# Far more than people write. Larger ignore files are left to git.
_MAX_BYTES = 1 << 20
_ANYTHING = "*"

# A run of wildcards of an ignore pattern: `*`, `?`, bracket expressions such as `[a-z]`, `[!]x]`.
_WILDCARDS = lazy_pattern(r"(?:[*?]|\[[!^]?\]?[^\]]*\])+")


class GitignoreRules:
    """The ignore rules of the repository with this top folder; each file is read once."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._rules: dict[str, tuple[str, ...]] = {}

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return the untracked paths that git ignores, POSIX from the top; empty without git."""
        candidates = [path for path in paths if self._may_be_ignored(path)]
        return _check_ignore(self._top, candidates) if candidates else frozenset()

    def _may_be_ignored(self, path: str) -> bool:
        names = path.casefold().split("/")
        return any(_may_match(rule, names) for rule in self._rules_for(path))

    def _rules_for(self, path: str) -> Iterator[str]:
        folders = [path[:index] for index, character in enumerate(path) if character == "/"]
        for folder in ("", *folders):
            yield from self._read(f"{folder}/{IGNORE_FILE}" if folder else IGNORE_FILE)
        yield from self._read(f"{self._common_folder}/info/exclude")

    @cached_property
    def _common_folder(self) -> str:
        """Git's own folder, which is elsewhere for a linked worktree or a submodule."""
        own = self._top / ".git"
        try:
            if own.is_file():
                own = self._top / own.read_text("utf-8").removeprefix("gitdir: ").strip()
                own /= (own / "commondir").read_text("utf-8").strip()
        except (OSError, ValueError):
            pass  # a submodule has only one folder
        return str(own)

    def _read(self, file: str) -> tuple[str, ...]:
        if file not in self._rules:
            lines = (line.strip() for line in self._text(file).casefold().split("\n"))
            patterns = (line.rstrip("/") for line in lines if line and line[0] not in "#!")
            self._rules[file] = tuple({line.rpartition("/")[2] for line in patterns})
        return self._rules[file]

    def _text(self, file: str) -> str:
        path = self._top / file
        try:
            # Git also follows no link to an ignore file in the working tree.
            if path.name == IGNORE_FILE and path.is_symlink():
                return ""
            return os.fsdecode(read_regular(path, most=_MAX_BYTES))
        except OSError as error:
            is_missing = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL)
            return "" if is_missing else _ANYTHING  # then git must decide


def _may_match(rule: str, names: Iterable[str]) -> bool:
    # Without a closing bracket, the pattern would search to the end for each open one.
    is_open = rule.rfind("[") > rule.rfind("]")
    if is_open or "\\" in rule or "[[" in rule or "[:" in rule:
        return True
    first, *others = _WILDCARDS.split(rule)
    if not others:
        return rule in names
    *between, last = others
    return any(
        name.startswith(first) and name.endswith(last) and all(text in name for text in between)
        for name in names
    )


def _check_ignore(top: Path, paths: list[str]) -> frozenset[str]:
    from learnings.history.git import process  # noqa: PLC0415  (starts git)

    # This command refuses literal pathspecs; `./` keeps a leading colon from being magic.
    options = ("--no-literal-pathspecs", "-c", "core.excludesFile=")
    query = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    try:
        running = process.start((*options, "check-ignore", "-z", "--stdin"), top, interactive=True)
    except UntrustedHistory:
        return frozenset()
    printed, _ = running.communicate(query)
    if running.returncode in (0, 1):
        return frozenset(os.fsdecode(path[2:]) for path in printed.split(b"\0") if path)
    # A path that git refuses, such as one behind a link, fails the command for all others.
    alone = paths if len(paths) > 1 else []
    return frozenset(ignored for path in alone for ignored in _check_ignore(top, [path]))
