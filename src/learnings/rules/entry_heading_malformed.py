"""A heading is meant to begin an entry, but something in it is wrong.

- No blank after `##`, or a no-break space: for Markdown that is a line of text, so the entry has
  melted into the one above. `#word` is left alone, it is a tag or a shebang, and so is `##word`
  in the middle of a paragraph.
- A time stamp or an id that cannot be read, in a file whose entries have them: a day that does not
  exist, a bracket that is missing, an id of the file's own series without its number. Stamps
  without a time of day, or without the day, are fine.
- An entry at the wrong level: a heading with a full time stamp, or an id of the file's own series,
  above or below the level of the entries; a heading at level 1 that begins with `When` or `How to`
  like most entries and has text of its own. Any other heading above entry level is a category, any
  other below it a part of its entry.

Mend: write the heading as the finding says.

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

import re
from collections import Counter
from typing import TYPE_CHECKING

from learnings.core import dialects
from learnings.core.findings import Finding, Severity, escaped, quoted
from learnings.core.layout import CATEGORY
from learnings.core.titles import (
    heading_id,
    heading_stamp,
    heading_text,
    is_timestamp_like,
    stated_date,
)
from learnings.rules.context import LEARNINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnings.core.document import Document
    from learnings.rules.context import Context

ID = "entry-heading-malformed"
SEVERITY = Severity.ERROR
ROLES = LEARNINGS

_Problem = tuple[int, str]

_GLUED = re.compile(r"(#{2,6})([^#\s].*|[^\S \t].*)")
_LOGGED = re.compile(r"\w+\[")  # ##vso[task.complete] and the like are written to build logs
_WORDS = re.compile(r"\w\S*\s+\w.*[^.,;:]")
_QUOTED_WORD = re.compile(r"(?:\*\*|__|[`\"“‘«])\w")
_RAW_HTML = re.compile(r"<(/?)(?:pre|script|style|textarea)\b", re.IGNORECASE)

_DAY = r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}"
_MEANT_STAMP = re.compile(
    rf"\[\s*(?:{_DAY}|\d\d-\d\d-\d\d-\d{{4,6}})(?![^\[\]]*\]\()"
    r"|(?:19|20)\d\d-\d\d-\d\d[-T ]\d{4,6}(?!\d)"
)
_ID_DAY = re.compile(r"[-_](?:19|20)\d{6}[-_]")
_SERIES = re.compile(r"[A-Za-z]+")
_CONVENTION = ("When ", "How to ")


def check(context: Context) -> Iterator[Finding]:
    """Give a finding for each heading that is not what it was meant to be."""
    problems = [*_glued(context), *_unreadable(context.document), *_misplaced(context)]
    for line, message in sorted(problems):
        yield context.finding(ID, SEVERITY, line, message)


def _glued(context: Context) -> Iterator[_Problem]:
    """Give the headings without a blank after the `#`."""
    if "##" not in context.document.text:
        return
    candidates = [
        (number, match)
        for number, line in enumerate(context.document.lines, start=1)
        if "##" in line[:3] and (match := _GLUED.match(context.line(number)))
    ]
    hidden = _hidden(context.document) if candidates else set()
    for number, match in candidates:
        marks, title = match[1], match[2].strip()
        begins = number == 1 or not context.line(number - 1).strip()
        if number not in hidden and _is_meant(match[2], begins_paragraph=begins):
            wrong = "a no-break space stands" if match[2][0].isspace() else "the blank is missing"
            yield number, f"{wrong} after {marks}; write {quoted(f'{marks} {title}')}"


def _is_meant(text: str, *, begins_paragraph: bool) -> bool:
    """Whether what is glued to the `#` is a title, not a channel, a tag or a command."""
    first, title = text[0], text.strip()
    if first.isspace():
        return any(sign.isalnum() for sign in title)
    if first == "[":
        return heading_stamp(title) is not None
    if _LOGGED.match(title) or not any(sign.isalpha() for sign in title):
        return False
    if first.islower() or not first.isalnum():
        is_title = _WORDS.fullmatch(title) if first.islower() else _QUOTED_WORD.match(title)
        return begins_paragraph and is_title is not None
    return True


def _hidden(document: Document) -> set[int]:
    """Return the lines of front matter, fences, comments and raw HTML."""
    hidden = set(range(1, document.front_matter + 1))
    for block in (*document.outline.fences, *document.outline.comments):
        hidden.update(range(block.first, block.last + 1))
    raw = 0
    for number, line in enumerate(document.lines, start=1):
        tags = _RAW_HTML.findall(line) if "<" in line and number not in hidden else ()
        raw = int(tags[-1] == "") if tags else raw
        if raw:
            hidden.add(number)
    return hidden


def _unreadable(document: Document) -> Iterator[_Problem]:
    """Give the entries whose time stamp or id cannot be read."""
    if document.dialect.name == dialects.TIMESTAMPED:
        yield from _unreadable_stamps(document)
    elif document.dialect.name == dialects.IDENTIFIED:
        yield from _unreadable_ids(document)


def _unreadable_stamps(document: Document) -> Iterator[_Problem]:
    for entry in document.entries:
        stamp, text = entry.stamp or "", heading_text(entry.lines[0])
        if is_timestamp_like(stamp.strip()):
            if stated_date(stamp) is None:
                message = f"[{escaped(stamp)}] is no date and time"
                yield entry.first, f"{message}; write [YYYY-MM-DD-HHMMSS]"
        elif _MEANT_STAMP.match(text):
            message = f"{quoted(text)} does not begin with a time stamp that can be read"
            yield entry.first, f"{message}; write [YYYY-MM-DD-HHMMSS] before the title"


def _unreadable_ids(document: Document) -> Iterator[_Problem]:
    texts = [heading_text(entry.lines[0]) for entry in document.entries]
    example = next((found for text in texts if (found := heading_id(text))), "")
    letters = "|".join(_series(document)) or "(?!)"
    meant = re.compile(rf"\[(?:{letters})[-_ \d\]]|(?:{letters})[-_]\d")
    dated = sum(entry.stated is not None for entry in document.entries)
    for entry, text in zip(document.entries, texts, strict=True):
        found = heading_id(text)
        if found is None and meant.match(text):
            message = f"{quoted(text)} does not begin with an id that can be read"
            yield entry.first, f"{message}; write it like [{example}]"
        elif found and not entry.stated and dated > 1 and _ID_DAY.search(found):
            yield entry.first, f"the date in {quoted(found)} does not exist; correct the id"


def _series(document: Document) -> list[str]:
    """Return the letters that the ids of the file begin with, those of two or more entries."""
    ids = (heading_id(heading_text(entry.lines[0])) or "" for entry in document.entries)
    found = Counter(match[0] for each in ids if (match := _SERIES.match(each)))
    return sorted(letters for letters, count in found.items() if count > 1)


def _misplaced(context: Context) -> Iterator[_Problem]:
    """Give the headings that are entries at another level than that of the entries."""
    document = context.document
    if not document.dialect.level or not document.entries:
        return
    others = [h for h in document.outline.headings if h.level != document.dialect.level]
    if document.dialect.name == dialects.HEADING:
        numbers = set(_stray_categories(context))
    else:
        series = _series(document)
        own = {entry.stamp for entry in document.entries}
        numbers = {
            heading.line
            for heading in others
            if _is_own_stamp(document, heading_text(context.line(heading.line)), series, own)
        }
    marks = "#" * document.dialect.level
    for heading in others:
        if heading.line in numbers:
            meant = f"{marks} {heading_text(context.line(heading.line))}"
            yield heading.line, f"an entry at level {heading.level}; write {quoted(meant)}"


def _is_own_stamp(document: Document, text: str, series: list[str], own: set[str | None]) -> bool:
    if document.dialect.name == dialects.TIMESTAMPED:
        stamp = heading_stamp(text)
        return stamp is not None and stamp not in own and "T" in (stated_date(stamp) or "")
    found = heading_id(text)
    letters = _SERIES.match(found or "")
    return found not in own and letters is not None and letters[0] in series


def _stray_categories(context: Context) -> Iterator[int]:
    """Give the lines of H1 that are titled like most entries and have text of their own."""
    document = context.document
    conventional = sum(entry.title.startswith(_CONVENTION) for entry in document.entries)
    if 2 * conventional < len(document.entries):
        return
    for span in document.spans:
        if span.kind == CATEGORY and context.line(span.first).startswith("# "):
            has_text = any(line.strip() for line in document.lines[span.first : span.last])
            if has_text and heading_text(context.line(span.first)).startswith(_CONVENTION):
                yield span.first
