"""The verdict at the end of every active day of a history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from learnings.core.due.ages import LATEST, Activity, Consolidation
from learnings.core.due.conditions import FileContents, Situation, contents_of
from learnings.core.due.forecast import BranchVersion
from learnings.core.due.past_verdicts import DailyVerdict, Replay, daily_verdict, replay
from learnings.core.due.verdicts import Departure, daily_states, decide
from learnings.core.settings.setting_values import FileSettings
from learnings.history.daily_versions import (
    BranchReader,
    DailySnapshot,
    DatedVersion,
    ReplayedDays,
    daily_snapshots,
    dated_versions,
    graph_commits,
    load_days,
    notes_on,
    save_days,
)
from learnings.history.git.repository import Repository
from learnings.history.mainline import versions_since
from learnings.history.removals import departures_by, removals_of
from learnings.workspace.memory_file import MemoryFile

Progress = Callable[[str], None]


class _Past(NamedTuple):
    versions: Sequence[BranchVersion]
    consolidations: Sequence[Consolidation]
    left: Sequence[Departure]


def replays(files: Sequence[MemoryFile], *, progress: Progress) -> list[Replay]:
    """Return replays; progress is called with a progress line, and with "" at the end of each.

    Raises UntrustedHistory or MissingFile.
    """
    # Most files are in the same repository.
    reader_of = lru_cache(maxsize=1)(BranchReader)
    return [_replay(file, reader_of, progress) for file in files]


def _replay(
    file: MemoryFile, reader_of: Callable[[Repository], BranchReader], progress: Progress
) -> Replay:
    query = file.query
    until = min(query.as_of or query.tomorrow, query.tomorrow)
    settings = file.settings
    judged_by: list[object] = [
        *(settings.due, settings.size_trigger, settings.staleness_trigger),
        *(settings.freshness, settings.min_batch, settings.keep_recent),
        *(settings.oversize, settings.starved_escalates_after),
    ]
    with file.history() as history:
        days = load_days(history, judged_by)
        if days is None:
            reader = reader_of(history.repository)
            removals = removals_of(history, since_beginning=True)
            graph = graph_commits(history)
            versions = versions_since(history, "")
            snapshots = daily_snapshots(
                reader.branch,
                [version.commit for version in versions],
                graph,
                until=until,
                asked=[c.commit for c in removals.consolidations if c.commit],
            )
            tips = dict.fromkeys(s.tip for s in snapshots if s.tip and s.version)
            dated: dict[str, DatedVersion | None] = {}
            for tip, version in zip(tips, dated_versions(history, tips), strict=True):
                dated[tip] = version
                progress(f"{file.name}: {len(dated)} of {len(tips)} versions")
            progress("")
            known = {tip: version.origins for tip, version in dated.items() if version}
            left = departures_by(removals.changes, history, known)
            past = _Past(versions, removals.consolidations, left)
            verdicts = tuple(_verdicts(file.settings, snapshots, past, dated))
            notes = notes_on(history, snapshots[-1]) if verdicts else ()
            days = ReplayedDays(verdicts, removals.consolidations, notes)
            save_days(history, judged_by, days)
    shown = [c for c in days.consolidations if c.date <= until]
    return replay(file.name, days.verdicts, shown)._replace(
        lower_bound=history.repository.shallow, notes=days.notes
    )


def _verdicts(
    settings: FileSettings,
    snapshots: Sequence[DailySnapshot],
    past: _Past,
    dated: Mapping[str, DatedVersion | None],
) -> Iterator[DailyVerdict]:
    index_of = {version.commit: index for index, version in enumerate(past.versions)}
    contents: dict[tuple[str, str], FileContents] = {}
    for snapshot in snapshots:
        commit, tip = snapshot.version, snapshot.tip
        version = dated.get(tip) if commit and tip else None
        if version is None or commit is None or tip is None:
            continue
        # Between two versions only time passes, unless a commit was authored after the day.
        until = snapshot.day if version.newest > snapshot.day else LATEST
        if (tip, until) not in contents:
            entries = version.entries_until(until)
            contents[tip, until] = contents_of(
                version.lines, entries, keep_recent=settings.keep_recent
            )
        reached = (c for c in past.consolidations if c.commit in snapshot.reached)
        last = next((c for c in reached if c.date <= snapshot.day), None)  # newest first
        situation = Situation(contents[tip, until], Activity(snapshot.days), last)
        since = past.versions[index_of[commit] :]
        states = daily_states(situation, settings, since, past.left)
        decision = decide(situation, settings, states)
        yield daily_verdict(snapshot.day, snapshot.head, decision, version.cost)
