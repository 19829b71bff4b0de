"""Keywords of a text: the words by which two texts can be compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from learnings.consolidation.text.labels import without_labels
from learnings.consolidation.text.scripts import split_scripts, unspaced_words
from learnings.consolidation.text.stems import stem
from learnings.consolidation.text.stop_words import STOP_WORDS

SHORTEST = {True: 3, False: 2}
"""Characters of a keyword at least, in Latin script and in others: three as documented; two letters
of other scripts are often a word."""

# Letters, digits and the marks above and below letters, which \w leaves out.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f"
_MARKS += "\u0951-\u0957\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a4d\u0b82-\u0bcd\u0c00-\u0c56"
_MARKS += "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f87\u102b-\u103e"
_MARKS += "\u17b4-\u17d3"
# A word: letters and digits, inside it also apostrophes and hyphens.
_TOKEN = re.compile(rf"[\w{_MARKS}](?:[\w{_MARKS}'’-]*[\w{_MARKS}])?")
# `'s` at the end of a word, and every other apostrophe.
_CONTRACTION = re.compile(r"['’]s\b|['’]")
# A part of an identifier in snake_case or kebab-case.
_PART = re.compile(r"[^_-]+")
# Between two words of an identifier in camelCase, also after an acronym (`HTTP|Server`).
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Latin letters without accents, and digits.
_LATIN = re.compile(r"[a-z0-9]+")
# A number, date or time.
_NUMBER = re.compile(r"[\d_-]+")
# Seven hexadecimal digits or more with a digit and a letter among them: a commit.
_HASH = re.compile(r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}")
# Comments, and the mark of a superseded entry, which is not part of its text.
_LEFT_OUT = re.compile(r"<!--.*?-->|^~~Superseded\b", re.DOTALL | re.MULTILINE)


class Keyword(NamedTuple):
    """A keyword as it is compared and as it is written.

    key is the casefolded stem, without accents in Latin script; word is what the text says.
    """

    key: str
    word: str


def keywords(text: str) -> list[Keyword]:
    """Return the keywords of a text in its order, as often as they occur in it.

    Field labels, stop words and numbers are left out. Identifiers are split: `snake_case`,
    `kebab-case`, `camelCase` and paths give their parts.
    """
    return [keyword for word in _words(text) for keyword in keywords_of(word)]


def words(text: str) -> list[str]:
    """Return the words of a text as written, identifiers whole, without labels and comments."""
    return list(_words(text))


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    plain = without_labels(unicodedata.normalize("NFKC", text))
    return tuple(_TOKEN.findall(_LEFT_OUT.sub(" ", plain)))


@lru_cache(maxsize=65536)
def keywords_of(word: str) -> tuple[Keyword, ...]:
    """Return the keywords that one word of words() consists of."""
    folded = _folded(word)
    if folded in STOP_WORDS or _NUMBER.fullmatch(folded) or _HASH.fullmatch(folded):
        return ()
    return tuple(
        keyword
        for part in _parts(_CONTRACTION.sub("", word))
        for keyword in _keywords_of_part(part)
    )


def _parts(word: str) -> Iterator[str]:
    for part in _PART.findall(word):
        yield from _HUMP.split(part)


def _keywords_of_part(part: str) -> Iterator[Keyword]:
    for run, unspaced in split_scripts(part):
        if unspaced:
            yield from (Keyword(word, word) for word in unspaced_words(run))
            continue
        folded = _folded(run)
        latin = _LATIN.fullmatch(folded) is not None
        if len(folded) >= SHORTEST[latin] and folded not in STOP_WORDS and not folded.isdigit():
            yield Keyword(stem(folded), run)


def _folded(word: str) -> str:
    """Return the word casefolded; Latin letters lose their accents, Arabic ones their vowels."""
    folded = _CONTRACTION.sub("", word).casefold()
    if folded.isascii():
        return folded
    plain = "".join(
        character
        for character in unicodedata.normalize("NFD", folded)
        if unicodedata.category(character) != "Mn"
    )
    simple = plain.isascii() or "\u0600" <= plain[:1] <= "\u06ff"
    return plain.replace("\u0640", "") if simple else unicodedata.normalize("NFC", folded)
