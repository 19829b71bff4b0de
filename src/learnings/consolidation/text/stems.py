"""Light stemming: only the endings that inflect a word are removed."""

from __future__ import annotations

import re
from functools import lru_cache

_VOWEL = re.compile("[aeiouy]")  # a vowel of English
_LATIN = re.compile("[a-z]+")  # a word of Latin letters
# An ending that inflects a word in Cyrillic script.
_CYRILLIC_ENDING = re.compile(
    "(?:иями|ями|ами|ием|ией|иях|ого|ему|ому|ыми|ими|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ых|их|ую|юю|"
    "ов|ев|ом|ем|ам|ям|ах|ях|ию|ия|ть|ет|ит|ют|ут|ал|ла|ло|ли|а|я|о|е|ы|и|у|ю|й|ь)$"
)
# A particle at the end of a Korean word.
_KOREAN_PARTICLE = re.compile(
    "(?:에서|으로|에게|까지|부터|보다|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)
# Letters that a stem keeps at least: fewer join words that have nothing in common (`use`, `us`).
_SHORTEST = 3


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a casefolded word, which its inflected forms share.

    English in full, Cyrillic, Arabic and Korean lightly, other words as they are.
    """
    if _LATIN.fullmatch(word):
        return _english(word)
    first = word[:1]
    if "Ѐ" <= first <= "ӿ":
        return _cut(word, _CYRILLIC_ENDING, 3)
    if "؀" <= first <= "ۿ":
        return _without_article(word)
    return _cut(word, _KOREAN_PARTICLE, 2) if "가" <= first <= "힣" else word


def _english(word: str) -> str:
    word = _singular(word)
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST and _VOWEL.search(rest):
            word = _single(rest)
            break
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    return f"{word[:-1]}i" if len(word) > 3 and word.endswith("y") else word


def _singular(word: str) -> str:
    if len(word) <= _SHORTEST or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > 4 else word[:-1]
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes", "zzes")) else word[:-1]


def _single(word: str) -> str:
    """Undo the doubling before -ing and -ed."""
    doubled = len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "aeiouslz"
    return word[:-1] if doubled else word


def _without_article(word: str) -> str:
    for article in ("وال", "بال", "كال", "فال", "لل", "ال"):
        if word.startswith(article) and len(word) - len(article) >= 3:
            word = word[len(article) :]
            break
    return word[:-1] if len(word) > 3 and word.endswith(("ة", "ه")) else word


def _cut(word: str, ending: re.Pattern[str], at_least: int) -> str:
    rest = ending.sub("", word)
    return rest if len(rest) >= at_least else word
