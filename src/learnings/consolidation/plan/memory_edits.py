"""The edits of a memory file by a plan: merged entries written, others removed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from learnings.core.entries.dialects import IDENTIFIED, SECTIONS, TEAM_LOG, TIMESTAMPED
from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import ENTRY
from learnings.core.entries.origin import is_origin_line, origin_in, origin_line, origin_note
from learnings.core.entries.rewriting import Part, usual_gap, with_parts
from learnings.core.entries.titles import (
    CONSOLIDATED,
    heading_text,
    item_text,
    marks_of,
    starts_with_date,
    without_leading_date,
)
from learnings.core.markdown.line_edits import LineWriter, without_filler
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp

_STAMP = "%Y-%m-%d-%H%M%S"
# The number at the end of an id with the date before it, as in `LRN-20260206-001`, and a letter.
# int() refuses very long ones.
_ID_NUMBER = lazy_pattern(
    r"(?P<date>(?<=[-_])\d{8}(?=[-_]))?(?P<gap>[-_]?)(?<!\d)(?P<number>\d{1,18})[A-Za-z]?$"
)
_NUMBERED = lazy_pattern(r"\d{1,6}(?=\. )")
# An item's marker with the blanks around it.
_MARKER = lazy_pattern(rf" {{0,3}}{LIST_MARKER}[ \t]+")


class Writer:
    """Writes the merged entries of one run, with distinct timestamps and ids.

    dates are git's dates by identity (ISO), None for an uncommitted entry; empty without history.
    now is the local time of the run.
    """

    def __init__(
        self, document: Document, dates: Mapping[str, str | None] | None, now: datetime
    ) -> None:
        self._document = document
        self._dates = dates
        self._now = now
        self._used = {entry.stamp for entry in document.entries if entry.stamp}

    def lines(self, name: str, members: Sequence[Entry], text: str) -> list[str]:
        """Return the lines of the entry that replaces its members, without terminators."""
        title = title_of(name)
        dates = self._dates_of(members)
        origin = origin_line(len(members), dates)
        body = [line for line in text.split("\n") if not is_origin_line(line)] if text else []
        if members[0].level:
            return [f"{'#' * members[0].level} {self._heading(title)}", "", origin, "", *body]
        lead = self._lead(members[0])
        if len(body) == 1 and not _MARKER.match(body[0]):
            return [f"{lead}{body[0]} {origin_note(len(members), dates)}"]
        marker = _MARKER.match(lead)
        indent = " " * (marker.end() if marker else 2)
        blank = [""] if body and not _MARKER.match(body[0]) else []
        below = (f"{indent}{line}".rstrip() for line in (origin, *blank, *body))
        return [f"{lead}**{title.replace('**', '')}**", *below]

    def joined(self, entry: Entry, members: Sequence[Entry], text: str) -> list[str]:
        """Return an entry with the text for its new members, counted in its origin line."""
        before = origin_in(entry.text)
        old = [chomp(line) for line in without_filler(entry.lines)]
        if before is not None and before.number:
            count = before.number + len(members)
            dates = sorted([*before.dates, *self._dates_of(members)])
            if before.own.startswith("("):  # all of it is one line
                rest = old[-1].removesuffix(before.own).rstrip()
                old[-1] = f"{rest} {text} {origin_note(count, dates)}"
                return old
            number = entry.text.count("\n", 0, entry.text.index(before.own))
            old[number] = old[number].replace(before.own, origin_line(count, dates), 1)
        marker = None if entry.level else _MARKER.match(old[0])
        indent = " " * marker.end() if marker else ""
        added = [f"{indent}{line}".rstrip() for line in text.split("\n")]
        is_list = bool(_MARKER.match(text)) and bool(_MARKER.match(old[-1].strip()))
        return [*old, *([] if is_list else [""]), *added]

    def _heading(self, title: str) -> str:
        name = self._document.dialect.name
        if name == TIMESTAMPED:
            while (stamp := self._now.strftime(_STAMP)) in self._used:
                self._now += timedelta(seconds=1)
            self._used.add(stamp)
            return f"[{stamp}] {title}"
        if name == IDENTIFIED:
            return f"{self._next_id()}{title}"
        if name in (SECTIONS, TEAM_LOG):
            # In that dialect, a heading without a date is not an entry.
            return f"{self._now.date().isoformat()}: {without_leading_date(title)}"
        titles = [heading_text(entry.lines[0]) for entry in self._document.entries]
        numbers = [int(match[0]) for match in map(_NUMBERED.match, titles) if match]
        is_numbered = 2 * len(numbers) > len(titles)
        return f"{max(numbers) + 1}. {title}" if is_numbered else title

    def _next_id(self) -> str:
        """Return the prefix of an entry's title with the next id of the file."""
        ids = [(marks_of(heading_text(e.lines[0])).id, e) for e in self._document.entries]

        def number(one: tuple[str, Entry]) -> tuple[str, int]:
            match = _ID_NUMBER.search(one[0])
            return (match["date"] or "", int(match["number"])) if match else ("", 0)

        last, entry = max(((name, e) for name, e in ids if name), key=number, default=("", None))
        if entry is None:
            return ""
        stamp = last
        while stamp in self._used or stamp == last:
            stamp = _successor(stamp, self._now)
        self._used.add(stamp)
        before = heading_text(entry.lines[0]).removesuffix(entry.title)
        today = self._now.date().isoformat()
        return re.sub(r"(?<=\[)\d{4}-\d{2}-\d{2}", today, before).replace(last, stamp, 1)

    def _lead(self, member: Entry) -> str:
        """Return the marker of an item, with the date if most items of the file begin with one."""
        match = _MARKER.match(member.lines[0])
        dated = [starts_with_date(item_text(entry.lines[0])) for entry in self._document.entries]
        date = f"{self._now.date().isoformat()}: " if 2 * sum(dated) > len(dated) else ""
        return f"{match[0] if match else '- '}{date}"

    def _dates_of(self, members: Sequence[Entry]) -> list[str]:
        return sorted(filter(None, map(self._date, members)))

    def _date(self, entry: Entry) -> str | None:
        """Return an entry's date: the earliest of a consolidated entry, else stated, else git's.

        An uncommitted entry is from today.
        """
        origin = origin_in(entry.text)
        if origin is not None and origin.dates:
            return origin.dates[0]
        if entry.stated is not None:
            return entry.stated[:10]
        if self._dates is None:
            return None
        return self._dates.get(entry.identity) or self._now.date().isoformat()


def title_of(name: str) -> str:
    """Return the title of the entry that a merge with this name writes."""
    return name if CONSOLIDATED in name.casefold() else f"{name} {CONSOLIDATED}"


def _successor(stamp: str, now: datetime) -> str:
    """Return the next id in a series."""
    match = _ID_NUMBER.search(stamp)
    if match is None:
        return f"{stamp}-2"
    width, number = len(match["number"]), int(match["number"]) + 1
    if match["date"] and match["date"] < f"{now:%Y%m%d}":
        today = f"{stamp[: match.start('date')]}{now:%Y%m%d}{match['gap']}"
        return f"{today}{1:0{width}}"
    return f"{stamp[: match.start('number')]}{number:0{width}}"


class NewEntry(NamedTuple):
    """The lines of a new entry, without terminators, and the entry beside which it belongs.

    It goes to the top or bottom of the entries around that one, up to the next category. If it
    replaces that entry, it takes its place.
    """

    lines: tuple[str, ...]
    neighbour: Entry
    replaces: bool = False


def rewritten(
    document: Document, removed: Collection[Entry], added: Sequence[NewEntry], *, on_top: bool
) -> bytes:
    """Return the file without some entries and with others; of one place, later ones are newer.

    New entries are separated like most entries of the file.
    """
    newline = LineWriter(document.text).newline
    parts = defaultdict[int, list[Part]](lambda: [None])
    for entry in removed:
        parts[entry.first] = []
    spans, step = document.spans, -1 if on_top else 1
    for new in sorted(added, key=lambda new: not new.replaces):
        lines = [f"{line}{newline}" for line in new.lines]
        if new.replaces:
            parts[new.neighbour.first] = [lines]
            continue
        # Beside the first or last entry of a row.
        index = next(n for n, span in enumerate(spans) if span.first == new.neighbour.first)
        while 0 <= index + step < len(spans) and spans[index + step].kind == ENTRY:
            index += step
        place = parts[spans[index].first]
        place.insert(0 if on_top else len(place), lines)
    return with_parts(document, parts, usual_gap(document, newline))


def misread(
    before: Document, after: Document, removed: Collection[Entry], added: Sequence[NewEntry]
) -> bool:
    """Return True if a file, reread in its dialect, does not have exactly the expected entries."""
    gone = {entry.first for entry in removed}
    gone |= {entry.neighbour.first for entry in added if entry.replaces}
    expected = [entry.lines for entry in before.entries if entry.first not in gone]
    expected += (entry.lines for entry in added)
    found = Counter(content_of(entry.lines) for entry in after.entries)
    return Counter(map(content_of, expected)) != found or _frame(before) != _frame(after)


def content_of(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of an entry without line ends, and without the gap below it."""
    return tuple(without_filler([line.rstrip("\r\n") for line in lines]))


def _frame(document: Document) -> list[str]:
    """Return the lines around the entries, without blank lines and line ends."""
    spans = [span for span in document.spans if span.kind != ENTRY]
    lines = (line for span in spans for line in document.lines[span.first - 1 : span.last])
    return [text for line in lines if (text := line.removeprefix(BOM).strip())]
