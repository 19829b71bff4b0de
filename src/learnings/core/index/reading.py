"""What one line of a memory index says, and the readers that several forms share.

Each is a pure function of the text, given without its terminator.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from learnings.core.index.keys import OPERATORS, index_key
from learnings.core.index.pointers import Pointer, pointers_in, without_lines
from learnings.core.patterns import lazy_pattern

# How often a bar or a dash is taken for the end of a key: each attempt reads the line once, and a
# line may have megabytes of them. In 18,000 lines of real memory files none has more than 3 dashes.
MOST_ENDS = 8
# `/when`, `/how` or any other word after a slash, as a word of its own: not `/usr/bin`.
_OPERATOR = lazy_pattern(r"/([A-Za-z][\w-]*)(?=[ \t|]|$)")
_BAR = lazy_pattern(r"\|")  # what separates the trigger from the extra words
_CODE = lazy_pattern(r"`([^`]+)`")  # a whole text in code marks
_LINK = lazy_pattern(r"\[([^\]]+)\]\(<?([^)>]*?)>?\)")  # `[text](target)`, `[text](<target>)`


class Reading(NamedTuple):
    """What one line says, if it is a row.

    keys are all the ways to read its key, the longest first: a heading may hold the sign that
    ends a key. The last one counts where no heading decides. plain is False for what is a row
    only if a heading has its key, and a note otherwise. path is the one that the row names itself.
    fault is what is wrong with its form, as a clause.
    """

    keys: tuple[str, ...] = ()
    plain: bool = True
    path: str | None = None
    fault: str | None = None
    pointers: tuple[Pointer, ...] = ()


def read_operator(text: str) -> Reading | None:
    """Read `/when trigger | words` or `/how …`; None if there is no word after a slash."""
    match = _OPERATOR.match(text)
    if match is None:
        return None
    operator = match[1].casefold()
    if operator not in OPERATORS:
        known = " and ".join(f"/{name}" for name in OPERATORS)
        return Reading(fault=f"/{match[1][:20]} is not an operator; those are {known}")
    start = match.end()
    ends = [bar.start() for bar in islice(_BAR.finditer(text, start), MOST_ENDS)]
    triggers = [text[start:end] for end in (len(text), *reversed(ends))]
    keys = unique(index_key(trigger, operator=operator) for trigger in triggers)
    if "" in keys:
        return Reading(fault=f"/{operator} has no trigger; name the heading behind it")
    return Reading(keys, pointers=pointers_in(text[ends[0] :]) if ends else ())


def keys_of_cell(cell: str) -> tuple[str, ...]:
    """Return the ways to read a cell: as it stands, without code marks, as the text of a link.

    Each may be written with an operator.
    """
    texts = [cell.strip()]
    matches = (pattern.fullmatch(texts[0]) for pattern in (_CODE, _LINK))
    texts += [match[1].strip() for match in matches if match]
    keys: list[str] = []
    for text in texts:
        reading = read_operator(text)
        keys += [*(reading.keys if reading else ()), index_key(text)]
    return unique(key for key in keys if key)


def path_of_cell(cell: str) -> str:
    """Return the path that a cell names, out of code marks or a link, without anchor or line."""
    text = cell.strip()
    if link := _LINK.fullmatch(text):
        text = link[2].strip()
    elif code := _CODE.fullmatch(text):
        text = code[1].strip()
    return without_lines(text).partition("#")[0]


def unique(keys: Iterable[str]) -> tuple[str, ...]:
    """Return keys without repetition, in their order."""
    return tuple(dict.fromkeys(keys))
