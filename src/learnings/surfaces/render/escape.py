"""Text from files, paths and messages, escaped for Markdown: it is shown and does nothing.

Every renderer of Markdown uses these functions and nothing else; the headings in `ages` and the
entries in `batch`, which agents take apart again, alone keep their Markdown. On GitHub only code
does nothing: what is escaped with backslashes still mentions people and issues, since GitHub looks
for those after it has rendered the Markdown. So a line of foreign text is a code span, several are
a fenced block, and what directs the reader's eye (controls, marks of writing direction, invisible
characters) is written out.
"""

from __future__ import annotations

from learnings.core.patterns import lazy_pattern
from learnings.core.text import LINE_ENDS, printable, printable_lines

_RUNS = lazy_pattern(
    "`+"
)  # a run of backticks; code ends at a run as long as the one it began with


def line(text: str) -> str:
    """Return the text as it is, on one line: for headings that other programs read.

    Nothing but its inline Markdown takes effect, and nothing leaves the line.
    """
    return printable_lines(LINE_ENDS.sub(" ", text))


def span(text: str) -> str:
    """Return the text as a code span on one line; `(nothing)` where it is blank."""
    shown = printable(" ".join(text.split()))
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
    shown = printable_lines(text.strip("\r\n"))
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def comment(name: str, value: object) -> str:
    """Return an HTML comment that holds a name and a value as JSON, which nothing in it can end."""
    import json  # noqa: PLC0415  (no report of a command has such a comment)

    text = json.dumps(value, sort_keys=True).replace("--", "-\\u002d").replace(">", "\\u003e")
    return f"<!-- {name} {text} -->"


def _longest_run(text: str) -> int:
    return max(map(len, _RUNS.findall(text)), default=0)
