"""Words of scripts that are written without spaces: overlapping pairs of characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from learnings.consolidation.text.stop_words import FUNCTION_CHARACTERS

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
# Thai, Lao, Tibetan, Burmese, Khmer.
_SYLLABIC = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
# A run of one script: Katakana, Han with Hiragana, or one of the syllabic scripts.
_UNSPACED = re.compile(
    f"[{_KATAKANA}]+|[{_HAN}{_HIRAGANA}]+|[{_SYLLABIC}]+",
)
_ONLY_KATAKANA = re.compile(f"[{_KATAKANA}]+")  # a word of Katakana alone
_ONLY_HIRAGANA = re.compile(f"[{_HIRAGANA}]+")  # a word of Hiragana alone


def split_scripts(word: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a word that are written with spaces and those that are not (True)."""
    end = 0
    for match in _UNSPACED.finditer(word):
        if match.start() > end:
            yield word[end : match.start()], False
        yield match[0], True
        end = match.end()
    if end < len(word):
        yield word[end:], False


def is_unspaced(word: str) -> bool:
    """Return True if all of a word is written in a script without spaces."""
    return _UNSPACED.fullmatch(word) is not None


def unspaced_words(run: str) -> Iterator[str]:
    """Yield the keywords of a run of characters without spaces.

    Pairs of neighbouring characters, and a run of Katakana as a whole (it is one foreign word most
    often), without the pairs that have the function of stop words.
    """
    if _ONLY_KATAKANA.fullmatch(run):
        yield run
        return
    clusters = list(_clusters(run))
    if len(clusters) == 1 and not _is_function_pair(run):
        yield run
    for first, second in pairwise(clusters):
        if not _is_function_pair(first + second):
            yield first + second


def _is_function_pair(pair: str) -> bool:
    return not FUNCTION_CHARACTERS.isdisjoint(pair) or _ONLY_HIRAGANA.fullmatch(pair) is not None


def _clusters(run: str) -> Iterator[str]:
    """Yield each character together with the marks that belong to it."""
    cluster = ""
    for character in run:
        if cluster and unicodedata.category(character)[0] != "M":
            yield cluster
            cluster = ""
        cluster += character
    yield cluster
