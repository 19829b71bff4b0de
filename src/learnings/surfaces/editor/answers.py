r"""The answers to an editor: texts and changes for a line, and their positions in its units.

A finding counts from 1: lines that end in "\n" (in "\r" if the text has no "\n"), and characters
without the byte order mark. An editor counts from 0: lines that end in "\n", "\r\n" or "\r", and
units of the encoding it has chosen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import NamedTuple

from learnings.app import buffers
from learnings.core.due.ages import COMMIT, UNCOMMITTED, EntryAge
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import Finding
from learnings.core.text import (
    BOM,
    LINE_ENDS,
    decode,
    printable,
    short_commit,
    shortened,
    split_lines,
)
from learnings.forms.verdict_words import age as age_words
from learnings.forms.verdict_words import basis
from learnings.rules import RULES, dead_reference
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.rules import page
from learnings.surfaces.render.writing import joined_lines, one_line, span

UTF_8, UTF_16, UTF_32 = "utf-8", "utf-16", "utf-32"
# The codec of each encoding, and the bytes of its unit.
_UNITS = {UTF_8: ("utf-8", 1), UTF_16: ("utf-16-le", 2), UTF_32: ("utf-32-le", 4)}


Position = tuple[int, int]
"""A line and a character as an editor counts them."""


class TextPlaces:
    """The places of one text."""

    def __init__(self, text: str, encoding: str = UTF_16) -> None:
        self.text = text
        self._starts = [*accumulate(map(len, split_lines(text)), initial=0)]
        self._editor_starts = [0, *(end.end() for end in LINE_ENDS.finditer(text))]
        self._codec, self._bytes = _UNITS[encoding]

    def range_of(self, line: int, column: int = 1) -> tuple[Position, Position]:
        """Return the range from the place of a finding to the end of the words on its line.

        Both are the end of the text if the place is beyond it.
        """
        start = self._offset(line, column)
        following = self._starts[line] if line < len(self._starts) else len(self.text)
        end = start + len(self.text[start:following].rstrip())
        return self._position_of(start), self._position_of(end)

    def line_at(self, line: int) -> int:
        """Return the line of a finding that a line of the editor is on."""
        last = len(self._editor_starts) - 1
        offset = self._editor_starts[min(max(line, 0), last)]
        return min(bisect_right(self._starts, offset), max(len(self._starts) - 1, 1))

    def edit_to(self, other: str) -> tuple[Position, Position, str] | None:
        """Return what turns this text into another, None if equal: lines from, to, and theirs."""
        if other == self.text:
            return None
        old, new = split_lines(self.text), split_lines(other)
        before = _common(old, new)
        behind = _common(old[before:][::-1], new[before:][::-1])
        start, end = self._starts[before], self._starts[len(old) - behind]
        text = "".join(new[before : len(new) - behind])
        return self._position_of(start), self._position_of(end), text

    def _offset(self, line: int, column: int) -> int:
        start = self._starts[min(line, len(self._starts)) - 1]
        bom = line == 1 and self.text.startswith(BOM)
        return min(start + bom + column - 1, len(self.text))

    def _position_of(self, offset: int) -> Position:
        line = bisect_right(self._editor_starts, offset) - 1
        before = self.text[self._editor_starts[line] : offset]
        return line, len(before.encode(self._codec, "surrogatepass")) // self._bytes


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


_RULES = {rule.id: rule for rule in RULES}


def about_rule(rule_id: str) -> str:
    """Return the page of a rule, with a link to the same page on the web if there is one."""
    link = rule_link(rule_id)
    return page(_RULES[rule_id]) + (f"\n[{rule_id} in the documentation]({link})\n" if link else "")


@joined_lines
def about_entry(facts: buffers.EntryFacts) -> Iterator[str]:
    """Return the age and origin of an entry, and the state of the things it names."""
    yield f"**{one_line(facts.entry.heading)}**"
    yield ""
    if facts.age is None:
        yield f"- Age: unknown ({one_line(facts.problem)})"
    else:
        yield from _about_age(facts.age)
    if facts.references is not None:
        yield f"- References: {facts.references.known}, {len(facts.references.dead) or 'none'} dead"
        for dead in facts.references.dead:
            yield f"  - {one_line(dead_reference.message_of(dead))}"


def _about_age(age: EntryAge) -> Iterator[str]:
    origin = age.origin
    reason = one_line(origin.reason or "no commit added it")
    yield f"- Age: {age_words(age)}{f' ({reason})' if age.active_days is None else ''}"
    if origin.basis == UNCOMMITTED:
        yield "- Added: not committed yet"
        return
    commit = f" in `{short_commit(origin.commit)}`" if origin.commit else ""
    yield f"- Added: {origin.date or 'unknown'}{commit}"
    if origin.basis != COMMIT:
        yield f"- Based on: {basis(origin, span)}"


REASONS = ("out of date", "covered elsewhere")
"""Reasons for archiving an entry; an editor has no field to type another."""
# Findings with their own actions at a time; trying each one takes 20 ms for a large file.
_MOST_FINDINGS = 5
_LONGEST_TITLE = 50


class BufferChange(NamedTuple):
    """A new text for the buffer. finding is None if it is about the whole file."""

    title: str
    text: str
    finding: Finding | None = None


class ArchiveOffer(NamedTuple):
    """An entry, by the identity that `learnings archive` takes, and a reason to archive it."""

    title: str
    identity: str
    reason: str


Offer = BufferChange | ArchiveOffer


def fixes(checked: buffers.CheckedBuffer, findings: Sequence[Finding]) -> Iterator[BufferChange]:
    """Yield the fix of each finding, then the fixes of the whole file.

    Missing index rows are offered on all lines of the index, because the findings are in the listed
    files.
    """
    for finding in findings[:_MOST_FINDINGS]:
        if finding.is_fixable and finding.fix is not None:
            data = buffers.with_fix(checked, finding)
            yield from _change(f"Fix: {finding.fix.does}", data, finding)
    whole = next((f.fix for f in findings if f.is_fixable and f.fix and not f.fix.edits), None)
    if whole is not None:
        title = f"Fix: {whole.does}, and everything else that needs no decision"
        yield from _change(title, buffers.with_fixes(checked))
    if any(f.fix is not None and f.fix.on_request for f in checked.findings):
        yield from _change(
            "Fix: add all missing rows", buffers.with_fixes(checked, add_missing=True)
        )


def fix_all(checked: buffers.CheckedBuffer) -> Iterator[BufferChange]:
    """Yield the buffer after `learnings fix`, if there is something to fix."""
    if any(finding.is_fixable for finding in checked.findings):
        yield from _change("Fix everything that needs no decision", buffers.with_fixes(checked))


def ignores(checked: buffers.CheckedBuffer, findings: Sequence[Finding]) -> Iterator[BufferChange]:
    """Yield for each finding a comment that ignores it; the user adds the reason."""
    for finding in findings[:_MOST_FINDINGS]:
        title = f"Ignore {finding.rule} here (then write the reason)"
        yield from _change(title, buffers.with_ignore(checked, finding), finding)


def _change(
    title: str, data: bytes | None, finding: Finding | None = None
) -> Iterator[BufferChange]:
    if data is not None:
        yield BufferChange(title, decode(data), finding)


def archive_offers(checked: buffers.CheckedBuffer, line: int) -> Iterator[ArchiveOffer]:
    """Yield the offers to archive the entry on a line, none if that cannot be known."""
    entry = None
    with suppress(LearningsError):
        entry = buffers.entry_at(checked, line)
    if entry is not None:
        name = printable(shortened(entry.title or entry.heading, _LONGEST_TITLE))
        for reason in REASONS:
            yield ArchiveOffer(f"Archive “{name}”: {reason}", entry.identity, reason)
