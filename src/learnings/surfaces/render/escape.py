"""Text from files, paths and messages, escaped for Markdown: it is shown and does nothing.

Every renderer of Markdown uses these functions and nothing else; the source of the entries of a
batch alone is handed on word for word. On GitHub only code does nothing: what is escaped with
backslashes still mentions people and issues, since GitHub looks for those after it has rendered
the Markdown. So a line of foreign text is a code span, several are a fenced block, and what
directs the reader's eye (controls, marks of writing direction, invisible characters) is written
out.
"""

from __future__ import annotations

import re

_RUNS = re.compile("`+")  # a run of backticks; code ends at a run as long as the one it began with
_LINE_ENDS = re.compile("\r\n?|\n")  # any line end, those of old Macintosh files too
_JOINERS = "\u200c\u200d"  # letters of some scripts, and emoji, are joined or kept apart by them

# Variation selectors, in rows of which whole messages hide; then blanks that count as letters, and
# marks for which nothing is drawn.
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
    """Return the text with an escape such as `x1b` after a backslash for what does not show."""
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import category  # noqa: PLC0415  (most texts are ASCII)

    return "".join(
        character if _shows(character, category(character)) else _written_out(character)
        for character in text
    )


def line(text: str) -> str:
    """Return the text as it is, on one line: for headings that other programs read.

    Nothing but its inline Markdown takes effect, and nothing leaves the line.
    """
    return "\t".join(map(visible, _LINE_ENDS.sub(" ", text).split("\t")))


def span(text: str) -> str:
    """Return the text as a code span on one line; `(nothing)` where it is blank."""
    shown = visible(" ".join(text.split()))
    if not shown:
        return "(nothing)"
    ticks = "`" * (_longest_run(shown) + 1)
    gap = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{gap}{shown}{gap}{ticks}"


def cell(text: str) -> str:
    """Return the text as a code span inside a table, where a bar would begin the next column."""
    return span(text).replace("|", "\\|")


def block(text: str, language: str = "markdown") -> str:
    """Return the text as a fenced block, which nothing inside can end; the last line has no end."""
    lines = [line(part) for part in _LINE_ENDS.split(text.strip("\r\n"))]
    fence = "`" * max(3, _longest_run("\n".join(lines)) + 1)
    return "\n".join((f"{fence}{language}", *lines, fence))


def comment(name: str, value: object) -> str:
    """Return an HTML comment that holds a name and a value as JSON, which nothing in it can end."""
    import json  # noqa: PLC0415  (no report of a command has such a comment)

    text = json.dumps(value, sort_keys=True).replace("--", "-\\u002d").replace(">", "\\u003e")
    return f"<!-- {name} {text} -->"


def _longest_run(text: str) -> int:
    return max(map(len, _RUNS.findall(text)), default=0)


def _shows(character: str, category: str) -> bool:
    # Cc controls, Cf formats (among them the marks of direction), Cs half characters, Zl and Zp
    # line ends that some readers know; a blank of another width (Zs) is harmless.
    hides = category in ("Cc", "Cf", "Cs", "Zl", "Zp") or character in _UNSEEN
    return character in _JOINERS or not hides


def _written_out(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
