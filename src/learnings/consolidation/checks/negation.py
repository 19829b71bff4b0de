"""Words that negate, words that contradict each other, and labels that call something wrong."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

PLAIN, BESIDE = "plain", "beside"


class Cue(NamedTuple):
    """A word or phrase that negates, by its offsets in a clause.

    A PLAIN one negates the clause, a BESIDE one (`instead of`) only what follows it.
    """

    start: int
    end: int
    text: str
    kind: str


_NEGATIONS = """
not never no nor none nothing nobody neither cannot cant without avoid avoids avoided avoiding
dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt mustnt couldnt hasnt havent
hadnt neednt forbid forbids forbidden prohibit prohibits prohibited unnecessary unneeded
unsupported deprecated obsolete impossible
nunca nao jamais jamas sin sem
nicht kein keine keinen keinem keiner nie niemals ohne
pas sans aucun aucune
не нет никогда нельзя без
لا ليس لم لن
"""
NEGATIONS = frozenset(_NEGATIONS.split())
"""Casefolded words, without accents and apostrophes, that turn a statement into its opposite."""

# Phrases that negate the whole clause.
_NO_LONGER = re.compile(
    r"\b(?:no longer|not any ?more|ya no|nao mais|nicht mehr|больше не)\b|不再|もはや"
)
# Phrases that negate what follows them, in favour of what is before them.
_INSTEAD = re.compile(
    r", (?:and |but )?not\b|\bbut not\b|"
    r"\b(?:instead of|rather than|in place of|as opposed to|en lugar de|em vez de|au lieu de|"
    r"вместо|statt)\b|而不是|ではなく"
)
# Negations in scripts without spaces, where a word cannot be looked up.
_UNSPACED = re.compile("不要|不能|不可|不应|不應|不会|不會|没有|沒有|禁止|避免|切勿|不|ません|ない")

_PHRASES = ((_INSTEAD, BESIDE), (_NO_LONGER, PLAIN), (_UNSPACED, PLAIN))

_OPPOSITES = """
before:after first:last enable:disable enabled:disabled enables:disables allow:forbid
allow:refuse allows:refuses accept:reject accepts:rejects accepted:rejected accept:refuse
required:optional mandatory:optional include:exclude includes:excludes safe:unsafe on:off
open:closed open:close start:stop keep:remove keep:delete keeps:removes keeps:drops keep:drop
add:remove increase:decrease raise:lower true:false synchronous:asynchronous sync:async
public:private mutable:immutable stateless:stateful sequential:parallel serial:parallel
sequentially:concurrently sequentially:parallel sequential:concurrent eager:lazy
eagerly:lazily strict:lenient manual:automatic manually:automatically local:global
absolute:relative ascending:descending maximum:minimum early:late earlier:later fast:slow
faster:slower cheap:expensive valid:invalid works:fails works:breaks succeed:fail
succeeds:fails inside:outside above:below more:fewer more:less larger:smaller encode:decode
push:pull
"""
OPPOSITES = tuple(tuple(pair.split(":")) for pair in _OPPOSITES.split())
"""Pairs of words with opposite meanings; none of them negates by itself."""

# A word of letters and digits, with an apostrophe inside (`don't`).
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# A label such as `**Anti-pattern**:` at the start of a line, also in a list or quote.
_WRONG = re.compile(
    r"^[ \t>*+-]*[*_]*(?:anti-?pattern|wrong|bad|don['’]?t|mistake|incorrect)[*_]*\s*[:：]",
    re.IGNORECASE,
)
_PLAIN_LETTERS = str.maketrans("áàâãäéèêëíìîïóòôõöúùûüç’", "aaaaaeeeeiiiiooooouuuuc'")


def _by_word() -> dict[str, frozenset[tuple[int, int]]]:
    sides: dict[str, frozenset[tuple[int, int]]] = {}
    for index, pair in enumerate(OPPOSITES):
        for side, word in enumerate(pair):
            sides[word] = sides.get(word, frozenset()) | {(index, side)}
    return sides


_SIDES = _by_word()
_NO_SIDES: frozenset[tuple[int, int]] = frozenset()


def cues_of(clause: str) -> list[Cue]:
    """Return the words and phrases that negate a clause, in its order."""
    text = _folded(clause)
    cues: list[Cue] = []
    for pattern, kind in _PHRASES:
        if pattern.search(text) is not None:
            cues += [_cue(match, kind) for match in pattern.finditer(text)]
            text = pattern.sub(lambda match: " " * len(match[0]), text)
    words = _WORD.finditer(text)
    return sorted(cues + [_cue(word, PLAIN) for word in words if _bare(word[0]) in NEGATIONS])


def _cue(match: re.Match[str], kind: str) -> Cue:
    return Cue(match.start(), match.end(), match[0], kind)


def sides_of(clause: str) -> frozenset[tuple[int, int]]:
    """Return the opposites in a clause, as (index in OPPOSITES, index of the word in the pair)."""
    words = {_bare(word) for word in _WORD.findall(_folded(clause))}
    return _NO_SIDES.union(*(_SIDES[word] for word in words & _SIDES.keys()))


@lru_cache(maxsize=65536)
def is_polarity_word(word: str) -> bool:
    """Return True if a word negates or is one of OPPOSITES, rather than naming a subject."""
    bare = _bare(_folded(word))
    return bare in NEGATIONS or bare in _SIDES


def is_labelled_wrong(line: str) -> bool:
    """Return True if a line starts with a label that calls the rest of it wrong."""
    return _WRONG.match(line) is not None


def _folded(text: str) -> str:
    # Each letter stays one letter, so that offsets stay true.
    lowered = text.lower()
    return lowered if lowered.isascii() else lowered.translate(_PLAIN_LETTERS)


def _bare(word: str) -> str:
    return word.replace("'", "")
