"""What is known of an agent file: its kind, its references, whether it works with `learnings`.

The word alone says nothing, since half of all such files speak of learnings. What counts is code: a
call of one of our commands, `learning-ages.py`, or the name of one of our hooks or sub-agents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from learnings.agents.instructions import Call, Instructions
from learnings.core.agent_paths import AgentFileKind
from learnings.core.markdown.passages import Passage, code_spans
from learnings.core.patterns import lazy_pattern
from learnings.core.text import is_one_edit

if TYPE_CHECKING:
    from learnings.agents.front_matter import FrontMatter


CommandOptions = Mapping[str, tuple[str, ...]]


class Commands(NamedTuple):
    """The names of the commands of `learnings`, and a function that returns the options of one."""

    names: tuple[str, ...]
    options_of: Callable[[str], CommandOptions]


class AgentFacts(NamedTuple):
    """What an agent file says, and what it refers to in the repository and in `learnings`.

    is_ours is False for a file that only shares a plugin with one that works with `learnings`;
    is_own is True for the plugin of this project. root is the folder of the plugin, POSIX from the
    root of the repository, None without a plugin; agents and skills are those beside the file.
    programs are the commands of `learnings`; options has the values (none: any) of each option of
    the commands that the file names. sources are the lines of the files it copies from, None for a
    missing one; absent are the paths it names that do not exist.
    """

    kind: AgentFileKind
    instructions: Instructions
    front: FrontMatter
    is_ours: bool = True
    is_own: bool = False
    root: str | None = None
    plugin: str = ""
    agents: frozenset[str] = frozenset()
    skills: frozenset[str] = frozenset()
    programs: tuple[str, ...] = ()
    options: Mapping[str, CommandOptions] = {}
    sources: Mapping[str, tuple[str, ...] | None] = {}
    absent: frozenset[str] = frozenset()


OUR_HOOKS = (
    *("agent-core", "confidence-memory", "learning-tiers", "learnings-check", "learnings-due"),
    *("learnings-fix", "learnings-lossless", "memory-index", "memory-index-fix"),
    "target-line-limit",
)
OUR_AGENTS = ("memory-curator", "memory-refactor", "remember-task")
# Names of hooks that are words of others as well: folders and packages of this name exist. They
# count where they are run or configured.
_SHARED = ("agent-core", "memory-index")
_DISTINCT = (*(hook for hook in OUR_HOOKS if hook not in _SHARED), *OUR_AGENTS)

# Commands whose name behind `learnings` reads as a noun too, so that the two words alone, in a code
# span, need not be a call: "keep the `learnings index` up to date".
_NOUNS = frozenset(
    {"archive", "batch", "config", "fleet", "groups", "index", "memory", "plan", "report"}
    | {"rules", "schema", "split", "tiers"}
)

# `learning-ages.py`, also with a letter wrong that is easily wrong.
_PROGRAM = r"learnings?-ages?\.py"
# Any word behind the program, as bytes: what may be a call before anything is read.
_WORD_BEHIND_PROGRAM = lazy_pattern(rb"learnings[\"']?[\s\\]+([a-z][a-z-]*)")
_ANY_NAME = lazy_pattern("|".join((_PROGRAM, *OUR_HOOKS, *OUR_AGENTS)).encode())
# Our program at the end of a path, or alone.
_PROGRAM_NAME = lazy_pattern(rf"(?<![\w.-]){_PROGRAM}(?![\w/-]|\.\w)")
# One of our names as a word of its own, not part of a path or of a longer name, nor a command of
# the host (`/name`).
_DISTINCT_NAME = lazy_pattern(rf"(?<![\w./-])(?:{'|'.join(_DISTINCT)})(?![\w/-]|\.\w)")
# A shared one as it is run or configured: `pre-commit run agent-core`, `id: memory-index`.
_SHARED_NAME = lazy_pattern(rf"(?:\brun\s+|\bid:\s*)(?:{'|'.join(_SHARED)})(?![\w./-])")


def may_concern_us(data: bytes, programs: Collection[str]) -> bool:
    """Return False if the bytes of a file show that it uses no program of `learnings`."""
    names = frozenset(programs)
    if _ANY_NAME.search(data):
        return True
    return any(is_command(word.decode(), names) for word in set(_WORD_BEHIND_PROGRAM.findall(data)))


def concerns_us(instructions: Instructions, programs: Collection[str]) -> bool:
    """Return True if a file calls one of our commands, or names one of our hooks or sub-agents."""
    names = frozenset(programs)
    # A program of the same name that has mostly other commands is not ours.
    words = {call.command: call for call in instructions.calls if call.command}
    known = [word for word in words if is_command(word, names)]
    if any(is_call(call) and is_command(call.command or "", names) for call in instructions.calls):
        return 2 * len(known) >= len(words)
    return any(map(_names_ours, instructions.passages))


def is_command(word: str, names: frozenset[str]) -> bool:
    """Return True if a word is the name of one of our commands, or one letter away from one."""
    return word in names or _misspelt(word, names)


def is_call(call: Call) -> bool:
    """Return True if a call is one for certain, and not two words that can be a noun."""
    return call.command not in _NOUNS or not call.is_bare


@lru_cache(maxsize=1000)
def _misspelt(word: str, names: frozenset[str]) -> bool:
    return any(is_one_edit(word, name) for name in names if len(name) > 2)


def _names_ours(passage: Passage) -> bool:
    if _ANY_NAME.search(passage.text.encode("utf-8", "surrogateescape")) is None:
        return False
    is_text = passage.language is None
    codes = [span.text for span in code_spans(passage)] if is_text else [passage.text]
    names = (_PROGRAM_NAME, _DISTINCT_NAME, _SHARED_NAME)
    return any(name.search(code) for code in codes for name in names)
