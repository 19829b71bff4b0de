"""Keywords of a text: the words for comparing two texts.

Field labels, the words before the colon that structure an entry, are not its content.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from learnings.consolidation.text.languages import (
    STOP_WORDS,
    SYLLABIC_MARKS,
    runs_of,
    stem,
    unspaced_words,
)
from learnings.core.labels import without_labels
from learnings.core.markdown.escapes import unescaped
from learnings.core.patterns import lazy_pattern

# Combining marks above and below letters, which \w leaves out.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f"
_MARKS += "\u0951-\u0957\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a4d\u0b82-\u0bcd\u0c00-\u0c56"
_MARKS += SYLLABIC_MARKS
# A word: letters, digits and `_`, and hyphens inside it.
_WORD = lazy_pattern(rf"[\w{_MARKS}](?:[\w{_MARKS}-]*[\w{_MARKS}])?")
_SPACED = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "_-")}
# The mark of a superseded entry, which is not part of its text, `doesn't`, and `'s`.
_LEFT_OUT = lazy_pattern(
    r"^~~Superseded\b|\b\w+n['’]t\b|(?<=\w)['’](?:s|d|m|ll|re|ve)\b", re.MULTILINE
)


class Keyword(NamedTuple):
    """A keyword in its normalised and its written form.

    key is the casefolded stem, without accents in Latin script; word is the form in the text.
    """

    key: str
    word: str


@lru_cache(maxsize=8192)  # of target sections and of their words, which several steps read
def keywords(text: str) -> tuple[Keyword, ...]:
    """Return the keywords of a text in its order, with repetitions.

    Field labels, stop words and numbers are left out. An identifier is one keyword:
    `golangci-lint`, `snake_case`, `camelCase`; a path gives its parts.
    """
    return tuple(chain.from_iterable(map(keywords_of, words(text))))


@lru_cache(maxsize=8192)
def keys(text: str) -> tuple[str, ...]:
    """Return the normalised keywords of a text, in its order."""
    return tuple(chain.from_iterable(map(_keys_of, words(text))))


def words(text: str) -> list[str]:
    """Return the words of a text as written, without labels and comments."""
    # Comments first, because a label may include the start of one.
    plain = without_labels(unescaped(without_comments(unicodedata.normalize("NFKC", text))))
    if any(sign in plain for sign in ("'", "’", "~~")):  # a hundredth of the time of the pattern
        plain = _LEFT_OUT.sub(" ", plain)
    if not plain.isascii():
        return _WORD.findall(plain)
    parts = plain.translate(_SPACED).split()  # a third of the time of the pattern
    return [word for part in parts if (word := part.strip("-"))]


def without_comments(text: str) -> str:
    """Return the text with a blank for each comment; an unclosed comment stays."""
    # A pattern would search for the end again at each of many starts.
    parts, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[position:start])
        position = end + 3
    return " ".join((*parts, text[position:])) if parts else text


# Without a bound: a text with more different words costs five times as much for each.
@cache
def keywords_of(word: str) -> tuple[Keyword, ...]:
    """Return the keywords in one word of words()."""
    found = list[Keyword]()
    for run, is_unspaced in ((word, False),) if word.isascii() else runs_of(word):
        if is_unspaced:
            found += (Keyword(part, part) for part in unspaced_words(run))
            continue
        written = run.strip("_-")
        folded = _folded(written)
        shortest = 3 if folded.isascii() else 2  # in other scripts, two are often a word
        is_number = folded.replace("_", "").replace("-", "").isdecimal()  # or a date or time
        if len(folded) >= shortest and folded not in STOP_WORDS and not is_number:
            found.append(Keyword(stem(folded), written))
    return tuple(found)


@cache
def _keys_of(word: str) -> tuple[str, ...]:
    return tuple(keyword.key for keyword in keywords_of(word))


def _folded(word: str) -> str:
    """Return the word casefolded; Latin letters lose their accents, Arabic ones their vowels."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    plain = "".join(
        character
        for character in unicodedata.normalize("NFD", folded)
        if unicodedata.category(character) != "Mn"
    )
    simple = plain.isascii() or "\u0600" <= plain[:1] <= "\u06ff"
    return plain.replace("\u0640", "") if simple else unicodedata.normalize("NFC", folded)


def written_forms(texts: Iterable[str], keys: Collection[str]) -> dict[str, str]:
    """Return the most common spelling of each key; in lower case if that is also common."""
    counts: dict[str, Counter[str]] = {key: Counter() for key in keys}
    for text in texts:
        for keyword in keywords(text):
            if keyword.key in counts:
                counts[keyword.key][keyword.word] += 1
    return {
        key: min(words, key=lambda word: (-words[word] * (1 + word.islower()), word))
        for key, words in counts.items()
        if words
    }
