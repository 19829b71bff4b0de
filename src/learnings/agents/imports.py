"""Imports (`@path`) in instructions, and the files that agents load for them.

Claude Code documents little of this, so it was measured (version 2.1.197); Gemini documents no
difference. A path begins after a blank and ends at the next one, so `@a.md:` is another file than
`@a.md`; a `#` and the text after it are cut off. Emphasis and the brackets of a link do not matter.
Code, comments, quotation marks and front matter hide an import. The path starts from the folder of
the file (of the target if the file is a link), never from the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple

from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.passages import passages
from learnings.core.patterns import lazy_pattern

# Code, which may span lines, a comment within text, and the target of a link.
_HIDDEN = lazy_pattern(r"(?ms)(?<!`)(`++).*?(?<!`)\1(?!`)|<!--.*?-->|^ {0,3}\[[^\]\n]+\]:[^\n]*")
_ITEM = lazy_pattern(rf"[ \t>]*{LIST_MARKER}[ \t]")
# `@path` up to a blank or a mark of Markdown; `\ ` is a blank in a path. A word before it makes it
# an address; a quotation mark before it, or a mark of a glob or placeholder after it, no import.
_IMPORT = lazy_pattern(
    r"(?<![^\W_]|[@./\\~$<>{'\"`\u2018\u201c-])@((?:\\ |[^\s\\`*<>\[\]|{}$@])++)(?![{}$<]|\*[\w.])"
)
# A path without the punctuation glued to it: letters of any script, or up to an ending.
_CLEAN = lazy_pattern(r"(?:\\ |[\w./~+%-])+")
_TO_ENDING = lazy_pattern(r"(?:\\ |[^\s,;:()])+?\.[A-Za-z0-9]{1,9}(?![A-Za-z0-9_./-])")

DEAD, GLUED = "dead", "glued"
"""Why agents load nothing: there is no such file, or punctuation became part of the path."""


class Import(NamedTuple):
    """An import at a 1-based line and column; written is the text that an agent takes for it.

    path is the path that the author meant. loads is the file that agents load, as a path from the
    root; fault is DEAD or GLUED. Both are empty if it is unknown. meant is the file there, or at
    the dead path from the root. chain holds the documents that lead to the import, last its own.
    """

    line: int
    column: int
    written: str
    path: str
    loads: str = ""
    fault: str = ""
    meant: str = ""
    chain: tuple[str, ...] = ()


class Files(NamedTuple):
    """Look-ups of paths in a repository.

    is_file tells whether a file is on this disk, may_be whether it may be on another. real follows
    links, and packages returns the packages around a folder.
    """

    is_file: Callable[[str], bool]
    may_be: Callable[[str], bool]
    real: Callable[[str], str | None] = lambda path: path
    packages: Callable[[str], Sequence[str]] = lambda _: ()


def imports_in(path: str, data: bytes, files: Files, *, strict: bool) -> Iterator[Import]:
    """Yield the imports of a document at a POSIX path from the root, each with what it loads.

    strict: the agent takes paths literally. Others may ignore punctuation, and start from the root
    or a package.
    """
    folders = [dirname(path)]
    folders += [dirname(files.real(path) or path)] if strict else [*files.packages(folders[0]), ""]
    for one in _written_in(data) if b"@" in data else ():
        yield _resolved(one, folders, files, strict=strict)


def _resolved(one: Import, folders: Sequence[str], files: Files, *, strict: bool) -> Import:
    # A path from the root of the disk may mean the root of the repository.
    is_absolute = one.path[0] == "/"
    folders = [""] if is_absolute else folders
    names = list(dict.fromkeys((one.path, *_without_glue(one.path))))
    for name in names:
        there = next(filter(files.is_file, _places(name, folders)), "")
        if there and strict and not (name == one.path and one.written[0] == "@"):
            # A word with a name of a file at the root may be a person.
            fault = GLUED if "." in there or "/" in there else ""
            return one._replace(path=name, fault=fault, meant=there)
        if there:
            return one._replace(path=name, loads=there)
    name = names[-1]
    places = [*_places(name, folders)]
    # `@path/to/file.md` explains how to write an import.
    is_document = name.lower().endswith(MEMORY_ENDINGS) and "path/to/" not in name
    if is_absolute or not is_document or not places or any(map(files.may_be, places)):
        return one._replace(path=name)
    at_root = next(filter(files.is_file, _places(name, [""])), "")
    return one._replace(path=name, fault=DEAD, meant=at_root)


def _written_in(data: bytes) -> Iterator[Import]:
    blocks = blocks_of(data)
    hidden = blocks.outline.hidden_lines(blocks.front_matter)
    lines = ["" if n in hidden else line for n, line in enumerate(blocks.lines, start=1)]
    in_list = False
    for passage in passages(lines):
        is_indented = passage.text.startswith(("    ", "\t"))
        in_list = in_list if is_indented else _ITEM.match(passage.text) is not None
        if is_indented and not in_list:
            continue  # code
        text = _HIDDEN.sub(lambda match: " " * len(match[0]), passage.text)
        for match in _IMPORT.finditer(text):
            start, path = match.start(), match[1].partition("#")[0]
            before = text[start - 1] if start else ""
            path = path.rstrip("_") if before == "_" else path
            if path and path[0] != "~":
                glued = before if before in "(:,;" else ""
                at = passage.position(start)
                yield Import(*at, f"{glued}@{match[1]}", path.replace("\\ ", " "))


def _without_glue(path: str) -> Iterator[str]:
    """Yield the possible paths without the punctuation glued to them, the most likely last."""
    for pattern in (_TO_ENDING, _CLEAN):
        match = pattern.match(path)
        yield match[0].rstrip("._") if match else path


def _places(path: str, folders: Sequence[str]) -> Iterator[str]:
    for folder in folders:
        place = normpath(join(folder, path.lstrip("/")))
        if place.partition("/")[0] not in (".", ".."):
            yield place


def candidates(written: str, folder: str) -> Iterator[str]:
    """Yield the files in the root that a path may mean: from its own folder, then from the root."""
    folders = ["", ""] if written.startswith("/") else [folder, ""]
    yield from dict.fromkeys(_places(written, folders))
