"""The first line of an entry: its title, its time stamp or id, and its stated date."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from learnings.core.markdown.escapes import unescaped
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.markdown.line_kinds import IGNORE_MARK, LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp

TITLE_LENGTH = 80
"""Maximum characters in the title of a list item: one line of a report. Chosen, not measured."""

CONVENTION = ("When ", "How to ")
"""Title beginnings of the preset `when-how`, which say when an entry applies."""

# A date of a day or a month, and a time of day with or without colons and seconds.
_DATE = r"\d{4}-\d{2}(?:-\d{2})?"
_CLOCK = r"\d{2}:?\d{2}(?::?\d{2})?"
# A year and a month.
_TIMESTAMP_START = lazy_pattern(r"\d{4}-\d{2}(?!\d)")
# A time stamp: group 1 is the date, group 2 the time of day.
_TIMESTAMP = lazy_pattern(rf"({_DATE})(?:[-T ]({_CLOCK}))?")
# `LRN-20260206-001`, `L_014b`, `ADR12`: parts with a number at the end.
_ID = lazy_pattern(r"[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*[-_]\d+[A-Za-z]?|[A-Z]{1,6}\d{2,}")
# The date in `LRN-20260206-001`.
_ID_DATE = lazy_pattern(r"[-_](\d{4})(\d{2})(\d{2})[-_]")
# Brackets at the start of a title that do not belong to a link; group 1 is their content.
_BRACKET = lazy_pattern(r"\[([^\[\]]*)\](?!\()[ \t]*")
# The id in `L-014: Title`, `L-014 — Title`, `L-014 · Title` or `D014: Title`, with its separator.
_BARE_ID = lazy_pattern(
    r"([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+|[A-Z]{1,3}\d{3,})(?::[ \t]*|[ \t]+[-–—·|][ \t]+)"
)
# Between two cells of a row.
_CELL_END = lazy_pattern(r"(?<!\\)\|")
# A cell that is an id, perhaps marked: `D014`, `**K-3**`, `~~ADR-7~~`.
_ID_CELL = lazy_pattern(r"[*_~`]{0,3}\[?([A-Z]{1,8}[-_]?\d{1,6}[a-z]?)\]?[*_~`]{0,3}")
# A cell that is a date, perhaps marked and with a time of day.
_DATE_CELL = lazy_pattern(rf"[*_~`\[(]{{0,3}}({_DATE})(?:[ T-]{_CLOCK})?[*_~`\])]{{0,3}}")
# A cell that is the number of its row: `7`, `#7`, `7.`.
_NUMBER_CELL = lazy_pattern(r"#?(\d{1,4})\.?")
# Own words from which a cell is the text of its row, and not a name, an area or a state.
_TEXT_WORDS = 4
# The opening `#` of an ATX heading.
_HASHES = lazy_pattern(r" {0,3}#{1,6}(?=[ \t]|$)")
# The closing `#` of an ATX heading.
_CLOSING_HASHES = lazy_pattern(r"(?:^|[ \t])#+$")
# The marker of a list item with the whitespace around it.
_MARKER = lazy_pattern(rf" {{0,3}}{LIST_MARKER}(?:[ \t]+|$)")
# Bold text at the start; group 2 is its content.
BOLD = lazy_pattern(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
# The first sentence.
_SENTENCE = lazy_pattern(r".+?[.!?](?=\s|$)|.+?[。！？]")
# A date at the start of a text, perhaps in brackets or bold; group 2 is the date, `whole` also
# includes brackets and time of day.
_DATE_FIRST = lazy_pattern(
    rf"(?:\*\*|__)?(?P<whole>[\[(]?({_DATE})(?![\d-])(?:[ T-]{_CLOCK}(?!\d))?[\])]?)"
)
# The same at the end of a text, without a time of day.
_DATE_LAST = lazy_pattern(rf"(?<![\d-])(?P<whole>[\[(]?({_DATE})[\])]?)(?:\*\*|__)?[.]?$")
_SEPARATORS = " \t:-–—.,;|"
# A word that only names the day of a date; longer names in other languages count as titles.
_WEEKDAY = lazy_pattern(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?", flags=re.IGNORECASE
)
# Titles of sections that explain how to use the file.
_EXPLAINING = lazy_pattern(
    r"\W*(?:about|purpose|usage|instructions?|legend|introduction|(?:table of )?contents|toc"
    r"|(?:entry |example )?(?:format|templates?)|example entry|how (?:this (?:file )?|it )works"
    r"|usage tips|appendix\b.*|tl;?dr|see also|references|statistics"
    r"|change ?log|(?:revision|version|update|change) history"
    r"|(?:how|when) to (?:use|read|add|write|log|update)(?: (?:this|it|an?|new|the))?"
    r"(?: (?:file|document|log|entry|entries|lessons?|learnings?))?)\W*",
    flags=re.IGNORECASE,
)
# A row of a table of contents: a link to a heading of the same file, alone in its item.
_CONTENTS_ROW = lazy_pattern(r"[^\[]{0,12}\[[^\]]*\]\(#[^)]*\)\s*$")
# A tag: `#git`, `@ci`, or text in brackets that does not belong to a link.
_TAG = lazy_pattern(r"(?<![\w/])[#@]\w[\w/-]*|\[[^\[\]]*\](?!\()")
# The number at the end of the identity of a second entry with the same heading.
TWIN_NUMBER = lazy_pattern(r" #\d+$")
# Neither a letter nor a digit.
NOT_IN_WORDS = lazy_pattern(r"[\W_]+")
# Not a word by itself: punctuation, except signs that may be meant as a title.
_SIGNS = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~–—·•…"""
# Maximum characters at the start of a text before the first `-` of a date.
_LONGEST_YEAR_FIRST = len("**[2026-")
# Maximum characters at the end of a text that can contain a date and its surroundings.
_LONGEST_DATE_LAST = 24

# Versions of a file repeat its lines hundreds of times; 16,384 lines cover a long history.
_remembered = lru_cache(maxsize=16384)

CONSOLIDATED = "(consolidated)"  # suffix that a consolidation adds to the title of a merged entry


class FirstLine(NamedTuple):
    """The parts of an entry's first line; key_title is for the identity.

    stated is an ISO date of the precision given (`2026-02` … `2026-02-16T12:00:00`), comparable as
    text.
    """

    title: str
    stamp: str | None
    stated: str | None
    key_title: str


@_remembered
def heading_text(line: str) -> str:
    """Return the text of a heading as a reader sees it."""
    return unescaped(written_heading(line))


def written_heading(line: str) -> str:
    """Return the text of a heading as written, to be written again."""
    text = _HASHES.sub("", _content(line), count=1).strip(" \t\r")
    return _CLOSING_HASHES.sub("", text).rstrip(" \t") if text.endswith("#") else text


@_remembered
def is_timestamp_like(stamp: str) -> bool:
    return _TIMESTAMP_START.match(stamp) is not None


def stated_date(stamp: str) -> str | None:
    """Return the ISO text of a valid time stamp (`2026-02-16-1200`, `2026-02`), or None."""
    match = _TIMESTAMP.fullmatch(stamp.strip())
    if match is None or not _is_real_date(match[1]):
        return None
    if match[2] is None:
        return match[1]
    clock = match[2].replace(":", "").ljust(6, "0")
    hours, minutes, seconds = clock[:2], clock[2:4], clock[4:]
    if len(match[1]) < 10 or hours > "23" or minutes > "59" or seconds > "60":
        return None
    return f"{match[1]}T{hours}:{minutes}:{seconds}"


class Marks(NamedTuple):
    """The marks before the title of a heading.

    stamp is a time stamp or an id in brackets, time only the former; rest is the text behind that.
    The id stands at the start of the rest, and the title behind it.
    """

    stamp: str | None
    time: str | None
    rest: str
    id: str | None
    title: str


@_remembered
def marks_of(text: str) -> Marks:
    """Return the marks at the start of a heading's text."""
    bracket = _bracket(text)
    inner = (bracket or "").strip()
    time = bracket if is_timestamp_like(inner) else None
    stamp = time or (bracket if _ID.fullmatch(inner) else None)
    rest = text if time is None else _BRACKET.sub("", text, count=1)
    bracket = _bracket(rest)
    if bracket is not None and _ID.fullmatch(bracket.strip()):
        return Marks(stamp, time, rest, bracket, _BRACKET.sub("", rest, count=1))
    bare = _BARE_ID.match(rest)
    return Marks(stamp, time, rest, bare[1] if bare else None, rest[bare.end() :] if bare else rest)


@_remembered
def has_time_stamp(text: str) -> bool:
    return is_timestamp_like(marks_of(text).stamp or "")


@_remembered
def read_heading(line: str, *, stamped: bool = False, bare_ids: bool = False) -> FirstLine:
    """Read a heading; stamped: any brackets are a stamp; bare_ids: `L-014: Title` has an id."""
    text = heading_text(line)
    marks = marks_of(text)
    if bare_ids and marks.id is not None:
        stated = _stated(marks.time or marks.id, marks.title)
        return FirstLine(marks.title, marks.id, stated, marks.title)
    bracket = _bracket(text) if stamped else marks.stamp
    if bracket is not None:
        title = _BRACKET.sub("", text, count=1)
        return FirstLine(title, bracket, _stated(bracket, title), title)
    dated = _date_at_either_end(text)
    return FirstLine(text, None, dated[2] if dated else None, text)


@_remembered
def read_item(line: str) -> FirstLine:
    """Read the first line of a list item, or a row of a table that is an entry.

    The title is the leading bold text, the first sentence or the text of the row; the identity uses
    the whole line without its date, or that text.
    """
    row = read_row(line)
    if row is not None:
        return FirstLine(row.text[:TITLE_LENGTH], row.id, row.stated, row.text)
    text = item_text(line)
    match = _date_at_either_end(text)
    if match is None:
        return FirstLine(_item_title(text), None, None, text)
    before, after = text[: match.start("whole")], text[match.end("whole") :]
    key = before.rstrip(_SEPARATORS) + after.lstrip(_SEPARATORS)
    return FirstLine(_item_title(_without_date(text, match)), None, match[2], key or text)


@_remembered
def identity_key(stamp: str | None, title: str) -> str:
    """Return the key of an identity: stamp and title, casefolded. The only place that makes one.

    Rows, names in texts and the arguments of commands may be escaped like the line of the entry.
    """
    return " ".join(unescaped(f"{stamp or ''} {title}").casefold().split())


def item_text(line: str) -> str:
    """Return the text of a list item's first line as a reader sees it."""
    return unescaped(written_item(line)).strip()


def written_item(line: str) -> str:
    """Return the text of a list item's first line as written."""
    content = _content(line)
    marker = _MARKER.match(content)
    return content[marker.end() if marker else 0 :].strip()


class Row(NamedTuple):
    """A row of a table that may be an entry: its id, its date, its text, and its number.

    Without an id, the text is one cell: so an entry stays the same if the table gets a column.
    """

    id: str | None
    stated: str | None
    text: str
    number: int | None = None


@_remembered
def read_row(line: str) -> Row | None:
    """Read a row with text; its first cell may be an id, another one a date or a number."""
    if not line.startswith("|"):
        return None
    content = _content(line).strip().removesuffix("|")
    parts = _CELL_END.split(content)[1:] or [""]  # a bar alone
    first, *others = cells = [unescaped(cell).strip() for cell in parts]
    dates = [match for match in map(_DATE_CELL.fullmatch, cells) if match]
    stated = next((match[1] for match in dates if _is_real_date(match[1])), None)
    if match := _ID_CELL.fullmatch(first):
        text = " | ".join(filter(None, others))
        dated = None if stated else _date_at_either_end(text)
        return Row(match[1], dated[2] if dated else stated, text)
    numbers = [int(match[1]) for match in map(_NUMBER_CELL.fullmatch, cells) if match]
    no_text = (_DATE_CELL, _NUMBER_CELL)
    texts = [c for c in cells if own_words(c) and not any(p.fullmatch(c) for p in no_text)]
    long = next((cell for cell in texts if len(own_words(cell)) >= _TEXT_WORDS), None)
    if not texts:
        return None
    row = Row(None, stated, long or max(texts, key=len))
    if stated is not None:
        return row
    return row._replace(number=numbers[0]) if numbers and long else row._replace(text=texts[0])


@_remembered
def is_dated_title(text: str) -> bool:
    """Return True for a date at either end next to words other than the name of the day."""
    if _date_at_either_end(text) is None:
        return False
    return any(sign.isalpha() for word in own_words(text) for sign in word)


@_remembered
def has_date(text: str) -> bool:
    return _date_at_either_end(text) is not None


@_remembered
def explains_file(title: str) -> bool:
    """Return True if a section with this title explains the file, so it is not an entry."""
    return _EXPLAINING.fullmatch(title) is not None


@_remembered
def starts_with_date(text: str) -> bool:
    """Return True if a text begins with a date, perhaps in brackets or bold, valid or not."""
    return _first_date(text) is not None


def date_at_start(text: str) -> str | None:
    """Return the valid date (ISO) at the start of a text, or None."""
    match = _first_date(text)
    return match[2] if match and _is_real_date(match[2]) else None


def without_leading_date(text: str) -> str:
    match = _first_date(text)
    return text[match.end() :].lstrip(_SEPARATORS) or text if match else text


@_remembered
def own_words(title: str) -> tuple[str, ...]:
    """Return the words of a title without date and tags; emoji and script signs count."""
    text = _TAG.sub("", title).strip()
    match = _date_at_either_end(text)
    if match:
        text = f"{text[: match.start('whole')]} {text[match.end('whole') :]}"
    words = ((word, word.strip(_SIGNS)) for word in text.split())
    return tuple(word for word, bare in words if bare and not _WEEKDAY.fullmatch(bare))


def _stated(stamp: str, title: str) -> str | None:
    """Return the ISO date of a stamp, else of the title; an invalid time stamp has no date."""
    stated = stated_date(stamp) or date_in_id(stamp)
    if stated is not None or is_timestamp_like(stamp.strip()):
        return stated
    match = _date_at_either_end(title)
    return match[2] if match else None


@_remembered
def is_contents_row(line: str) -> bool:
    return _CONTENTS_ROW.match(line) is not None


def _bracket(text: str) -> str | None:
    match = _BRACKET.match(text) if text.startswith("[") else None  # for speed
    return match[1] if match else None


def _content(line: str) -> str:
    """Return a line without terminator, BOM and ignore comments."""
    content = chomp(line).removeprefix(BOM)
    return without_ignores(content) if IGNORE_MARK in content else content


@_remembered
def is_dated_item(line: str) -> bool:
    return _date_at_either_end(item_text(line)) is not None


def _date_at_either_end(text: str) -> re.Match[str] | None:
    """Match a valid date: group 2 is the date, `whole` has its brackets and time."""
    match = _first_date(text)
    if match is not None and _is_real_date(match[2]):
        return match
    # A search from the start would try every position of a long line.
    near_end = max(0, len(text) - _LONGEST_DATE_LAST)
    match = _DATE_LAST.search(text, near_end) if "-" in text[near_end:] else None
    return match if match is not None and _is_real_date(match[2]) else None


# Testing for a "-" before either pattern saves 4 % of a check of 2,000 lines of list items.
def _first_date(text: str) -> re.Match[str] | None:
    return _DATE_FIRST.match(text) if "-" in text[:_LONGEST_YEAR_FIRST] else None


def _without_date(text: str, match: re.Match[str]) -> str:
    if match.start() == 0:
        bold = BOLD.match(text)
        end = bold.end() if bold and bold.start(2) <= match.start(2) else match.end()
        return text[end:].lstrip(_SEPARATORS) or text
    return text[: match.start()].rstrip(_SEPARATORS) or text


def _item_title(text: str) -> str:
    bold = BOLD.match(text)
    if bold and not own_words(bold[2]) and (rest := text[bold.end() :].lstrip(_SEPARATORS)):
        return _item_title(rest)  # the bold text is a tag: `**[gotcha]** The service …`
    sentence = _SENTENCE.match(text)
    title = bold[2].rstrip(":") if bold else sentence[0] if sentence else text
    return title[:TITLE_LENGTH]


def date_in_id(stamp: str) -> str | None:
    match = _ID_DATE.search(stamp)
    stated = "-".join(match.groups()) if match else ""
    return stated if stated and _is_real_date(stated) else None


def _is_real_date(text: str) -> bool:
    year, month, day = text[:4], text[5:7], text[8:] or "01"
    is_early = year > "0000" and "01" <= month <= "12" and "01" <= day <= "28"
    if is_early and text.isascii():  # other scripts also have digits
        return True
    from datetime import date  # noqa: PLC0415  (for the end of a month only)

    try:
        date.fromisoformat(text if len(text) > 7 else f"{text}-01")
    except ValueError:
        return False
    return True
