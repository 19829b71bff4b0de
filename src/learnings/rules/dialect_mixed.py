"""Some entries are written differently from the rest, so they are not read as entries.

A file has one dialect; `learnings config` shows which one, and why. Text in another dialect has no
age and no date, or becomes part of the entry above it. The rule gives one finding per file, for

- headings without a timestamp or id, among or below entries that have one;
- headings with a timestamp to the second, at another level than entries that have none;
- list items that begin with a date, above the first heading or at the end of the last entry, if the
  entries are headings;
- headings that have a date or an id, or begin with `When` or `How to`, and have text but no entries
  under them, if the entries are headings at level 3 or list items;
- headings at level 3 with text of their own under headings that only group them, if the entries
  are at level 2 and have text.

Two such headings among the entries are enough; at an end of the file, where notes are common, it
takes three. List items always need three. The rule skips titles that begin with a dot, and titles
that repeat (`### Context`).

Fix: write these entries like the rest. If the rest is wrong, set `dialect` or `entry-level`.

Bad:

  ```markdown
  # Learnings

  - 2026-03-04: never retry on 409
  - 2026-03-09: delete the cache first

  ## When a build hangs

  Look at the lock.

  ## When a test is slow

  Profile it.
  ```

Good:

  ```markdown
  # Learnings

  ## When a service answers 409

  Never retry.

  ## When a build hangs

  Look at the lock. It happened twice:

  - 2026-03-04: the nightly build
  - 2026-03-09: the same one
  - a build of the week before
  - the first one of the year
  - and one that nobody saw
  ```
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries import dialects, titles
from learnings.core.entries.document import Document
from learnings.core.entries.layout import TAIL
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.markdown.line_kinds import LIST_MARKER, has_text
from learnings.core.markdown.outline import lines_of, section_ends
from learnings.core.patterns import lazy_pattern
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("dialect-mixed", Severity.NOTICE, LEARNINGS)

# A list item that begins with a year and a month, perhaps after opening marks.
_DATED_ITEM = lazy_pattern(
    rf" {{0,3}}{LIST_MARKER}\s+[*_\[(]*(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?!\d)"
)
# Enough lines of another dialect at an end of the file, where notes are common. Not measured.
_SEVERAL = 3


def check(file: CheckedFile) -> Iterator[Finding]:
    if not file.document.entries:
        return
    kinds = [kind for kind in _foreign_entries(file.document) if kind[0]]
    if kinds:
        lines, description = min(kinds)
        first = quoted(file.line(lines[0]))
        message = f"{len(lines)} {description} (first: {first})"
        advice = "write them like the other entries, or set dialect or entry-level"
        yield file.finding(RULE, lines[0], f"{message}; {advice}")


class _Section(NamedTuple):
    """A heading; has_text: text of its own follows; has_entries: its section contains entries."""

    line: int
    level: int
    title: str
    has_text: bool
    has_entries: bool


def _foreign_entries(document: Document) -> Iterator[tuple[Sequence[int], str]]:
    """Yield the first lines of text that looks like entries of another dialect, described."""
    name, level = document.dialect[:2]
    if name in dialects.SHAPES:
        return  # their other text is a log, a form or a note on purpose
    if level:
        yield _items(document), "list items begin with a date, but entries are headings"
    if name in (dialects.TIMESTAMPED, dialects.IDENTIFIED):
        stamp = "timestamp" if name == dialects.TIMESTAMPED else "id"
        yield _unstamped(document), f"headings have no {stamp}, but other entries do"
    elif name == dialects.HEADING and level == 2:
        if any(heading.level > level for heading in document.outline.headings):
            description = "headings have a timestamp, but are below the level of the entries"
            yield _stamped(document), description
            description = "headings at level 3 look like entries, but entries are at level 2"
            yield _grouped(document), description
    else:
        entries = "list items" if name == dialects.BULLET else f"headings at level {level}"
        description = f"headings are titled like entries, but entries are {entries}"
        yield _outside(document), description


def _items(document: Document) -> Sequence[int]:
    """Return dated items above the first entry, or else those that alone end the last entry."""
    dated = [line for line in document.outline.items if _DATED_ITEM.match(document.lines[line - 1])]
    if len(dated) < _SEVERAL:
        return ()
    first, last = document.entries[0].first, document.entries[-1]
    entry_titles = [entry.title.casefold() for entry in document.entries if entry.title]
    above = []
    for number in dated:
        text = document.lines[number - 1].casefold()
        is_contents = "](#" in text or any(title in text for title in entry_titles)
        if number < first and not is_contents:
            above.append(number)
    at_end = [n for n in dated if n > last.first]
    if len(above) >= _SEVERAL:
        return above
    if len(at_end) < len(dated) or not any(
        map(has_text, document.lines[last.first : at_end[0] - 1])
    ):
        return ()  # the last entry consists only of this list
    return at_end if _ends_the_file(document, at_end) else ()


def _ends_the_file(document: Document, items: Sequence[int]) -> bool:
    """Return True if only the items and their continuation lines follow the first item."""
    other_items = set(document.outline.items).difference(items)
    first = items[0]
    return all(
        n in items or (n not in other_items and (line[:1].isspace() or not has_text(line)))
        for n, line in enumerate(document.lines[first - 1 : document.entries[-1].last], first)
    )


def _unstamped(document: Document) -> Sequence[int]:
    stamped = [entry.first for entry in document.entries if entry.stamp is not None]
    plain = [
        entry.first
        for entry in document.entries
        if entry.stamp is None
        and entry.title[:1] != "."
        and entry.body.strip(" \t\r\n-")
        and not titles.explains_file(entry.title)
    ]
    return _among(plain, stamped) if plain and stamped else ()


def _stamped(document: Document) -> Sequence[int]:
    lower = (heading.line for heading in document.outline.headings if heading.level > 2)
    stamps = {
        line: titles.marks_of(titles.heading_text(document.lines[line - 1])).stamp for line in lower
    }
    timed = [
        line for line, stamp in stamps.items() if "T" in (titles.stated_date(stamp or "") or "")
    ]
    return timed if len(timed) > 1 else ()


def _grouped(document: Document) -> Sequence[int]:
    """Return headings at level 3 under bare grouping headings at level 2, if there are many."""
    groups: list[list[_Section]] = []
    count = 0
    is_group = False
    for section in _sections(document):
        if section.level == 2:
            count += 1
            is_group = not section.has_text and section.title[:1] != "."
            groups += [[]] if is_group else []
        elif is_group and section.level == 3:
            groups[-1].append(section)
    full = [group for group in groups if len(group) > 1 and all(s.has_text for s in group)]
    grouped = [section for group in full for section in group]
    is_form = len({section.title.casefold() for section in grouped}) < len(grouped)
    is_enough = len(full) > 1 and 4 * len(full) >= count
    return [section.line for section in grouped] if is_enough and not is_form else ()


def _outside(document: Document) -> Sequence[int]:
    """Return headings with text above the entry level whose titles look like entry titles.

    Chapters of prose are not entries of another dialect.
    """
    lowest = document.dialect.level - 1 if document.dialect.level else 3
    sections = [s for s in _sections(document) if 2 <= s.level <= lowest and s.title[:1] != "."]
    without_entries = (s for s in sections if s.has_text and not s.has_entries)
    foreign = [s.line for s in without_entries if _is_titled_like_entry(s.title)]
    groups = [s.line for s in sections if s.has_entries and not s.has_text]
    if groups:
        return _among(foreign, groups)
    is_below = bool(foreign) and foreign[0] > document.entries[0].first
    return foreign if len(foreign) >= (2 if is_below else _SEVERAL) else ()


def _is_titled_like_entry(title: str) -> bool:
    """Return True if a title has a date or an id, or says when it applies; prose titles do not."""
    has_stamp = (titles.marks_of(title).stamp or titles.marks_of(title).id) is not None
    return has_stamp or titles.is_dated_title(title) or title.startswith(titles.CONVENTION)


def _among(foreign: Sequence[int], regular: Sequence[int]) -> Sequence[int]:
    """Return the foreign lines below the first regular one, if there are enough.

    Two are enough if the first stands between regular ones. Otherwise it takes three, because notes
    often end a file.
    """
    below = [line for line in foreign if line > regular[0]]
    is_between = bool(below) and below[0] < regular[-1]
    return below if len(below) >= (2 if is_between else _SEVERAL) else ()


def _sections(document: Document) -> Iterator[_Section]:
    last = document.spans[-1]
    end = last.first if last.kind == TAIL else len(document.lines) + 1
    headings = [heading for heading in document.outline.headings if heading.line < end]
    entries = [*(entry.first for entry in document.entries), end]
    commented = lines_of(document.outline.comments)
    ends = [*(heading.line for heading in headings), end][1:]
    lasts = section_ends(headings, end - 1)
    for (line, level), next_heading, last_line in zip(headings, ends, lasts, strict=True):
        entry = entries[bisect(entries, line)]
        numbers = range(line + 1, min(entry, next_heading))
        has_own_text = any(n not in commented and has_text(document.lines[n - 1]) for n in numbers)
        title = titles.heading_text(document.lines[line - 1])
        yield _Section(line, level, title, has_own_text, has_entries=entry <= last_line)
