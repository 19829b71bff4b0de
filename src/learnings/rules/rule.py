"""What a rule is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict

from learnings.core.findings.finding import Finding, Severity
from learnings.core.roles import Role

if TYPE_CHECKING:  # most checks meet none of these
    from learnings.agents.file_facts import AgentFacts
    from learnings.core.due.history_facts import HistoryFacts
    from learnings.core.entries.archives import MissingEntries
    from learnings.core.entries.document import Document
    from learnings.core.findings.ignores import Ignore, UnusedIgnore
    from learnings.index.index_problems import IndexProblem
    from learnings.references.dead import Judged
    from learnings.rules.checked_file import CheckedFile

Roles = frozenset[Role | None]
LEARNINGS: Roles = frozenset({Role.LEARNINGS})
TARGETS: Roles = frozenset({Role.TARGET})
# An index block stands in a learnings file, which then is the index as well.
INDEX: Roles = frozenset({Role.INDEX, Role.LEARNINGS})
# Files of memory folders, each of which is an entry.
TOPICS: Roles = frozenset({Role.TOPIC})
AGENTS: Roles = frozenset({Role.AGENT})
# Files without a role, which the user names.
NAMED: Roles = frozenset({None})
# Files whose text is memory.
MEMORY: Roles = frozenset({Role.LEARNINGS, Role.TARGET, Role.INDEX, Role.TOPIC, None})
EVERY_FILE: Roles = MEMORY | AGENTS


class Needs(Enum):
    """What a rule is given besides the file; the value is the key of it in Inputs."""

    FILE = "file"  # nothing but the file
    HISTORY = "history"
    REFERENCES = "references"
    INDEX = "index"
    AGENT = "agent"
    COMMITTED = "committed"
    LOADING = "loading"
    TREE = "tree"
    SESSION = "session"
    IGNORES = "ignores"


class RuleInputs(TypedDict, total=False):
    """What is known of a file besides its content. A rule that needs an absent key does not run.

    references is what git knows of the things that the file names. committed is there for a file
    without entries, and holds those it had before. session is there if the file is the largest part
    of what each session loads. ignores follows the other rules.
    """

    history: HistoryFacts
    references: ReferenceFacts
    index: IndexFacts
    agent: AgentFacts
    committed: MissingEntries
    loading: LoadingFacts
    tree: TreeFacts
    session: SessionFacts
    ignores: IgnoreFacts


class IndexFacts(NamedTuple):
    """Problems in a memory index and in the listed files, with ignoring comments there by path."""

    problems: tuple[IndexProblem, ...]
    ignores: Mapping[str, Sequence[Ignore]]
    files: tuple[str, ...] = ()


class IgnoreFacts(NamedTuple):
    """The comments in a file that ignore rules; unused names also of files that an index lists."""

    in_file: tuple[Ignore, ...]
    unused: tuple[UnusedIgnore, ...]


class LoadingFacts(NamedTuple):
    """The path of a memory file from the root, and whether agents are led to it, looked up late."""

    path: str
    is_named: Callable[[], bool]


class ReferenceFacts(NamedTuple):
    """What git knows of the things that a file names; judge looks that up for a version of it."""

    judge: Callable[[Document], Judged]


class TreeFacts(NamedTuple):
    """The path of instructions from the root of their repository, and two look-ups in it.

    has tells whether a file or folder exists at a POSIX path, or may exist for others; matches
    whether one of some globs matches a file.
    """

    path: str
    has: Callable[[str], bool]
    matches: Callable[[Sequence[str]], bool]


class SessionFacts(NamedTuple):
    """The tokens that each session loads, in all and by file, the largest first.

    path is the largest file that is checked; before are the tokens at the commit where the change
    under check begins, 0 if unknown.
    """

    path: str
    tokens: int
    files: tuple[tuple[str, int], ...]
    before: int = 0


class Rule(Protocol):
    """A module, or a value if several rules share a check; its docstring documents it for users.

    SEVERITY is the highest of its findings, ROLES the files it looks at. A rule that runs only if a
    setting switches it on also has the line `OPT_IN = True`.
    """

    ID: str
    SEVERITY: Severity
    ROLES: Roles
    NEEDS: Needs

    def check(self, file: CheckedFile, /, *needed: Any, **_: Any) -> Iterator[Finding]:  # noqa: ANN401  (see below)
        """Give the findings in a file, with what the rule needs as the second argument.

        That is the value of Inputs under the key that NEEDS names; a test compares the types.
        """


NEED_HISTORY = (Needs.HISTORY, Needs.REFERENCES)
"""What git has to be asked for, so that a check has it with `--history` only."""


def finds_all(rule: Rule, *, with_history: bool) -> bool:
    """Return True if a check with or without history has all findings of a rule.

    A rule without NEEDS, of which git knows more, has the line `MORE_WITH_HISTORY = True`.
    """
    needs_git = rule.NEEDS in NEED_HISTORY or bool(getattr(rule, "MORE_WITH_HISTORY", False))
    return with_history or not needs_git


def is_opt_in(rule: Rule) -> bool:
    """Return True if a rule runs only where `extra-rules` or the table `rules` names it."""
    return bool(getattr(rule, "OPT_IN", False))


def can_run(rule: Rule, file: CheckedFile, inputs: RuleInputs) -> bool:
    """Return True if a rule looks at files of this role, and what it needs is known."""
    is_known = rule.NEEDS is Needs.FILE or rule.NEEDS.value in inputs
    return is_known and file.role in rule.ROLES
