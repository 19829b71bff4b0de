"""Text that others wrote, put into Markdown of ours so that it is read and nothing else.

Only as code is text inert on GitHub: what is escaped with backslashes still mentions people and
issues, since those are looked for after the Markdown has been rendered. So a line of foreign text
is a code span, several are a fenced block, and what directs the reader's eye (controls, marks of
writing direction, invisible characters) is written out.
"""

from __future__ import annotations

import re
import unicodedata

_RUNS = re.compile("`+")
_LINE_ENDS = re.compile("\r\n?|\n")
_JOINERS = "\u200c\u200d"  # letters of some scripts, and emoji, are joined or kept apart by them

# Whole messages hide in rows of selectors; the others are blanks that count as letters, and marks
# that nothing is drawn for.
_UNSEEN = frozenset(
    map(
        chr,
        (
            *range(0xE0100, 0xE01F0),
            *range(0xFE00, 0xFE0E),
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2065),
            *(0x3164, 0xFFA0),
        ),
    )
)


def visible(text: str) -> str:
    """The text with every character written out that does something instead of showing."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(sign if _shows(sign) else _written_out(sign) for sign in text)


def span(text: str) -> str:
    """The text as a code span on one line; the words `(nothing)` where it holds none."""
    shown = visible(" ".join(text.split()))
    if not shown:
        return "(nothing)"
    ticks = "`" * (_longest_run(shown) + 1)
    gap = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{gap}{shown}{gap}{ticks}"


def cell(text: str) -> str:
    """The text as a code span inside a table, where a bar would begin the next column."""
    return span(text).replace("|", "\\|")


def block(text: str, language: str = "markdown") -> str:
    """The text as a fenced block, which nothing inside can end; without a line end at its end."""
    lines = ["\t".join(map(visible, line.split("\t"))) for line in _lines(text)]
    fence = "`" * max(3, _longest_run("\n".join(lines)) + 1)
    return "\n".join((f"{fence}{language}", *lines, fence))


def _lines(text: str) -> list[str]:
    return _LINE_ENDS.split(text.strip("\r\n"))


def _longest_run(text: str) -> int:
    return max(map(len, _RUNS.findall(text)), default=0)


def _shows(sign: str) -> bool:
    # Cc controls, Cf formats (among them the marks of direction), Cs half characters, Zl and Zp
    # line ends that some readers know; a blank of another width (Zs) is harmless.
    category = unicodedata.category(sign)
    hides = category in ("Cc", "Cf", "Cs", "Zl", "Zp") or sign in _UNSEEN
    return sign in _JOINERS or not hides


def _written_out(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
