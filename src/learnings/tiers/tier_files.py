"""The files of a folder of learning tiers: INDEX.md, raw files and themes, and the trigger."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import count
from typing import NamedTuple

from learnings.core.instants import instant_of
from learnings.core.patterns import lazy_pattern
from learnings.core.sha256 import sha256_of
from learnings.core.text import BOM, chomp, counted, decode, newline_of, split_lines
from learnings.tiers.raw_files import RawFile, SkippedFile

# Words of lower-case Latin letters and digits, joined by single dashes.
_NAME = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# Separators of the words of a name.
_BETWEEN = lazy_pattern(r"[^a-z0-9]+")
LONGEST_NAME = 60
"""Maximum characters of a generated name: with `.md` it fits any file system and a line."""
UNNAMED_THEME = "theme"
"""The name of a theme whose words have no Latin letter."""


def is_theme_name(text: str) -> bool:
    """Return True if a text is a valid theme name, which is never a path."""
    return _NAME.fullmatch(text) is not None


def is_rest(name: str) -> bool:
    """Return True for a theme of findings that share nothing, which only a plan changes."""
    return re.fullmatch(r"other(-[0-9]+)?", name) is not None


def theme_name_of(title: str) -> str:
    """Return the name for a title: its words in kebab-case, without accents."""
    plain = unicodedata.normalize("NFKD", title.casefold())
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    name = _BETWEEN.sub("-", letters).strip("-")
    return name[:LONGEST_NAME].rstrip("-") or UNNAMED_THEME


def free_theme_name(name: str, used: Container[str]) -> tuple[str, int]:
    """Return the first free name: itself, or with `-2`, `-3` …, and the number."""
    names = ((f"{name}-{number}" if number > 1 else name, number) for number in count(1))
    return next((free, number) for free, number in names if free not in used)


THEME_WORDS = 225
"""Maximum words of a theme file: 300 tokens, at 0.75 words per token as in the protocol."""
RELATED = "## Related Work Units"
_DRAFT = "draft: rewrite the lines below, then remove this line"
_REST = "draft: these lines share no theme; leave them to a plan"
# The mark of a draft, with the digest of all other lines.
_MARK = lazy_pattern(rf"<!-- (?:{_DRAFT}|{_REST}) \(([0-9a-f]{{8}})\) -->")
_ADDED = "work them into the text, then remove this line"
# The mark above items in a theme that somebody wrote, with the work units that it did not list.
_ADDED_MARK = lazy_pattern(rf"<!-- added lines(?: of ([^<>]+))?: {_ADDED} -->")
_HEADING = lazy_pattern(r"#{1,6}(?:[ \t]|$)")
_RELATED = lazy_pattern(r"##[ \t]+related work units[ \t]*#*", re.IGNORECASE)
_ITEM = lazy_pattern(r"[-*+][ \t]++(.*\S)")


class ThemeFile:
    """A theme file, read losslessly whatever it contains.

    lines keep their terminators. related is the index of the heading of the work units, and end the
    index of the line after their list; both are the number of lines without such a heading.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.text = decode(data)
        self.lines = split_lines(self.text)
        plain = [chomp(line).strip() for line in self.lines]
        last = len(plain)
        self.related = next((n for n, line in enumerate(plain) if _RELATED.fullmatch(line)), last)
        following = range(self.related + 1, last)
        self.end = next((n for n in following if _HEADING.match(plain[n])), last)
        self.plain = plain

    @cached_property
    def title(self) -> str:
        """The first heading of level 1, else the name with blanks for dashes."""
        titles = (line[1:].strip(" \t#") for line in self.plain if re.match(r"#[ \t]", line))
        return next(titles, self.name.replace("-", " "))

    @property
    def words(self) -> int:
        """The number of words, of which WORDS are within the budget."""
        return words_of(self.text.removeprefix(BOM))

    @cached_property
    def units(self) -> tuple[tuple[str, int], ...]:
        """The ids of the related work units, with their 1-based lines."""
        items = ((n, _ITEM.fullmatch(self.plain[n])) for n in range(self.related, self.end))
        return tuple((item[1], n + 1) for n, item in items if item)

    @cached_property
    def is_draft(self) -> bool:
        """True for a theme that is unchanged since it was written here, waiting to be rewritten."""
        marks = [
            (n, match) for n, line in enumerate(self.plain) if (match := _MARK.fullmatch(line))
        ]
        if len(marks) != 1:
            return False
        number, match = marks[0]
        return match[1] == _digest(self.plain[:number] + self.plain[number + 1 :])

    @property
    def body(self) -> str:
        """The text between the title and the work units, without marks."""
        lines = (line for line in self.plain[: self.related] if not _is_mark(line))
        return "\n".join(line for line in lines if not re.match(r"#[ \t]", line))

    @cached_property
    def added_units(self) -> frozenset[str] | None:
        """The work units whose lines nobody has worked in, if no other line is about them.

        None without the mark of added lines.
        """
        marks = (_ADDED_MARK.fullmatch(line) for line in self.plain[: self.related])
        mark = next(filter(None, marks), None)
        return frozenset(filter(None, (mark[1] or "").split(", "))) if mark else None

    @property
    def items(self) -> int:
        """The number of items between the title and the work units."""
        return sum(_ITEM.fullmatch(line) is not None for line in self.plain[: self.related])

    def with_items(
        self,
        items: Sequence[str],
        units: Iterable[str],
        gone: Collection[str] = (),
        gone_units: Collection[str] = (),
    ) -> str:
        """Return the text with more items above the work units, and more ids among these.

        A mark above the items names the new ids, since the text says nothing about these work units
        yet. The items `gone` are left out; so is one of gone_units if the mark has it.
        """
        newline = newline_of(self.text)
        lines = [chomp(line) + (line[len(chomp(line)) :] or newline) for line in self.lines]
        listed, marked = {unit for unit, _ in self.units}, self.added_units or frozenset()
        ids = listed - (marked & {*gone_units}) | {*units}
        kept = [
            line for line in lines[: self.related] if line.strip().removeprefix("- ") not in gone
        ]
        places = (n for n, line in enumerate(kept) if _ADDED_MARK.fullmatch(line.strip()))
        place = next(places, len(kept))
        text, added = _trimmed(kept[:place]), _trimmed(kept[place + 1 :])
        added += [f"- {item}{newline}" for item in items]
        if any(_ITEM.match(line.strip()) for line in added):
            new = ", ".join(sorted((marked | {*units} - listed) & ids))
            mark = f"<!-- added lines{f' of {new}' if new else ''}: {_ADDED} -->{newline}"
            gap = [] if added and not added[0].strip() else [newline]
            added = [newline, mark, *gap, *added]
        others = [
            line
            for line in lines[self.related + 1 : self.end]
            if line.strip() and not _ITEM.fullmatch(line.strip())
        ]
        heading = lines[self.related] if self.related < len(lines) else RELATED + newline
        related = [heading, *(f"- {unit}{newline}" for unit in sorted(ids)), *others]
        after = lines[self.end :]
        return "".join([*text, *added, newline, *related, *([newline, *after] if after else [])])


def _is_mark(line: str) -> bool:
    return bool(_MARK.fullmatch(line) or _ADDED_MARK.fullmatch(line))


def _trimmed(lines: list[str]) -> list[str]:
    """Return lines without the blank ones at the end."""
    return lines[: _end_of_text(lines)]


def draft_text(name: str, title: str, items: Sequence[str], units: Iterable[str]) -> str:
    """Return the text of a generated theme file, with its mark."""
    above = [f"# {title}", ""]
    below = ["", *(f"- {item}" for item in items), "", RELATED]
    below += [f"- {unit}" for unit in sorted(set(units))]
    mark = _REST if is_rest(name) else _DRAFT
    return "\n".join([*above, f"<!-- {mark} ({_digest(above + below)}) -->", *below, ""])


def words_of(text: str) -> int:
    """Return the number of words, separated by whitespace, including marks and ids."""
    return len(text.split())


def _digest(lines: Iterable[str]) -> str:
    """Return eight hexadecimal digits for lines, ignoring blank ones and outer whitespace."""
    text = "\n".join(line.strip() for line in lines if line.strip())
    return sha256_of(text.encode("utf-8", "surrogateescape"))[:8]


FIRST_COMPACTION, LATER_COMPACTION = 5, 3
"""Valid raw files for a first compaction, and new ones for each later one (protocol)."""


class CompactionTrigger(NamedTuple):
    """The trigger numbers: valid raw files, and covered ones; strict as configured."""

    valid: int
    processed: int
    strict: bool = False

    @property
    def new(self) -> int:
        """Valid raw files since the last compaction, at least 0."""
        return max(self.valid - self.processed, 0)

    @property
    def is_due(self) -> bool:
        """True if there are enough new files; without new files nothing is due.

        Read literally, the protocol is due forever from FIRST files on; strict does that as long as
        any file is new.
        """
        is_first = self.valid >= FIRST_COMPACTION and (self.processed == 0 or self.strict)
        return self.new > 0 and (is_first or self.new >= LATER_COMPACTION)

    @property
    def reason(self) -> str:
        """The reason why a compaction is due or not, in a few words."""
        if not self.valid:
            return "no raw file"
        new = counted(self.new, "new raw file")
        return new if self.is_due else f"{new}, {LATER_COMPACTION - self.new} to go"


INDEX_NAME = "INDEX.md"
INDEX_LINES = 20
"""Maximum non-blank lines below the front matter, which an agent always has in view."""
COMPACTED, PROCESSED = "lastCompaction", "rawFilesProcessed"
# `**build-caching** — summary → themes/build-caching.md`
_ROW = lazy_pattern(r"\*\*([^*]+)\*\*\s+[—–-]\s++(.*\S)\s+(?:→|->)\s+themes/(\S+)\.md")
# A line that begins like a row or leads to a theme, so it may be a malformed row.
_LIKE_ROW = lazy_pattern(r"(?:[-*+]\s+)?\*\*[^*]+\*\*|.*\bthemes/\S+")
# `rawFilesProcessed: 12`, the value perhaps quoted, with an optional comment.
_KEY = lazy_pattern(
    r"(\w+)[ \t]*:[ \t]*+(?:(?:\"([^\"]*)\"|'([^']*)')[ \t]*+|([^#]*+))(?:(?<=[ \t])#.*)?"
)


class ThemeRow(NamedTuple):
    """A line of INDEX about a theme: its name, its summary, and the file that it leads to.

    line is 1-based.
    """

    name: str
    summary: str
    target: str
    line: int


class TierIndex:
    """INDEX.md as read; data is None if it does not exist."""

    def __init__(self, data: bytes | None) -> None:
        self.data = data
        self.text = decode(data or b"")
        self.lines = split_lines(self.text.removeprefix(BOM))
        plain = [chomp(line).strip() for line in self.lines]
        end = next((n for n, line in enumerate(plain[1:], 1) if line == "---"), 0)
        self.has_front_matter = bool(plain) and plain[0] == "---" and end > 0
        self.start = end + 1 if self.has_front_matter else 0
        self._plain = plain

    @cached_property
    def values(self) -> Mapping[str, tuple[str, int]]:
        """The keys of the front matter, with values as text and 1-based lines."""
        values: dict[str, tuple[str, int]] = {}
        for number, line in enumerate(self._plain[1 : max(self.start - 1, 0)], start=2):
            match = _KEY.fullmatch(line)
            if match:
                quoted = (text for text in match.groups()[1:3] if text is not None)
                value = next(quoted, (match[4] or "").strip(" \t"))
                values.setdefault(match[1], (value, number))
        return values

    @property
    def processed(self) -> int:
        """The number of covered raw files; 0 if it is missing or invalid."""
        text, _ = self.values.get(PROCESSED, ("", 0))
        # Longer numbers cannot count files, and Python takes long to read them.
        return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0

    @property
    def last_compaction(self) -> datetime | None:
        """The time of the last compaction; None if it is missing or invalid."""
        return instant_of(self.values.get(COMPACTED, ("", 0))[0])

    @cached_property
    def rows(self) -> tuple[ThemeRow, ...]:
        """The lines about themes."""
        matches = ((n, _ROW.fullmatch(line)) for n, line in self.content)
        return tuple(ThemeRow(match[1], match[2], match[3], n) for n, match in matches if match)

    @cached_property
    def content(self) -> tuple[tuple[int, str], ...]:
        """The counted lines with 1-based numbers: below the front matter, not blank."""
        numbered = enumerate(self._plain[self.start :], start=self.start + 1)
        return tuple((number, line) for number, line in numbered if line)

    @property
    def malformed(self) -> tuple[tuple[int, str], ...]:
        """Lines that name a theme or lead to one, but are not rows."""
        rows = {row.line for row in self.rows}
        return tuple(
            (n, line) for n, line in self.content if n not in rows and _LIKE_ROW.match(line)
        )

    def updated(
        self, now: str, processed: int, summaries: Mapping[str, str], gone: Container[str] = ()
    ) -> str:
        """Return the text after a compaction, with rows of the given themes changed or added.

        now is the time stamp to write, processed the number of covered raw files. A row is changed
        in place; new rows follow the last row, or go to the end. Rows of removed themes are left
        out.
        """
        newline = newline_of(self.text) if self.lines else "\n"
        lines = [chomp(line) + (line[len(chomp(line)) :] or newline) for line in self.lines]
        places = {row.name: row.line - 1 for row in reversed(self.rows)}
        for name in summaries.keys() & places.keys():
            lines[places[name]] = row_text(name, summaries[name]) + newline
        for row in self.rows:
            lines[row.line - 1] = "" if row.name in gone else lines[row.line - 1]
        new = [row_text(name, text) + newline for name, text in summaries.items()]
        new = [row for row, name in zip(new, summaries, strict=True) if name not in places]
        end = max(places.values(), default=_end_of_text(lines) - 1) + 1
        gap = [newline] if new and 0 < end == self.start else []
        lines[end:end] = [*gap, *new]
        lines = self._with_front_matter(lines, now, processed, newline)
        return "".join([BOM if self.text.startswith(BOM) else "", *lines])

    def _with_front_matter(
        self, lines: list[str], now: str, processed: int, newline: str
    ) -> list[str]:
        """Return the lines with both keys set, in place if present, else at the top."""
        values = {COMPACTED: f'"{now}"', PROCESSED: str(processed)}
        present = self.values if self.has_front_matter else {}
        for key in values.keys() & present.keys():
            number = present[key][1] - 1
            comment = re.search(r"(?<![ \t])[ \t]++#.*", chomp(lines[number]))
            lines[number] = f"{key}: {values[key]}{comment[0] if comment else ''}{newline}"
        missing = [f"{key}: {values[key]}{newline}" for key in values if key not in present]
        if self.has_front_matter:
            return [lines[0], *missing, *lines[1:]]
        gap = [newline] if lines and lines[0].strip() else []
        return [f"---{newline}", *missing, f"---{newline}", *gap, *lines]


def row_text(name: str, summary: str) -> str:
    """Return the line for a theme."""
    return f"**{name}** — {summary} → themes/{name}.md"


def _end_of_text(lines: list[str]) -> int:
    """Return the number of lines up to the last non-blank one."""
    return next((n for n in range(len(lines), 0, -1) if lines[n - 1].strip()), 0)


THEMES_FOLDER = "themes"


class TierFiles(NamedTuple):
    """The contents of a folder: raw files, themes and INDEX; folder is POSIX from the root.

    skipped are files that are not valid raw files. unusable are names in the themes folder that are
    not theme files, with the reason; no new theme takes them. has_strict_trigger is as configured.
    """

    folder: str
    raw: tuple[RawFile, ...]
    skipped: tuple[SkippedFile, ...]
    themes: tuple[ThemeFile, ...]
    index_file: TierIndex
    unusable: tuple[SkippedFile, ...] = ()
    has_strict_trigger: bool = False

    @property
    def trigger(self) -> CompactionTrigger:
        """The numbers that make a compaction due."""
        return CompactionTrigger(len(self.raw), self.index_file.processed, self.has_strict_trigger)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the folder, POSIX from the root, sorted, without skipped ones."""
        index = [] if self.index_file.data is None else [INDEX_NAME]
        raw = [*index, *(file.name for file in self.raw)]
        themes = (self.theme_path(theme.name) for theme in self.themes)
        return tuple(sorted([*(f"{self.folder}/{name}" for name in raw), *themes]))

    def theme_path(self, name: str) -> str:
        """Return the path of a theme, POSIX from the root."""
        return f"{self.folder}/{THEMES_FOLDER}/{name}.md"

    def taken_names(self) -> Iterator[str]:
        """Yield the names that no new theme may have: of files, and of rows without a file."""
        yield from (theme.name for theme in self.themes)
        yield from (file.name.removesuffix(".md") for file in self.unusable)
        yield from (row.name for row in self.index_file.rows)
