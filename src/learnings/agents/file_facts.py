"""Facts about an agent file: its kind, its references, whether it uses `learnings`.

The word `learnings` alone says nothing, because half of all such files contain it. Code decides: a
call of one of our commands, `learning-ages.py`, or the name of one of our hooks or sub-agents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from learnings.agents.instructions import Instructions
from learnings.core.markdown.passages import Passage, code_spans
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import AgentFileKind
from learnings.core.text import is_one_edit

if TYPE_CHECKING:
    from learnings.agents.front_matter import FrontMatter


CommandOptions = Mapping[str, tuple[str, ...]]


class Commands(NamedTuple):
    """The names of the `learnings` commands, and a function that returns the options of one."""

    names: tuple[str, ...]
    options_of: Callable[[str], CommandOptions]


class AgentFacts(NamedTuple):
    """The text of an agent file, and its references to the repository and to `learnings`.

    is_ours is False for a file that only shares a plugin with a file that uses `learnings`. is_own
    is True for the plugin of this project. root is the folder of the plugin, a POSIX path relative
    to the repository, or None without a plugin; agents and skills are those beside the file.
    programs are the commands of `learnings`; options maps each option of the commands in the file
    to its values (empty: any). sources maps copied files to their lines, None if missing; absent
    are the paths in the file that do not exist.
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
# Hook names that are also common words: folders and packages with these names exist. They count
# only if they are run or configured.
_SHARED = ("agent-core", "memory-index")
_DISTINCT = (*(hook for hook in OUR_HOOKS if hook not in _SHARED), *OUR_AGENTS)

# Commands whose name after `learnings` also reads as a noun. Two such words alone in a code span
# may not be a call: "keep the `learnings index` up to date".
_NOUNS = frozenset(
    {"archive", "batch", "config", "fleet", "groups", "index", "memory", "plan", "report"}
    | {"rules", "schema", "split", "tiers"}
)

# `learning-ages.py`, also with a common typo.
_PROGRAM = r"learnings?-ages?\.py"
# Any word after the program, as bytes: a possible call, before anything is parsed.
_WORD_BEHIND_PROGRAM = lazy_pattern(rb"learnings[\"']?[\s\\]+([a-z][a-z-]*)")
_ANY_NAME = lazy_pattern("|".join((_PROGRAM, *OUR_HOOKS, *OUR_AGENTS)).encode())
# Our program, alone or at the end of a path.
_PROGRAM_NAME = lazy_pattern(rf"(?<![\w.-]){_PROGRAM}(?![\w/-]|\.\w)")
# One of our names as a separate word: not in a path or a longer name, and not a command of the host
# (`/name`).
_DISTINCT_NAME = lazy_pattern(rf"(?<![\w./-])(?:{'|'.join(_DISTINCT)})(?![\w/-]|\.\w)")
# A shared name that is run or configured: `pre-commit run agent-core`, `id: memory-index`.
_SHARED_NAME = lazy_pattern(rf"(?:\brun\s+|\bid:\s*)(?:{'|'.join(_SHARED)})(?![\w./-])")


def may_concern_us(data: bytes, programs: Collection[str]) -> bool:
    """Return False if the bytes of a file show that it uses no `learnings` program."""
    names = frozenset(programs)
    if _ANY_NAME.search(data):
        return True
    return any(is_command(word.decode(), names) for word in set(_WORD_BEHIND_PROGRAM.findall(data)))


def concerns_us(instructions: Instructions, programs: Collection[str]) -> bool:
    """Return True if a file calls one of our commands, or names one of our hooks or sub-agents."""
    names = frozenset(programs)
    # A program of the same name whose commands are mostly unknown is not ours.
    words = {call.command for call in instructions.calls if call.command}
    known = {word for word in words if is_command(word, names)}
    calls = (call for call in instructions.calls if not call.is_bare or call.command not in _NOUNS)
    if any(call.command in known for call in calls):
        return 2 * len(known) >= len(words)
    return any(map(_names_ours, instructions.passages))


@lru_cache(maxsize=1000)
def is_command(word: str, names: frozenset[str]) -> bool:
    """Return True if a word is one of our commands, or one letter away from one."""
    return word in names or any(is_one_edit(word, name) for name in names if len(name) > 2)


def _names_ours(passage: Passage) -> bool:
    if _ANY_NAME.search(passage.text.encode("utf-8", "surrogateescape")) is None:
        return False
    is_text = passage.language is None
    codes = [span.text for span in code_spans(passage)] if is_text else [passage.text]
    names = (_PROGRAM_NAME, _DISTINCT_NAME, _SHARED_NAME)
    return any(name.search(code) for code in codes for name in names)
