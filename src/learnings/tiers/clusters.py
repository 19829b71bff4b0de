"""Observations that belong to one theme, and the title and summary of the theme."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from learnings.consolidation.groups.groups import propose
from learnings.consolidation.groups.partition import IN_COMMON, Levels
from learnings.consolidation.text.keywords import Keyword, keys, keywords, written_forms
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable, shortened
from learnings.tiers.raw_files import RawObservation, item_of

THEME_LEVELS = Levels(0.14, 0.375)
"""Similarity from which observations make a theme, and that which a theme of two needs.

Chosen on three made-up stores of 30 observations (benchmarks/README.md, Tiers), not on the real one
that was read afterwards: of the pairs that share a theme 77 % do so for a person too, and of those
of a person it finds 19 %. With the level of entries, which are longer, it is half as many (10 %,
86 % right), with 0.10 hardly more (20 %, 58 % right). The level for two is that of entries.
"""


class Cluster(NamedTuple):
    """What belongs together: indices of observations and of themes, the most typical first."""

    observations: tuple[int, ...]
    themes: tuple[int, ...]


def clusters_of(
    observations: Sequence[RawObservation],
    themes: Sequence[tuple[str, str]] = (),
    *,
    levels: Levels = THEME_LEVELS,
) -> list[Cluster]:
    """Return the clusters, the largest first; an observation is in one at most.

    themes are titles and texts that somebody has written: what is like them belongs to them.
    """
    texts = [*_cluster_texts(observations), *themes]
    entries = [_as_entry(number, *text) for number, text in enumerate(texts, start=1)]
    # A file of fields has no boilerplate, and all of a small store may be about one thing.
    grouping = propose(
        entries,
        include_consolidated=True,
        with_neighbours=False,
        strip_common=False,
        levels=levels,
    )
    clusters = []
    for group in grouping.groups:
        members = sorted(group.members, key=lambda member: -len(member.shared))
        indices = [member.entry.first - 1 for member in members]
        count = len(observations)
        own = tuple(index for index in indices if index < count)
        clusters.append(Cluster(own, tuple(n - count for n in indices if n >= count)))
    return clusters


def _cluster_texts(observations: Sequence[RawObservation]) -> Iterator[tuple[str, str]]:
    """Give the rule and the description of each; of a rule that others have, too, it alone.

    Those are one finding seen again, however different what was seen.
    """
    rules = [frozenset(keys(observation.rule)) for observation in observations]
    counts = Counter(rules)
    for observation, rule in zip(observations, rules, strict=True):
        is_shared = len(rule) >= IN_COMMON and counts[rule] > 1
        yield observation.rule, "" if is_shared else observation.description


def _as_entry(number: int, rule: str, description: str) -> Entry:
    """Return an entry without a title and a date.

    Rules are sentences: words that recur in them are no topics, as those of titles are (with the
    weight of titles and the levels of entries 57 % of the pairs are right). And what one work unit
    has found is not alike for having been written on one day.
    """
    lines = ("## \n", f"{rule}\n", f"{description}\n")
    return Entry("", None, None, 2, number, number + 1, str(number), lines)


LONGEST_SUMMARY = 110
"""Characters of what INDEX says of a theme at most: with name and path two lines of a screen."""
# What ends a clause, so that the words around it make no name: the end of the rule, a stop, a
# comma, a bracket, a dash between blanks.
_CLAUSE_END = lazy_pattern(r"\n|[.,;:!?](?=\s|$)|[()]|\s[–—-]\s")
_LONGEST_WORD = 30  # characters of a word in a title; longer ones are paths or hashes
# Words that name nothing at the start of a title, or alone: `adding`, `enabled`.
_NO_NOUN = lazy_pattern(r"(?i)(?!string|thing)\w{3,}ing|(?!speed|embed)\w{3,}ed")
NUMBER = lazy_pattern(r"\A[0-9]+ findings?: ")
"""What stands before what is said of a theme here."""


class Vocabulary:
    """In how many observations of a store each keyword is."""

    def __init__(self, observations: Iterable[RawObservation]) -> None:
        texts = [set(keys(observation.text)) for observation in observations]
        self._spread = Counter(key for text in texts for key in text)
        self._count = len(texts)

    def weight(self, key: str) -> float:
        """Return what a keyword says about an observation: more if few have it."""
        return math.log((self._count + 1) / max(self._spread[key], 1))


def title_of(members: Sequence[RawObservation], vocabulary: Vocabulary) -> str:
    """Return a title that members share; empty if they share nothing that names a theme.

    Two or three words in a row that half of them write come first. Otherwise it is their category
    and the most telling word that three in four of them have.
    """
    clauses = [
        [keywords(clause) for clause in _CLAUSE_END.split(member.text)] for member in members
    ]
    known = Counter(map(category_of, members))
    category, count = known.most_common(1)[0]
    words = _shared(clauses, (2, 3), 0.5, vocabulary)
    if not words and (category == OTHER or 2 * count >= len(members)):
        words = _shared(clauses, (1,), 0.75, vocabulary, known)
        if words and category != OTHER:
            words = [f"{category_title(category, members)}:", *words]
    return printable(" ".join(map(_capitalised, words)))


OTHER = "other"
"""The category of what has none."""


@lru_cache(maxsize=1_024)
def _category(text: str) -> str:
    return " ".join(keys(text.replace("-", " "))) or OTHER


def category_of(observation: RawObservation) -> str:
    """Return the category of an observation as it is compared: `build` for `Building`, too."""
    return _category(observation.category)


def category_named(name: str) -> str:
    """Return the category that a theme of this name or title has, its number left out."""
    return _category(re.sub(r"[- ][0-9]+$", "", name))


def category_title(category: str, members: Iterable[RawObservation]) -> str:
    """Return the title of a category, as most members write it."""
    written = written_forms(
        (member.category.replace("-", " ") for member in members), category.split()
    )
    return printable(" ".join(_capitalised(written.get(key, key)) for key in category.split()))


def summary_of(members: Sequence[RawObservation]) -> str:
    """Return how many members there are, and what the most typical of them say.

    It is one line that no reader takes for a row with another target.
    """
    return f"{counted(len(members), 'finding')}: {_said(members)}"


def _said(members: Sequence[RawObservation]) -> str:
    """Return what the first of the members says, and perhaps another one."""
    texts = [item_of(member).short.rstrip(".;: ") for member in members]
    summary = shortened(texts[0], LONGEST_SUMMARY)
    for text in texts[1:]:
        if text not in summary and len(summary) + len(text) + 2 <= LONGEST_SUMMARY:
            summary = f"{summary}; {text}"
            break
    return _summary_line(summary)


def is_summary(text: str, members: Sequence[RawObservation]) -> bool:
    """Return True if summary_of() has said this of some of the members, in whatever order."""
    said = NUMBER.sub("", text)
    pairs = ([one, other] for one in members for other in members)
    return any(said in (_said(pair[:1]), _said(pair)) for pair in pairs)


def written_summary(body: str) -> str:
    """Return what a text that somebody wrote says first."""
    lines = (line.strip().lstrip("-*+> ") for line in body.split("\n"))
    return _summary_line(next(filter(None, lines), "no text yet"))


def _summary_line(text: str) -> str:
    """Return text that no reader takes for another row."""
    return shortened(printable(text), LONGEST_SUMMARY).replace("→", "->")


def _shared(
    texts: Sequence[Sequence[Sequence[Keyword]]],
    lengths: Sequence[int],
    share: float,
    vocabulary: Vocabulary,
    known: Container[str] = (),
) -> Sequence[str]:
    """Return the words in a row that most texts have, if that is this share and two at least."""
    by_text = [[*_words_in_a_row(text, lengths)] for text in texts]
    rows = Counter(keys for text in by_text for keys in {_keys(row) for row in text})
    spread = Counter(key for text in texts for key in {k.key for clause in text for k in clause})
    weight = {key: count * vocabulary.weight(key) for key, count in spread.items()}
    best = max(
        (row for row, n in rows.items() if n >= max(2, share * len(texts)) and row[0] not in known),
        key=lambda row: (rows[row], len(row), sum(map(weight.__getitem__, row)), row),
        default=None,
    )
    same = (row for text in by_text for row in text if _keys(row) == best)
    written = Counter(tuple(keyword.word for keyword in row) for row in same)
    return min(written, key=lambda words: (-written[words], words), default=())


def _words_in_a_row(
    text: Sequence[Sequence[Keyword]], lengths: Sequence[int]
) -> Iterator[Sequence[Keyword]]:
    """Give so many keywords in a row of a clause, all different, that can name a thing."""
    for clause, length in product(text, lengths):
        for start in range(len(clause) - length + 1):
            row = clause[start : start + length]
            is_name = not (_NO_NOUN.fullmatch(row[0].word) or row[-1].word.endswith("ed"))
            if is_name and len(set(_keys(row))) == length:
                yield row


def _keys(row: Sequence[Keyword]) -> tuple[str, ...]:
    return tuple(keyword.key for keyword in row)


def _capitalised(word: str) -> str:
    shown = shortened(word, _LONGEST_WORD)
    return shown[:1].upper() + shown[1:] if shown.islower() else shown
