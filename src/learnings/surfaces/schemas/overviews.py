"""Documents about a whole repository or several: report, fleet, doctor."""

from __future__ import annotations

import learnings
from learnings.app.fleet import FLEET_SCHEMA, STATES
from learnings.core.cost import total
from learnings.surfaces.render.ages import AgesResult
from learnings.surfaces.render.due import JudgedFile
from learnings.surfaces.render.proposals import FileGroups
from learnings.surfaces.schemas import fields as js
from learnings.surfaces.schemas.checks import FINDINGS
from learnings.surfaces.schemas.entries import AGES, DUE_FILE, DUE_FORM, REFERENCES, REPLAY_FILE
from learnings.surfaces.schemas.proposals import GROUPS

_FILE = js.Record(
    file=js.TEXT(of="status.path"),
    problem=js.TEXT.or_null(
        "Why the file has no verdict; due, ages, replay and groups are then null.",
        of="status.problem",
    ),
    due=js.Kind({"type": "object"}, DUE_FILE.write).or_null(
        "A file of learnings.due/1.",
        of=lambda file: file.status.verdict and JudgedFile(file.status.verdict, file.evidence),
    ),
    ages=AGES.part.or_null(
        "A document learnings.ages/2.",
        of=lambda file: file.status.verdict and AgesResult(file.status.verdict.report),
    ),
    replay=js.Kind({"type": "object"}, REPLAY_FILE.write).or_null("A file of learnings.replay/1."),
    groups=GROUPS.part.or_null(
        "A document learnings.groups/1, without neighbours.",
        of=lambda file: file.grouping and FileGroups(file.status.path, file.grouping),
    ),
)
_COST = js.Record(
    words=js.COUNT("Words between spaces; in scripts without spaces, each character counts."),
    tokens=js.COUNT("An estimate: bytes / 3.8, rounded up."),
)
_FILE_COST = js.Record(path=js.TEXT(of=js.FIRST), **_COST.at(js.SECOND).fields)
_AGENT_COST = js.Record(
    agent=js.TEXT(of=js.FIRST),
    **_COST.at(lambda pair: total(pair[1].values())).fields,
    files=js.each(_FILE_COST)(of=lambda pair: pair[1].items()),
)
_SESSION_COST = js.Record(
    _COST.at("total"),
    agents=js.each(_AGENT_COST)(
        "Cost of a session for each agent with instructions here; the first is the total.",
        of=lambda cost: cost.agents.items(),
    ),
)
_TARGET = js.Record(path=js.TEXT, lines=js.COUNT, limit=js.COUNT)
_RULE_COUNT = js.Record(rule=js.TEXT(of=js.FIRST), count=js.LINE(of=js.SECOND))
_INDEX = js.Record(
    path=js.TEXT,
    rows=js.COUNT.or_null("Null for an index in an unknown form, or that cannot be read."),
    findings=js.each(_RULE_COUNT),
)
_FORM = js.Record(
    DUE_FORM.at("status"),
    files=js.each(js.TEXT)("Its files, relative to the root."),
    errors=js.COUNT.or_null(
        "Findings of its rules; null if it cannot be checked.", of="findings.errors"
    ),
    notices=js.COUNT.or_null(of="findings.notices"),
)
REPORT = js.Head("report/1", "report").document(
    name=js.TEXT("The name of the repository's folder."),
    as_of=js.DAY.or_null("The newest active day that counts."),
    problem=js.TEXT.or_null("Why files could not be checked.", of="overview.problem"),
    files=js.each(_FILE),
    cost=_SESSION_COST(
        "Cost of the files that a session loads at startup: instructions and the memory they name.",
        of="overview.cost",
    ),
    targets=js.each(_TARGET),
    indexes=js.each(_INDEX),
    forms=js.each(_FORM)("Memory of other forms."),
    findings=FINDINGS.part.or_null("A document learnings.findings/1.", of="overview.report"),
    references=REFERENCES.or_null(
        "References in learnings files, targets, instructions and files of memory folders.",
        of="overview.references",
    ),
)

_REPOSITORY = js.Record(
    name=js.TEXT("Path of the checkout, as given on the command line."),
    state=js.one_of(*STATES)(
        "unknown: it could not be judged; errors: rules find errors; absent: it has no memory."
    ),
    reasons=js.each(js.TEXT)("Reasons for the state."),
    overdue=js.COUNT(
        "Active days for which a file has been due, the highest number for several files."
    ),
    files=js.COUNT("Learnings files."),
    entries=js.COUNT,
    lines=js.COUNT,
    words=js.COUNT("Words that a session loads."),
    tokens=js.COUNT("Estimated: bytes / 3.8, rounded up."),
    errors=js.COUNT,
    notices=js.COUNT,
    as_of=js.DAY.or_null("The newest active day."),
)
FLEET = js.Head(FLEET_SCHEMA.removeprefix("learnings."), "fleet scan .").document(
    summary=js.counts(*STATES, "words", "tokens")(
        "Number of repositories in each state, and the cost of one session in each.",
        of=lambda fleet: {
            **{state: fleet.count(state) for state in STATES},
            "words": fleet.words,
            "tokens": fleet.tokens,
        },
    ),
    repositories=js.each(_REPOSITORY)("Most overdue first.", of="rows"),
)

_ITEM = js.Record(
    name=js.TEXT,
    state=js.one_of("yes", "no", "not-needed"),
    message=js.WORDS,
    command=js.TEXT.if_any(
        "For a shell in `root`; null if nothing is missing, or an edit is needed."
    ),
)
DOCTOR = js.Head("doctor/1", "doctor").document(
    root=js.TEXT("Root of the repository."),
    version=js.TEXT(
        "Version of the program that printed this.", of=lambda _: learnings.__version__
    ),
    revision=js.TEXT.if_any("Commit or tag of the installation; null if unknown."),
    missing=js.COUNT("Items with the state `no`."),
    items=js.each(_ITEM)("In the order in which to add them."),
)
