"""Titles and sentences, to decide whether an entry and another text have the same subject."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys, keywords_of, words
from learnings.consolidation.text.sections import TargetSection
from learnings.core.entries.document import Entry
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import shortened

SHARED_TITLE_WORDS = 0.5
"""Share of keywords above which two titles have one subject.

The documented rule, measured in benchmarks/README.md, Pre-checks.
"""

# Parts of a title about the entry, not its subject: `(consolidated)`, a tag, a date.
_NO_SUBJECT = lazy_pattern(
    r"\(consolidated\)|`?(?<![\w/])#[^\W\d][\w:./-]*`?|\b\d{4}-\d{2}(?:-\d{2})?\b", re.IGNORECASE
)
# A name of one or two characters, too short for a keyword: `F1`, `D`, `CI`, `Go`.
_SHORT_NAME = lazy_pattern(r"[A-Z][A-Za-z0-9]?|[a-z][0-9]")
_WORDS_OF_TITLES = "A An As At Be By Do He I If In Is It Me My No Of On Or So To Up Us We"
_NO_NAMES = frozenset(_WORDS_OF_TITLES.split())

TitleWords = Mapping[str, str]
"""The keywords of a title: the word as written by its key."""


def title_words(title: str) -> TitleWords:
    """Return the keywords of a title and the short names in it."""
    title_words: dict[str, str] = {}
    for word in words(_NO_SUBJECT.sub(" ", title)):
        title_words |= {keyword.key: keyword.word for keyword in keywords_of(word)}
        if _SHORT_NAME.fullmatch(word) and word not in _NO_NAMES:
            title_words[word] = word
    return title_words


def shared_title_part(one: TitleWords, other: TitleWords) -> float:
    """Return the share of words that two titles have in common, 0 to 1."""
    total = len(one) + len(other)
    return 2 * len(one.keys() & other.keys()) / total if total else 0.0


LEAST_SHARED, SAME_MATTER = 2, 0.5
"""Least keywords that two sentences on one thing share, in number and as a share.

Corrections: with 0.3 to 0.5 as the share, the same 8 of 10 entries of the development half of the
made-up cases are dropped, with 0.6 7. Places to look at: with 0.4, 0.5 and 0.6, 9 of 10 are found
there, and 50, 11 and 6 of 273 real entries have one (benchmarks/README.md, Pre-checks).
"""

MOST = 100
"""Most sentences read of one text, so that time grows linearly with the file.

The longest of 1,254 entries and 214 sections of real memories have 89 and 96.
"""

LONGEST_QUOTE = 160
"""Characters of a sentence that are shown: two lines of a terminal."""

# The end of a sentence: after its last sign, or before a line that begins a new block (a blank
# line, an item, a heading, a table row, a bold label).
_END = lazy_pattern(
    rf"(?<=[.!?;])\s+|[。！？；]|\n[ \t>]*(?=\n|{LIST_MARKER}[ \t]|[#|]|\*\*|__)",
)
# Quote marks, the marker of an item or heading and the box of a task, before a sentence.
_LEAD = lazy_pattern(rf"[\s>]*(?:(?:{LIST_MARKER}|#{{1,6}})[ \t]+(?:\[[ xX]\][ \t]+)?)?")


class Sentence(NamedTuple):
    """A sentence on one line, its 1-based first line, and the stems of its keywords.

    A field label (`**Lesson**:`) is part of its text but not of its words.
    """

    text: str
    line: int
    words: frozenset[str]

    def quoted(self, path: str = "") -> str:
        """Return the sentence with its line, or with its line in a file."""
        place = f"{path}:{self.line}" if path else f"line {self.line}"
        return f"{place}: {shortened(self.text, LONGEST_QUOTE)}"


# Cached: an entry is compared with several entries and sections, and a section with several
# entries.
@lru_cache(maxsize=512)
def sentences_of_entry(entry: Entry) -> tuple[Sentence, ...]:
    """Return the title of an entry, then the sentences of its text."""
    text, first = (entry.body, entry.first + 1) if entry.level else (entry.text, entry.first)
    return _sentences(entry.title, entry.first, text, first)


@lru_cache(maxsize=2048)
def sentences_of_section(section: TargetSection) -> tuple[Sentence, ...]:
    """Return the heading of a section, then the sentences of its text."""
    return _sentences(section.title, section.line, section.text, section.first)


def _sentences(title: str, line: int, text: str, first: int) -> tuple[Sentence, ...]:
    """Return the title, then each new sentence of the text, at most MOST."""
    by_words: dict[frozenset[str], Sentence] = {}
    for sentence, number in _split(text, first):
        words = frozenset(keys(sentence))
        # A table row is not a sentence.
        if words and words not in by_words and not sentence.startswith("|"):
            by_words[words] = Sentence(sentence, number, words)
            if len(by_words) == MOST:
                break
    return Sentence(title, line, frozenset(keys(title))), *by_words.values()


def _split(text: str, line: int) -> Iterator[tuple[str, int]]:
    """Yield the sentences of a text with their lines; the first line has the given number."""
    start = 0
    for end, following in [*(match.span() for match in _END.finditer(text)), (len(text),) * 2]:
        lead = _LEAD.match(text, start, end)
        begin = lead.end() if lead else start
        yield " ".join(text[begin:end].split()).rstrip(";"), line + text.count("\n", start, begin)
        line += text.count("\n", start, following)
        start = following
