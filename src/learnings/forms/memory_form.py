"""The interface of a form of memory for commands about a whole repository."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from learnings.workspace.disk import is_folder

if TYPE_CHECKING:
    from learnings.core.due.verdicts import Verdict
    from learnings.core.findings.finding import CheckReport
    from learnings.forms.learnings_file import FileReading
    from learnings.workspace.workspace import Workspace


class FormStatus(NamedTuple):
    """The status of one memory of a form, for outputs about the whole repository.

    summary continues a sentence that begins with path; reason briefly says why it needs action or
    not. next is the command to run, advice the same as a clause. counts: it sets `--exit-code` and
    is in the consolidation issue, with threshold. details are numbers for JSON. A learnings file
    has its reading, and its verdict or the problem that prevents one.
    """

    form: MemoryForm
    path: str
    summary: str
    needs_action: bool = False
    reason: str = ""
    next: str | None = None
    advice: str = ""
    problem: str | None = None
    annotated_file: str = ""
    counts: bool = False
    threshold: int = 0
    details: Mapping[str, object] = {}
    reading: FileReading | None = None
    verdict: Verdict | None = None

    @property
    def sentence(self) -> str:
        """The path and the summary: `agents/learnings.md: due: 150 lines`; not escaped."""
        return f"{self.path}: {self.summary}"

    @property
    def line(self) -> str:
        """The sentence and, if action is needed, the command to run."""
        return f"{self.sentence}; next: {self.next}" if self.needs_action else self.sentence


class InitOffer(NamedTuple):
    """The offer of `learnings init` for a form.

    hook is the id of its hook; check_command prints the same findings. files are paths to
    configure, untracked the ones not yet added to git.
    """

    hook: str = ""
    check_command: str = ""
    files: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Maintained(NamedTuple):
    """The lines and files (from the root) of upkeep; note says if settings prevent it."""

    lines: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    note: str = ""


class MemoryForm(Protocol):
    """A form of memory; `registry` lists all. `is_here` costs only a few system calls.

    A form that inherits from this one has no upkeep, and offers its hook if it is here.
    """

    name: str
    """The form in JSON documents."""
    label: str
    """The word before its line of the overview, at most nine characters."""
    title: str
    """Its name in sentences."""
    details_key: str
    """The field of `learnings.due/1` with its numbers, empty without one."""
    is_quick: bool
    """True if its status takes no time, so that pre-push hooks also ask for it."""
    own_hook: InitOffer = InitOffer()
    """The hook that checks it, empty if hooks for all repositories do."""

    def is_here(self, workspace: Workspace) -> bool:
        """Return True if the repository has this form of memory. Raises BadSettings."""
        path: str = getattr(workspace.settings, self.name).path
        return is_folder(workspace.root / path)

    def files(self, workspace: Workspace) -> tuple[str, ...]:
        """Return the files of the form, POSIX paths from the root, sorted."""

    def findings(self, workspace: Workspace, *, since: str = "HEAD") -> CheckReport:
        """Return the findings, also against a commit. Raises UnusableFile and UntrustedHistory."""

    def statuses(self, workspace: Workspace) -> tuple[FormStatus, ...]:
        """Return the status of each memory of this form."""

    def maintain(self, workspace: Workspace, now: datetime, *, dry_run: bool) -> Maintained:  # noqa: ARG002  (for forms with upkeep)
        """Do the due upkeep that needs no judgement, at an instant. Raises WriteError."""
        return Maintained()

    def offer(self, workspace: Workspace) -> InitOffer:
        """Return the offer for `learnings init`; called whether the form is here or not."""
        return self.own_hook if self.is_here(workspace) else InitOffer()
