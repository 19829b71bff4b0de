"""Why a target file is proposed for an entry, in the words of the entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from learnings.consolidation.routes.evidence import Evidence, EvidenceIndex
from learnings.consolidation.text.bm25 import Bag
from learnings.consolidation.text.forms import forms
from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.scripts import whole_run
from learnings.consolidation.text.sections import TargetFile
from learnings.core.entries.document import Entry
from learnings.core.text import counted

MAX_WORDS = 5  # shared words that are named; chosen, more of them are not read
COMMON_SHARE = 0.1
"""Share of all sections above which a word says nothing about one of them. Chosen with the targets
of five consolidations in view: `agent`, `code` and `test` are above it, `runbook` and `vet` not."""

ALWAYS_NAMED = 3
"""Sections that may have a word in any case; chosen, so that a few short targets give reasons."""

LIKE_THE_TITLE = 0.5
"""Share of the words of a title from which a heading is named, if two or all of them are in it;
chosen as COMMON_SHARE was."""


class Reasons:
    """The reasons of one entry, with its bag, for the target files."""

    def __init__(self, entry: Entry, bag: Bag, index: EvidenceIndex, *, line_limit: int) -> None:
        self._entry = entry
        self._index = index
        self._limit = line_limit
        self._bag = bag
        self._written = forms([entry.text], bag.keys())

    def of(self, evidence: Evidence, target: TargetFile) -> Iterator[str]:
        """Yield the reasons for a file as short texts."""
        words = self._shared(evidence.section)
        yield f"shared words: {', '.join(words)}" if words else "shares only common words"
        if evidence.heading_share >= LIKE_THE_TITLE:
            yield from self._heading(self._index.sections[evidence.heading].title)
        received = self._index.activity.received.get(target.path)
        if received is not None:
            count = counted(received.entries, "entry", "entries")
            yield f"received {count} before, last {received.last}"
        if target.lines + len(self._entry.lines) > self._limit:
            state = "full" if target.lines >= self._limit else "little room"
            yield f"{state}: {counted(target.lines, 'line', 'lines')}, limit {self._limit}"

    def _shared(self, index: int) -> list[str]:
        section = self._index.sections[index]
        texts = [self._entry.text, f"{section.title}\n{section.text}"]
        shared = [word for _, word in self._index.bm25.contributions(self._bag, index)]
        own = [word for word in shared if not self._index.is_in_most_files(word)]
        words = (whole_run(word, texts) for word in self._named(own))
        return list(dict.fromkeys(words))[:MAX_WORDS]

    def _heading(self, heading: str) -> Iterator[str]:
        title = set(keys(self._entry.title))
        both = title.intersection(keys(heading))
        if any(self._named(both)) and len(both) >= min(2, len(title)):
            yield f"heading like the entry's title: “{heading}”"

    def _named(self, words: Iterable[str]) -> Iterator[str]:
        """Yield those of some keys that few sections have, as the entry writes them."""
        most = max(ALWAYS_NAMED, COMMON_SHARE * len(self._index.sections))
        for word in words:
            if self._index.bm25.count(word) <= most:
                yield self._written.get(word, word)
