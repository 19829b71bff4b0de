"""What a theme is called, and what INDEX says of it: words and rules of its observations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from learnings.consolidation.text.forms import forms
from learnings.consolidation.text.keywords import Keyword, keys, keywords
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable, shortened
from learnings.tiers.items import item_of
from learnings.tiers.raw_files import Observation

SUMMARY = 110
"""Characters of what INDEX says of a theme at most: with name and path two lines of a screen."""
# What ends a clause, so that the words around it make no name: the end of the rule, a stop, a
# comma, a bracket, a dash between blanks.
_CLAUSE_END = lazy_pattern(r"\n|[.,;:!?](?=\s|$)|[()]|\s[–—-]\s")
_LONGEST_WORD = 30  # characters of a word in a title; longer ones are paths or hashes


class Vocabulary:
    """In how many observations of a store each keyword is."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        texts = [set(keys(_text(observation))) for observation in observations]
        self._spread = Counter(key for text in texts for key in text)
        self._count = len(texts)

    def weight(self, key: str) -> float:
        """Return what a keyword says about an observation: more if few have it."""
        return math.log((self._count + 1) / max(self._spread[key], 1))


def title_of(members: Sequence[Observation], vocabulary: Vocabulary) -> str:
    """Return a title of two or three words that members share.

    What half of them write as two or three words in a row is preferred; else it is two words in the
    order in which the members have them.
    """
    clauses = [[keywords(clause) for clause in _clauses(member)] for member in members]
    texts = [[keyword for clause in member for keyword in clause] for member in clauses]
    spread = Counter(key for text in texts for key in {keyword.key for keyword in text})
    strength = {key: count * vocabulary.weight(key) for key, count in spread.items() if count > 1}
    words = _phrase(clauses, strength) or _two_words(texts, strength)
    return printable(" ".join(map(_capitalised, words))) or "Theme"


def summary_of(members: Sequence[Observation]) -> str:
    """Return what the most typical members say, the first of the members given and perhaps another.

    It is one line that no reader takes for a row with another target.
    """
    texts = [item_of(member).short.rstrip(".;: ") for member in members]
    summary = shortened(texts[0], SUMMARY)
    for text in texts[1:]:
        if text not in summary and len(summary) + len(text) + 2 <= SUMMARY:
            summary = f"{summary}; {text}"
            break
    return _line(summary)


def is_summary(text: str, members: Sequence[Observation]) -> bool:
    """Return True if summary_of() has said this of some of the members, in whatever order."""
    return any(
        text in (summary_of([one]), summary_of([one, other]))
        for one in members
        for other in members
    )


def written_summary(body: str) -> str:
    """Return what a text that somebody wrote says first."""
    lines = (line.strip().lstrip("-*+> ") for line in body.split("\n"))
    return _line(next(filter(None, lines), "no text yet"))


def _line(text: str) -> str:
    """Return text that no reader takes for another row."""
    return shortened(printable(text), SUMMARY).replace("→", "->")


def _phrase(
    texts: Sequence[Sequence[Sequence[Keyword]]], strength: Mapping[str, float]
) -> Sequence[str]:
    """Return the words in a row that most texts have, if that is half of them and two at least."""
    rows = Counter(keys for text in texts for keys in {_keys(row) for row in _rows(text)})
    best = max(
        (row for row, count in rows.items() if count > 1 and 2 * count >= len(texts)),
        key=lambda row: (rows[row], len(row), sum(strength[key] for key in row), row),
        default=None,
    )
    written = Counter(
        tuple(keyword.word for keyword in row)
        for text in texts
        for row in _rows(text)
        if _keys(row) == best
    )
    return min(written, key=lambda words: (-written[words], words), default=())


def _rows(text: Sequence[Sequence[Keyword]]) -> Iterator[Sequence[Keyword]]:
    """Give the two and three keywords in a row of a clause, all different."""
    for clause, length in product(text, (2, 3)):
        for start in range(len(clause) - length + 1):
            row = clause[start : start + length]
            if len(set(_keys(row))) == length:
                yield row


def _keys(row: Sequence[Keyword]) -> tuple[str, ...]:
    return tuple(keyword.key for keyword in row)


def _two_words(texts: Sequence[Sequence[Keyword]], strength: Mapping[str, float]) -> Sequence[str]:
    """Return the strongest word and the strongest that half of the texts have, as they write it."""
    every = [[keyword.key for keyword in text] for text in texts]
    ranked = sorted(strength, key=lambda key: (-strength[key], key))
    in_half = [key for key in ranked[1:] if 2 * sum(key in text for text in every) >= len(texts)]
    pair = [*ranked[:1], *(in_half or ranked[1:])[:1]] or [key for text in every for key in text][
        :2
    ]
    written = forms((" ".join(keyword.word for keyword in text) for text in texts), pair)
    return [written[key] for key in _in_their_order(pair, every) if key in written]


def _in_their_order(pair: Sequence[str], texts: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return two keys in the order in which most texts with both have them first."""
    if len(pair) < 2:
        return pair
    one, other = pair
    both = [text for text in texts if one in text and other in text]
    first = sum(text.index(one) < text.index(other) for text in both)
    return (one, other) if 2 * first >= len(both) else (other, one)


def _capitalised(word: str) -> str:
    shown = shortened(word, _LONGEST_WORD)
    return shown[:1].upper() + shown[1:] if shown.islower() else shown


def _clauses(observation: Observation) -> list[str]:
    return _CLAUSE_END.split(_text(observation))


def _text(observation: Observation) -> str:
    return f"{observation.rule}\n{observation.description}"
