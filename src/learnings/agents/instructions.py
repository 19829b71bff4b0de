"""What an agent file tells its reader: passages of text and code, and calls of `learnings`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import front_matter_end
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# Patterns are compiled by the first file of an agent: most runs meet none.
# A line that opens a code block, in a list or quotation too: the fence, and the language.
_FENCE_OPENING = lazy_pattern(
    rf"[ \t>]*(?:{LIST_MARKER}[ \t]+)?(`{{3,}}|~{{3,}})[ \t]*([\w+-]*)[^`]*$"
)
# A line that begins a list item, a heading or a row of a table.
_BLOCK_START = lazy_pattern(rf"[ \t>]*(?:(?:{LIST_MARKER}|#{{1,6}})[ \t]|\|)")
# Code between as many backticks on both sides; it may go over several lines.
_CODE = lazy_pattern(r"(?s)(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
# The end of a sentence with what closes behind it, or of a cell of a table.
_SENTENCE_END = lazy_pattern(r"[.!?][)*_\"']*\s|\|")


class Passage(NamedTuple):
    """A paragraph, list item or table row, or a line of a code block with what continues it.

    line is 1-based. language is None for text, else the word, or none, that opens the code block.
    """

    line: int
    text: str
    language: str | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, 1-based, of the character at an offset, which is 0-based."""
        before = self.text[:offset]
        return self.line + before.count("\n"), offset - before.rfind("\n")

    def sentence(self, offset: int) -> tuple[int, int]:
        """Return the first offset of the sentence around an offset, and the first one behind it."""
        # Punctuation in code ends no sentence.
        text = _CODE.sub(lambda span: "x" * len(span[0]), self.text)
        ends = [0, *(end.end() for end in _SENTENCE_END.finditer(text)), len(text)]
        return max(end for end in ends if end <= offset), min(end for end in ends if end > offset)


class CodeSpan(NamedTuple):
    """Code in the text of a passage: what it says, and the offset of that in the passage."""

    start: int
    text: str


def passages(lines: Sequence[str], front_matter: int = 0) -> Iterator[Passage]:
    """Give the passages of a file behind its front matter.

    A fence opens a code block at any depth, since instructions put code into lists. A line of code
    continues if it ends in a backslash.
    """
    first, text, language = 0, "", None
    for number, line, code in lines_with_language(lines, front_matter):
        content = chomp(line)
        is_blank = not content.strip()
        if text and (is_blank or code != language or not _goes_on(text, content, code)):
            yield Passage(first, text, language)
            text = ""
        if not is_blank:
            first = first if text else number
            text = f"{text}\n{content}" if text else content
        language = code
    if text:
        yield Passage(first, text, language)


def _goes_on(text: str, line: str, code: str | None) -> bool:
    """Return True if a line belongs to the passage above it, which is of its kind."""
    return text.endswith("\\") if code is not None else _BLOCK_START.match(line) is None


def lines_with_language(
    lines: Sequence[str], front_matter: int = 0
) -> Iterator[tuple[int, str, str | None]]:
    """Give number and text of each line, and the language of its code block (None: text).

    Fences are blank lines of text.
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
    """Return the code in a passage of text, in order."""
    return [
        CodeSpan(match.end(2) - len(match[2].lstrip()), match[2].strip())
        for match in _CODE.finditer(passage.text)
    ]


PROGRAM = "learnings"
# Executables that are one of its commands under another name.
ALIASES = {"learning-ages.py": "ages"}
SHELLS = ("sh", "bash", "shell", "zsh", "console", "shell-session")

# One command of a shell line: up to what joins it to the next one, or to the end of the line.
_SIMPLE_COMMAND = lazy_pattern(r"(?:(?!&&|\|\||\$\()[^;|(\n]|(?<=\\)\n)+")
# The beginning of a command that runs the program: prompt, keywords, variables, runners, and a path
# to where programs are installed: `/learnings` is a command of the host, or a folder.
_CALL = lazy_pattern(
    r"""(?x)[\s"'&]*(?:(?:[$%!]|if|then|do|while|until|exec|time|env|[A-Za-z_]\w*=\S*
      |(?:uvx|pipx\ run|uv\ run|uv\ tool\ run)(?:\s+-\S+(?:\s+\S+)??)*?
      |python[\d.]*(?:\s+-m)?)\s+)*
    ["']?(?:(?:(?:[^\s"']*/)?(?:bin|Scripts)/)?(?=learnings)|(?:[^\s"']*/)?(?=learning-ages))
    (learnings|learning-ages\.py)["']?(?=[\s:]|$)"""
)
# The word behind the program that can be its command, on the next line if that goes on.
_COMMAND_WORD = lazy_pattern(r"(?:\s|\\\n)+([a-z][a-z-]*)(?=$|[\s:,.)\]\"'])")
# An option, long or short, and the word behind it that may be its value.
_OPTION = lazy_pattern(
    r"(?<![\w-])(--[A-Za-z][\w-]*|-[A-Za-z](?![\w-]))(?:[= ]+([^\s\[\])\"',;]+))?"
)
# A code span that holds the program and one word.
_BARE_CALL = lazy_pattern(rf"{PROGRAM}\s+[a-z-]+")
# A code span that holds one long option and nothing else but a value.
_LONE_OPTION = lazy_pattern(r"--[A-Za-z][\w-]*(?:[= ]\S+)?")
# The comment at the end of a shell line.
_SHELL_COMMENT = lazy_pattern(r"(?:^|\s)#\s.*")
# A permission to run a command, as front matters write it.
_PERMISSION = lazy_pattern(r"Bash\(([^)\n]*)\)")


class CallOption(NamedTuple):
    """An option of a call, with its line and column; value is None where nothing follows."""

    name: str
    value: str | None
    line: int
    column: int


class Call(NamedTuple):
    """A call of `learnings`, or a mention of one, at the command or else at the program.

    is_certain is False in a code block that does not say that it is for a shell. is_bare says that
    a code span holds nothing but the program and a word, which can be a noun.
    """

    command: str | None
    options: tuple[CallOption, ...]
    line: int
    column: int
    is_certain: bool = True
    is_bare: bool = False


def calls(front_matter: Sequence[str], text: Iterable[Passage]) -> list[Call]:
    """Return the calls in the lines of a front matter and in the passages of the text behind it.

    They stand in permissions `Bash(…)` of the front matter, in code spans, in code blocks for a
    shell and, if there is one elsewhere, in code blocks without a language. An option in a code
    span of its own belongs to the call in the span before it in the same sentence.
    """
    in_file: list[Call] = []
    for number, line in enumerate(front_matter, start=1):
        for match in _PERMISSION.finditer(line):
            in_file += _calls_in(Passage(number, chomp(line)), match.start(1), match[1])
    for passage in text:
        if PROGRAM in passage.text or any(alias in passage.text for alias in ALIASES):
            in_file += _in_text(passage) if passage.language is None else _in_code(passage)
    return in_file if any(call.is_certain for call in in_file) else []


def _in_text(passage: Passage) -> Iterator[Call]:
    last: Call | None = None
    before = 0
    for span in code_spans(passage):
        if _LONE_OPTION.fullmatch(span.text):
            start, end = passage.sentence(span.start)
            if last and start <= before < end:
                options = _options(passage, span.start, span.text)
                last = last._replace(options=options, is_certain=True, is_bare=False)
                yield last
            continue
        code = span.text.replace("\n", " ")
        is_bare = _BARE_CALL.fullmatch(code) is not None
        in_span = [call._replace(is_bare=is_bare) for call in _calls_in(passage, span.start, code)]
        yield from in_span
        last, before = (in_span[-1] if in_span else None), span.start


def _in_code(passage: Passage) -> Iterator[Call]:
    if passage.language not in ("", *SHELLS):
        return
    has_prompt = passage.text.lstrip().startswith(("$ ", "% "))
    if has_prompt or passage.language not in ("console", "shell-session"):
        for call in _calls_in(passage, 0, _SHELL_COMMENT.sub("", passage.text)):
            yield call._replace(is_certain=bool(passage.language))


def _calls_in(passage: Passage, start: int, code: str) -> Iterator[Call]:
    for simple in _SIMPLE_COMMAND.finditer(code):
        program = _CALL.match(simple[0])
        if program is None:
            continue
        begin, arguments = start + simple.start(), simple[0][program.end() :]
        alias, word = ALIASES.get(program[1]), _COMMAND_WORD.match(arguments)
        command = alias or (word[1] if word else None)
        offset = begin + (program.end() + word.start(1) if word and not alias else program.start(1))
        is_known = command is not None or arguments.lstrip().startswith("-")
        options = _options(passage, begin + program.end(), arguments) if is_known else ()
        yield Call(command, options, *passage.position(offset))


def _options(passage: Passage, start: int, code: str) -> tuple[CallOption, ...]:
    return tuple(
        CallOption(match[1], match[2], *passage.position(start + match.start(1)))
        for match in _OPTION.finditer(code)
    )


class Instructions(NamedTuple):
    """The lines of a file, the line that ends its front matter (0: none), passages and calls."""

    lines: Sequence[str]
    front_matter: int
    passages: tuple[Passage, ...]
    calls: tuple[Call, ...]


def read_instructions(lines: Sequence[str]) -> Instructions:
    """Return what a file tells an agent; never raises."""
    last = front_matter_end(lines, certain=True)
    in_text = tuple(passages(lines, last))
    return Instructions(lines, last, in_text, tuple(calls(lines[:last], in_text)))
