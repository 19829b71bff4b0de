"""Sentences of entries and sections, by which two texts are about the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import shortened

LEAST_SHARED, SAME_MATTER = 2, 0.5
"""Keywords that two sentences share at least, in number and as a share, to be about one thing.

Corrections: with 0.3 to 0.5 as the share the same 8 of 10 entries of the development half of the
made-up cases are dropped, with 0.6 7. Places to look at: with 0.4, 0.5 and 0.6 9 of 10 are found
there, and 50, 11 and 6 of 273 real entries have one (benchmarks/README.md, Pre-checks).
"""

MOST = 100
"""Sentences that are read of one text, so that time grows with the file and not with its square.
The longest of 1,254 entries and 214 sections of real memories have 89 and 96."""

LONGEST_QUOTE = 160
"""Characters of a sentence that are shown: two lines of a terminal."""

# The end of a sentence: after its last sign, or where the next line begins a block of its own (a
# blank line, an item, a heading, a row of a table, a bold label).
_END = lazy_pattern(
    rf"(?<=[.!?;])\s+|[。！？；]|\n[ \t>]*(?=\n|{LIST_MARKER}[ \t]|[#|]|\*\*|__)",
)
# Quote marks, the marker of an item or heading and the box of a task, before a sentence.
_LEAD = lazy_pattern(rf"[\s>]*(?:(?:{LIST_MARKER}|#{{1,6}})[ \t]+(?:\[[ xX]\][ \t]+)?)?")


class Sentence(NamedTuple):
    """A sentence in one line, the 1-based line that it begins in, and the stems of its keywords.

    A field label (`**Lesson**:`) is part of its text and not of its words.
    """

    text: str
    line: int
    words: frozenset[str]

    def quoted(self, path: str = "") -> str:
        """Return the sentence with its line, or with its line in a file."""
        place = f"{path}:{self.line}" if path else f"line {self.line}"
        return f"{place}: {shortened(self.text, LONGEST_QUOTE)}"


# An entry is compared with several others and with sections, and a section with several entries.
@lru_cache(maxsize=512)
def sentences_of_entry(entry: Entry) -> tuple[Sentence, ...]:
    """Return the title of an entry, then the sentences of its text."""
    text, first = (entry.body, entry.first + 1) if entry.level else (entry.text, entry.first)
    return _sentences(entry.title, entry.first, text, first)


@lru_cache(maxsize=2048)
def sentences_of_section(section: Section) -> tuple[Sentence, ...]:
    """Return the heading of a section, then the sentences of its text."""
    return _sentences(section.title, section.line, section.text, section.first)


def nearest_of(
    ours: Sequence[Sentence], theirs: Sequence[Sentence]
) -> tuple[Sentence, Sentence] | None:
    """Return the sentences of two texts that share most keywords, None where none are shared.

    A title counts where a text has nothing else.
    """
    pairs = [(one, other) for one in ours[1:] or ours for other in theirs[1:] or theirs]
    best = max(pairs, key=lambda pair: len(pair[0].words & pair[1].words))
    return best if best[0].words & best[1].words else None


def _sentences(title: str, line: int, text: str, first: int) -> tuple[Sentence, ...]:
    """Return the title, then each sentence of the text that says something new, MOST at most."""
    by_words: dict[frozenset[str], Sentence] = {}
    for sentence, number in _split(text, first):
        words = frozenset(keys(sentence))
        # A row of a table is not a sentence.
        if words and words not in by_words and not sentence.startswith("|"):
            by_words[words] = Sentence(sentence, number, words)
            if len(by_words) == MOST:
                break
    return Sentence(title, line, frozenset(keys(title))), *by_words.values()


def _split(text: str, line: int) -> Iterator[tuple[str, int]]:
    """Yield the sentences of a text whose first line has the number given, with their lines."""
    start = 0
    for end, following in [*(match.span() for match in _END.finditer(text)), (len(text),) * 2]:
        lead = _LEAD.match(text, start, end)
        begin = lead.end() if lead else start
        yield " ".join(text[begin:end].split()).rstrip(";"), line + text.count("\n", start, begin)
        line += text.count("\n", start, following)
        start = following
