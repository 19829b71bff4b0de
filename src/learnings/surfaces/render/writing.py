"""Text that is safe in its format: lines, Markdown, JSON documents and HTML pages.

Every renderer of Markdown escapes with these functions; only the headings in `ages` and the entries
in `batch`, which agents parse again, keep their Markdown. Foreign text becomes a code span or a
fenced block, not backslash escapes, because GitHub looks for mentions after rendering the Markdown.
A JSON document escapes what a reader could obey, and a page is one file that loads nothing and
escapes all values.

A description of a result is printed as text or as Markdown, and words every fact once: it is a
sequence of blocks, each a sequence of parts, which know their lines in text and their Markdown.
Hooks print such texts, so this module loads fast.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import NamedTuple, ParamSpec

from learnings.core.patterns import lazy_pattern
from learnings.core.text import LINE_ENDS, UNSEEN, counted, printable, printable_lines

_RUNS = lazy_pattern("`+")  # code ends at a run of backticks as long as the opening one


def one_line(text: str) -> str:
    """Return the text on one line with its inline Markdown, for headings that programs read."""
    return printable_lines(LINE_ENDS.sub(" ", text))


def span(text: str) -> str:
    """Return the text as a code span on one line; `(nothing)` if it is blank."""
    shown = printable(" ".join(text.split()))
    if not shown:
        return "(nothing)"
    ticks = "`" * (_longest_run(shown) + 1)
    gap = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{gap}{shown}{gap}{ticks}"


def cell(text: str) -> str:
    return span(text).replace("|", "\\|")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a table; the title of a column of numbers begins with a colon."""
    titles = (column.lstrip(":") for column in columns)
    yield f"|{'|'.join(f' {title} ' if title else ' ' for title in titles)}|"
    yield f"|{'|'.join('--:' if column.startswith(':') else '---' for column in columns)}|"
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)


def block(text: str, language: str = "markdown") -> str:
    """Return the text as a fenced block without a final newline; nothing inside can end it."""
    shown = printable_lines(text.strip("\r\n"))
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def comment(name: str, value: object) -> str:
    """Return an HTML comment with a name and a value as JSON; nothing inside can end it."""
    import json  # noqa: PLC0415  (reports have no such comment)

    text = json.dumps(value, sort_keys=True).replace("--", "-\\u002d").replace(">", "\\u003e")
    return f"<!-- {name} {text} -->"


def _longest_run(text: str) -> int:
    return max(map(len, _RUNS.findall(text)), default=0)


_P = ParamSpec("_P")


def text_of(lines: Iterable[str]) -> str:
    """Return lines as one text, each with its newline."""
    return "".join(f"{line}\n" for line in lines)


def text_of_blocks(blocks: Iterable[Iterable[str]]) -> str:
    """Return blocks of lines as one text for people, with a blank line between blocks."""
    return "\n".join("".join(f"{printable(line)}\n" for line in block) for block in blocks)


def joined_lines(render: Callable[_P, Iterator[str]]) -> Callable[_P, str]:
    """Make a function that yields lines return them as one text."""

    @wraps(render)
    def text(*args: _P.args, **kwargs: _P.kwargs) -> str:
        return text_of(render(*args, **kwargs))

    return text


def text_lines(render: Callable[_P, Iterator[str]]) -> Callable[_P, str]:
    """Do the same for people: the characters that a terminal would obey are escaped."""

    @wraps(render)
    def text(*args: _P.args, **kwargs: _P.kwargs) -> str:
        return text_of(map(printable, render(*args, **kwargs)))

    return text


# Escaped although JSON allows them: DEL and C1 controls, which some terminals obey; marks of
# writing direction and invisible characters; the two Unicode line ends; lone surrogates (non-UTF-8
# bytes), which cannot be encoded; and the bracket of `##[`, which GitHub Actions reads as a command
# anywhere in a line.
_UNSAFE = lazy_pattern(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    f"\ufff9-\ufffb\ud800-\udfff]|{UNSEEN}|(?<=##)\\["
)


def json_document(document: Mapping[str, object] | Sequence[object]) -> str:
    """Return a document as indented JSON with a newline at its end, with _UNSAFE escaped."""
    import json  # noqa: PLC0415  (other formats need no json)

    text = json.dumps(document, ensure_ascii=False, indent=2)
    return _UNSAFE.sub(_written_out, text) + "\n"


def _written_out(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def html_page(template: str, **values: object) -> str:
    from importlib import resources  # noqa: PLC0415  (as jinja2)

    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415  (30 ms, for pages alone)

    folder = resources.files("learnings.surfaces") / "pages"
    environment = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
    )
    environment.filters["printable"] = printable
    environment.globals["counted"] = counted
    style = (folder / "style.css").read_text("utf-8")
    return environment.get_template(template).render(**values, style=style)


class Code(str):
    """Foreign text in words of ours, a code span in Markdown."""

    __slots__ = ()


Words = str | tuple[str, ...]
"""Words of ours, or pieces of them with foreign text between."""


class Part(NamedTuple):
    lines: Callable[[], Sequence[str]]
    markdown: Callable[[], str]


Blocks = Iterable[Iterable[Part]]


def text(blocks: Blocks) -> str:
    lines = ([line for part in block for line in part.lines()] for block in blocks)
    return text_of_blocks(filter(None, lines))


def markdown(title: str, blocks: Blocks) -> str:
    """Return a description as Markdown below a title, unless that is empty."""
    parts = (part.markdown() for block in blocks for part in block)
    return joined("\n\n", title and f"# {title}", *parts) + "\n"


def titled(words: Words, brief: str, sentence: str) -> Part:
    """Return a title, and why it is so: briefly in text, as a sentence below in Markdown."""
    return Part(
        lambda: ["".join(words) + (brief and f": {brief}")],
        lambda: joined("\n\n", f"## {marked(words)}", sentence),
    )


def line(words: Words) -> Part:
    return Part(lambda: ["".join(words)], lambda: marked(words))


def fact(label: str, words: Words) -> Part:
    """Return words with a label, which may be padded or end with a colon."""
    return Part(
        lambda: [f"  {label} {''.join(words)}"],
        lambda: f"{label.strip(' :').capitalize()}: {marked(words)}",
    )


def items(listed: Sequence[Words], title: str = "") -> Part:
    """Return a list; without a title its items stand further out in text."""
    above, indent = ([f"  {title}"], "    ") if title else ([], "  ")
    return Part(
        lambda: [*above, *(indent + "".join(item) for item in listed)],
        lambda: list_below(title, map(marked, listed)),
    )


Row = tuple[Sequence[str], Sequence[Words]]
"""A row of a table: its lines in text, and the cells in Markdown."""


def rows(columns: Sequence[str], of: Sequence[Row], title: str = "") -> Part:
    """Return a table, without columns a list; a colon before a column stands for numbers."""

    def as_markdown() -> str:
        cells = [[marked(words, cell if columns else span) for words in row] for _, row in of]
        if not columns:
            return list_below(title, (" ".join(row) for row in cells))
        return "\n".join(table(columns, cells))

    above = [f"  {title}"] if title else []
    return Part(lambda: [*above, *(one for lines, _ in of for one in lines)], as_markdown)


def marked(words: Words, mark: Callable[[str], str] = span) -> str:
    pieces = (words,) if isinstance(words, str) else words
    return "".join(mark(piece) if isinstance(piece, Code) else piece for piece in pieces)


def joined(between: str, *parts: str) -> str:
    return between.join(filter(None, parts))


def list_below(title: str, listed: Iterable[str]) -> str:
    """Return a list in Markdown below a line, unless that is empty."""
    return joined("\n\n", title[:1].upper() + title[1:], "\n".join(f"- {one}" for one in listed))
