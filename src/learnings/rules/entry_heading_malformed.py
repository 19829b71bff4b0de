"""A heading looks like the start of an entry, but has a mistake.

- A blank is missing after `##`, or it is a no-break space. Markdown reads such a line as text, so
  the entry becomes part of the entry above. The rule skips `#word`, which is a tag or a shebang,
  and `##word` in the middle of a paragraph.
- An invisible character is before or after `##`, or before the `-` of an item that is an entry: the
  byte order mark of an appended file, a zero-width space. Markdown reads such a line as text.
- A timestamp or id is not readable, in a file whose entries have them: the day does not exist, a
  bracket is missing, an id of the file's series has no number, or it has a letter that no other id
  has (`[L-2x]` among `[L-001]`; `[L-014b]` beside `[L-014]` is fine). Timestamps without a time of
  day, or without a day, are fine.
- An entry is at the wrong level: a heading with a full timestamp, or with an id of the file's
  series, is above or below the level of the entries; or a heading at level 1 begins with `When` or
  `How to` like most entries and has its own text. Any other heading above the entry level is a
  category, and any other heading below it is part of its entry.

Fix: write the heading as the finding says. `learnings fix` adds a missing blank, replaces a
no-break space and deletes an invisible character, unless that changes how the whole file is read.
For example, if the entries are list items, they would no longer be entries beside a heading; the
finding then says so.

Bad:

  ```markdown
  ## When a build hangs

  Look at the lock.

  ##When a test is slow

  Profile it.
  ```

Good:

  ```markdown
  ## When a build hangs

  Look at the lock. Searching for #lock finds more.

  ## When a test is slow

  Profile it.
  ```
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from learnings.core.entries import dialects
from learnings.core.entries.document import Document, ReadOptions
from learnings.core.entries.layout import CATEGORY
from learnings.core.entries.titles import (
    CONVENTION,
    date_in_id,
    heading_text,
    is_timestamp_like,
    marks_of,
    stated_date,
    written_heading,
)
from learnings.core.findings.finding import Edit, Finding, Fix, Severity, quoted
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable, shortened
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("entry-heading-malformed", Severity.ERROR, LEARNINGS)

# Most digits of a number that counts entries: a date with time has 17, and int() refuses 4,301.
_LONGEST_NUMBER = 18
_Problem = tuple[int, str]
"""A 1-based line, and the problem on it."""

# A day with any sign between its parts.
_DAY = r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}"
# Text meant as a timestamp: a bracket with a day (also with a two-digit year and a time) that is
# not a link text; or a day with a time and no bracket.
_MEANT_STAMP = lazy_pattern(
    rf"\[\s*(?:{_DAY}|\d\d-\d\d-\d\d-\d{{4,6}})(?![^\[\]]*\]\()"
    r"|(?:19|20)\d\d-\d\d-\d\d[-T ]\d{4,6}(?!\d)"
)
# A day without dashes inside an id, as in `L-20260216-3`.
_ID_DAY = lazy_pattern(r"[-_](?:19|20)\d{6}[-_]")
# An id that ends in a number and a letter: `L-` and `2` of `L-2x`.
_LETTERED_ID = lazy_pattern(r"(.*[-_])(\d+)[A-Za-z]")
# Text that may be meant as an id: letters in a bracket, or bare letters with a number.
_MEANT_ID = lazy_pattern(r"\[([A-Za-z]+)[-_ \d\]]|([A-Za-z]+)[-_]\d")
# The letters at the start of an id.
_SERIES = lazy_pattern(r"[A-Za-z]+")
# Most characters of a corrected line in a message. Chosen: a title fits.
_LONGEST_LINE = 120
# A quick check before meant_lines() decides: `##` followed by something other than `#`, a blank or
# the end of the line, or a line that begins with a character without width or a no-break space.
_MAY_BE_MEANT = lazy_pattern(
    rb"##(?:[^# \t\r\n]|\r[^\n])"
    rb"|(?:^|[\r\n]) {0,3}(?:\xc2[\xa0\xad]|\xe1\xa0|\xe2\x80[\x8b-\xae]|\xe2\x81|\xef\xbb\xbf)"
)


def check(file: CheckedFile) -> Iterator[Finding]:
    yield from _meant_lines(file)
    problems = [*_misplaced(file)]
    if file.document.dialect.name == dialects.TIMESTAMPED:
        problems += _unreadable_stamps(file.document)
    elif file.document.dialect.name == dialects.IDENTIFIED:
        problems += _unreadable_ids(file.document)
    for line, message in sorted(problems):
        yield file.finding(RULE, line, message)


def _meant_lines(file: CheckedFile) -> Iterator[Finding]:
    if not _MAY_BE_MEANT.search(file.data):
        return
    from learnings.core.entries.meant_lines import (  # noqa: PLC0415  (most files have none)
        meant_lines,
        repair,
    )

    meant = meant_lines(file.document)
    if not meant:
        return
    repaired = repair(file.document, meant, ReadOptions.of(file.file_settings))
    by_hand = " by hand: after that, other lines are entries" if repaired.changes_dialect else ""
    if repaired.entries_lost == 1:
        by_hand = " by hand: after that, 1 entry of this file is no longer one"
    elif repaired.entries_lost:
        lost = f"{repaired.entries_lost} entries of this file are no longer entries"
        by_hand = f" by hand: after that, {lost}"
    for line in meant:
        number, fault, text = line
        if not line.is_heading and number not in repaired.begun:
            continue
        correct = quoted(shortened(text.strip(), _LONGEST_LINE))
        fix = None
        if number in repaired.lines:
            edit = Edit(number, file.document.lines[number - 1], repaired.lines[number])
            fix = Fix("correct the beginning of the line", (edit,))
        yield file.finding(RULE, number, f"{fault}; write {correct}{by_hand}", fix=fix)


def _unreadable_stamps(document: Document) -> Iterator[_Problem]:
    for entry in document.entries:
        stamp, text = entry.stamp or "", heading_text(entry.lines[0])
        if is_timestamp_like(stamp.strip()):
            if stated_date(stamp) is None:
                message = f"[{printable(stamp)}] is not a date and time"
                yield entry.first, f"{message}; write [YYYY-MM-DD-HHMMSS]"
        elif _MEANT_STAMP.match(text):
            message = f"{quoted(text)} does not begin with a readable timestamp"
            yield entry.first, f"{message}; write [YYYY-MM-DD-HHMMSS] before the title"


def _unreadable_ids(document: Document) -> Iterator[_Problem]:
    texts = [marks_of(heading_text(entry.lines[0])).rest for entry in document.entries]
    ids = [marks_of(text).id for text in texts]
    correct = (pair for pair in zip(texts, ids, strict=True) if pair[1])
    text, name = next(correct, ("", ""))
    example = f"[{name}]" if text.startswith("[") else quoted(text)
    series = frozenset(_series(document))
    dated = sum(date_in_id(name or "") is not None for name in ids)
    odd = _odd_ids([name for name in ids if name])
    for entry, text, entry_id in zip(document.entries, texts, ids, strict=True):
        meant = _MEANT_ID.match(text) if entry_id is None else None
        if meant and (meant[1] or meant[2]) in series:
            message = f"{quoted(text)} does not begin with a readable id"
            yield entry.first, f"{message}; write it like {example}"
        elif entry_id in odd:
            yield entry.first, f"the id {quoted(entry_id)} is unlike the others; {odd[entry_id]}"
        elif entry_id and dated > 1 and not date_in_id(entry_id) and _ID_DAY.search(entry_id):
            yield entry.first, f"the date in {quoted(entry_id)} does not exist; correct the id"


def _odd_ids(ids: Sequence[str]) -> dict[str, str]:
    """Return advice on ids with a lone letter: `L-2x` among `L-001`, not `L-014b` after `L-014`."""
    names = sorted({*ids})
    lettered = {name: match for name in names if (match := _LETTERED_ID.fullmatch(name))}
    # Look up each series once, however many of its ids have a letter.
    series = {start: _beginning_with(start, names) for start in {m[1] for m in lettered.values()}}
    counts = {start: sum(name in lettered for name in of) for start, of in series.items()}
    known, odd = frozenset(names), {}
    for name, match in lettered.items():
        start, number = match.groups()
        others = series[start]
        if len(others) > 1 and counts[start] == 1 and f"{start}{number}" not in known:
            odd[name] = _advice(start, number, [other for other in others if other != name])
    return odd


def _beginning_with(start: str, names: Sequence[str]) -> list[str]:
    return list(takewhile(lambda name: name.startswith(start), names[bisect_left(names, start) :]))


def _advice(letters: str, number: str, others: Sequence[str]) -> str:
    """Return the id that was meant: the number without the letter, or else the next free one."""
    numbers = [name.removeprefix(letters) for name in others]
    width = min(map(len, numbers))
    meant = f"{letters}{number.zfill(width)}"
    if meant not in others:
        return f"write {quoted(meant)} if that was meant"
    counted = (text for text in numbers if text.isdecimal() and len(text) <= _LONGEST_NUMBER)
    last = max(map(int, counted), default=0)
    return f"write {quoted(f'{letters}{str(last + 1).zfill(width)}')}, the next free one"


def _series(document: Document) -> list[str]:
    """Return the letters that the ids of at least two entries begin with."""
    ids = (marks_of(heading_text(entry.lines[0])).id or "" for entry in document.entries)
    counts = Counter(match[0] for entry_id in ids if (match := _SERIES.match(entry_id)))
    return sorted(letters for letters, count in counts.items() if count > 1)


def _misplaced(file: CheckedFile) -> Iterator[_Problem]:
    document = file.document
    has_level = document.dialect.level and document.dialect.name not in dialects.SHAPES
    if not has_level or not document.entries:
        return
    headings = [h for h in document.outline.headings if h.level != document.dialect.level]
    if document.dialect.name == dialects.HEADING:
        lines = set(_entries_above(file))
    else:
        series = _series(document)
        stamps = {entry.stamp for entry in document.entries}
        lines = {
            heading.line
            for heading in headings
            if _is_new_stamp(document, heading_text(file.line(heading.line)), series, stamps)
        }
    marks = "#" * document.dialect.level
    for heading in headings:
        if heading.line in lines:
            correct = f"{marks} {written_heading(file.line(heading.line))}"
            yield heading.line, f"an entry at level {heading.level}; write {quoted(correct)}"


def _is_new_stamp(
    document: Document, text: str, series: list[str], stamps: set[str | None]
) -> bool:
    if document.dialect.name == dialects.TIMESTAMPED:
        stamp = marks_of(text).stamp
        return stamp is not None and stamp not in stamps and "T" in (stated_date(stamp) or "")
    entry_id = marks_of(text).id
    letters = _SERIES.match(entry_id or "")
    return entry_id not in stamps and letters is not None and letters[0] in series


def _entries_above(file: CheckedFile) -> Iterator[int]:
    """Yield the lines of level-1 headings that are titled like most entries and have text."""
    document = file.document
    conventional = sum(entry.title.startswith(CONVENTION) for entry in document.entries)
    if 2 * conventional < len(document.entries):
        return
    for span in document.spans:
        if span.kind == CATEGORY and file.line(span.first).startswith("# "):
            has_text = any(line.strip() for line in document.lines[span.first : span.last])
            if has_text and heading_text(file.line(span.first)).startswith(CONVENTION):
                yield span.first
