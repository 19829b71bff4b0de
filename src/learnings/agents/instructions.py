"""The content of an agent file: passages of text and code, and calls of `learnings`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import front_matter_end
from learnings.core.markdown.passages import Passage, code_spans, passages
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

PROGRAM = "learnings"
# Executables that are a command of the program under another name.
ALIASES = {"learning-ages.py": "ages"}
SHELLS = ("sh", "bash", "shell", "zsh", "console", "shell-session")

# One command of a shell line, up to an operator or the end of the line.
_SIMPLE_COMMAND = lazy_pattern(r"(?:(?!&&|\|\||\$\()[^;|(\n]|(?<=\\)\n)+")
# The start of a command that runs the program: prompt, keywords, variables, runners, and a path to
# installed programs. `/learnings` is a command of the host, or a folder. The value of an option is
# no word that may stand here itself, so that each word is read in one way.
_CALL = lazy_pattern(
    r"""(?x)[\s"'&]*+(?:(?:[$%!]|if|then|do|while|until|exec|time|env|[A-Za-z_]\w*+=\S*+
      |(?:uvx|pipx\ run|uv\ run|uv\ tool\ run)(?:\s++-\S++(?:\s++
        (?!-|(?:[$%!]|if|then|do|while|until|exec|time|env|uvx|pipx|uv|python[\d.]*+)\s|[A-Za-z_]\w*+=)
        \S++)??)*?
      |python[\d.]*+(?:\s++-m)?)\s++)*
    ["']?(?:(?:(?:[^\s"']*/)?(?:bin|Scripts)/)?(?=learnings)|(?:[^\s"']*/)?(?=learning-ages))
    (learnings|learning-ages\.py)["']?(?=[\s:]|$)"""
)
# The word after the program that can be its command, on the next line if the line continues.
_COMMAND_WORD = lazy_pattern(r"(?:\s|\\\n)+([a-z][a-z-]*)(?=$|[\s:,.)\]\"'])")
# An option, long or short, and the next word, which may be its value.
_OPTION = lazy_pattern(
    r"(?<![\w-])(--[A-Za-z][\w-]*|-[A-Za-z](?![\w-]))(?:[= ]+([^\s\[\])\"',;]+))?"
)
# A code span that contains the program and one word.
_BARE_CALL = lazy_pattern(rf"{PROGRAM}\s+[a-z-]+")
# A code span that contains only one long option, perhaps with a value.
_LONE_OPTION = lazy_pattern(r"--[A-Za-z][\w-]*(?:[= ]\S+)?")
# The comment at the end of a shell line.
_SHELL_COMMENT = lazy_pattern(r"(?:^|\s)#\s.*")
# A permission to run a command, as front matters write it.
_PERMISSION = lazy_pattern(r"Bash\(((?:(?!Bash\()[^)\n])*+)\)")


class CallOption(NamedTuple):
    """An option of a call, with its line and column; value is None if nothing follows."""

    name: str
    value: str | None
    line: int
    column: int


class Call(NamedTuple):
    """A call or mention of `learnings`, located at the command or else at the program.

    is_certain is False in a code block that is not marked as shell. is_bare is True if a code span
    contains only the program and one word, which may be a noun.
    """

    command: str | None
    options: tuple[CallOption, ...]
    line: int
    column: int
    is_certain: bool = True
    is_bare: bool = False


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
    """The lines of a file, the last line of its front matter (0: none), passages and calls."""

    lines: Sequence[str]
    front_matter: int
    passages: tuple[Passage, ...]
    calls: tuple[Call, ...]


def read_instructions(lines: Sequence[str]) -> Instructions:
    """Return the instructions of an agent file; never raises.

    Calls stand in permissions `Bash(…)` of the front matter, in code spans, in code blocks for a
    shell and, if there is such a block, also in code blocks without a language. An option in its
    own code span belongs to the call in the span before it in the same sentence.
    """
    last = front_matter_end(lines, certain=True)
    in_text = tuple(passages(lines, last))
    calls: list[Call] = []
    for number, line in enumerate(lines[:last], start=1):
        for match in _PERMISSION.finditer(line):
            calls += _calls_in(Passage(number, chomp(line)), match.start(1), match[1])
    for passage in in_text:
        if PROGRAM in passage.text or any(alias in passage.text for alias in ALIASES):
            calls += _in_text(passage) if passage.language is None else _in_code(passage)
    is_certain = any(call.is_certain for call in calls)
    return Instructions(lines, last, in_text, tuple(calls) if is_certain else ())
