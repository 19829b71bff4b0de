"""Clusters of observations of one theme: title, summary, and candidates for promotion."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple

from learnings.consolidation.groups.groups import propose
from learnings.consolidation.groups.partition import IN_COMMON, Levels
from learnings.consolidation.text.keywords import Keyword, keys, keywords
from learnings.consolidation.text.similarity import Texts
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable, shortened
from learnings.tiers.raw_files import RawFile, RawObservation, item_of, raw_files_in_order

THEME_LEVELS = Levels(0.14, 0.375)
"""Minimum similarity of observations in a theme, and of the two in a theme of two.

Chosen on three made-up stores of 30 observations (benchmarks/README.md, Tiers), not on the real
store that was read afterwards: 77 % of the pairs that share a theme also do so for a person, and
the themes contain 19 % of a person's pairs. With the level of entries, which are longer, that share
is half as large (10 %, 86 % right), with 0.10 hardly larger (20 %, 58 % right). The level for two
is the level of entries.
"""


class Cluster(NamedTuple):
    """A cluster: indices of observations and of themes, most typical first."""

    observations: tuple[int, ...]
    themes: tuple[int, ...]


def clusters_of(
    observations: Sequence[RawObservation],
    themes: Sequence[tuple[str, str]] = (),
    *,
    levels: Levels = THEME_LEVELS,
) -> list[Cluster]:
    """Return the clusters, largest first; an observation is in at most one.

    themes are titles and texts that somebody has written; similar observations belong to them.
    """
    texts = [*_cluster_texts(observations), *themes]
    entries = [_as_entry(number, *text) for number, text in enumerate(texts, start=1)]
    # A file of fields has no boilerplate, and all observations of a small store may be about one
    # thing.
    grouping = propose(
        entries,
        include_consolidated=True,
        with_neighbours=False,
        strip_common=False,
        levels=levels,
    )
    clusters = []
    for group in grouping.groups:
        members = zip(group.members, group.own_words, strict=True)
        nearest = sorted(members, key=lambda member: -len(member[1]))
        indices = [entry.first - 1 for entry, _ in nearest]
        count = len(observations)
        own = tuple(index for index in indices if index < count)
        clusters.append(Cluster(own, tuple(n - count for n in indices if n >= count)))
    return clusters


def _cluster_texts(observations: Sequence[RawObservation]) -> Iterator[tuple[str, str]]:
    """Yield rule and description of each observation; only the rule if others have the same.

    Observations with the same rule are one finding seen again, however different they are.
    """
    rules = [frozenset(keys(observation.rule)) for observation in observations]
    counts = Counter(rules)
    for observation, rule in zip(observations, rules, strict=True):
        is_shared = len(rule) >= IN_COMMON and counts[rule] > 1
        yield observation.rule, "" if is_shared else observation.description


def _as_entry(number: int, rule: str, description: str) -> Entry:
    """Return an entry without a title and a date.

    Rules are sentences: unlike words in titles, words that recur in rules are not topics (with the
    weight of titles and the levels of entries 57 % of the pairs are right). And findings of one
    work unit are not alike just because they were written on one day.
    """
    lines = ("## \n", f"{rule}\n", f"{description}\n")
    return Entry("", None, None, 2, number, number + 1, str(number), lines)


LONGEST_SUMMARY = 110
"""Maximum characters of a theme's text in INDEX: with name and path two lines of a screen."""
# The end of a clause, across which words do not form a name: the end of the rule, a stop, a comma,
# a bracket, a dash between blanks.
_CLAUSE_END = lazy_pattern(r"\n|[.,;:!?](?=\s|$)|[()]|\s[–—-]\s")
_LONGEST_WORD = 30  # maximum characters of a word in a title; longer ones are paths or hashes
# Words that name nothing at the start of a title: `adding`, `enabled`.
_NO_NOUN = lazy_pattern(r"(?i)(?!string|thing)\w{3,}ing|(?!speed|embed)\w{3,}ed")
LEAST_COMMON = 4
"""Minimum observations with a word of most: fewer may be all that a young store is about."""
OWN = 2 / 3
"""Minimum share of the observations with a word of a title that are in its theme.

In the real store of benchmarks/README.md, Tiers, it leaves out the one theme whose findings have a
phrase and nothing else in common.
"""
NUMBER = lazy_pattern(r"\A[0-9]+ findings?: ")
"""The prefix of our summary of a theme."""


class Vocabulary:
    """The number of observations of a store that contain each keyword."""

    def __init__(self, observations: Iterable[RawObservation]) -> None:
        texts = [set(keys(observation.text)) for observation in observations]
        self._spread = Counter(key for text in texts for key in text)
        self._count = len(texts)

    def weight(self, key: str) -> float:
        """Return the weight of a keyword in an observation: higher if few observations have it."""
        return math.log((self._count + 1) / max(self._spread[key], 1))

    def is_common(self, key: str) -> bool:
        """Return True if a keyword stands in most observations, so that it tells none apart."""
        return self._spread[key] >= max(LEAST_COMMON, self._count // 2 + 1)

    def is_own(self, key: str, count: int) -> bool:
        """Return True if so many observations are most of those that contain a keyword."""
        return count >= OWN * self._spread[key]


def title_of(members: Sequence[RawObservation], vocabulary: Vocabulary) -> str:
    """Return the phrase that names what members share, or nothing if they share none.

    It is two or three consecutive words that at least two members and half of them have. No word is
    in most observations of the store, and one is hardly in others. One word, or a category, says
    too little: half of the clusters that shared no more were about several things.
    """
    texts = [_clauses(member) for member in members]
    found = Counter(phrase for text in texts for phrase in _phrases_in(text))
    spread = Counter(key for text in texts for key in {*_keys(chain(*text))})
    weight = {key: count * vocabulary.weight(key) for key, count in spread.items()}
    best = max(
        (
            phrase
            for phrase, count in found.items()
            if count >= max(2, len(texts) / 2)
            and not any(map(vocabulary.is_common, phrase))
            and any(vocabulary.is_own(key, spread[key]) for key in phrase)
        ),
        key=lambda phrase: (
            found[phrase],
            len(phrase),
            sum(map(weight.__getitem__, phrase)),
            phrase,
        ),
        default=None,
    )
    rows = (row for text in texts for row in _rows(text) if _keys(row) == best)
    written = Counter(tuple(keyword.word for keyword in row) for row in rows)
    words = min(written, key=lambda words: (-written[words], words), default=())
    return printable(" ".join(map(_capitalised, words)))


def _clauses(observation: RawObservation) -> list[tuple[Keyword, ...]]:
    return [(*keywords(clause),) for clause in _CLAUSE_END.split(observation.text)]


def _rows(text: Iterable[Sequence[Keyword]]) -> Iterator[Sequence[Keyword]]:
    """Yield two or three different keywords in a row of a clause, if they can name a thing."""
    for clause, length in product(text, (2, 3)):
        for start in range(len(clause) - length + 1):
            row = clause[start : start + length]
            is_name = not (_NO_NOUN.fullmatch(row[0].word) or row[-1].word.endswith("ed"))
            if is_name and len(set(_keys(row))) == length:
                yield row


def _phrases_in(text: Iterable[Sequence[Keyword]]) -> set[tuple[str, ...]]:
    return {*map(_keys, _rows(text))}


def _keys(row: Iterable[Keyword]) -> tuple[str, ...]:
    return tuple(keyword.key for keyword in row)


def _capitalised(word: str) -> str:
    shown = shortened(word, _LONGEST_WORD)
    return shown[:1].upper() + shown[1:] if shown.islower() else shown


def summary_of(members: Sequence[RawObservation], *, is_rest: bool = False) -> str:
    """Return the number of members, and the texts of the most typical ones.

    It is one line that no reader mistakes for a row with another target.
    """
    said = _REST if is_rest else _said(members[:2])
    return f"{counted(len(members), 'finding')}: {said}"


_REST = "like no other"


def _said(members: Sequence[RawObservation]) -> str:
    """Return the texts of the members, each shortened if they are too long for one line."""
    texts = dict.fromkeys(item_of(member).short.rstrip(".;: ") for member in members)
    joined = "; ".join(texts)
    if len(joined) > LONGEST_SUMMARY:
        joined = "; ".join(shortened(text, LONGEST_SUMMARY // len(texts) - 1) for text in texts)
    return _summary_line(joined)


def is_summary(text: str, members: Sequence[RawObservation]) -> bool:
    """Return True if a text is summary_of() some of the members, in any order."""
    said = NUMBER.sub("", text)
    pairs = ([one, other] for one in members for other in members)
    return said == _REST or any(said == _said(pair) for pair in pairs)


def written_summary(body: str) -> str:
    """Return the first statement of a text that somebody wrote."""
    lines = (line.strip().lstrip("-*+> ") for line in body.split("\n"))
    return _summary_line(next(filter(None, lines), "no text yet"))


def _summary_line(text: str) -> str:
    """Return text that no reader mistakes for another row."""
    return shortened(printable(text), LONGEST_SUMMARY).replace("→", "->")


PROMOTION_LEVELS = Levels(0.375, 0.375)
"""Minimum similarity of observations that are the same one seen again.

The level at which `learnings groups` proposes to merge entries. All three proposals over the
available real store are right, as read by a person; with 0.25 there are eight, half of them right
(benchmarks/README.md, Tiers).
"""


class Promotion(NamedTuple):
    """A proposed rule: its title, its text, and the observations it is based on.

    They are in chronological order. promoted is True if each observation that was not dismissed has
    already become a rule.
    """

    title: str
    rule: str
    observations: tuple[RawObservation, ...]
    promoted: bool

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of the work units, each once, in chronological order."""
        return tuple(dict.fromkeys(observation.unit for observation in self.observations))

    @property
    def line(self) -> str:
        """The line for the memory that an agent always loads."""
        return f"- {self.rule} ({', '.join(self.units)})"


def promotions_of(
    files: Sequence[RawFile], titles: Mapping[str, str], known: str, *, coverage: float
) -> list[Promotion]:
    """Return findings of at least two work units, new ones first, then by number of units.

    Dismissed findings count as seen again, but a finding dismissed everywhere is not proposed.
    titles are those of their themes, by reference. known is the text of the existing rules;
    findings that it covers by this share are left out.
    """
    observations = [one for file in raw_files_in_order(files) for one in file.observations]
    vocabulary, rules = Vocabulary(observations), Texts([known])
    promotions = []
    for cluster in clusters_of(observations, levels=PROMOTION_LEVELS):
        members = [observations[index] for index in cluster.observations]
        kept = [member for member in members if not member.is_dismissed]
        if len({member.unit for member in members}) < 2 or not kept:
            continue
        rule = item_of(kept[0]).short
        covered = rules.best_of_text(rule)
        if covered is None or covered.score < coverage:
            ordered = tuple(observations[index] for index in sorted(cluster.observations))
            named = {titles.get(member.reference) for member in kept}
            own = named.pop() if len(named) == 1 else None
            title = own or title_of(members, vocabulary) or rule
            promoted = all(member.is_promoted for member in kept)
            promotions.append(Promotion(title, rule, ordered, promoted))
    return sorted(promotions, key=lambda one: (one.promoted, -len(one.units)))
