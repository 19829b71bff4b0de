"""A replay: the verdict at the end of every active day of a history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from learnings.app.due.query import FileQuery
from learnings.core.due import ages, triggers
from learnings.core.due.ages import Activity, AgeReport
from learnings.core.due.forecast import Version
from learnings.core.due.replay import Replay, daily_verdict, replay
from learnings.core.due.triggers import Verdict
from learnings.core.due.waiting import Departure
from learnings.core.settings.values import FileSettings
from learnings.history.daily_snapshots import DailySnapshot, daily_snapshots
from learnings.history.departures import departures
from learnings.history.mainline import versions_since
from learnings.history.opening import open_history
from learnings.history.replayed import ReplayedDays, ReplayedHistory


class _Past(NamedTuple):
    """The versions that a branch had of a file, newest first, what left it, and its history."""

    versions: Sequence[Version]
    departures: Sequence[Departure]
    history: ReplayedHistory


def replays(file_queries: Sequence[FileQuery], *, progress: Callable[[str], None]) -> list[Replay]:
    """Return the replay of each file.

    progress is called with a line on how far the work is, and with "" when a file is done. Raises
    UntrustedHistory or MissingFile.
    """
    return [_replay(file_query, progress) for file_query in file_queries]


def _replay(file_query: FileQuery, progress: Callable[[str], None]) -> Replay:
    query = file_query.query
    until = min(query.as_of or query.tomorrow, query.tomorrow)
    judged_by = _judged_by(file_query.settings)
    with open_history(query) as history:
        repository = history.repository
        left = departures(history, since_beginning=True)
        replayed = ReplayedHistory(history, left.consolidations)
        days = replayed.load_days(judged_by)
        if days is None:
            asked = [c.commit for c in left.consolidations if c.commit]
            past = _Past(versions_since(history, ""), left.entries, replayed)
            commits = [version.commit for version in past.versions]
            snapshots = daily_snapshots(repository, commits, until=until, asked=asked)
            days = _days(list(_verdicts(file_query, snapshots, past, progress)))
            replayed.save_days(judged_by, days)
    consolidations = [c for c in left.consolidations if c.date <= until]
    return replay(file_query.name, days.verdicts, consolidations)._replace(
        lower_bound=repository.shallow, notes=days.notes
    )


def _judged_by(settings: FileSettings) -> list[object]:
    """Return the settings that verdicts depend on."""
    triggers = [settings.due, settings.size_trigger, settings.staleness_trigger]
    batch = [settings.freshness, settings.min_batch, settings.keep_recent]
    return [*triggers, *batch, settings.starved_escalates_after]


def _days(verdicts: Sequence[tuple[DailySnapshot, Verdict]]) -> ReplayedDays:
    days = tuple(daily_verdict(snapshot.day, snapshot.head, v) for snapshot, v in verdicts)
    return ReplayedDays(days, verdicts[-1][1].report.history.notes if verdicts else ())


def _verdicts(
    file_query: FileQuery,
    snapshots: Sequence[DailySnapshot],
    past: _Past,
    progress: Callable[[str], None],
) -> Iterator[tuple[DailySnapshot, Verdict]]:
    """Yield the verdict of each active day at whose end the file existed.

    Git is asked again only where the branch has got another version of the file; between two
    versions only time passes, unless a commit of the version was authored after the day.
    """
    index_of = {version.commit: index for index, version in enumerate(past.versions)}
    newest: AgeReport | None = None
    known: Sequence[Version] = ()
    for number, snapshot in enumerate(snapshots, start=1):
        progress(f"{file_query.name}: {number} of {len(snapshots)} active days")
        since = past.versions[index_of[snapshot.version] :] if snapshot.version else ()
        if since and since != known:
            known, newest = since, _report(file_query, snapshot, since[0], past)
        report = newest
        if newest is not None and _is_ahead(newest, snapshot.day):
            report = _report(file_query, snapshot, known[0], past, as_of=snapshot.day)
        if report is not None:
            history = report.history._replace(activity=Activity(snapshot.days))
            report = ages.report(
                report.document, history, file=report.file, freshness=report.freshness
            )
            yield snapshot, triggers.judge(report, file_query.settings, known, past.departures)
    progress("")


def _report(
    file_query: FileQuery,
    snapshot: DailySnapshot,
    version: Version,
    past: _Past,
    *,
    as_of: str | None = None,
) -> AgeReport | None:
    """Return the report at the end of a day, on the file under the name it then had.

    as_of leaves out what was authored later. None where the branch had deleted the file.
    """
    read = past.history.at(version, snapshot, as_of=as_of)
    if read is None:
        return None
    freshness = file_query.settings.freshness
    return ages.report(*read, file=file_query.name, freshness=freshness)


def _is_ahead(report: AgeReport, day: str) -> bool:
    """Return True if a report rests on commits that were authored after a day."""
    origins = report.history.origins.values()
    dates = [origin.date for origin in origins if origin.date]
    last = report.history.consolidation
    return max([*dates, last.date if last else ""], default="") > day
