"""Documents about a whole repository or several: report, fleet, doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import learnings
from learnings.app.fleet import FLEET_SCHEMA, STATES
from learnings.core.cost import total
from learnings.surfaces.render.entry_results import JudgedFile
from learnings.surfaces.render.results import AgesResult, FileGroups
from learnings.surfaces.schemas import fields as js
from learnings.surfaces.schemas.checks import FINDINGS
from learnings.surfaces.schemas.entries import AGES, DUE_FILE, DUE_FORM, REFERENCES, REPLAY_FILE
from learnings.surfaces.schemas.proposals import GROUPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnings.app.fleet import Fleet, RepositoryRow
    from learnings.app.memory_report import FileReport, FormReport, IndexReport, MemoryReport
    from learnings.app.setup.doctor import SetupItem, SetupReport
    from learnings.check.session_cost import SessionCost
    from learnings.core.cost import Cost


def _judged(file: FileReport) -> JudgedFile | None:
    verdict = file.overview.verdict
    return verdict and JudgedFile(verdict, file.evidence)


_FILE: js.Record[FileReport] = js.Record(
    file=js.TEXT(of=lambda file: file.overview.path),
    problem=js.TEXT.or_null(
        "Why there is no verdict; due, ages, replay and groups are null then.",
        of=lambda file: file.overview.problem,
    ),
    due=js.part(DUE_FILE.write).or_null("A file of learnings.due/1.", of=_judged),
    ages=js.part(AGES.record.document).or_null(
        "A document learnings.ages/2.",
        of=lambda file: file.overview.verdict and AgesResult(file.overview.verdict.report),
    ),
    replay=js.part(REPLAY_FILE.write).or_null("A file of learnings.replay/1."),
    groups=js.part(GROUPS.record.document).or_null(
        "A document learnings.groups/1, without neighbours.",
        of=lambda file: file.grouping and FileGroups(file.overview.path, file.grouping),
    ),
)
_COST: js.Record[Cost] = js.Record(
    words=js.COUNT("Runs of characters between blanks; each character of a script without spaces."),
    tokens=js.COUNT("An estimate: bytes / 3.8, rounded up."),
)
_NAMED_COST: js.Record[tuple[str, Cost]] = _COST.at(lambda pair: pair[1])
_FILE_COST: js.Record[tuple[str, Cost]] = js.Record(
    path=js.TEXT(of=lambda pair: pair[0]), **_NAMED_COST.fields
)
_AGENT_TOTAL: js.Record[tuple[str, Mapping[str, Cost]]] = _COST.at(
    lambda pair: total(pair[1].values())
)
_AGENT_COST: js.Record[tuple[str, Mapping[str, Cost]]] = js.Record(
    agent=js.TEXT(of=lambda pair: pair[0]),
    **_AGENT_TOTAL.fields,
    files=js.each(_FILE_COST)(of=lambda pair: pair[1].items()),
)
_TOTAL: js.Record[SessionCost] = _COST.at(lambda cost: cost.total)
_SESSION_COST: js.Record[SessionCost] = js.Record(
    _TOTAL,
    agents=js.each(_AGENT_COST)(
        "What a session of each agent with instructions here loads; the first is the total.",
        of=lambda cost: cost.agents.items(),
    ),
)
_TARGET: js.Record[Any] = js.Record(path=js.TEXT, lines=js.COUNT, limit=js.COUNT)
_RULE_COUNT: js.Record[tuple[str, int]] = js.Record(
    rule=js.TEXT(of=lambda pair: pair[0]), count=js.LINE(of=lambda pair: pair[1])
)
_INDEX: js.Record[IndexReport] = js.Record(
    path=js.TEXT,
    rows=js.COUNT.or_null(
        "null for an index without a form that `index-form` knows, or that cannot be read."
    ),
    findings=js.each(_RULE_COUNT),
)
_STATUS: js.Record[FormReport] = DUE_FORM.at(lambda form: form.status)
_FORM: js.Record[FormReport] = js.Record(
    _STATUS,
    files=js.each(js.TEXT)("The files that belong to it, from the root."),
    errors=js.COUNT.or_null(
        "Findings of its rules; null if it cannot be checked.",
        of=lambda form: form.findings and form.findings.errors,
    ),
    notices=js.COUNT.or_null(of=lambda form: form.findings and form.findings.notices),
)
REPORT: js.Document[MemoryReport] = js.Head("report/1", "report").document(
    name=js.TEXT("The name of the repository's folder."),
    as_of=js.DAY.or_null("The newest active day that counts."),
    problem=js.TEXT.or_null("Why files could not be checked.", of=lambda one: one.overview.problem),
    files=js.each(_FILE),
    cost=_SESSION_COST(
        "What a session loads at its start: instructions, and the memory that they name.",
        of=lambda one: one.overview.cost,
    ),
    targets=js.each(_TARGET),
    indexes=js.each(_INDEX),
    forms=js.each(_FORM)("Memory of other forms."),
    findings=js.part(FINDINGS.record.document).or_null(
        "A document learnings.findings/1.", of=lambda one: one.overview.report
    ),
    references=REFERENCES.or_null(
        "What learnings files, targets, instructions and files of memory folders refer to.",
        of=lambda one: one.overview.references,
    ),
)

_REPOSITORY: js.Record[RepositoryRow] = js.Record(
    name=js.TEXT("The path of the checkout, as it was named."),
    state=js.one_of(*STATES)(
        "unknown: it could not be judged; errors: rules find some; absent: there is no memory."
    ),
    reasons=js.each(js.TEXT)("Why; also why it could not be judged."),
    overdue=js.COUNT("Active days for which a file has been due, the longest where several are."),
    files=js.COUNT("Learnings files."),
    entries=js.COUNT,
    lines=js.COUNT,
    words=js.COUNT("Words of what a session loads."),
    tokens=js.COUNT("Estimated: bytes / 3.8, rounded up."),
    errors=js.COUNT,
    notices=js.COUNT,
    as_of=js.DAY.or_null("The newest active day."),
)
FLEET: js.Document[Fleet] = js.Head(
    FLEET_SCHEMA.removeprefix("learnings."), "fleet scan ."
).document(
    summary=js.counts(*STATES, "words", "tokens")(
        "How many repositories have each state, and what one session of each pays.",
        of=lambda fleet: {
            **{state: fleet.count(state) for state in STATES},
            "words": fleet.words,
            "tokens": fleet.tokens,
        },
    ),
    repositories=js.each(_REPOSITORY)("Most overdue first.", of=lambda fleet: fleet.rows),
)

_ITEM: js.Record[SetupItem] = js.Record(
    name=js.TEXT,
    state=js.one_of("yes", "no", "not-needed"),
    message=js.WORDS,
    command=js.TEXT.if_any("For a shell in `root`; null if none is needed, or an edit is."),
)
DOCTOR: js.Document[SetupReport] = js.Head("doctor/1", "doctor").document(
    root=js.TEXT("the repository's root"),
    version=js.TEXT("Of the program that printed this.", of=lambda _: learnings.__version__),
    revision=js.TEXT.if_any("The commit or tag that it is installed from; null if unknown."),
    missing=js.COUNT("Items with the state `no`."),
    items=js.each(_ITEM)("In the order in which to set them up."),
)
