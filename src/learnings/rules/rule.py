"""The interface of a rule, and the inputs that a rule receives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict

from learnings.core.findings.finding import Finding, Severity
from learnings.core.roles import Role

if TYPE_CHECKING:  # most checks need none of these
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
# An index block stands in a learnings file, which is then also the index.
INDEX: Roles = frozenset({Role.INDEX, Role.LEARNINGS})
# Files in memory folders; each is one entry.
TOPICS: Roles = frozenset({Role.TOPIC})
AGENTS: Roles = frozenset({Role.AGENT})
# Files without a role, which the user names.
NAMED: Roles = frozenset({None})
# Files whose text is memory.
MEMORY: Roles = frozenset({Role.LEARNINGS, Role.TARGET, Role.INDEX, Role.TOPIC, None})
EVERY_FILE: Roles = MEMORY | AGENTS


class Needs(Enum):
    """The input that a rule needs besides the file; the value is its key in RuleInputs."""

    FILE = "file"  # only the file
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
    """Known facts about a file besides its content. A rule that needs an absent key does not run.

    references judges what a version of the file names, by the history in git. committed is present
    for a file without entries, and holds its former entries. session is present if the file is the
    largest part of what each session loads. ignores is filled after the other rules.
    """

    history: HistoryFacts
    references: Callable[[Document], Judged]
    index: IndexFacts
    agent: AgentFacts
    committed: MissingEntries
    loading: LoadingFacts
    tree: TreeFacts
    session: SessionFacts
    ignores: IgnoreFacts


class IndexFacts(NamedTuple):
    """Problems in a memory index and its files, with the ignoring comments there by path."""

    problems: tuple[IndexProblem, ...]
    ignores: Mapping[str, Sequence[Ignore]]
    files: tuple[str, ...] = ()


class IgnoreFacts(NamedTuple):
    """Comments in a file that ignore rules; unused ones also from files that an index lists."""

    in_file: tuple[Ignore, ...]
    unused: tuple[UnusedIgnore, ...]


class LoadingFacts(NamedTuple):
    """The path of a memory file from the root, and a lazy look-up of whether agents find it."""

    path: str
    is_named: Callable[[], bool]


class TreeFacts(NamedTuple):
    """The path of instructions from the root of the repository, and two look-ups.

    has returns whether a file or folder exists at a POSIX path, or may exist for others. matches
    returns whether one of some globs matches a file.
    """

    path: str
    has: Callable[[str], bool]
    matches: Callable[[Sequence[str]], bool]


class SessionFacts(NamedTuple):
    """The tokens that each session loads, in total and by file, largest first.

    path is the largest checked file. before is the number of tokens at the commit where the change
    under check begins, 0 if unknown.
    """

    path: str
    tokens: int
    files: tuple[tuple[str, int], ...]
    before: int = 0


class Rule(Protocol):
    """A module, or an object if several rules share a check; its docstring is the user's text.

    SEVERITY is the highest severity of its findings, ROLES the roles of the files that it checks. A
    rule that is off by default also has the line `OPT_IN = True`.
    """

    ID: str
    SEVERITY: Severity
    ROLES: Roles
    NEEDS: Needs

    def check(self, file: CheckedFile, /, *needed: Any, **_: Any) -> Iterator[Finding]:  # noqa: ANN401  (see below)
        """Yield the findings in a file; the second argument is the input that the rule needs.

        It is the value in RuleInputs under the key that NEEDS names; a test compares the types.
        """


NEED_HISTORY = (Needs.HISTORY, Needs.REFERENCES)
"""The inputs that come from git, so only a check with `--history` has them."""


def finds_all(rule: Rule, *, with_history: bool) -> bool:
    """Return True if a check with or without history has all findings of a rule.

    A rule without NEEDS that finds more with git has the line `MORE_WITH_HISTORY = True`.
    """
    needs_git = rule.NEEDS in NEED_HISTORY or bool(getattr(rule, "MORE_WITH_HISTORY", False))
    return with_history or not needs_git


def is_opt_in(rule: Rule) -> bool:
    """Return True if a rule runs only if `extra-rules` or the table `rules` names it."""
    return bool(getattr(rule, "OPT_IN", False))


def can_run(rule: Rule, file: CheckedFile, inputs: RuleInputs) -> bool:
    """Return True if a rule covers files of this role, and its input is known."""
    is_known = rule.NEEDS is Needs.FILE or rule.NEEDS.value in inputs
    return is_known and file.role in rule.ROLES
