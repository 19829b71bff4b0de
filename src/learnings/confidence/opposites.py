"""Whether one of two texts about the same thing denies the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from learnings.confidence.overlap import LEAST_WORDS, SAME, are_near
from learnings.confidence.values import CONTRADICTED, QUESTION, REINFORCED
from learnings.consolidation.checks.sentences import cues_of, without_negations
from learnings.consolidation.text.keywords import keys, words
from learnings.core.patterns import lazy_pattern

# Words that reject their statement as `not` does.
_REJECTS = lazy_pattern(
    r"\b(?:wrong|mistaken|obsolete|outdated|deprecated|forbidden|prohibited|harmful|unnecessary"
    r"|pointless|mistakes?|useless|neither|nor|hardly|rarely|seldom|unable"
    r"|stop(?:s|ped)? (?=\w+ing\b)|(?:fail(?:s|ed|ing)?|refus(?:es?|ed|ing)) to)\b",
    re.IGNORECASE,
)
# Pairs of words, in any inflection, of which each is the opposite of the other. No nouns: two
# things that exclude each other rarely do so in the same statement.
_OPPOSITES = """
enable disable, allow forbid, before after, increase decrease, increase reduce, raise lower
include exclude, sync async, synchronous asynchronous, add remove, minimum maximum, min max
first last, more less, more fewer, faster slower, fast slow, start stop, eager lazy, eagerly lazily
required optional, mandatory optional, public private, above below, accept reject
encrypt decrypt, ascending descending, true false, on off, up down, inside outside
keep delete, keep drop, local remote, succeed fail, larger smaller, improve hurt, improve harm
catch miss, help hurt, better worse, prevent cause, safe unsafe, valid invalid, secure insecure
correct incorrect, mutable immutable, bounded unbounded, limited unlimited, depends independent
sufficient insufficient
"""
# What turns a word of five letters or more into its opposite.
_PREFIXES = ("un", "in", "im", "non", "dis")
# Words between two things that change places in the opposite: `tabs over spaces`.
_BETWEEN = "over than instead rather before after to into above below"
_RELATIONS = frozenset(_BETWEEN.split())
# A number that counts or measures: no part of a name, date, version or reference.
_NUMBER = lazy_pattern(r"(?<![\w#:./-])\d+(?:[.,]\d+)*(?![.,]?\w*[-:/]\d)")
# The end of a clause, beyond which a negation does not reach.
_CLAUSE_END = lazy_pattern(
    r"[.;:,!?](?=\s|$)|\n|\b(?:because|since|so that|otherwise|but|although|though|whereas)\b",
    re.IGNORECASE,
)
# A word for what another clause says: `this is not true`.
_POINTS_BACK = lazy_pattern(r"\b(?:this|that|it|its|so|those|these|they|them|one)\b", re.IGNORECASE)


class Statement(NamedTuple):
    """A text apart from its direction, and its direction.

    order are the stems of its content words without negations and opposites, rest the same as a
    set. denials are the number of negations in each clause that has some, with the stems of the
    clause (none if it points at another clause); denied are the stems beside negations. sides are
    the pairs of opposites that the text takes part in, with its side; turned are the words around
    relations, and has_one_clause is True if only one clause has content words.
    """

    order: tuple[str, ...]
    rest: frozenset[str]
    denials: tuple[tuple[int, frozenset[str]], ...]
    denied: frozenset[str]
    sides: frozenset[tuple[int, int]]
    turned: frozenset[tuple[str, str, str]]
    numbers: frozenset[str]
    has_one_clause: bool

    def negations(self, about: frozenset[str]) -> int:
        """Return the number of negations, without clauses that have none of these words."""
        return sum(count for count, own in self.denials if not own or own & about)


def _stem(word: str) -> str:
    return "".join(keys(word)) or word.casefold()


@cache
def _sides() -> dict[str, dict[int, int]]:
    """Return, for each word with an opposite, the numbers of its pairs and its side (0 or 1)."""
    sides: dict[str, dict[int, int]] = {}
    for number, pair in enumerate(_OPPOSITES.strip().replace("\n", ",").split(",")):
        for side, word in enumerate(pair.split()):
            sides.setdefault(_stem(word), {})[number] = side
    return sides


@lru_cache(maxsize=8_192)
def statement_of(text: str) -> Statement:
    """Return a text as a statement."""
    order: list[str] = []
    denials: list[tuple[int, frozenset[str]]] = []
    denied: set[str] = set()
    sides: set[tuple[int, int]] = set()
    clauses = 0
    for clause in _CLAUSE_END.split(text):
        cues = [cue for cue in cues_of(clause) if cue.denied is not None or cue.is_denial]
        plain, rejections = _REJECTS.subn(" ", without_negations(clause))
        own: list[str] = []
        for word in words(plain):
            pairs = _sides().get(_stem(word), {})
            sides.update(pairs.items())
            own += () if pairs else keys(word)
        order += own
        clauses += bool(own)
        denied.update(cue.denied for cue in cues if cue.denied)
        if cues or rejections:
            about = frozenset[str]() if _POINTS_BACK.search(clause) else frozenset(own)
            denials.append((len(cues) + rejections, about))
    return Statement(
        tuple(order),
        frozenset(order),
        tuple(denials),
        frozenset(denied),
        frozenset(sides),
        frozenset(_relations(words(text))),
        frozenset(number.replace(",", "") for number in _NUMBER.findall(text)),
        clauses == 1,
    )


def _relations(text: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the content words before and after each relation, with the relation between them."""
    before = relation = ""
    for word in text:
        stems = keys(word)
        if word.casefold() in _RELATIONS:
            relation = word.casefold()
        elif stems:
            if before and relation:
                yield before, relation, stems[0]
            before, relation = stems[-1], ""


def are_equal(one: str, other: str) -> bool:
    """Return True if two texts have the same content words apart from their direction."""
    first, second = statement_of(one), statement_of(other)
    return len(first.rest) >= LEAST_WORDS and first.rest == second.rest


def effect_of(said: str, observed: str) -> str:
    """Return the effect of a text on another one about the same thing.

    A negation or an opposite on one side contradicts if all other words are equal and in the same
    order; around a negation in a text of one clause the order may differ. Otherwise it is a
    question, as are things that change places, and other numbers in nearly the same words. Anything
    else reinforces.
    """
    one, other = statement_of(said), statement_of(observed)
    is_negated = one.negations(other.rest) != other.negations(one.rest)
    are_flipped = _are_flipped(one, other)
    if is_negated or are_flipped:
        is_short = is_negated and one.has_one_clause and other.has_one_clause
        is_equal = one.order == other.order or (is_short and one.rest == other.rest)
        is_plain = is_negated != are_flipped and one.numbers == other.numbers
        return CONTRADICTED if is_equal and is_plain else QUESTION
    have_changed_places = any((c, by, a) in other.turned for a, by, c in one.turned) or (
        one.denied - other.denied & other.rest and other.denied - one.denied & one.rest
    )
    have_other_numbers = bool(one.numbers - other.numbers and other.numbers - one.numbers)
    differ = have_other_numbers and are_near(one.rest, other.rest, SAME)
    return QUESTION if have_changed_places or differ else REINFORCED


def _are_flipped(one: Statement, other: Statement) -> bool:
    """Return True if a text has the opposite of a word that only the other text has."""
    sides = ((pair, 1 - side) for pair, side in one.sides - other.sides)
    opposites = {f"{no}{word}" for word in one.rest if len(word) >= 5 for no in _PREFIXES}
    opposites |= {word.removeprefix(no) for word in one.rest for no in _PREFIXES}
    new = other.rest - one.rest
    return any(side in other.sides - one.sides for side in sides) or any(
        word in new for word in opposites if len(word) >= 5
    )
