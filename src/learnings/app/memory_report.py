"""The state and growth of a memory: the values behind the report page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.app.consolidate.entry_references import batch_references
from learnings.app.consolidate.suggestions import groups_of
from learnings.app.overview import Overview, overview
from learnings.app.replays import replays
from learnings.check.memory_index import load_index
from learnings.check.session_cost import SessionCost
from learnings.consolidation.groups.groups import Grouping
from learnings.core.due.past_verdicts import Replay
from learnings.core.due.past_verdicts import replay as replay_of
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import CheckReport
from learnings.core.roles import is_loaded_index
from learnings.core.text import decode, split_lines
from learnings.forms.learnings_file import FileOverview
from learnings.forms.memory_form import FormStatus
from learnings.references.entries import EntryReferences
from learnings.workspace.disk import read_file
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.workspace import Workspace


class FileReport(NamedTuple):
    """A learnings file: its overview, and its growth and groups (None if it is unreadable).

    references belong to the entries due for consolidation, as batch_references().
    """

    overview: FileOverview
    replay: Replay | None
    grouping: Grouping | None
    references: Mapping[str, Mapping[str, EntryReferences]] = {}


class TargetReport(NamedTuple):
    """A target file: its lines and its limit."""

    path: str
    lines: int
    limit: int


class IndexReport(NamedTuple):
    """A memory index: its rows, None if unknown or unreadable, and the findings by rule."""

    path: str
    rows: int | None
    findings: tuple[tuple[str, int], ...]


class FormReport(NamedTuple):
    """A memory of another form, the files that belong to it (POSIX from the root), and findings.

    findings is None if they cannot be known.
    """

    status: FormStatus
    files: tuple[str, ...]
    findings: CheckReport | None = None


class MemoryReport(NamedTuple):
    """The memory of a repository; name is the name of its folder."""

    name: str
    overview: Overview
    files: tuple[FileReport, ...]
    targets: tuple[TargetReport, ...]
    indexes: tuple[IndexReport, ...]
    cost: SessionCost
    forms: tuple[FormReport, ...] = ()

    @property
    def as_of(self) -> str | None:
        """The newest active day that counts, as ISO text; None without a history."""
        verdicts = (file.overview.verdict for file in self.files)
        days = (verdict.report.history.activity.as_of for verdict in verdicts if verdict)
        return max((day for day in days if day), default=None)


def memory_report(
    workspace: Workspace, *, commands: Callable[[], Commands], progress: Callable[[str], None]
) -> MemoryReport:
    """Return the report on a repository; progress as in replays(). Raises BadSettings."""
    state = overview(workspace, commands=commands)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for finding in state.report.findings if state.report else ():
        counts[finding.path][finding.rule] += 1
    targets = []
    for path in (*state.targets, *state.instructions):
        with suppress(LearningsError):  # the findings name it
            lines = split_lines(decode(read_file(workspace.root / path, shown=path)))
            targets.append(TargetReport(path, len(lines), workspace.settings.line_limit))
    return MemoryReport(
        name=workspace.root.name,
        overview=state,
        files=tuple(_file_report(workspace, file, progress) for file in state.learnings),
        targets=tuple(targets),
        indexes=tuple(
            IndexReport(path, _rows(workspace, path), tuple(sorted(counts[path].items())))
            for path in state.indexes
        ),
        cost=state.cost,
        forms=tuple(_form_report(workspace, status) for status in state.others),
    )


def _form_report(workspace: Workspace, status: FormStatus) -> FormReport:
    if status.problem:
        return FormReport(status, ())
    findings = None
    with suppress(LearningsError):  # the page says that they are not known
        findings = status.form.findings(workspace)
    return FormReport(status, status.form.files(workspace), findings)


def _file_report(
    workspace: Workspace, file: FileOverview, progress: Callable[[str], None]
) -> FileReport:
    if file.verdict is None:
        return FileReport(file, None, None)
    memory = MemoryFile(workspace, workspace.root / file.path)
    if file.verdict.report.is_folder:
        replay = replay_of(file.path, (), ())  # its past is not known
    else:
        [replay] = replays([memory], progress=progress)
    progress(f"{file.path}: groups")
    grouping = groups_of(file.verdict.report.document, workspace.settings)
    progress(f"{file.path}: references")
    references = batch_references([memory], [file.verdict])
    progress("")
    return FileReport(file, replay, grouping, references)


def _rows(workspace: Workspace, path: str) -> int | None:
    if not is_loaded_index(path):
        with suppress(LearningsError):
            index, _ = load_index(workspace, path, read_file(workspace.root / path, shown=path))
            return len(index.rows)
    return None
