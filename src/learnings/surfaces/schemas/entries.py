"""Documents about the entries of learnings files and their ages: ages, due, batch, replay."""

from __future__ import annotations

from learnings.core.due.ages import LATEST
from learnings.core.due.verdicts import CONDITIONS, DUE, NOT_DUE, STARVED
from learnings.core.entries.dialects import FOLDER, NONE, PLAIN, SHAPES
from learnings.forms import verdict_words
from learnings.surfaces.schemas import fields as js

VERDICT = js.one_of(NOT_DUE, DUE, STARVED)
DIALECT = js.one_of(*PLAIN, *SHAPES, FOLDER, NONE)

ENTRY = js.Record(  # the fields of an entry in every document
    title=js.TEXT(of="name"),
    timestamp=js.STAMP(of="stamp"),
    line=js.LINE(of="first"),
    identity=js.TEXT,
    path=js.TEXT(
        "The file of the entry, in a folder with a file for each entry.",
        of=lambda entry: entry.path or js.ABSENT,
        required=False,
    ),
)
ROW = ENTRY.at("entry")
REFERENCES = js.Record(
    known=js.COUNT("References to something that exists or existed."),
    dead=js.COUNT("References to something that no longer exists."),
)
_OF_ENTRY = js.Record(REFERENCES)
USE = js.Record(
    active_days=js.COUNT("Active days with such a change."),
    last=js.DAY.or_null("The newest of these days."),
    idle=js.COUNT("Active days since then, or since the entry was written."),
)
_USED = (
    "Changes to the files and commands that the entry names, after the day it was written. Null "
    "without --used, and for an entry without such names."
)
_GAP = js.Record(
    left=js.DAY.or_null("When the entry left its file.", of=lambda gap: _known(gap[0])),
    back=js.DAY.or_null(
        "When it came back; null if that is uncommitted.", of=lambda gap: _known(gap[1])
    ),
)


def _known(day: str) -> str | None:
    return None if day in ("", LATEST) else day


_BASES = ("commit", "renamed-heading", "moved", "restored", "uncommitted")
_AGES_ENTRY = js.Record(
    ROW,
    added=js.DAY.or_null(of="age.origin.date"),
    commit=js.COMMIT.or_null(of="age.origin.commit"),
    active_days=js.COUNT.or_null(of="age.active_days"),
    lower_bound=js.BOOL(of="age.lower_bound"),
    basis=js.one_of(*_BASES, "stated-date", "file-time", "unknown")(
        "The evidence for the age.", of="age.origin.basis"
    ),
    moved_from=js.TEXT.or_null(
        "The file that the entry was moved from.", of="age.origin.moved_from"
    ),
    gap=_GAP.or_null("The time in which a restored entry was missing.", of="age.origin.gap"),
    reason=js.TEXT.or_null("Why the age is unknown.", of="age.origin.reason"),
    superseded=js.BOOL(of="entry.superseded"),
    used=USE.or_null(_USED, of="use"),
)
_HISTORY = js.Record(
    head=js.COMMIT.if_any("Null for a local memory outside of a repository."),
    shallow=js.BOOL,
    active_days=js.COUNT(of="activity.days"),
    skewed_commits=js.COUNT(
        "Commits dated later than tomorrow, which do not count.", of="activity.skewed_commits"
    ),
    notes=js.each(js.TEXT),
)
_LAST = js.Record(  # of a report with a consolidation
    commit=js.COMMIT.or_null("Null if it is uncommitted.", of="consolidation.commit"),
    date=js.DAY(of="consolidation.date"),
    active_days=js.COUNT(of="staleness"),
    removed=js.LINE(of="consolidation.removed"),
)
_FRESH = js.Record(at_least=js.COUNT(of="settings.freshness"), count=js.COUNT(of="fresh"))
AGES = js.Head("ages/2", "ages FILE", several=True).document(
    file=js.TEXT("Path from the repository's root.", of="report.file"),
    lines=js.COUNT("Lines of the memory, or files of a folder.", of="report.document.size.number"),
    dialect=DIALECT(of="report.document.dialect.name"),
    as_of=js.DAY.or_null("The newest active day that counts.", of="report.activity.as_of"),
    history=_HISTORY(of="report"),
    last_consolidation=_LAST.or_null(
        of=lambda one: one.report if one.report.consolidation else None
    ),
    fresh=_FRESH(of="report"),
    entries=js.each(_AGES_ENTRY)("In file order.", of="rows"),
)

_CONDITION = js.Record(
    name=js.one_of(*CONDITIONS),
    value=js.COUNT.or_null,
    threshold=js.COUNT,
    distance=js.COUNT.or_null("The threshold minus the value, at least 0."),
    met=js.BOOL,
    known=js.BOOL(
        "False if staleness counts from the oldest entry, because no consolidation exists."
    ),
)
_AGED = js.Record(
    active_days=js.COUNT(of="age.active_days"),
    lower_bound=js.BOOL(of="age.lower_bound"),
    superseded=js.BOOL(of="entry.superseded"),
)
_DUE_ENTRY = js.Record(
    ROW,
    _AGED,
    references=_OF_ENTRY.or_null("References of the entry; null if they were not looked up."),
)
_DECISION = js.Record(
    ENTRY.at("entry"),
    decision=js.one_of("kept", "escalated")(of="decision.kind"),
    date=js.DAY(of="decision.date"),
    reason=js.TEXT(of="decision.reason"),
    days_left=js.COUNT.or_null(
        "Active days until the entry can be in a batch again; null for an escalated entry, which "
        "waits for a person."
    ),
)
_FORECAST = js.Record(due_in_active_days=js.COUNT, because=js.TEXT)
_NEXT = "The command to run next; null if the file is not due."
_JUDGED = js.Record(file=js.TEXT(of="report.file"), verdict=VERDICT)
_OUTCOME = js.Record(
    decided=js.each(_DECISION)(
        "Entries that a plan kept or escalated, so they are in no batch; oldest first.",
        of="report.resting",
    ),
    decided_summary=js.TEXT.if_any(
        "Summary of `decided` in words; null if it is empty.", of=verdict_words.resting
    ),
    escalated=js.BOOL,
    starved_since=js.DAY.or_null,
    due_since=js.DAY.or_null("The active day on which the file became due; null if it is not due."),
    next=js.TEXT.or_null(_NEXT, of=verdict_words.next_step),
    switched_off=js.BOOL("True if due = false is configured."),
    forecast=_FORECAST.or_null,
    as_of=js.DAY.or_null(of="report.activity.as_of"),
)
_NOTED = js.Record(
    lower_bound=js.BOOL(of="report.shallow"), notes=js.each(js.TEXT)(of="report.notes")
)


DUE_FILE = js.Record(
    **_JUDGED.at("verdict").fields,
    conditions=js.each(_CONDITION)(of=lambda one: one.verdict.conditions.listed),
    batch=js.each(_DUE_ENTRY)("Oldest first."),
    **_OUTCOME.at("verdict").fields,
    **_NOTED.at("verdict").fields,
)
DUE_FORM = js.Record(
    form=js.TEXT(of="form.name"),
    path=js.TEXT,
    needs_action=js.BOOL,
    reason=js.TEXT("The reason for needs_action."),
    next=js.TEXT.or_null("The command to run next; null if no action is needed."),
)
_MEMORY = js.Record(
    path=js.TEXT,
    active=js.by_name(js.COUNT)("Active entries by the key of their file."),
    near_archive=js.COUNT("Active entries with a confidence below 0.35."),
    waiting=js.each(js.TEXT)("Observations files that are not captured yet."),
)
_TIERS = js.Record(
    folder=js.TEXT,
    valid=js.COUNT,
    new=js.COUNT,
    due=js.BOOL,
    auto_compact=js.BOOL,
    problem=js.TEXT.or_null("Why the folder cannot be read."),
)
DUE_VERDICTS = js.Head("due/1", "due").document(
    files=js.each(DUE_FILE),
    forms=js.each(DUE_FORM)("Memory of other forms; empty with FILE or --at."),
    memory=js.Kind(_MEMORY.schema)(
        "Numbers of a confidence memory, which is never due.",
        of=lambda one: one.details.get("memory", js.ABSENT),
        required=False,
    ),
    tiers=js.Kind(_TIERS.schema | js.CLOSED)(
        "Numbers of learning tiers, if the repository has them.",
        of=lambda one: one.details.get("tiers", js.ABSENT),
        required=False,
    ),
)

_BRIEF_FILE = js.Record(
    _JUDGED,
    reason=js.TEXT(of=verdict_words.reason),
    batch=js.COUNT("Number of entries in the batch.", of="batch"),
    kept=js.COUNT(
        "Entries that rest because a plan kept them.",
        of=lambda verdict: sum(one.days_left is not None for one in verdict.report.resting),
    ),
    waiting=js.COUNT(
        "Escalated entries, which wait for a person.",
        of=lambda verdict: sum(one.days_left is None for one in verdict.report.resting),
    ),
    next=js.TEXT.or_null(_NEXT, of=verdict_words.next_step),
)
DUE_BRIEF = js.Head("due-brief/1", "due --brief").document(
    files=js.each(_BRIEF_FILE)(of="verdicts"),
    forms=js.each(DUE_FORM)("Memory of other forms, as in learnings.due/1."),
)
_BATCH_ENTRY = js.Record(
    ROW,
    added=js.DAY.or_null(of="age.origin.date"),
    **_AGED.fields,
    references=_OF_ENTRY,
    used=USE.or_null("As in learnings.ages; null if unknown.", of="use"),
    text=js.TEXT("Source of the entry, unchanged.", of="entry.text"),
)
BATCH = js.Head("batch/1", "batch FILE", several=True).document(
    **_JUDGED.at("verdict").fields,
    **_NOTED.at("verdict").fields,
    entries=js.each(_BATCH_ENTRY)("Oldest first.", of="batch"),
)

_EVENING = js.Record(
    day=js.DAY,
    commit=js.COMMIT,
    verdict=VERDICT,
    escalated=js.BOOL,
    lines=js.COUNT,
    staleness=js.COUNT.or_null,
    batch=js.COUNT,
    words=js.COUNT("Words of the file.", required=False),
    tokens=js.COUNT("Estimated: bytes / 3.8, rounded up.", required=False),
)
_EPISODE = js.Record(verdict=VERDICT, first=js.DAY, last=js.DAY, active_days=js.LINE)
_CONSOLIDATION = js.Record(
    commit=js.COMMIT(of="consolidation.commit"),
    date=js.DAY(of="consolidation.date"),
    removed=js.LINE(of="consolidation.removed"),
    ended=js.DAY.or_null("The day on which a commit reverted it.", of="consolidation.ended"),
    before=_EVENING.or_null,
    overdue=js.COUNT,
)
REPLAY_FILE = js.Record(
    file=js.TEXT,
    lower_bound=js.BOOL(
        "The history is incomplete: batch, staleness and overdue are lower bounds."
    ),
    notes=js.each(js.TEXT),
    evenings=js.each(_EVENING)(of="daily_verdicts"),
    episodes=js.each(_EPISODE),
    consolidations=js.each(_CONSOLIDATION),
)
REPLAY = js.Head("replay/1", "due --replay").document(files=js.each(REPLAY_FILE)(of=js.itself))
