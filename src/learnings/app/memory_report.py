"""The state and growth of a memory, and its verdict at the end of every active day."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.app.consolidate.entry_references import Evidence, batch_evidence
from learnings.app.consolidate.inputs import TargetRoom
from learnings.app.consolidate.suggestions import groups_of
from learnings.app.overview import Overview, overview
from learnings.check.memory_index import load_index
from learnings.consolidation.groups.groups import Grouping
from learnings.core.due.ages import LATEST, Activity, Consolidation, newest_of, with_text
from learnings.core.due.forecast import BranchVersion
from learnings.core.due.past_verdicts import DailyVerdict, Replay, daily_verdict, replay
from learnings.core.due.verdicts import Departure, State, decide
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import CheckReport
from learnings.core.progress import step
from learnings.core.roles import is_loaded_index
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import decode, split_lines
from learnings.forms.memory_form import FormStatus
from learnings.history.cached_history import versions_since
from learnings.history.daily_versions import (
    Branch,
    DailySnapshot,
    DatedVersion,
    ReplayedDays,
    daily_snapshots,
    dated_versions,
    notes_on,
    started_branch,
)
from learnings.history.file_graph import FileGraph
from learnings.history.git.repository import Repository
from learnings.history.origins import departures_by
from learnings.history.removals import removals_of
from learnings.workspace.disk import read_file
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.workspace import Workspace


def replays(files: Sequence[MemoryFile]) -> list[Replay]:
    """Return replays. Raises UntrustedHistory or MissingFile."""
    # Most files are in the same repository.
    start = lru_cache(maxsize=1)(started_branch)
    return [_replay(file, start) for file in files]


def _replay(file: MemoryFile, start: Callable[[Repository], Callable[[], Branch]]) -> Replay:
    query = file.query
    until = min(query.as_of or query.tomorrow, query.tomorrow)
    with file.history() as history:

        def read(graph: FileGraph, known: ReplayedDays | None) -> ReplayedDays | None:
            if known is not None:
                return None
            branch = start(history.repository)
            changes, consolidations = removals_of(history, since_beginning=True)
            versions = versions_since(history, "")
            snapshots = daily_snapshots(
                branch(),
                [version.commit for version in versions],
                graph.commits,
                until=until,
                asked=[c.commit for c in consolidations if c.commit],
            )
            tips = dict.fromkeys(s.tip for s in snapshots if s.tip and s.version)
            dated: dict[str, DatedVersion | None] = {}
            for tip, version in zip(tips, dated_versions(history, tips), strict=True):
                dated[tip] = version
                step(f"replaying {file.name}: {len(dated)} of {len(tips)} versions")
            origins = {tip: version.origins for tip, version in dated.items() if version}
            left = departures_by(changes, history, origins)
            past = versions, consolidations
            verdicts = tuple(_verdicts(file.settings, snapshots, dated, *past, left=left))
            notes = notes_on(history, snapshots[-1]) if verdicts else ()
            return ReplayedDays(verdicts, tuple(consolidations), notes)

        asked = {"until": [query.as_of, query.tomorrow], "settings": repr(file.settings)}
        days = history.answer("replay", ReplayedDays.decoded, read, settings=asked)
    shown = [c for c in days.consolidations if _is_in_force(c, until)]
    return replay(file.name, days.verdicts, shown)._replace(
        lower_bound=history.repository.shallow, notes=days.notes
    )


def _is_in_force(consolidation: Consolidation, day: str) -> bool:
    return consolidation.date <= day and not (consolidation.ended and consolidation.ended <= day)


def _verdicts(
    settings: FileSettings,
    snapshots: Sequence[DailySnapshot],
    dated: Mapping[str, DatedVersion | None],
    versions: Sequence[BranchVersion],
    consolidations: Sequence[Consolidation],
    *,
    left: Sequence[Departure],
) -> Iterator[DailyVerdict]:
    index_of = {version.commit: index for index, version in enumerate(versions)}
    states: dict[tuple[str, str], State] = {}
    for snapshot in snapshots:
        commit, tip = snapshot.version, snapshot.tip
        version = dated.get(tip) if commit and tip else None
        if version is None or commit is None or tip is None:
            continue
        # Between two versions only time passes, unless a commit was authored after the day.
        until = snapshot.day if version.newest > snapshot.day else LATEST
        if (tip, until) not in states:
            entries = with_text(version.entries_until(until))
            newest = newest_of(entries, settings.keep_recent)
            states[tip, until] = State(version.size, entries, newest, settings)
        reached = (c for c in consolidations if c.commit in snapshot.reached)
        last = next((c for c in reached if _is_in_force(c, snapshot.day)), None)  # newest first
        state = states[tip, until]._replace(activity=Activity(snapshot.days), consolidation=last)
        outcome = decide(state, versions[index_of[commit] :], left)
        yield daily_verdict(snapshot.day, snapshot.head, outcome, version.cost)


class FileReport(NamedTuple):
    """A learnings file: its status, and its growth and groups (None if it is unreadable).

    evidence belongs to the entries due for consolidation, as batch_evidence().
    """

    status: FormStatus
    replay: Replay | None
    grouping: Grouping | None
    evidence: Evidence | None = None


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
    targets: tuple[TargetRoom, ...]
    indexes: tuple[IndexReport, ...]
    forms: tuple[FormReport, ...] = ()

    @property
    def as_of(self) -> str | None:
        """The newest active day that counts, as ISO text; None without a history."""
        verdicts = (file.status.verdict for file in self.files)
        days = (verdict.report.activity.as_of for verdict in verdicts if verdict)
        return max((day for day in days if day), default=None)


def memory_report(workspace: Workspace, *, commands: Callable[[], Commands]) -> MemoryReport:
    """Return the report on a repository. Raises BadSettings."""
    state = overview(workspace, commands=commands)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for finding in state.report.findings if state.report else ():
        counts[finding.path][finding.rule] += 1
    targets = []
    for path in (*state.targets, *state.instructions):
        with suppress(LearningsError):  # the findings name it
            lines = split_lines(decode(read_file(workspace.tree.full(path), shown=path)))
            targets.append(TargetRoom(path, len(lines), workspace.settings.line_limit))
    return MemoryReport(
        name=workspace.root.name,
        overview=state,
        files=tuple(_file_report(workspace, file) for file in state.learnings),
        targets=tuple(targets),
        indexes=tuple(
            IndexReport(path, _rows(workspace, path), tuple(sorted(counts[path].items())))
            for path in state.indexes
        ),
        forms=tuple(_form_report(workspace, status) for status in state.others),
    )


def _form_report(workspace: Workspace, status: FormStatus) -> FormReport:
    if status.problem:
        return FormReport(status, ())
    findings = None
    with suppress(LearningsError):  # the page says that they are not known
        findings = status.form.findings(workspace)
    return FormReport(status, status.form.files(workspace), findings)


def _file_report(workspace: Workspace, status: FormStatus) -> FileReport:
    verdict = status.verdict
    if verdict is None:
        return FileReport(status, None, None)
    memory = MemoryFile(workspace, workspace.root / status.path)
    if verdict.report.is_folder:
        past = replay(status.path, (), ())  # its past is not known
    else:
        [past] = replays([memory])
    grouping = groups_of(memory, verdict.report.document, verdict.report)
    evidence = batch_evidence([memory], [verdict]).get(status.path)
    return FileReport(status, past, grouping, evidence)


def _rows(workspace: Workspace, path: str) -> int | None:
    if not is_loaded_index(path):
        with suppress(LearningsError):
            index, _ = load_index(workspace, path, read_file(workspace.tree.full(path), shown=path))
            return len(index.rows)
    return None
