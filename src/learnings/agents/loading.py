"""The imports of instructions, and the files for which they are loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.agents.memory_mentions import candidates
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# Code in a line; a path in it is an example.
_CODE = lazy_pattern(r"(`+)(?!`).*?(?<!`)\1(?!`)")
# `@path` after a blank or a mark; `\ ` is a blank in a path. An address has a word before `@`.
_IMPORT = lazy_pattern(r"(?<![\w@./\\-])@((?:\\ |[^\s\\`'\"<>()\[\]{}|,;*$@])+)")
# Front-matter keys with the files for which instructions are loaded: of Claude Code, Cursor and
# Copilot.
_PATH_KEYS = ("paths", "globs", "applyTo")
# A group of alternatives in a glob, with no other group inside.
_BRACES = lazy_pattern(r"\{([^{}]*)\}")
# A comma that separates globs, outside of braces.
_COMMA = lazy_pattern(r",(?![^{}]*\})")
# Chosen limits for a value and its braces: real globs are far shorter and take no time.
_LONGEST_VALUE, _MOST_BRACES = 1000, 6


class Import(NamedTuple):
    """An imported document: its 1-based line and column, the path as written, its candidates.

    candidates are POSIX paths relative to the root, empty for a path that leaves the root.
    """

    line: int
    column: int
    written: str
    candidates: tuple[str, ...]


def imports_in(path: str, lines: Sequence[str], hidden: Collection[int]) -> Iterator[Import]:
    """Yield the documents that instructions at a POSIX path import; hidden lines are code.

    Only paths with a document suffix count: `@name` can also be a person or a package.
    """
    folder = path.rpartition("/")[0]
    for number, line in enumerate(lines, start=1):
        if "@" not in line or number in hidden:
            continue
        text = _CODE.sub(lambda code: " " * len(code[0]), chomp(line))
        for match in _IMPORT.finditer(text):
            written = match[1].rstrip(".:!?_")
            if written.lower().endswith(MEMORY_ENDINGS) and written[0] not in "~/":
                paths = tuple(candidates(written.replace("\\ ", " "), folder))
                yield Import(number, match.start() + 1, written, paths)


def path_globs(values: Mapping[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each front-matter key that says for which files it is loaded, with its globs.

    Braces are expanded, negations are left out.
    """
    for key in _PATH_KEYS:
        value = values.get(key)
        texts = [str(text) for text in (value if isinstance(value, list) else [value]) if text]
        is_short = all(len(text) < _LONGEST_VALUE for text in texts)
        written = [glob for text in texts for glob in _COMMA.split(text)] if is_short else []
        globs = [glob.strip().strip("'\"") for glob in written]
        expanded = [one for glob in globs if glob and glob[0] != "!" for one in _expanded(glob)]
        if expanded and all(glob.count("{") <= _MOST_BRACES for glob in globs):
            yield key, tuple(expanded)


def _expanded(glob: str) -> list[str]:
    braces = _BRACES.search(glob)
    if braces is None or glob.count("{") > _MOST_BRACES:
        return [glob]
    start, end = braces.span()
    choices = (glob[:start] + choice + glob[end:] for choice in braces[1].split(","))
    return [one for choice in choices for one in _expanded(choice)]
