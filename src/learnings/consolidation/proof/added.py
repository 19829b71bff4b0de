"""The text that a change added to the memory, and how much of an entry it covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.profiles import is_consolidated
from learnings.consolidation.proof.model import Cover, Place, Version
from learnings.consolidation.text.coverage import Covered, Texts
from learnings.consolidation.text.sections import target_of
from learnings.core.entries.document import Entry
from learnings.core.text import chomp, decode, split_lines


class _Added(NamedTuple):
    """The lines that were added to one entry or section, with its title."""

    place: Place
    title: str
    text: str


class AddedText:
    """The sections and entries that a change added or wrote on, with their added lines alone."""

    def __init__(self, before: Version, after: Version) -> None:
        self._sections: Sequence[_Added] = [*_added(before, after)]
        self._texts = Texts(f"{added.title}\n{added.text}" for added in self._sections)
        self._together = Texts([self.text])

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(f"{added.title}\n{added.text}" for added in self._sections)

    def cover_of(self, entry: Entry) -> Cover | None:
        """Return the section that covers an entry best, None where none shares anything.

        An entry that was merged from others is covered by all sections together: it may have
        become several again, as when a consolidation is reverted.
        """
        best = self._texts.best(entry)
        if best is None:
            return None
        place = self._sections[best.text_index].place
        whole = self._together.best(entry) if is_consolidated(entry) else None
        return _cover(place, whole or best)


def _cover(place: Place, covered: Covered) -> Cover:
    return Cover(place, covered.score, covered.new_words)


def _added(before: Version, after: Version) -> Iterator[_Added]:
    for path, document in after.learnings.items():
        older = before.learnings.get(path)
        known = older.by_identity if older else {}
        for entry in document.entries:
            same = known.get(entry.identity)
            lines = entry.lines[1:] if entry.level else entry.lines
            place = Place(path, entry.first)
            yield from _with_added_lines(
                place, entry.title, lines, _count(same.lines if same else ())
            )
    for path, data in after.texts.items():
        past = before.learnings.get(path)
        count = _count(past.lines if past else split_lines(decode(before.texts.get(path, b""))))
        for section in target_of(path, data).sections:
            place = Place(path, section.line)
            yield from _with_added_lines(place, section.title, section.lines, count)


def _with_added_lines(
    place: Place, title: str, lines: Iterable[str], known: Counter[str]
) -> Iterator[_Added]:
    """Give the lines that are not counted among the known ones, which are counted down; or none."""
    added = []
    for line in lines:
        text = chomp(line).strip()
        if text and known[text] > 0:
            known[text] -= 1
        elif text:
            added.append(text)
    if added:
        yield _Added(place, title, "\n".join(added))


def _count(lines: Iterable[str]) -> Counter[str]:
    return Counter(chomp(line).strip() for line in lines)
