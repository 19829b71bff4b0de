"""Lossless conversion of bytes, text and lines; text for messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import StringIO
from typing import TYPE_CHECKING

from learnings.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from decimal import Decimal

BOM = "\ufeff"  # the byte order mark, as the first character of a text
INVISIBLE = f"{BOM}\u200b\u2060\u00ad"
"""Characters without a width: byte order mark, zero width space, word joiner, soft hyphen.

Before the mark of a heading they hide the entry; between two versions they change nothing.
"""
BLANKS = f" \t\r\n\v\f{INVISIBLE}"
"""White space, and what looks like none."""

# Not characters. Markdown replaces NUL; lone surrogates stand for bytes that are not UTF-8, and the
# URL encoder of the parser fails on them.
_NO_CHARACTER = lazy_pattern("[\0\ud800-\udfff]")
# NUL, and the surrogates for bytes that are not UTF-8.
_NOT_TEXT = lazy_pattern("[\0\udc80-\udcff]")
LINE_ENDS = lazy_pattern("\r\n?|\n")  # any line end, including that of old Macintosh files

# Cc controls, Cf formats (including direction marks), Cs surrogates, Zl and Zp line ends that some
# readers know; a blank of another width (Zs) is harmless.
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
# These two join or separate letters of some scripts, and emoji: letters without upper case, marks,
# and symbols. Between other characters a joiner only hides.
_JOINERS = "\u200c\u200d"
_JOINED = frozenset(("Lo", "Mc", "Mn", "Sk", "So"))
UNSEEN = (
    "[\U000e0000-\U000e0fff\ufe00-\ufe0d\ufff0-\ufff8"
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u3164\uffa0]"
)
"""Tags and variation selectors, in rows of which whole messages can hide.

Then blanks that count as letters, and marks that are not drawn. The text of a pattern, for use in
longer ones.
"""
_UNSEEN = lazy_pattern(UNSEEN)
# Characters; longer than any name. The time of difflib is quadratic in the text length.
_LONGEST_WORD = 100


def decode(data: bytes) -> str:
    """Decode UTF-8, keeping a BOM; encode() restores other bytes from lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Restore the bytes that decode() read. Raises UnicodeEncodeError for other surrogates."""
    return text.encode("utf-8", "surrogateescape")


def not_text(text: str) -> re.Match[str] | None:
    """Return the first character that cannot occur in valid UTF-8 text (NUL included), or None."""
    return _NOT_TEXT.search(text)


def split_lines(text: str) -> list[str]:
    r"""Return the lines with their "\n" or, if the text has none, their "\r"."""
    return StringIO(text, newline="\n" if "\n" in text else "\r").readlines()


def count_lines(data: bytes) -> int:
    """Return the number of lines that split_lines() finds in the decoded bytes."""
    separator = b"\n" if b"\n" in data else b"\r"
    return data.count(separator) + (len(data) > 0 and not data.endswith(separator))


def newline_of(text: str) -> str:
    r"""Return the terminator for lines added to the text: "\r\n", "\n" or "\r"."""
    terminated = text.count("\n")
    if not terminated:
        return "\r" if "\r" in text else "\n"
    return "\r\n" if 2 * text.count("\r\n") > terminated else "\n"


def chomp(line: str) -> str:
    r"""Return the line without its terminator: one "\r\n", "\n" or "\r"."""
    if line.endswith("\r\n"):
        return line[:-2]
    return line[:-1] if line.endswith(("\n", "\r")) else line


def as_single_line(line: str) -> str:
    r"""Return the line as one line for a Markdown parser: ended by "\n", characters only."""
    return _NO_CHARACTER.sub("\ufffd", chomp(line).replace("\r", " ")) + "\n"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return `1 line`, `2 lines`; the plural adds an s unless it is given."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def number_text(number: Decimal) -> str:
    """Format a number with at least two decimal places: 0.60, 0.125."""
    places = -int(number.normalize().as_tuple().exponent)
    return f"{number:.{max(places, 2)}f}"


def short_commit(commit: str) -> str:
    return commit[:12]


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def quoted_if_empty(word: str) -> str:
    """Return a command-line word, or `''` for an empty word, which would leave a gap."""
    return word or "''"


def printable(text: str) -> str:
    r"""Escape (`\x1b`) characters that are invisible in a line of output, in all foreign text."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if _shows(text, index) else character.encode("unicode_escape").decode("ascii")
        for index, character in enumerate(text)
    )


def printable_lines(text: str) -> str:
    r"""Make several lines printable(); keep tabs, and turn every line end into "\n"."""
    lines = LINE_ENDS.split(text)
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)


def _shows(text: str, index: int) -> bool:
    from unicodedata import category  # noqa: PLC0415  (most texts are ASCII)

    character = text[index]
    if character in _JOINERS:
        around = text[index - 1 : index], text[index + 1 : index + 2]
        return all(neighbour and category(neighbour) in _JOINED for neighbour in around)
    return category(character) not in _HIDDEN and not _UNSEEN.match(character)


def nearest(word: str, names: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the only name that continues the word with a hyphen, else the nearest, or None."""
    from difflib import get_close_matches  # noqa: PLC0415  (slow, for errors only)

    names = list(names)
    longer = [name for name in names if word and name.startswith(f"{word}-")]
    if len(longer) == 1:
        return longer[0]

    near = get_close_matches(word[:_LONGEST_WORD].lower(), list(names), n=1, cutoff=cutoff)
    return near[0] if near else None


def suggestion(word: str, names: Iterable[str], *, otherwise: str = "", cutoff: float = 0.6) -> str:
    """Return `did you mean NAME?` for nearest(), or `otherwise` if no name is near."""
    near = nearest(word, names, cutoff=cutoff)
    return f"did you mean {near}?" if near else otherwise


def is_one_edit(word: str, name: str) -> bool:
    """Return True if the words differ by one letter, or by two swapped neighbours."""
    if word == name or abs(len(word) - len(name)) > 1:
        return False
    pairs = zip(word, name, strict=False)
    start = next((index for index, (has, wants) in enumerate(pairs) if has != wants), -1)
    if start < 0:
        return True
    rest, meant = word[start:], name[start:]
    return meant in (rest[1:], rest[1::-1] + rest[2:]) or meant[1:] in (rest, rest[1:])
