"""How one line of a memory index is read: one reader per form, each a pure function of the text."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from learnings.core.findings.finding import quoted
from learnings.core.index.keys import OPERATORS, index_key

ROWS, TABLE, BLOCK, ARROW = "rows", "table", "block", "arrow"
FORMS = (ROWS, TABLE, BLOCK, ARROW)

_OPERATOR = re.compile(r"/([A-Za-z][\w-]*)(?=[ \t|]|$)")
_BAR = re.compile(r"\|")
_DASH = re.compile(r"(?<![ \t])[ \t]+[—–](?=[ \t]|$)")
# What Markdown or a reader takes for something else than a row, unless a heading reads like it.
_NOTE = re.compile(r"[-*+>|<~=—–#]|__|`{3}|\d{1,9}[.)](?:[ \t]|$)|\[[^\]]*\]:")
_ARROW = re.compile(r"(?:[-*+][ \t]+)?\*\*((?:[^*]|\*(?!\*))*)\*\*[ \t]*[—–][ \t]")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\(<?([^)>]*?)>?\)")
_POINTER = re.compile(
    r"(?P<path>[^\s`|()\[\]→]+\.\w+)(?::|\#L)(?P<a>\d+)(?:-L?(?P<b>\d+))?(?![\w-]|\.\w)"
    r"|[(\[](?:lines?[ ]|L)(?P<c>\d+)(?:[ ]?[-–][ ]?L?(?P<d>\d+))?[)\]]"
    r"|\|[ \t]*(?:lines?[ ]|L)(?P<e>\d+)(?:[ ]?[-–][ ]?L?(?P<f>\d+))?[ \t]*(?=\||$)"
)
# Lines of many megabytes cost the square of what is tried on them.
_LONGEST_WORDS = 1000
_MOST_ENDS = 8
_BARE_LINES = re.compile(r"[ \t]*(?:lines?[ ]|L)?(\d+)(?:[ ]?[-–][ ]?L?(\d+))?[ \t]*")


class Pointer(NamedTuple):
    """Lines that a row points at, 1-based; path is None where they are those of the row's file."""

    path: str | None
    first: int
    last: int


class Reading(NamedTuple):
    """What one line says, if it is a row.

    keys are all the ways to read its key, the longest first: a heading may hold the sign that
    ends a key. The last one is taken where no heading decides. plain is False for what is a row
    only if a heading has its key, and a note otherwise. place is the path a row names itself.
    fault is what is wrong with its form, in words.
    """

    keys: tuple[str, ...] = ()
    plain: bool = True
    place: str | None = None
    fault: str | None = None
    pointers: tuple[Pointer, ...] = ()


def read_row(content: str) -> Reading | None:
    """Read `/when trigger | words`, `/how …` or `key — summary`, given without its terminator.

    None for what is neither: a row begins in the first column.
    """
    if not content or content[0] in " \t":
        return None
    match = _OPERATOR.match(content)
    return _dashed(content) if match is None else _operated(match)


def read_arrow(content: str) -> Reading | None:
    """Read `**name** — summary → path`, with or without a bullet before it."""
    match = _ARROW.match(content)
    summary, arrow, target = content.rpartition("→")
    if match is None or not arrow or len(summary) < match.end():
        return None
    keys, place = cell_keys(match[1]), cell_path(target)
    if not keys or not place:
        fault = f"{quoted(content)} has no {'path behind the arrow' if keys else 'name'}"
        return Reading(fault=fault, place=place or None)
    return Reading(keys, place=place, pointers=pointers_in(content[match.end() :]))


def cell_keys(cell: str) -> tuple[str, ...]:
    """Return the ways to read a cell: as it stands, without code marks, as a link's text.

    Each may be written with an operator.
    """
    texts = [cell.strip()]
    texts += [found[1].strip() for sign in (_CODE, _LINK) if (found := sign.fullmatch(texts[0]))]
    keys: list[str] = []
    for text in texts:
        match = _OPERATOR.match(text)
        if match is not None and match[1].casefold() in OPERATORS:
            keys += _operated(match).keys
        keys.append(index_key(text))
    return tuple(dict.fromkeys(key for key in keys if key))


def cell_path(cell: str) -> str:
    """Return the path that a cell names, out of code marks or a link, without anchor or line."""
    text = cell.strip()
    if found := _LINK.fullmatch(text):
        text = found[2].strip()
    elif found := _CODE.fullmatch(text):
        text = found[1].strip()
    if (pointer := _POINTER.fullmatch(text)) and pointer["path"]:
        text = pointer["path"]
    return text.partition("#")[0]


def pointers_in(text: str) -> tuple[Pointer, ...]:
    """Return the lines that a text points at: `x.md:12`, `x.md#L12`, `(line 12)`, `| L12-20`."""
    found = []
    for match in _POINTER.finditer(text[:_LONGEST_WORDS]):
        first = match["a"] or match["c"] or match["e"]
        last = match["b"] or match["d"] or match["f"] or first
        found.append(_pointer(match["path"], first, last))
    return tuple(pointer for pointer in found if pointer is not None)


def pointer_cell(cell: str) -> tuple[Pointer, ...]:
    """Return the lines that a cell of a column of lines names: `12`, `12-20`, `L12`."""
    match = _BARE_LINES.fullmatch(cell)
    pointer = _pointer(None, match[1], match[2] or match[1]) if match else None
    return () if pointer is None else (pointer,)


def _pointer(path: str | None, first: str, last: str) -> Pointer | None:
    # Longer numbers are no line numbers, and int() refuses very long ones.
    return Pointer(path, int(first), int(last)) if max(len(first), len(last)) < 10 else None


def _operated(match: re.Match[str]) -> Reading:
    content, operator = match.string, match[1].casefold()
    if operator not in OPERATORS:
        known = " and ".join(f"/{name}" for name in OPERATORS)
        return Reading(fault=f"/{match[1][:20]} is no operator; those are {known}")
    start = match.end()
    ends = [bar.start() for bar in islice(_BAR.finditer(content, start), _MOST_ENDS)]
    triggers = [content[start:end] for end in (len(content), *reversed(ends))]
    keys = tuple(index_key(trigger, operator=operator) for trigger in triggers)
    if not keys[-1]:
        return Reading(fault=f"/{operator} has no trigger; name the heading behind it")
    rest = content[ends[0] :] if ends else ""
    return Reading(tuple(dict.fromkeys(keys)), pointers=pointers_in(rest))


def _dashed(content: str) -> Reading | None:
    ends = [dash.start() for dash in islice(_DASH.finditer(content), _MOST_ENDS)]
    if not ends:
        return None
    keys = tuple(index_key(content[:end]) for end in (len(content), *reversed(ends)))
    plain = _NOTE.match(content) is None and content[0] != "#"
    return Reading(
        tuple(dict.fromkeys(keys)), plain=plain, pointers=pointers_in(content[ends[0] :])
    )
