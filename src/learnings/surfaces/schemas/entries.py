"""Documents about the entries of learnings files and their ages: ages, due, batch, replay."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED
from learnings.core.entries.dialects import FOLDER, NONE, PLAIN, SHAPES
from learnings.surfaces.schemas.record_fields import CLOSED, Commit, Count, Day, Line, Stamp, one_of

VerdictName = Annotated[str, one_of(NOT_DUE, DUE, STARVED)]
DialectName = Annotated[str, one_of(*PLAIN, *SHAPES, FOLDER, NONE)]


class EntryReference(TypedDict):
    """The fields of an entry in every document."""

    title: str
    timestamp: Stamp
    line: Line
    identity: str
    path: NotRequired[Annotated[str, "The file of the entry, where each has one of its own."]]


class AgesHistory(TypedDict):
    head: Annotated[Commit | None, "null for a local memory, in no repository."]
    shallow: bool
    active_days: Count
    skewed_commits: Annotated[Count, "Commits dated later than tomorrow, which do not count."]
    notes: list[str]


class LastConsolidation(TypedDict):
    commit: Annotated[Commit | None, "Null for what is not committed yet."]
    date: Day
    active_days: Count
    removed: Line


class FreshCount(TypedDict):
    at_least: Count
    count: Count


class EntryUseFields(TypedDict):
    active_days: Annotated[Count, "Days with such a change."]
    last: Annotated[Day | None, "The newest of them."]
    idle: Annotated[Count, "Active days since then, or since the entry was written."]


_USED = (
    "Changes to what the entry names, after the day it was written. Null without --used, and for "
    "an entry that names nothing."
)


class ReferencesFields(TypedDict):
    known: Annotated[Count, "References to what is there or was there."]
    dead: Annotated[Count, "Those of them to what is gone."]


class GapFields(TypedDict):
    left: Annotated[Day | None, "When the entry left its file."]
    back: Annotated[Day | None, "When it came back; null if that is not committed."]


class AgesEntry(EntryReference):
    added: Day | None
    commit: Commit | None
    active_days: Count | None
    lower_bound: bool
    basis: Annotated[
        str,
        one_of(
            *("commit", "renamed-heading", "moved", "restored", "uncommitted"),
            *("stated-date", "file-time", "unknown"),
        ),
        "What the age rests on.",
    ]
    moved_from: Annotated[str | None, "The file that the entry came from, where it was moved."]
    gap: Annotated[GapFields | None, "The days without a restored entry."]
    reason: Annotated[str | None, "Why the age is unknown."]
    superseded: bool
    used: Annotated[EntryUseFields | None, _USED]


class AgesDocument(TypedDict):
    schema: Literal["learnings.ages/2"]
    file: Annotated[str, "Path from the repository's root."]
    lines: Annotated[Count, "Lines of the whole file."]
    dialect: DialectName
    as_of: Annotated[Day | None, "The newest active day that counts."]
    history: AgesHistory
    last_consolidation: LastConsolidation | None
    fresh: FreshCount
    entries: Annotated[list[AgesEntry], "In file order."]


class DueCondition(TypedDict):
    name: Annotated[str, one_of("size", "staleness", "batch", "oversize")]
    value: Count | None
    threshold: Count
    distance: Annotated[Count | None, "What is missing to the threshold."]
    met: bool
    known: Annotated[
        bool, "False where staleness counts from the oldest entry, without any consolidation."
    ]


class DueEntry(EntryReference):
    active_days: Count
    lower_bound: bool
    superseded: bool
    references: Annotated[
        ReferencesFields | None, "What the entry names; null if that was not looked up."
    ]


class DueDecision(EntryReference):
    decision: Annotated[str, one_of("kept", "escalated")]
    date: Day
    reason: str
    days_left: Annotated[
        Count | None,
        "Active days until the entry can take part again; null for an escalated one, which waits "
        "for a person.",
    ]


class DueForecast(TypedDict):
    due_in_active_days: Count
    because: str


class DueFile(TypedDict):
    file: str
    verdict: VerdictName
    conditions: list[DueCondition]
    batch: Annotated[list[DueEntry], "Oldest first."]
    decided: Annotated[
        list[DueDecision], "Entries in no batch, since a plan kept or escalated them; oldest first."
    ]
    decided_summary: Annotated[str | None, "The same in words; null for none."]
    escalated: bool
    starved_since: Day | None
    due_since: Annotated[
        Day | None, "The active day on which a file became due; null unless it is."
    ]
    next: Annotated[str | None, "The command to run next; null where the file is not due."]
    switched_off: Annotated[bool, "due = false is configured."]
    forecast: DueForecast | None
    as_of: Day | None
    lower_bound: bool
    notes: list[str]


class DueMemory(TypedDict):
    path: str
    active: Annotated[dict[str, Count], "active entries by the key of their file"]
    near_archive: Annotated[Count, "active entries below 0.35"]
    waiting: Annotated[list[str], "observations files that are not captured yet"]


class DueTiers(TypedDict):
    folder: str
    valid: Count
    new: Count
    due: bool
    auto_compact: bool
    problem: Annotated[str | None, "why the folder cannot be read"]


class DueForm(TypedDict):
    form: str
    path: str
    needs_action: bool
    reason: Annotated[str, "Why it needs action, or why not."]
    next: Annotated[str | None, "The command to run next; null unless it needs action."]


class DueDocument(TypedDict):
    schema: Literal["learnings.due/1"]
    files: list[DueFile]
    forms: Annotated[
        list[DueForm], "Memory of other forms; empty where a file was named or a commit asked for."
    ]
    memory: NotRequired[Annotated[DueMemory, "the numbers of a confidence memory; it is never due"]]
    tiers: NotRequired[
        Annotated[DueTiers, CLOSED, "the numbers of learning tiers, where there are any"]
    ]


class DueBriefFile(TypedDict):
    file: str
    verdict: VerdictName
    reason: str
    batch: Annotated[Count, "Entries that take part."]
    kept: Annotated[Count, "Entries that rest, since a plan kept them."]
    waiting: Annotated[Count, "Escalated entries, which wait for a person."]
    next: Annotated[str | None, "The command to run next; null where the file is not due."]


class DueBriefDocument(TypedDict):
    schema: Literal["learnings.due-brief/1"]
    files: list[DueBriefFile]
    forms: Annotated[list[DueForm], "Memory of other forms, as in learnings.due/1."]


class BatchEntry(EntryReference):
    added: Day | None
    active_days: Count
    lower_bound: bool
    superseded: bool
    references: ReferencesFields
    used: Annotated[EntryUseFields | None, "As in learnings.ages, null if it is not known."]
    text: Annotated[str, "Source of the entry, as it stands."]


class BatchDocument(TypedDict):
    schema: Literal["learnings.batch/1"]
    file: str
    verdict: VerdictName
    lower_bound: bool
    notes: list[str]
    entries: Annotated[list[BatchEntry], "Oldest first."]


class ReplayEvening(TypedDict):
    day: Day
    commit: Commit
    verdict: VerdictName
    escalated: bool
    lines: Count
    staleness: Count | None
    batch: Count
    words: NotRequired[Annotated[Count, "Words of the file."]]
    tokens: NotRequired[Annotated[Count, "Estimated: bytes / 3.8, rounded up."]]


class ReplayEpisode(TypedDict):
    verdict: VerdictName
    first: Day
    last: Day
    active_days: Line


class ReplayConsolidation(TypedDict):
    commit: Commit
    date: Day
    removed: Line
    ended: Annotated[Day | None, "The day on which a commit reverted it."]
    before: ReplayEvening | None
    overdue: Count


class ReplayFile(TypedDict):
    file: str
    lower_bound: Annotated[
        bool, "The history is incomplete: batch, staleness and overdue are at least that."
    ]
    notes: list[str]
    evenings: list[ReplayEvening]
    episodes: list[ReplayEpisode]
    consolidations: list[ReplayConsolidation]


class ReplayDocument(TypedDict):
    schema: Literal["learnings.replay/1"]
    files: list[ReplayFile]
