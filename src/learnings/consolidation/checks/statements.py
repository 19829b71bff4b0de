"""Texts as statements: what is affirmed, what is negated, on which line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from learnings.consolidation.checks.negation import (
    BESIDE,
    Cue,
    cues_of,
    is_labelled_wrong,
    is_polarity_word,
    sides_of,
)
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.labels import is_label
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.text import chomp

LABELLED = "labelled as wrong"


class Statement(NamedTuple):
    """A clause of a text: the stems of its keywords in order, and whether it negates.

    cue are the words that negate it, empty where it affirms; denied are the keywords that they
    negate, first the one right after them, all of them where a label does. sides are the opposites
    in it (see negation.sides_of). line is 1-based.
    """

    keys: tuple[str, ...]
    negated: bool
    cue: str
    denied: tuple[str, ...]
    sides: frozenset[tuple[int, int]]
    line: int
    text: str

    @property
    def is_labelled(self) -> bool:
        """True if only a label negates it."""
        return self.cue == LABELLED

    @property
    def words(self) -> frozenset[str]:
        """The stems without their order."""
        return frozenset(self.keys)


# Quote marks, then the marker of a list item or heading.
_LEAD = re.compile(rf"^[ \t>]*(?:(?:{LIST_MARKER}|#{{1,6}})[ \t]+)?")
# Some words and a colon, also in bold: `**Lesson**: …`.
_LABEL = re.compile(
    r"^(?:\*\*|__)?(?P<label>[^\W\d_][\w /'’-]{0,40}?)(?:[:：](?:\*\*|__)?|(?:\*\*|__)[:：])\s*"
)
# The start of an ATX heading.
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]")
# `but not` at the start of a clause: the rest of a statement that was split before it.
_HALF = re.compile(r"(?:, )?(?:but|and) not\b", re.IGNORECASE)
# Where clauses end: sentence ends, dashes, arrows, colons, parentheses, and before conjunctions.
_BREAK = re.compile(
    r"(?<=[.!?;])\s+|[;。！？；]|\s+(?:—|–|--|→)\s+|:\s+|[()]|"
    r",\s+(?=(?:(?:but|and)(?! not\b)|so|because|since|which|while|then|as|it|they|we|the)\b)|"
    r"\s+(?=(?:but(?! not\b)|because|unless|except|while|whereas)\b)",
    re.IGNORECASE,
)


# Both checks read the statements of an entry, one of them once for each pair.
@lru_cache(maxsize=8192)
def statements(lines: tuple[str, ...], first: int) -> tuple[Statement, ...]:
    """Return the statements of some lines of which the first has the number given.

    What a label calls wrong (`Anti-pattern:`) is negated as a whole. A clause of fewer than two
    keywords and a row of a table state nothing; a heading states only what it negates, since it is
    not a sentence otherwise.
    """
    return tuple(
        statement
        for number, line in enumerate(lines, start=first)
        for statement in _of_line(chomp(line), number)
    )


def _of_line(line: str, number: int) -> Iterator[Statement]:
    if line.lstrip().startswith("|"):
        return  # a row of a table is not a sentence
    is_heading = _HEADING.match(line) is not None
    is_wrong = is_labelled_wrong(line)
    text = _without_label(_LEAD.sub("", line, count=1))
    for clause in _BREAK.split(text):
        for statement in _of_clause(clause.strip() if clause else "", number, is_wrong=is_wrong):
            if statement.negated or not is_heading:
                yield statement


def _without_label(text: str) -> str:
    match = _LABEL.match(text)
    return text[match.end() :] if match is not None and is_label(match["label"]) else text


def _of_clause(clause: str, number: int, *, is_wrong: bool) -> Iterator[Statement]:
    keys = _keys(clause)
    if len(set(keys)) < 2:
        return
    cues = cues_of(clause)
    aside = next((cue for cue in cues if cue.kind == BESIDE), None)
    if aside is not None:
        # `this instead of that` affirms the one and negates the other.
        main, rest = _keys(clause[: aside.start]), _keys(clause[aside.end :])
        if len(set(main)) > 1:
            cue, denied = (LABELLED, main) if is_wrong else ("", ())
            yield Statement(main, is_wrong, cue, denied, sides_of(clause), number, clause)
        if rest and not _HALF.match(clause):
            yield Statement(keys, not is_wrong, aside.text, rest, frozenset(), number, clause)
        return
    negated = (len(cues) % 2 == 1) != is_wrong
    cue = " ".join(cue.text for cue in cues) or (LABELLED if negated else "")
    denied = _after(clause, cues[0]) if cues else keys if negated else ()
    yield Statement(keys, negated, cue, denied, sides_of(clause), number, clause)


def _keys(clause: str) -> tuple[str, ...]:
    """Return the stems of the subjects of a clause, in its order."""
    return tuple(keyword.key for keyword in keywords(clause) if not is_polarity_word(keyword.word))


def _after(clause: str, cue: Cue) -> tuple[str, ...]:
    """Return the keywords after a cue; the one before it where there are none."""
    return _keys(clause[cue.end :]) or _keys(clause[: cue.start])[-1:]
