"""The interface of a rule, and the inputs that a rule receives: a checked file and its context."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from learnings.core.entries import dialects
from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.file_names import LEARNINGS_NAMES
from learnings.core.findings.finding import Finding, Fix, Severity
from learnings.core.markdown.line_kinds import BULLET_MARKER
from learnings.core.markdown.outline import Block
from learnings.core.roles import Role
from learnings.core.settings.setting_values import FileSettings, Settings
from learnings.core.text import BOM, chomp, counted

if TYPE_CHECKING:  # most checks need none of these
    from learnings.agents.file_facts import AgentFacts
    from learnings.agents.imports import Import
    from learnings.core.due.history_facts import HistoryFacts
    from learnings.core.entries.archives import MissingEntries
    from learnings.core.entries.merge_damage import MergeDamage
    from learnings.core.findings.ignores import Ignore, UnusedIgnore
    from learnings.index.problems import IndexProblem
    from learnings.references.dead import Judged


class CheckedFile(NamedTuple):
    """A file under check; path is a POSIX path relative to the root of the repository.

    role is None if the file is not a memory file. is_memory is False for a Markdown file that is
    read as a learnings file only because the user named it. file_settings belong to this learnings
    file. damage finds in a version of the file what merges did to it, if git was asked.
    """

    path: str
    role: Role | None
    data: bytes
    document: Document
    settings: Settings
    file_settings: FileSettings
    is_memory: bool = True
    damage: tuple[Callable[[Document], Iterable[MergeDamage]], ...] = ()

    @property
    def is_text(self) -> bool:
        """True if the data has no NUL byte, which only binary files and UTF-16 have."""
        return b"\0" not in self.data

    def line(self, number: int) -> str:
        """Return the line with this 1-based number, without its end or a BOM; empty if missing."""
        lines = self.document.lines
        if not 0 < number <= len(lines):
            return ""
        line = chomp(lines[number - 1])
        return line.removeprefix(BOM) if number == 1 else line

    def reread(self, data: bytes) -> CheckedFile:
        document = document_of(data, self.role, self.file_settings)
        return self._replace(data=data, document=document)

    def swallowed(self, block: Block) -> str:
        """Describe what an unclosed block hides, as the end of a clause; empty if nothing."""
        below = [self.line(number) for number in range(block.first + 1, block.last + 1)]
        entries = sum(_entry_like(self.document.dialect).match(line) is not None for line in below)
        lines = sum(bool(line.strip()) for line in below)
        if entries:
            seem = "looks like an entry" if entries == 1 else f"look like {entries} entries"
            return f" and hides {counted(lines, 'line')} below it, which {seem}"
        return f" and hides {counted(lines, 'line')} below it" if lines else ""

    def finding(
        self,
        rule: Rule,
        line: int,
        message: str,
        *,
        severity: Severity | None = None,
        column: int = 1,
        subject: str | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """Return a finding of a rule; its subject is the text of the line by default."""
        about = self.line(line) if subject is None else subject
        level = severity or rule.severity
        return Finding(rule.id, level, self.path, line, column, message, fix, about)


def checked_file(
    data: bytes, *, path: str, role: Role | None, settings: Settings, file_settings: FileSettings
) -> CheckedFile:
    """Return a file with this content; without a role, it is a learnings file if it has entries."""
    document = document_of(data, role, file_settings)
    is_memory = role is not None or path.rpartition("/")[2] in LEARNINGS_NAMES
    if role is None and document.entries:
        role = Role.LEARNINGS
    return CheckedFile(path, role, data, document, settings, file_settings, is_memory)


def document_of(data: bytes, role: Role | None, file_settings: FileSettings) -> Document:
    """Parse a file according to its role: only learnings files have their own settings."""
    if role in (Role.TARGET, Role.INDEX, Role.AGENT, Role.TOPIC):
        return read(data)
    return read(data, ReadOptions.of(file_settings))


def _entry_like(dialect: dialects.Dialect) -> re.Pattern[str]:
    """Return a pattern for the first line of an entry, as far as one line can tell."""
    if dialect.name == dialects.BULLET:  # a bullet at the left margin, followed by text
        return re.compile(rf"{BULLET_MARKER}[ \t]+\S")
    # A heading with text: at the level of the entries, or at level 2 or 3 if that is unknown.
    level = str(dialect.level) if dialect.level else "2,3"
    return re.compile(rf"\#{{{level}}}[ \t]+\S")


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


Need = Literal[
    "history",
    "references",
    "index",
    "agent",
    "committed",
    "copies",
    "loading",
    "tree",
    "session",
    "obstacle",
    "ignores",
]
"""The input that a rule needs besides the file: a key of RuleInputs."""


class RuleInputs(TypedDict, total=False):
    """Known facts about a file besides its content. A rule that needs an absent key does not run.

    references judges what a version of the file names, by the history in git. committed is present
    for a file without entries, and holds its former entries. copies are the lines, here and there,
    at which entries begin that another memory file has too, by its path. session is present if the
    file is the largest part of what each session loads. obstacle is present if the file cannot be
    read; then no other rule runs. ignores is filled after the other rules.
    """

    history: HistoryFacts
    references: Callable[[Document], Judged]
    index: IndexFacts
    agent: AgentFacts
    committed: MissingEntries
    copies: Copies
    loading: LoadingFacts
    tree: TreeFacts
    session: SessionFacts
    obstacle: Obstacle
    ignores: IgnoreFacts


Copies = Mapping[str, Sequence[tuple[int, int]]]


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
    """The path of a memory file from the root, and two lazy look-ups.

    is_named returns whether agents find it, failed_import the import that loads nothing although
    it means the file, if there is one.
    """

    path: str
    is_named: Callable[[], bool]
    failed_import: Callable[[], Import | None] = lambda: None


class TreeFacts(NamedTuple):
    """The path of instructions from the root of the repository, and two look-ups.

    failed_imports returns the imports that load nothing, also those in imported documents, with the
    path of each document as findings show it. matches returns whether a glob matches a file.
    """

    path: str
    failed_imports: Callable[[bytes], Iterable[tuple[str, Import]]]
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


class Obstacle(NamedTuple):
    """The reason why a file cannot be read, and the remedy; for a link, its target as written.

    leads_out: the target is outside of the repository. is_text: git wrote the link as a text file.
    """

    reason: str
    remedy: str = ""
    link: str | None = None
    leads_out: bool = False
    is_text: bool = False


class Rule:
    """A rule; its module has the user's text as docstring, and the function `check`.

    severity is the highest severity of its findings, roles the roles of the files that it checks.
    If it needs an input, check() gets it as its second argument; a test compares the types.
    is_opt_in: the rule runs only if `extra-rules` or the table `rules` names it.
    finds_more_with_history: it runs without git, but `--history` adds findings.
    """

    check: Callable[..., Iterator[Finding]]

    def __init__(
        self,
        rule_id: str,
        severity: Severity,
        roles: Roles,
        needs: Need | None = None,
        *,
        is_opt_in: bool = False,
        finds_more_with_history: bool = False,
    ) -> None:
        self.id = rule_id
        self.severity = severity
        self.roles = roles
        self.needs = needs
        self.is_opt_in = is_opt_in
        # These inputs come from git, so only a check with `--history` has them.
        self.needs_history = needs in ("history", "references")
        self.finds_more_with_history = finds_more_with_history or self.needs_history

    @property
    def says(self) -> str:
        """What it finds, the first sentence of its documentation."""
        return (self.__doc__ or "").strip().partition("\n")[0]

    @property
    def role_names(self) -> list[str]:
        """The names of the roles; `none` stands for a file without a role."""
        names = [role.value for role in Role if role in self.roles]
        return [*names, "none"] if None in self.roles else names

    def can_run(self, file: CheckedFile, inputs: RuleInputs) -> bool:
        is_known = self.needs is None or self.needs in inputs
        return is_known and file.role in self.roles
