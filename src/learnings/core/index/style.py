"""How the rows of a memory index are written, for a new one to be written as its neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from learnings.core.index.files import Target
from learnings.core.index.keys import operator_and_trigger
from learnings.core.index.match import MatchStatus, RowMatch
from learnings.core.patterns import lazy_pattern

# `/when` or `/how` at the beginning of a row or a cell; not within a path.
_OPERATOR = lazy_pattern(r"(?:^|[ \t|`])/(?:when|how)[ \t]", re.IGNORECASE)


class RowStyle(NamedTuple):
    """How rows name their headings; a value is None where no row shows it.

    lower is True where they are in lower case though their headings are not, operators where
    headings that begin with "When" and "How to" are written with `/when` and `/how`.
    """

    lower: bool | None = None
    operators: bool | None = None

    def name_of(self, target: Target) -> str:
        """Return what a new row calls a heading or a file."""
        return target.name.lower() if self.lower else target.name

    def over(self, other: RowStyle) -> RowStyle:
        """Return this style with what it does not show from another."""
        lower = other.lower if self.lower is None else self.lower
        return RowStyle(lower, other.operators if self.operators is None else self.operators)


PLAIN = RowStyle()


def style_of(row_matches: Iterable[RowMatch]) -> RowStyle:
    """Return how most of the rows that name a heading are written."""
    lower: Counter[bool] = Counter()
    operators: Counter[bool] = Counter()
    for row_match in row_matches:
        if row_match.status is not MatchStatus.MATCHED or row_match.target is None:
            continue
        title, text = row_match.target.name, row_match.row.text
        parts = operator_and_trigger(title)
        words = parts[1] if parts else title
        if parts:
            operators[_OPERATOR.search(text) is not None] += 1
        if words != words.lower() and words.lower() in text.lower():
            lower[words not in text and words.lower() in text] += 1
    return RowStyle(_majority(lower), _majority(operators))


def _majority(votes: Counter[bool]) -> bool | None:
    return None if votes[True] == votes[False] else votes[True] > votes[False]
