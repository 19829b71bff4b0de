"""Calls of the program `learnings` in instructions for agents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.agents.text import Passage, spans
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

PROGRAM = "learnings"
# Executables that are one of its commands under another name.
ALIASES = {"learning-ages.py": "ages"}
SHELLS = ("sh", "bash", "shell", "zsh", "console", "shell-session")

# One command of a shell line: up to what joins it to the next one, or to the end of the line.
_SIMPLE = lazy_pattern(r"(?:(?!&&|\|\||\$\()[^;|(\n]|(?<=\\)\n)+")
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
_WORD = lazy_pattern(r"(?:\s|\\\n)+([a-z][a-z-]*)(?=$|[\s:,.)\]\"'])")
# An option, long or short, and the word behind it that may be its value.
_OPTION = lazy_pattern(
    r"(?<![\w-])(--[A-Za-z][\w-]*|-[A-Za-z](?![\w-]))(?:[= ]+([^\s\[\])\"',;]+))?"
)
# A code span that holds the program and one word.
_BARE = lazy_pattern(rf"{PROGRAM}\s+[a-z-]+")
# A code span that holds one long option and nothing else but a value.
_LONE_OPTION = lazy_pattern(r"--[A-Za-z][\w-]*(?:[= ]\S+)?")
# The comment at the end of a shell line.
_COMMENT = lazy_pattern(r"(?:^|\s)#\s.*")
# A permission to run a command, as front matters write it.
_PERMISSION = lazy_pattern(r"Bash\(([^)\n]*)\)")


class Option(NamedTuple):
    """An option of a call, with its line and column; value is None where nothing follows."""

    name: str
    value: str | None
    line: int
    column: int


class Call(NamedTuple):
    """A call of `learnings`, or a mention of one: the command, if it names one, and its options.

    line and column are those of the command, else of the program. is_certain is False in a code
    block that does not say that it is for a shell. is_bare says that a code span holds the program
    and a word behind it and no more, which can be a noun.
    """

    command: str | None
    options: tuple[Option, ...]
    line: int
    column: int
    is_certain: bool = True
    is_bare: bool = False


def calls(front_matter: Sequence[str], text: Iterable[Passage]) -> list[Call]:
    """Return the calls in the lines of a front matter and in the passages of the text behind it.

    They are looked for in code spans, in code blocks for a shell and, if there is one elsewhere, in
    code blocks that do not say what they hold; and in the permissions `Bash(…)` of the front
    matter. An option in a code span of its own belongs to the call in the span before it, if that
    is in the same sentence.
    """
    in_file = [*_permitted(front_matter)]
    for passage in text:
        if PROGRAM in passage.text or any(alias in passage.text for alias in ALIASES):
            in_file += _in_text(passage) if passage.language is None else _in_code(passage)
    return in_file if any(call.is_certain for call in in_file) else []


def _permitted(lines: Sequence[str]) -> Iterator[Call]:
    for number, line in enumerate(lines, start=1):
        for match in _PERMISSION.finditer(line):
            passage = Passage(number, chomp(line))
            yield from _calls_in(passage, match.start(1), match[1])


def _in_text(passage: Passage) -> Iterator[Call]:
    last: Call | None = None
    before = 0
    for span in spans(passage):
        if _LONE_OPTION.fullmatch(span.text):
            start, end = passage.sentence(span.start)
            if last and start <= before < end:
                options = _options(passage, span.start, span.text)
                last = last._replace(options=options, is_certain=True, is_bare=False)
                yield last
            continue
        code = span.text.replace("\n", " ")
        is_bare = _BARE.fullmatch(code) is not None
        in_span = [call._replace(is_bare=is_bare) for call in _calls_in(passage, span.start, code)]
        yield from in_span
        last, before = (in_span[-1] if in_span else None), span.start


def _in_code(passage: Passage) -> Iterator[Call]:
    is_shown = passage.language in ("console", "shell-session")
    if passage.language not in ("", *SHELLS):
        return
    text = passage.text
    if is_shown and not text.lstrip().startswith(("$ ", "% ")):
        return
    for call in _calls_in(passage, 0, _COMMENT.sub("", text)):
        yield call._replace(is_certain=bool(passage.language))


def _calls_in(passage: Passage, start: int, code: str) -> Iterator[Call]:
    """Give the calls in code that begins at an offset of a passage."""
    for simple in _SIMPLE.finditer(code):
        program = _CALL.match(simple[0])
        if program is None:
            continue
        begin, arguments = start + simple.start(), simple[0][program.end() :]
        alias, word = ALIASES.get(program[1]), _WORD.match(arguments)
        command = alias or (word[1] if word else None)
        offset = begin + (program.end() + word.start(1) if word and not alias else program.start(1))
        is_known = command is not None or arguments.lstrip().startswith("-")
        options = _options(passage, begin + program.end(), arguments) if is_known else ()
        yield Call(command, options, *passage.position(offset))


def _options(passage: Passage, start: int, code: str) -> tuple[Option, ...]:
    return tuple(
        Option(match[1], match[2], *passage.position(start + match.start(1)))
        for match in _OPTION.finditer(code)
    )
