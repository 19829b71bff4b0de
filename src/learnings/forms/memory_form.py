"""What the commands about a whole repository ask of each form of memory that it can have."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from learnings.core.findings.finding import CheckReport
    from learnings.forms.learnings_file import FileOverview
    from learnings.workspace.workspace import Workspace


class FormStatus(NamedTuple):
    """The status of one memory of a form, for outputs about the whole repository.

    path is that of its file or folder, POSIX from the root; summary continues a sentence that
    begins with it, and quotes no file unless there is a problem. reason is why the memory needs
    action, or why not, in a few words. next is the command to run, advice the same as a clause for
    people; both are empty where nothing is to be done. problem says why the memory cannot be read.
    annotated_file is where an annotation goes.

    counts is True if the need for action sets `--exit-code` and stands in the consolidation issue,
    next to threshold, the number that was reached. details are the numbers of the form for JSON.
    file is the learnings file that the status is about, None in other forms.
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
    file: FileOverview | None = None

    @property
    def sentence(self) -> str:
        """The path and the summary: `agents/learnings.md: due: 150 lines`; not escaped."""
        return f"{self.path}: {self.summary}"

    @property
    def line(self) -> str:
        """The sentence and, if action is needed, the command to run."""
        return f"{self.sentence}; next: {self.next}" if self.needs_action else self.sentence


class InitOffer(NamedTuple):
    """What `learnings init` can set up for a form.

    hook is the id of the hook that checks it, empty without one, and check_command prints the same
    findings. files are to be configured, POSIX paths from the root; untracked are those of them
    that nobody has added to git. notes say what is left out.
    """

    hook: str = ""
    check_command: str = ""
    files: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Maintained(NamedTuple):
    """What upkeep without a judgement did: lines of text, and the files written, from the root.

    note says why nothing was done where the user has switched it off.
    """

    lines: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    note: str = ""


class MemoryForm(Protocol):
    """A form of memory; `registry` lists all of them.

    Whether a repository has it is asked by every command, so `is_here` costs a few system calls.
    The other methods are called where it is.
    """

    name: str
    """The form in JSON documents."""
    label: str
    """The word before its line of the overview, at most nine characters."""
    title: str
    """Its name in sentences."""
    details_key: str
    """The field of `learnings.due/1` that holds its numbers, empty without one."""
    is_quick: bool
    """True if its status is known at once, so that hooks before a push ask for it, too."""

    def is_here(self, workspace: Workspace) -> bool:
        """Return True if the repository has this form of memory. Raises BadSettings."""

    def files(self, workspace: Workspace) -> tuple[str, ...]:
        """Return the files that belong to it, POSIX paths from the root, sorted."""

    def findings(self, workspace: Workspace, *, since: str = "HEAD") -> CheckReport:
        """Return what is wrong with it, also compared with a commit.

        Raises UnusableFile where it cannot be read, and UntrustedHistory.
        """

    def statuses(self, workspace: Workspace) -> tuple[FormStatus, ...]:
        """Return the status of each memory of this form."""

    def maintain(self, workspace: Workspace, now: datetime, *, dry_run: bool) -> Maintained:
        """Do the upkeep that is due and needs no judgement, at an instant. Raises WriteError."""

    def offer(self, workspace: Workspace) -> InitOffer:
        """Return what `learnings init` can set up; asked whether the form is here or not."""
