"""The paths and commands that a Markdown file names in code spans and relative links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from posixpath import join, normpath
from typing import NamedTuple
from urllib.parse import unquote

from learnings.core.markdown.links import LINK
from learnings.core.markdown.passages import Passage, code_spans, passages
from learnings.core.patterns import lazy_pattern
from learnings.references.clauses import is_said_gone

# Most characters: nobody writes a longer line by hand, and each tick in it may begin code.
_LONGEST_PASSAGE = 20_000
# `https:`, `C:`; a path of the machine or the home folder; parts that a shell or template fills.
_ELSEWHERE = lazy_pattern(r"[A-Za-z][\w+.-]*:|[/~\\]|\.\.\./\.\.|.*[<>{}*?$|=\"'`\\]|.*\.\.\.")
# Suffixes of a path: `:12`, `:12-15`, `:12:5`, `#L12`, `#anchor`, `::name`.
_BEHIND = lazy_pattern(
    r"(?P<path>[^#]*?)(?:::[\w.\[\]-]+|:(?P<line>[1-9]\d{0,6})(?:[-–:]\d+)*"
    r"|\#L(?P<link_line>[1-9]\d{0,6})(?:-L?\d+)?|\#(?P<anchor>[^#\s]+))?(?:\(\))?"
)
# A word that can be a path: with a folder, or with an extension of letters (`x.py`, `.env`).
_IS_PATH = lazy_pattern(r"[^/]*/.*|(?:.*[^.])?\.[A-Za-z][A-Za-z0-9_]{0,9}")
# A command about the history: `git show abc123:old.py`.
_ABOUT_HISTORY = lazy_pattern(
    r"git (?:-\S+ )*(?:blame|checkout|diff|grep|log|mv|restore|rm|show)\b|(?:rm|unlink|mv) "
)
# A command that runs a name defined by the repository: `make -s lint`, `npm run build`.
_RUNS = lazy_pattern(
    r"(?P<tool>make|just|(?:npm|pnpm|yarn|bun) run)(?: -[\w-]+)*"
    r" (?P<name>[A-Za-z][\w:./-]*)(?= |$)"
)
_FIRST_WORD = lazy_pattern(r"(?P<name>[A-Za-z][\w.-]+)(?= |$)")
# Marks around a word of a command that are not part of its path.
_AROUND = "\"'`,;()[]"


class Around(NamedTuple):
    """The passage around a reference, its start and end in it, and the label above."""

    text: str
    start: int
    end: int
    label: str = ""


class Reference(NamedTuple):
    """A reference of a file to something in the repository.

    line and column are those of `text`, the path or name as written, 1-based. written is the same
    with its suffix (`:12`, `#anchor`). paths are its candidates relative to the root, best first.
    line_number and anchor come from the suffix. tool is the program that runs a name: `make`,
    `just`, `npm run`, or empty for a program of its own. is_link is True for the destination of a
    link.
    """

    text: str
    written: str
    paths: tuple[str, ...] = ()
    line_number: int | None = None
    anchor: str | None = None
    tool: str | None = None
    is_link: bool = False
    line: int = 0
    column: int = 0
    around: Around = Around("", 0, 0)

    @property
    def is_said_gone(self) -> bool:
        """True if the sentence around it says that it is gone."""
        text, start, end, label = self.around
        return is_said_gone(text, start, end, label=label)


def references_in(
    path: str, lines: Sequence[str], *, front_matter: int = 0, hidden: Collection[int] = ()
) -> Iterator[Reference]:
    """Yield the references in code spans and relative links of a file at a POSIX path.

    lines include their ends. Code blocks are examples and left out, and so are hidden lines:
    comments, and indented code.
    """
    folder = path.rpartition("/")[0]
    label = ""
    for passage in passages(lines, front_matter):
        if passage.language is not None or passage.line in hidden:
            continue
        if "`" in passage.text or "](" in passage.text or "]:" in passage.text:
            for reference, start, end in _in_passage(passage, folder):
                line, column = passage.position(start)
                around = Around(passage.text, start, end, label)
                yield reference._replace(line=line, column=column, around=around)
        label = _label_after(passage, label)


def _label_after(passage: Passage, label: str) -> str:
    """Return the text that introduces the passages below: a heading, or a line with a colon."""
    text = passage.text.strip()
    if text.startswith("#") or text.rstrip("*_").endswith((":", "：")):
        return text
    return label if text[:1] in "-*+|" or text[:1].isdigit() else ""


def _in_passage(passage: Passage, folder: str) -> Iterator[tuple[Reference, int, int]]:
    """Yield the references of a passage, with the offsets of their start and end."""
    if len(passage.text) > _LONGEST_PASSAGE:
        return
    for span in code_spans(passage):
        for start, text in _words(span.text):
            for reference in _in_code(text, folder, is_whole=text == span.text):
                begin = span.start + start + text.index(reference.text)
                yield reference, begin, begin + len(reference.text)
    for match in LINK.finditer(passage.text):
        group = match.lastgroup if match.lastgroup in _LINK_GROUPS else None
        linked = _linked(match[group], folder) if group else None
        if group and linked is not None:
            yield linked, match.start(group), match.end(group)


_LINK_GROUPS = ("angled", "bare", "angled_label", "label", "href")


def _words(code: str) -> Iterator[tuple[int, str]]:
    """Yield a code span as a whole, then each of its words, with their offsets in it."""
    if _ABOUT_HISTORY.match(code):
        return
    yield 0, code
    if " " in code or "\n" in code:
        for match in re.finditer(r"\S+", code):
            word = match[0].strip(_AROUND)
            yield match.start() + match[0].index(word), word


def _in_code(code: str, folder: str, *, is_whole: bool) -> Iterator[Reference]:
    written = code.lstrip("@")
    behind = _BEHIND.fullmatch(written)
    path = behind["path"].rstrip(".,:;") if behind else ""
    if behind and path and _IS_PATH.fullmatch(path) and not _ELSEWHERE.match(path):
        paths = tuple(_paths(path, ("", folder)))
        yield Reference(path, written, paths, _number(behind), behind["anchor"])
    runs = _RUNS.match(code) if is_whole else None
    if runs is not None:
        yield Reference(runs["name"], runs[0], tool=runs["tool"])
    elif is_whole and (program := _FIRST_WORD.match(code)):
        yield Reference(program["name"], program["name"], tool="")


def _linked(destination: str, folder: str) -> Reference | None:
    behind = _BEHIND.fullmatch(destination)
    path = behind["path"] if behind else ""
    is_root = path.startswith("/") and not path.startswith("//")
    if behind is None or not path or _ELSEWHERE.match(path.lstrip("/") if is_root else path):
        return None
    paths = tuple(_paths(unquote(path), ("",) if is_root else (folder,)))
    return Reference(path, destination, paths, _number(behind), behind["anchor"], is_link=True)


def _number(behind: re.Match[str]) -> int | None:
    number = behind["line"] or behind["link_line"]
    return int(number) if number else None


def _paths(written: str, folders: Sequence[str]) -> Iterator[str]:
    """Yield the paths relative to the root that a path can mean, from each of some folders."""
    for folder in dict.fromkeys(folders):
        path = normpath(join(folder, written.lstrip("/")))
        if path not in (".", "..") and not path.startswith("../"):
            yield path
