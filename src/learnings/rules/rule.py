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
    from learnings.core.findings.ignores import Ignore, UnusedIgnore
    from learnings.index.index_problems import IndexProblem
    from learnings.rules.checked_file import CheckedFile

Roles = frozenset[Role | None]
LEARNINGS: Roles = frozenset({Role.LEARNINGS})
TARGETS: Roles = frozenset({Role.TARGET})
# An index block stands in a learnings file, which then is the index as well.
INDEX: Roles = frozenset({Role.INDEX, Role.LEARNINGS})
AGENTS: Roles = frozenset({Role.AGENT})
# Files whose text is memory. None stands for a file without a role that the user names.
MEMORY: Roles = frozenset({Role.LEARNINGS, Role.TARGET, Role.INDEX, None})
EVERY_FILE: Roles = MEMORY | AGENTS


class Needs(Enum):
    """What a rule is given besides the file; the value is the key of it in Inputs."""

    FILE = "file"  # nothing but the file
    HISTORY = "history"
    INDEX = "index"
    AGENT = "agent"
    COMMITTED = "committed"
    LOADING = "loading"
    TREE = "tree"
    SESSION = "session"
    IGNORES = "ignores"


class RuleInputs(TypedDict, total=False):
    """What is known of a file besides its content. A rule that needs what is absent does not run.

    history is what git knows of a learnings file, index how a memory index and the files it lists
    disagree, agent what a file of an agent refers to, committed what a file without entries held
    before, loading whether anything leads an agent to a learnings file, tree which files there are
    beside instructions, session what each session loads if the file is the largest part of that.
    ignores is known once all other rules have run.
    """

    history: HistoryFacts
    index: IndexFacts
    agent: AgentFacts
    committed: MissingEntries
    loading: LoadingFacts
    tree: TreeFacts
    session: SessionFacts
    ignores: IgnoreFacts


class IndexFacts(NamedTuple):
    """What is wrong between a memory index and the files that it lists.

    The problems may lie in the latter, whose paths are files. ignores are the comments in them that
    ignore rules, by path.
    """

    problems: tuple[IndexProblem, ...]
    ignores: Mapping[str, Sequence[Ignore]]
    files: tuple[str, ...] = ()


class IgnoreFacts(NamedTuple):
    """The comments in a file that ignore rules, and the names in them that ignore nothing.

    The latter are those of the files it lists as well, if it is the memory index.
    """

    in_file: tuple[Ignore, ...]
    unused: tuple[UnusedIgnore, ...]


class LoadingFacts(NamedTuple):
    """A memory file by its path from the root of its repository, and whether agents are led to it.

    is_named looks that up when it is called: a rule that is off costs nothing.
    """

    path: str
    is_named: Callable[[], bool]


class TreeFacts(NamedTuple):
    """Instructions by their path from the root of their repository, and the files that are there.

    has says whether there is a file or folder at a POSIX path from the root, or may be for others;
    matches whether one of some globs matches a file. Both look that up when they are called.
    """

    path: str
    has: Callable[[str], bool]
    matches: Callable[[Sequence[str]], bool]


class SessionFacts(NamedTuple):
    """The tokens that each session loads, and of which files, by path, the largest first.

    path is that of the largest one that is checked. before are the tokens that a session loaded
    where the change under check begins, 0 if that is unknown.
    """

    path: str
    tokens: int
    files: tuple[tuple[str, int], ...]
    before: int = 0


class Rule(Protocol):
    """A rule is a module, or a value where several share a check; its docstring documents it.

    SEVERITY is that of its findings, or the highest where they differ. ROLES are those of the
    files it looks at. A rule that runs only where a setting switches it on also has the line
    `OPT_IN = True`.
    """

    ID: str
    SEVERITY: Severity
    ROLES: Roles
    NEEDS: Needs

    def check(self, file: CheckedFile, /, *needed: Any, **_: Any) -> Iterator[Finding]:  # noqa: ANN401  (see below)
        """Give the findings in a file, with what the rule needs as the second argument.

        That is the value of Inputs under the key that NEEDS names; a test compares the types.
        """


def is_opt_in(rule: Rule) -> bool:
    """Return True if a rule runs only where `extra-rules` or the table `rules` names it."""
    return bool(getattr(rule, "OPT_IN", False))


def can_run(rule: Rule, file: CheckedFile, inputs: RuleInputs) -> bool:
    """Return True if a rule looks at files of this role, and what it needs is known."""
    is_known = rule.NEEDS is Needs.FILE or rule.NEEDS.value in inputs
    return is_known and file.role in rule.ROLES
