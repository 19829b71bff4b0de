"""Which entry of an older version an entry of a newer one is, and where its first line was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from learnings.core.entries.changes import Changes, pair_by_body
from learnings.core.entries.document import Document, Entry
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# The number at the end of the identity of a second entry with the same heading.
_NUMBER = lazy_pattern(r" #\d+$")
# What is not a letter or a digit.
_NOT_IN_WORDS = lazy_pattern(r"[\W_]+")
_MARKS = "-*+"
# All different lines of a long history.
_REMEMBERED_LINES = 1 << 14


class FirstLine(NamedTuple):
    """What a line has in common with the first line of an entry: its mark, letters and digits."""

    mark: str
    letters: str


@lru_cache(maxsize=_REMEMBERED_LINES)
def first_line(line: str) -> FirstLine:
    """Return what is compared of a line: white space, capitals and punctuation do not count."""
    text = chomp(line).strip()
    mark = "#" if text.startswith("#") else "-" if text[:1] in _MARKS else ""
    return FirstLine(mark, _NOT_IN_WORDS.sub("", text.casefold()) or text)


def counterpart(entry: Entry, new: Document, old: Document) -> Entry | None:
    """Return the entry that an entry of a version was in the version before, by identity.

    Where several entries have the same heading, the one with the same text, else the likest, else
    the one at the same rank.
    """
    key = _NUMBER.sub("", entry.identity)
    second = f"{key} #2"
    if second not in new.by_identity and second not in old.by_identity:
        return old.by_identity.get(entry.identity)
    twins = [twin for twin in new.entries if _NUMBER.sub("", twin.identity) == key]
    older = [twin for twin in old.entries if _NUMBER.sub("", twin.identity) == key]
    return _pairs_of_twins(twins, older).get(entry.identity)


def _pairs_of_twins(twins: Sequence[Entry], older: Sequence[Entry]) -> dict[str, Entry]:
    pairs: dict[str, Entry] = {}
    left = list(older)
    for twin in twins:
        same = next((old for old in left if old.body.split() == twin.body.split()), None)
        if same is not None:
            pairs[twin.identity] = same
            left.remove(same)
    rest = [twin for twin in twins if twin.identity not in pairs]
    for old, twin in list(pair_by_body(left, rest)):
        pairs[twin.identity] = old
        left.remove(old)
        rest.remove(twin)
    return pairs | {twin.identity: old for twin, old in zip(rest, left, strict=False)}


def hidden_line(line: FirstLine, new: Document, old: Document) -> int | None:
    """Return where a version has a first line that begins no entry in it: 1-based, or None.

    An open fence or comment, a conflict, or another dialect can keep a heading from being an entry.
    A line that stands beside the entries in the newer version as well is no such heading, as long
    as both read their lines in the same way.
    """
    same_dialect = (old.dialect.name, old.dialect.level) == (new.dialect.name, new.dialect.level)
    hidden = [
        number
        for number in _numbers(line, old)
        if not same_dialect or number not in old.by_first_line
    ]
    if same_dialect:
        beside = sum(number not in new.by_first_line for number in _numbers(line, new))
        has_entry = any(first_line(e.lines[0]) == line for e in new.entries)
        if has_entry and beside >= len(hidden):
            return None
    return hidden[0] if hidden else None


def _numbers(line: FirstLine, version: Document) -> list[int]:
    return [n for n, text in enumerate(version.lines, start=1) if first_line(text) == line]


def rewritten_pairs(changes: Changes) -> dict[str, Entry]:
    """Return the old entry for each new one, by identity, of a change that rewrote entries.

    Heading and body may both be others: the likest titles are paired, then the rest in order.
    """
    scored = sorted(
        (-_likeness(old, new), j, i)
        for i, old in enumerate(changes.removed)
        for j, new in enumerate(changes.added)
    )
    pairs: dict[int, int] = {}
    for ratio, j, i in scored:
        if ratio and j not in pairs and i not in pairs.values():
            pairs[j] = i
    left = [i for i in range(len(changes.removed)) if i not in pairs.values()]
    rest = [j for j in range(len(changes.added)) if j not in pairs]
    pairs |= dict(zip(rest, left, strict=False))
    return {changes.added[j].identity: changes.removed[i] for j, i in pairs.items()}


def _likeness(old: Entry, new: Entry) -> float:
    words, other_words = old.title.casefold().split(), new.title.casefold().split()
    if not (Counter(words) & Counter(other_words)):
        return 0.0
    from difflib import SequenceMatcher  # noqa: PLC0415  (for ignored revisions only)

    return SequenceMatcher(None, words, other_words, autojunk=False).ratio()
