"""Words of scripts that are written without spaces: overlapping pairs of characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from learnings.consolidation.text.stop_words import FUNCTION_CHARACTERS
from learnings.core.patterns import lazy_pattern

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
# Thai, Lao, Tibetan, Burmese, Khmer.
_SYLLABIC = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
# Characters of a run that is shown as one word, at most; chosen by reading groups of entries.
_LONGEST_RUN = 8
_UNSPACED = lazy_pattern(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_SYLLABIC}]+")  # a run of these scripts
# In such a run: Katakana, which is a foreign word most often; Han without the characters that stand
# between words, as Hiragana does; a syllabic script.
_WORD = lazy_pattern(
    f"([{_KATAKANA}]+)|((?:(?![{FUNCTION_CHARACTERS}])[{_HAN}])+)|([{_SYLLABIC}]+)"
)
# A character with the marks above and below it.
SYLLABIC_MARKS = (
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f87\u102b-\u103e\u17b4-\u17d3"
)
_CLUSTER = lazy_pattern(f".[{SYLLABIC_MARKS}]*")


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


def is_in_pairs(word: str) -> bool:
    """Return True if a word is of one script that gives pairs: neither Katakana nor Hiragana."""
    match = _WORD.fullmatch(word)
    return match is not None and not match[1]


def whole_run(word: str, texts: Iterable[str]) -> str:
    """Return a pair of such characters, extended as far as all texts with it agree.

    A word of other scripts is returned as it is.
    """
    texts = [text for text in texts if word in text] if is_in_pairs(word) else []
    if not texts:
        return word
    run, longer = "", word
    while run != longer and len(longer) <= _LONGEST_RUN:
        run = longer
        start = texts[0].index(run)
        around = texts[0][max(start - 1, 0) : start] + run, run + texts[0][start + len(run) :][:1]
        longer = next((text for text in around if _is_in_all(text, run, texts)), run)
    return run


def _is_in_all(text: str, run: str, texts: Sequence[str]) -> bool:
    return text != run and is_in_pairs(text) and all(text in other for other in texts)


def unspaced_words(run: str) -> Iterator[str]:
    """Yield the keywords of a run of characters without spaces.

    Katakana as a whole, of other scripts pairs of neighbouring characters; one alone as it is.
    """
    for word in _WORD.finditer(run):
        if word[1]:
            yield word[0]
            continue
        clusters = _CLUSTER.findall(word[0])
        yield from map("".join, pairwise(clusters)) if len(clusters) > 1 else clusters
