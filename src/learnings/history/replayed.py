"""What reports at the ends of days rest on, from one reading of the history of their file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from learnings.core.cost import cost_of
from learnings.core.due.ages import Activity, Consolidation, Origin
from learnings.core.due.past_verdicts import DailyVerdict
from learnings.core.entries.document import AUTO, Document, Entry, excess_of, read
from learnings.core.markdown.chunks import Chunk
from learnings.history.daily_snapshots import DailySnapshot
from learnings.history.facts import notes_of
from learnings.history.file_cache import decoded_consolidation
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cache import Key
from learnings.history.git.repository import synthetic_merge


class ReplayedDays(NamedTuple):
    """The verdicts at the ends of days, ascending, the consolidations, and notes on the history."""

    verdicts: tuple[DailyVerdict, ...]
    consolidations: tuple[Consolidation, ...]
    notes: tuple[str, ...] = ()


class DatedEntry(NamedTuple):
    """An entry of a version with its origin."""

    entry: Entry
    origin: Origin


class DatedVersion(NamedTuple):
    """A version of a file: its lines, its words, and its entries with their origins.

    newest is the date of the entry that was added last, empty where no date is known.
    """

    lines: int
    words: int
    entries: tuple[DatedEntry, ...]
    newest: str

    @property
    def origins(self) -> dict[str, Origin]:
        """The origins of the entries by identity."""
        return {dated.entry.identity: dated.origin for dated in self.entries}

    def entries_until(self, day: str) -> tuple[DatedEntry, ...]:
        """Return the entries without those that were added after a day."""
        if self.newest <= day:
            return self.entries
        return tuple(dated for dated in self.entries if (dated.origin.date or "") <= day)


def load_days(history: FileHistory, judged_by: Sequence[object]) -> ReplayedDays | None:
    """Return what save_days() stored for the same history and settings, None for nothing."""
    return history.cache.load("replay", _key(history, judged_by), _decoded)


def save_days(history: FileHistory, judged_by: Sequence[object], days: ReplayedDays) -> None:
    """Store the verdicts of the days; judged_by are settings that they depend on."""
    history.cache.save("replay", _key(history, judged_by), days)


def _key(history: FileHistory, judged_by: Sequence[object]) -> Key:
    query = history.query
    return {
        **history.key,
        "head": history.repository.head,
        "min_removed": query.min_removed,
        "until": [query.as_of, query.tomorrow],
        "ignored": [history.ignored.digest, *query.ignore_authors],
        "judged_by": list(judged_by),
    }


def notes_on(history: FileHistory, last: DailySnapshot) -> tuple[str, ...]:
    """Return sentences on what is special about a history that ends with a day."""
    repository = history.repository
    synthetic = last.head == repository.head and synthetic_merge(repository)
    notes = notes_of(history, Activity(last.days), synthetic=synthetic)
    return *notes, *history.ignored.notes


def dated_versions(history: FileHistory, commits: Iterable[str]) -> Iterator[DatedVersion | None]:
    """Yield the versions in commits of the graph; None where the branch has no file.

    They are in the order in which the branch got them: each is followed back to those before it.
    """
    from learnings.history.origins import find_origins_at  # noqa: PLC0415  (where nothing is cached)

    known: dict[str, Mapping[str, Origin]] = {}
    for commit in commits:
        blob = history.graph().blob(commit)
        if blob is None or excess_of(history.blobs.data(blob)):
            yield None
            continue
        document = _document(history, blob)
        known[commit] = find_origins_at(document, history, commit, known)
        words = sum(map(_words, history.blobs.sketch(blob).chunks))
        yield _dated(document, known[commit], words)


def graph_commits(history: FileHistory) -> list[str]:
    """Return all commits in the graph of the file.

    Git begins to compare those in which entries may begin.
    """
    commits = history.through_renames(lambda: [*history.graph()])
    for commit in commits:
        if commit.touches:
            history.changes.ask(commit.commit)
    return [commit.commit for commit in commits]


def _document(history: FileHistory, blob: str) -> Document:
    """Return a version as the configuration reads it, even if it holds no entry by that."""
    document, options = history.blobs.document(blob), history.query.read_options
    is_auto = options == AUTO._replace(preamble_lines=options.preamble_lines)
    if is_auto or document.dialect.is_configured:
        return document
    return read(history.blobs.data(blob), options, version=True)


def _dated(document: Document, origins: Mapping[str, Origin], words: int) -> DatedVersion:
    entries = tuple(DatedEntry(entry, origins[entry.identity]) for entry in document.entries)
    newest = max((origin.date or "" for origin in origins.values()), default="")
    return DatedVersion(len(document.lines), words, entries, newest)


# The versions of a file have most of their chunks in common.
@lru_cache(maxsize=1 << 14)
def _words(chunk: Chunk) -> int:
    return cost_of(chunk.text).words


def _decoded(value: Any) -> ReplayedDays:  # noqa: ANN401  (any JSON)
    verdicts = partial(cached.list_of, _daily_verdict)
    consolidations = partial(cached.list_of, decoded_consolidation)
    notes = partial(cached.list_of, cached.text)
    return ReplayedDays(*cached.row(value, verdicts, consolidations, notes))


def _daily_verdict(value: Any) -> DailyVerdict:  # noqa: ANN401  (any JSON)
    number = cached.whole_number
    words = cached.text, cached.object_id, cached.text, cached.truth
    return DailyVerdict(*cached.row(value, *words, number, cached.optional(number), number, number))
