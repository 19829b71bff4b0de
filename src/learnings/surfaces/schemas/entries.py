"""Documents about the entries of learnings files and their ages: ages, due, batch, replay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnings.core.due.ages import LATEST
from learnings.core.due.conditions import CONDITIONS, Condition
from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED
from learnings.core.entries.dialects import FOLDER, NONE, PLAIN, SHAPES
from learnings.forms import verdict_words
from learnings.surfaces.schemas.fields import (
    ABSENT,
    BOOL,
    CLOSED,
    COMMIT,
    COUNT,
    DAY,
    LINE,
    STAMP,
    TEXT,
    Document,
    Kind,
    Record,
    by_name,
    each,
    one_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnings.core.due.ages import AgeReport, EntryUse
    from learnings.core.due.forecast import Forecast
    from learnings.core.due.past_verdicts import (
        DailyVerdict,
        Episode,
        Replay,
        ReplayedConsolidation,
    )
    from learnings.core.due.verdicts import RestingEntry, Verdict
    from learnings.core.entries.document import Entry
    from learnings.forms.memory_form import FormStatus
    from learnings.references.dead import EntryReferences
    from learnings.surfaces.render.results import AgesResult, DueResult, EntryRow, JudgedFile

VERDICT = one_of(NOT_DUE, DUE, STARVED)
DIALECT = one_of(*PLAIN, *SHAPES, FOLDER, NONE)

ENTRY: Record[Entry] = Record(  # the fields of an entry in every document
    title=TEXT(of=lambda entry: entry.name),
    timestamp=STAMP(of=lambda entry: entry.stamp),
    line=LINE(of=lambda entry: entry.first),
    identity=TEXT,
    path=TEXT(
        "The file of the entry, where each has one of its own.",
        of=lambda entry: entry.path or ABSENT,
        required=False,
    ),
)
ROW: Record[EntryRow] = ENTRY.at(lambda row: row.entry)
REFERENCES: Record[Any] = Record(
    known=COUNT("References to what is there or was there."),
    dead=COUNT("Those of them to what is gone."),
)
_OF_ENTRY: Record[EntryReferences] = Record(
    REFERENCES, dead=REFERENCES.fields["dead"]._replace(of=lambda one: len(one.dead))
)
USE: Record[EntryUse] = Record(
    active_days=COUNT("Days with such a change."),
    last=DAY.or_null("The newest of them."),
    idle=COUNT("Active days since then, or since the entry was written."),
)
_USED = (
    "Changes to what the entry names, after the day it was written. Null without --used, and for "
    "an entry that names nothing."
)
_GAP: Record[Sequence[str]] = Record(
    left=DAY.or_null("When the entry left its file.", of=lambda gap: _known(gap[0])),
    back=DAY.or_null(
        "When it came back; null if that is not committed.", of=lambda gap: _known(gap[1])
    ),
)


def _known(day: str) -> str | None:
    return None if day in ("", LATEST) else day


_BASES = ("commit", "renamed-heading", "moved", "restored", "uncommitted")
_AGES_ENTRY: Record[EntryRow] = Record(
    ROW,
    added=DAY.or_null(of=lambda row: row.age.origin.date),
    commit=COMMIT.or_null(of=lambda row: row.age.origin.commit),
    active_days=COUNT.or_null(of=lambda row: row.age.active_days),
    lower_bound=BOOL(of=lambda row: row.age.lower_bound),
    basis=one_of(*_BASES, "stated-date", "file-time", "unknown")(
        "What the age rests on.", of=lambda row: row.age.origin.basis
    ),
    moved_from=TEXT.or_null(
        "The file that the entry came from, where it was moved.",
        of=lambda row: row.age.origin.moved_from,
    ),
    gap=_GAP.or_null("The days without a restored entry.", of=lambda row: row.age.origin.gap),
    reason=TEXT.or_null("Why the age is unknown.", of=lambda row: row.age.origin.reason),
    superseded=BOOL(of=lambda row: row.entry.superseded),
    used=USE.or_null(_USED, of=lambda row: row.use),
)
_HISTORY: Record[AgeReport] = Record(
    head=COMMIT.if_any("null for a local memory, in no repository.", of=lambda report: report.head),
    shallow=BOOL(of=lambda report: report.shallow),
    active_days=COUNT(of=lambda report: len(report.activity.days)),
    skewed_commits=COUNT(
        "Commits dated later than tomorrow, which do not count.",
        of=lambda report: report.activity.skewed_commits,
    ),
    notes=each(TEXT)(of=lambda report: report.notes),
)
_LAST: Record[Any] = Record(  # of a report with a consolidation
    commit=COMMIT.or_null(
        "Null for what is not committed yet.", of=lambda report: report.consolidation.commit
    ),
    date=DAY(of=lambda report: report.consolidation.date),
    active_days=COUNT(of=lambda report: report.staleness or 0),
    removed=LINE(of=lambda report: report.consolidation.removed),
)
_FRESH: Record[AgeReport] = Record(
    at_least=COUNT(of=lambda report: report.freshness),
    count=COUNT(of=lambda report: len(report.fresh)),
)
AGES: Document[AgesResult] = Document(
    "ages/2",
    "ages FILE",
    several=True,
    file=TEXT("Path from the repository's root.", of=lambda one: one.report.file),
    lines=COUNT("Lines of the whole file.", of=lambda one: one.report.lines),
    dialect=DIALECT(of=lambda one: one.report.document.dialect.name),
    as_of=DAY.or_null("The newest active day that counts.", of=lambda one: one.report.as_of),
    history=_HISTORY(of=lambda one: one.report),
    last_consolidation=_LAST.or_null(
        of=lambda one: one.report if one.report.consolidation else None
    ),
    fresh=_FRESH(of=lambda one: one.report),
    entries=each(_AGES_ENTRY)("In file order.", of=lambda one: one.rows),
)

_CONDITION: Record[Condition] = Record(
    name=one_of(*CONDITIONS),
    value=COUNT.or_null,
    threshold=COUNT,
    distance=COUNT.or_null("What is missing to the threshold."),
    met=BOOL,
    known=BOOL("False where staleness counts from the oldest entry, without any consolidation."),
)
_AGED: Record[EntryRow] = Record(
    active_days=COUNT(of=lambda row: row.age.active_days or 0),
    lower_bound=BOOL(of=lambda row: row.age.lower_bound),
    superseded=BOOL(of=lambda row: row.entry.superseded),
)
_DUE_ENTRY: Record[EntryRow] = Record(
    ROW,
    _AGED,
    references=_OF_ENTRY.or_null("What the entry names; null if that was not looked up."),
)
_ENTRY_OF_REST: Record[RestingEntry] = ENTRY.at(lambda one: one.entry_age.entry)
_DECISION: Record[RestingEntry] = Record(
    _ENTRY_OF_REST,
    decision=one_of("kept", "escalated")(of=lambda one: one.decision.kind),
    date=DAY(of=lambda one: one.decision.date),
    reason=TEXT(of=lambda one: one.decision.reason),
    days_left=COUNT.or_null(
        "Active days until the entry can take part again; null for an escalated one, which waits "
        "for a person."
    ),
)
_FORECAST: Record[Forecast] = Record(due_in_active_days=COUNT, because=TEXT)
_NEXT = "The command to run next; null where the file is not due."
DUE_FILE: Record[JudgedFile] = Record(
    file=TEXT(of=lambda one: one.verdict.report.file),
    verdict=VERDICT(of=lambda one: one.verdict.verdict),
    conditions=each(_CONDITION)(of=lambda one: one.verdict.conditions.each),
    batch=each(_DUE_ENTRY)("Oldest first."),
    decided=each(_DECISION)(
        "Entries in no batch, since a plan kept or escalated them; oldest first.",
        of=lambda one: one.verdict.resting,
    ),
    decided_summary=TEXT.if_any(
        "The same in words; null for none.", of=lambda one: verdict_words.resting(one.verdict)
    ),
    escalated=BOOL(of=lambda one: one.verdict.outcome.escalated),
    starved_since=DAY.or_null(of=lambda one: one.verdict.outcome.starved_since),
    due_since=DAY.or_null(
        "The active day on which a file became due; null unless it is.",
        of=lambda one: one.verdict.due_since,
    ),
    next=TEXT.or_null(_NEXT, of=lambda one: verdict_words.next_step(one.verdict)),
    switched_off=BOOL("due = false is configured.", of=lambda one: one.verdict.switched_off),
    forecast=_FORECAST.or_null(of=lambda one: one.verdict.forecast),
    as_of=DAY.or_null(of=lambda one: one.verdict.report.as_of),
    lower_bound=BOOL(of=lambda one: one.verdict.lower_bound),
    notes=each(TEXT)(of=lambda one: one.verdict.report.notes),
)
DUE_FORM: Record[FormStatus] = Record(
    form=TEXT(of=lambda status: status.form.name),
    path=TEXT,
    needs_action=BOOL,
    reason=TEXT("Why it needs action, or why not."),
    next=TEXT.or_null("The command to run next; null unless it needs action."),
)
_MEMORY: Record[Any] = Record(
    path=TEXT,
    active=by_name(COUNT)("active entries by the key of their file"),
    near_archive=COUNT("active entries below 0.35"),
    waiting=each(TEXT)("observations files that are not captured yet"),
)
_TIERS: Record[Any] = Record(
    folder=TEXT,
    valid=COUNT,
    new=COUNT,
    due=BOOL,
    auto_compact=BOOL,
    problem=TEXT.or_null("why the folder cannot be read"),
)
DUE_VERDICTS: Document[DueResult] = Document(
    "due/1",
    "due",
    files=each(DUE_FILE),
    forms=each(DUE_FORM)(
        "Memory of other forms; empty where a file was named or a commit asked for."
    ),
    memory=Kind(_MEMORY.schema)(
        "the numbers of a confidence memory; it is never due",
        of=lambda one: one.details.get("memory", ABSENT),
        required=False,
    ),
    tiers=Kind(_TIERS.schema | CLOSED)(
        "the numbers of learning tiers, where there are any",
        of=lambda one: one.details.get("tiers", ABSENT),
        required=False,
    ),
)

_BRIEF_FILE: Record[Verdict] = Record(
    file=TEXT(of=lambda verdict: verdict.report.file),
    verdict=VERDICT,
    reason=TEXT(of=verdict_words.reason),
    batch=COUNT("Entries that take part.", of=lambda verdict: len(verdict.batch)),
    kept=COUNT(
        "Entries that rest, since a plan kept them.",
        of=lambda verdict: sum(one.days_left is not None for one in verdict.resting),
    ),
    waiting=COUNT(
        "Escalated entries, which wait for a person.",
        of=lambda verdict: sum(one.days_left is None for one in verdict.resting),
    ),
    next=TEXT.or_null(_NEXT, of=verdict_words.next_step),
)
DUE_BRIEF: Document[DueResult] = Document(
    "due-brief/1",
    "due --brief",
    files=each(_BRIEF_FILE)(of=lambda one: one.verdicts),
    forms=each(DUE_FORM)("Memory of other forms, as in learnings.due/1."),
)
_BATCH_ENTRY: Record[EntryRow] = Record(
    ROW,
    added=DAY.or_null(of=lambda row: row.age.origin.date),
    **_AGED.fields,
    references=_OF_ENTRY,
    used=USE.or_null("As in learnings.ages, null if it is not known.", of=lambda row: row.use),
    text=TEXT("Source of the entry, as it stands.", of=lambda row: row.entry.text),
)
BATCH: Document[JudgedFile] = Document(
    "batch/1",
    "batch FILE",
    several=True,
    file=TEXT(of=lambda one: one.verdict.report.file),
    verdict=VERDICT(of=lambda one: one.verdict.verdict),
    lower_bound=BOOL(of=lambda one: one.verdict.lower_bound),
    notes=each(TEXT)(of=lambda one: one.verdict.report.notes),
    entries=each(_BATCH_ENTRY)("Oldest first.", of=lambda one: one.batch),
)

_EVENING: Record[DailyVerdict] = Record(
    day=DAY,
    commit=COMMIT,
    verdict=VERDICT,
    escalated=BOOL,
    lines=COUNT,
    staleness=COUNT.or_null,
    batch=COUNT,
    words=COUNT("Words of the file.", required=False),
    tokens=COUNT("Estimated: bytes / 3.8, rounded up.", required=False),
)
_EPISODE: Record[Episode] = Record(verdict=VERDICT, first=DAY, last=DAY, active_days=LINE)
_CONSOLIDATION: Record[ReplayedConsolidation] = Record(
    commit=COMMIT(of=lambda one: one.consolidation.commit),
    date=DAY(of=lambda one: one.consolidation.date),
    removed=LINE(of=lambda one: one.consolidation.removed),
    ended=DAY.or_null(
        "The day on which a commit reverted it.", of=lambda one: one.consolidation.ended
    ),
    before=_EVENING.or_null,
    overdue=COUNT,
)
REPLAY_FILE: Record[Replay] = Record(
    file=TEXT,
    lower_bound=BOOL("The history is incomplete: batch, staleness and overdue are at least that."),
    notes=each(TEXT),
    evenings=each(_EVENING)(of=lambda replay: replay.daily_verdicts),
    episodes=each(_EPISODE),
    consolidations=each(_CONSOLIDATION),
)
REPLAY: Document[Sequence[Replay]] = Document(
    "replay/1", "due --replay", files=each(REPLAY_FILE)(of=lambda replays: replays)
)
