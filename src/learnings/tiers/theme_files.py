"""Theme files and their names: the observations of several work units about one theme."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from hashlib import sha256

from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, decode, newline_of, split_lines

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


def theme_name_of(title: str) -> str:
    """Return the name for a title: its words in kebab-case, without accents."""
    plain = unicodedata.normalize("NFKD", title.casefold())
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    name = _BETWEEN.sub("-", letters).strip("-")
    return name[:LONGEST_NAME].rstrip("-") or UNNAMED_THEME


def free_theme_name(name: str, used: Container[str]) -> tuple[str, int]:
    """Return the first free name: itself, or with `-2`, `-3` …, and the number."""
    number = 1
    numbered = name
    while numbered in used:
        number += 1
        numbered = f"{name}-{number}"
    return numbered, number


THEME_WORDS = 225
"""Maximum words of a theme file: 300 tokens, at 0.75 words per token as in the protocol."""
RELATED = "## Related Work Units"
DRAFT = "draft: rewrite the lines below, then remove this line"
COLLECTED = "collected: each compaction writes this anew"
"""The marks of unchanged themes: a draft to rewrite, and a collection of the rest."""
# A mark, with the digest of all other lines.
_MARK = lazy_pattern(rf"<!-- ({DRAFT}|{COLLECTED}) \(([0-9a-f]{{8}})\) -->")
_HEADING = lazy_pattern(r"#{1,6}(?:[ \t]|$)")
_RELATED = lazy_pattern(r"##[ \t]+related work units[ \t]*#*", re.IGNORECASE)
_ITEM = lazy_pattern(r"[-*+][ \t]+(.*\S)")


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
    def mark(self) -> str:
        """DRAFT or COLLECTED if the file is unchanged since it was written here."""
        marks = [
            (n, match) for n, line in enumerate(self.plain) if (match := _MARK.fullmatch(line))
        ]
        if len(marks) != 1:
            return ""
        number, match = marks[0]
        is_ours = match[2] == _digest(self.plain[:number] + self.plain[number + 1 :])
        return match[1] if is_ours else ""

    @property
    def is_draft(self) -> bool:
        """True for a theme that is waiting for somebody to rewrite it."""
        return self.mark == DRAFT

    @property
    def body(self) -> str:
        """The text between the title and the work units, without a draft mark."""
        lines = (line for line in self.plain[: self.related] if not _MARK.fullmatch(line))
        return "\n".join(line for line in lines if not re.match(r"#[ \t]", line))

    @property
    def items(self) -> int:
        """The number of items between the title and the work units."""
        return sum(_ITEM.fullmatch(line) is not None for line in self.plain[: self.related])

    def with_items(self, items: Sequence[str], units: Iterable[str]) -> str:
        """Return the text with more items above the work units, and more ids among these."""
        newline = newline_of(self.text)
        lines = [chomp(line) + (line[len(chomp(line)) :] or newline) for line in self.lines]
        before, after = lines[: self.related], lines[self.end :]
        while before and not before[-1].strip():
            before.pop()
        if items:
            gap = [] if before and _ITEM.match(before[-1].strip()) else [newline]
            before += [*gap, *(f"- {item}{newline}" for item in items)]
        ids = sorted({*units, *(unit for unit, _ in self.units)})
        others = [
            line
            for line in lines[self.related + 1 : self.end]
            if line.strip() and not _ITEM.fullmatch(line.strip())
        ]
        heading = lines[self.related] if self.related < len(lines) else RELATED + newline
        related = [heading, *(f"- {unit}{newline}" for unit in ids), *others]
        return "".join([*before, newline, *related, *([newline, *after] if after else [])])


def draft_text(title: str, items: Sequence[str], units: Iterable[str], mark: str = DRAFT) -> str:
    """Return the text of a generated theme file, with its mark."""
    above = [f"# {title}", ""]
    below = ["", *(f"- {item}" for item in items), "", RELATED]
    below += [f"- {unit}" for unit in sorted(set(units))]
    return "\n".join([*above, f"<!-- {mark} ({_digest(above + below)}) -->", *below, ""])


def words_of(text: str) -> int:
    """Return the number of words, separated by whitespace, including marks and ids."""
    return len(text.split())


def _digest(lines: Iterable[str]) -> str:
    """Return eight hexadecimal digits for lines, ignoring blank ones and outer whitespace."""
    text = "\n".join(line.strip() for line in lines if line.strip())
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
