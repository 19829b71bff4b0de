"""The text of a Markdown file as passages, with their code and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# A line that opens a code block, also in a list or quotation: the fence, and the language.
_FENCE_OPENING = lazy_pattern(
    rf"[ \t>]*(?:{LIST_MARKER}[ \t]+)?(`{{3,}}+|~{{3,}}+)[ \t]*+([\w+-]*+)[^`]*+$"
)
# A line that begins a list item, a heading or a table row.
_BLOCK_START = lazy_pattern(rf"[ \t>]*(?:(?:{LIST_MARKER}|#{{1,6}})[ \t]|\|)")
# Code between equally many backticks on both sides; it may span several lines.
_CODE = lazy_pattern(r"(?s)(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
# The end of a sentence with closing marks, or of a table cell.
_SENTENCE_END = lazy_pattern(r"[.!?][)*_\"']*\s|\|")


class Passage(NamedTuple):
    """A paragraph, list item or table row, or a line of a code block with its continuation.

    line is 1-based. language is None for text, else the language word of the code block, which may
    be empty.
    """

    line: int
    text: str
    language: str | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column (1-based) of the character at an offset (0-based)."""
        before = self.text[:offset]
        return self.line + before.count("\n"), offset - before.rfind("\n")

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a column (0-based) of a line of the file (1-based)."""
        above = self.text.split("\n")[: line - self.line]
        return sum(map(len, above)) + len(above) + column

    def sentence(self, offset: int) -> tuple[int, int]:
        """Return the first offset of the sentence around an offset, and the first one after it."""
        # Punctuation in code does not end a sentence.
        text = _CODE.sub(lambda span: "x" * len(span[0]), self.text)
        ends = [0, *(end.end() for end in _SENTENCE_END.finditer(text)), len(text)]
        return max(end for end in ends if end <= offset), min(end for end in ends if end > offset)


class CodeSpan(NamedTuple):
    """Code in the text of a passage: its content, and the offset of the content."""

    start: int
    text: str


def passages(lines: Sequence[str], front_matter: int = 0) -> Iterator[Passage]:
    """Yield the passages of a file after its front matter.

    A fence opens a code block at any depth, since instructions put code into lists. A line of code
    continues if it ends in a backslash.
    """
    first, text, language = 0, "", None
    for number, line, code in lines_with_language(lines, front_matter):
        content = chomp(line)
        is_blank = not content.strip()
        goes_on = text.endswith("\\") if code is not None else not _BLOCK_START.match(content)
        if text and (is_blank or code != language or not goes_on):
            yield Passage(first, text, language)
            text = ""
        if not is_blank:
            first = first if text else number
            text = f"{text}\n{content}" if text else content
        language = code
    if text:
        yield Passage(first, text, language)


def lines_with_language(
    lines: Sequence[str], front_matter: int = 0
) -> Iterator[tuple[int, str, str | None]]:
    """Yield number, text and code language (None: text) of each line.

    Fences count as blank lines of text.
    """
    fence, language = "", ""
    for number, line in enumerate(lines[front_matter:], start=front_matter + 1):
        may_open = not fence and ("```" in line or "~~~" in line)
        opening = _FENCE_OPENING.match(chomp(line)) if may_open else None
        if opening:
            fence, language = opening[1], opening[2].lower()
            yield number, "", None
            continue
        marks = line.strip(" \t\r\n>") if fence else ""
        if fence and len(marks) >= len(fence) and not marks.strip(fence[0]):
            fence = ""
            yield number, "", None
        else:
            yield number, line, language if fence else None


def code_spans(passage: Passage) -> list[CodeSpan]:
    return [
        CodeSpan(match.end(2) - len(match[2].lstrip()), match[2].strip())
        for match in _CODE.finditer(passage.text)
    ]
