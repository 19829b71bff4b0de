"""Entries that a target file already documents, under the same heading or another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from learnings.consolidation.checks.precheck import (
    ADD,
    COVERED,
    DROP,
    ESCALATE,
    REDUNDANCY,
    Against,
    Precheck,
    listed,
)
from learnings.consolidation.checks.sentences import (
    Sentence,
    cues_of,
    denied_in,
    opposites,
    sentences_of_entry,
    sentences_of_section,
    shared_part,
    title_words,
    values_of,
)
from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.sections import TargetSection, content_of, whole_section
from learnings.consolidation.text.similarity import Covered, Texts, WordIndex, text_of, texts_of
from learnings.core.entries.document import Entry
from learnings.core.labels import labels_in
from learnings.core.markdown.blocks import outline_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

SAME_HEADING, SAME_CONTENT = 0.75, 0.25
"""Shares from which a section documents an entry: of title words, and of its word pairs.

The issue asks for 0.75 and 0.40. In five real states and the one after each, 64 entries have a
section with 0.75 of the title: 63 of these have at least 0.54 of the pairs, one has 0.38,
correctly. Entries with half of the title and another subject have at most 0.16. So a level in the
gap finds one more and costs nothing (benchmarks/README.md, Pre-checks).
"""

SAID_WORDS, SAID_PAIRS = 0.6, 0.25
"""Shares of a sentence's keywords and pairs in a section that says the same.

With 0.7, three more of 51 entries keep a sentence that their section does say. Without the pairs,
three sentences wrongly count as said (read one by one).
"""

LEAST_PAIRS = 6
"""Word pairs that an entry needs for a reliable share; with fewer it is perhaps covered.

Chosen over the development half of the made-up cases (benchmarks/README.md, Pre-checks).
"""

WORTH_ASKING = 4
"""Word pairs that an entry and a section share if a reader is asked whether it covers the entry.

Half of the entry's pairs are enough, too, and so is a sentence that the section denies.
"""

MUCH_NEW = 4
"""Sentences, and half of an entry, from which a reader decides about what a section left out."""

# Most sections with an entry's heading to compare. No document has more, and the time would grow
# with the square of their number.
_MOST_SECTIONS = 20
# With fewer pairs in a sentence, its keywords decide alone.
_FEW_PAIRS = 3
# The label of a paragraph about the source of an entry, not its lesson.
_ORIGIN = lazy_pattern(
    r"[\s>*_-]*(?:evidence|sources?|references?|refs?|see(?: also)?|commits?|(?:decision )?date"
    r"|repeated|logged|created|evid[eê]ncia|fontes?|источники?|дата|来源|日期|出典)[*_]*\s*[:：]",
    re.IGNORECASE,
)
# The line that opens a code block; group 1 are its marks.
_FENCE = lazy_pattern(r" {0,3}(`{3,}|~{3,})")
# Code in a line, and the id of a commit.
_CODE = lazy_pattern(r"(?<!`)(`++).*?(?<!`)\1(?!`)|\b[0-9a-f]{7,40}\b")


COVERAGE, PERHAPS = 0.40, 0.15
"""Shares of an entry's word pairs from which a section covers it, or perhaps covers it.

Precision and recall at both: benchmarks/README.md, Pre-checks. They are also settings, because they
depend on how targets are written.
"""


class CoverageIndex:
    """The sections of the target files, prepared for comparison with entries.

    later returns the evidence that a section was changed after an entry was written, or nothing.
    entries are all that will be compared, None if they are not known yet.
    """

    def __init__(
        self,
        sections: Sequence[TargetSection],
        coverage: float = COVERAGE,
        perhaps: float = PERHAPS,
        later: Callable[[Entry, TargetSection], str] = lambda _entry, _section: "",
        entries: Sequence[Entry] | None = None,
    ) -> None:
        self._sections, self._entries, self._later = sections, entries, later
        self._coverage, self._perhaps = coverage, perhaps
        self._titles = [title_words(section.title).keys() for section in sections]
        self._with_word = WordIndex(self._titles)

    @cached_property
    def _texts(self) -> Texts:
        asked = None if self._entries is None else map(text_of, map(_current, self._entries))
        return texts_of(self._sections, asked)

    def documented(self, entry: Entry) -> Precheck | None:
        """Return the finding on the section with the title and content of an entry, or None.

        The section includes its sub-sections, and must not deny a sentence of the entry. The
        finding contains the remaining sentences.
        """
        title = title_words(entry.title).keys()
        same = (
            whole_section(self._sections, place)
            for place, _ in self._with_word.sharing(title)
            if shared_part(title, self._titles[place]) >= SAME_HEADING
        )
        sections = list(islice(same, _MOST_SECTIONS))
        if not sections:
            return None
        sentences = _taught(entry)
        text = "\n".join([entry.title, *(sentence.text for sentence in sentences)])
        covered = texts_of(sections).best_of_text(text)
        if covered is None or covered.score < max(SAME_CONTENT, self._perhaps):
            return None
        section = sections[covered.text_index]
        if opposites(sentences, sentences_of_section(section)[1:]):
            return None
        return self._finding(COVERED, entry, section, covered, f"same heading, {covered}")

    def covering(self, entry: Entry) -> Precheck | None:
        """Return the finding on the section that covers an entry best, None if none does.

        An entry with a number or limit that the section lacks, or whose sentence it denies, is at
        most perhaps covered: a correction looks like the same words around another value. If the
        section says every sentence, fewer word pairs are enough.
        """
        current = _current(entry)
        covered = self._texts.best(current)
        if covered is None or covered.score < self._perhaps:
            return None
        section = self._sections[covered.text_index]
        found = f"{section.path}:{section.line}-{section.last}: {covered}"
        new_values = values_of(content_of(current)) - values_of(f"{section.title}\n{section.text}")
        denied = opposites(_taught(entry), sentences_of_section(section)[1:])
        coverage = self._coverage
        is_alike = covered.pairs >= LEAST_PAIRS and covered.score >= min(SAME_CONTENT, coverage)
        if is_alike and not new_values and not denied:
            finding = self._finding(REDUNDANCY, entry, section, covered, found)
            if covered.score >= (coverage if finding.text else SAME_CONTENT):
                return finding
        if not denied and len(covered.shared) < min(WORTH_ASKING, covered.pairs / 2):
            return None
        evidence = [found]
        if new_values:
            evidence.append(f"values that the section lacks: {listed(sorted(new_values))}")
        if denied:
            evidence += [denied[0].quoted(), denied[1].quoted(section.path)]
        score, against = round(covered.score, 4), _against(section)
        return Precheck(REDUNDANCY, ESCALATE, entry, against, score, tuple(evidence))

    def _finding(
        self, check: str, entry: Entry, section: TargetSection, covered: Covered, evidence: str
    ) -> Precheck:
        """Return the finding on a section that has an entry, with the entry's missing parts.

        They are added only to a section that is older: a later one was mostly written from the
        entry, and left them out (24 of 25 read one by one). If these are half of a longer entry, a
        reader decides. Code alone is not added to a section that has code of its own.
        """
        taught = _taught(entry)
        left = [f"- {sentence.text}" for sentence in _unsaid(taught, section)]
        text = "\n".join([*left, *_missing_code(entry, section)]).strip("\n")
        later = self._later(entry, section) if text else ""
        is_new = left or (text and not section.code)
        action = ADD if is_new and not later else DROP
        if later and len(left) >= max(MUCH_NEW, len(taught) / 2):
            action = ESCALATE
        score, shown = round(covered.score, 4), (evidence, later) if later else (evidence,)
        return Precheck(check, action, entry, _against(section), score, shown, text)


def _against(section: TargetSection) -> Against:
    return Against(None, section.path, section.title, section.line)


def _current(entry: Entry) -> Entry:
    """Return an entry without what was, if it corrects itself (`Was: …`, `Now: …`)."""
    below = ("\n" if "was" in labels_in(line) else line for line in entry.lines[1:])
    return entry._replace(lines=(*entry.lines[:1], *below))


def _taught(entry: Entry) -> list[Sentence]:
    """Return the sentences of an entry, without code blocks, its source and what was."""
    hidden = outline_of(entry.lines).hidden_lines()
    shown = enumerate(_current(entry).lines, start=1)
    lines = tuple("\n" if number in hidden else line for number, line in shown)
    sentences = sentences_of_entry(entry._replace(lines=lines))[1:]
    return [sentence for sentence in sentences if not _ORIGIN.match(sentence.text)]


def _unsaid(sentences: Sequence[Sentence], section: TargetSection) -> Iterator[Sentence]:
    """Yield the sentences that a section does not say."""
    text = f"{section.title}\n{section.text}"
    words = frozenset(keys(text))
    values = values_of(text)
    texts = texts_of([section])
    affirmed = words - denied_in(sentences_of_section(section))
    for sentence in sentences:
        share = len(sentence.words & words) / len(sentence.words)
        covered = texts.best_of_text(sentence.text)
        is_said = share >= SAID_WORDS and (
            covered is None or covered.pairs < _FEW_PAIRS or covered.score >= SAID_PAIRS
        )
        new_values = values_of(_CODE.sub("", sentence.text)) - values
        if not is_said or new_values or any(c.denied in affirmed for c in cues_of(sentence.text)):
            yield sentence


def _missing_code(entry: Entry, section: TargetSection) -> Iterator[str]:
    """Yield the code blocks of an entry with a line that a section lacks."""
    for block in outline_of(entry.lines).fences:
        first, *code = map(chomp, entry.lines[block.first - 1 : block.last - block.closed])
        if not section.code.issuperset(line.strip() for line in code):
            fence = _FENCE.match(first)
            text = "\n".join(code).rstrip("\n")
            yield f"\n{first.strip()}\n{text}\n{fence[1] if fence else '```'}"
