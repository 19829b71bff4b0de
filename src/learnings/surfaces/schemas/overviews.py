"""Documents about a whole repository or several: report, fleet, doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import learnings
from learnings.app.fleet import FLEET_SCHEMA, STATES
from learnings.core.cost import total
from learnings.surfaces.render.results import AgesResult, FileGroups, JudgedFile
from learnings.surfaces.schemas.checks import FINDINGS
from learnings.surfaces.schemas.entries import AGES, DUE_FILE, DUE_FORM, REFERENCES, REPLAY_FILE
from learnings.surfaces.schemas.fields import (
    COUNT,
    DAY,
    LINE,
    TEXT,
    WORDS,
    Document,
    Record,
    counts,
    each,
    one_of,
    part,
)
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


_FILE: Record[FileReport] = Record(
    file=TEXT(of=lambda file: file.overview.path),
    problem=TEXT.or_null(
        "Why there is no verdict; due, ages, replay and groups are null then.",
        of=lambda file: file.overview.problem,
    ),
    due=part(DUE_FILE.write).or_null("A file of learnings.due/1.", of=_judged),
    ages=part(AGES.document).or_null(
        "A document learnings.ages/2.",
        of=lambda file: file.overview.verdict and AgesResult(file.overview.verdict.report),
    ),
    replay=part(REPLAY_FILE.write).or_null("A file of learnings.replay/1."),
    groups=part(GROUPS.document).or_null(
        "A document learnings.groups/1, without neighbours.",
        of=lambda file: file.grouping and FileGroups(file.overview.path, file.grouping),
    ),
)
_COST: Record[Cost] = Record(
    words=COUNT("Runs of characters between blanks; each character of a script without spaces."),
    tokens=COUNT("An estimate: bytes / 3.8, rounded up."),
)
_NAMED_COST: Record[tuple[str, Cost]] = _COST.at(lambda pair: pair[1])
_FILE_COST: Record[tuple[str, Cost]] = Record(
    path=TEXT(of=lambda pair: pair[0]), **_NAMED_COST.fields
)
_AGENT_TOTAL: Record[tuple[str, Mapping[str, Cost]]] = _COST.at(
    lambda pair: total(pair[1].values())
)
_AGENT_COST: Record[tuple[str, Mapping[str, Cost]]] = Record(
    agent=TEXT(of=lambda pair: pair[0]),
    **_AGENT_TOTAL.fields,
    files=each(_FILE_COST)(of=lambda pair: pair[1].items()),
)
_TOTAL: Record[SessionCost] = _COST.at(lambda cost: cost.total)
_SESSION_COST: Record[SessionCost] = Record(
    _TOTAL,
    agents=each(_AGENT_COST)(
        "What a session of each agent with instructions here loads; the first is the total.",
        of=lambda cost: cost.agents.items(),
    ),
)
_TARGET: Record[Any] = Record(path=TEXT, lines=COUNT, limit=COUNT)
_RULE_COUNT: Record[tuple[str, int]] = Record(
    rule=TEXT(of=lambda pair: pair[0]), count=LINE(of=lambda pair: pair[1])
)
_INDEX: Record[IndexReport] = Record(
    path=TEXT,
    rows=COUNT.or_null(
        "null for an index without a form that `index-form` knows, or that cannot be read."
    ),
    findings=each(_RULE_COUNT),
)
_STATUS: Record[FormReport] = DUE_FORM.at(lambda form: form.status)
_FORM: Record[FormReport] = Record(
    _STATUS,
    files=each(TEXT)("The files that belong to it, from the root."),
    errors=COUNT.or_null(
        "Findings of its rules; null if it cannot be checked.",
        of=lambda form: form.findings and form.findings.errors,
    ),
    notices=COUNT.or_null(of=lambda form: form.findings and form.findings.notices),
)
REPORT: Document[MemoryReport] = Document(
    "report/1",
    "report",
    name=TEXT("The name of the repository's folder."),
    as_of=DAY.or_null("The newest active day that counts."),
    problem=TEXT.or_null("Why files could not be checked.", of=lambda one: one.overview.problem),
    files=each(_FILE),
    cost=_SESSION_COST(
        "What a session loads at its start: instructions, and the memory that they name.",
        of=lambda one: one.overview.cost,
    ),
    targets=each(_TARGET),
    indexes=each(_INDEX),
    forms=each(_FORM)("Memory of other forms."),
    findings=part(FINDINGS.document).or_null(
        "A document learnings.findings/1.", of=lambda one: one.overview.report
    ),
    references=REFERENCES.or_null(
        "What learnings files, targets, instructions and files of memory folders refer to.",
        of=lambda one: one.overview.references,
    ),
)

_REPOSITORY: Record[RepositoryRow] = Record(
    name=TEXT("The path of the checkout, as it was named."),
    state=one_of(*STATES)(
        "unknown: it could not be judged; errors: rules find some; absent: there is no memory."
    ),
    reasons=each(TEXT)("Why; also why it could not be judged."),
    overdue=COUNT("Active days for which a file has been due, the longest where several are."),
    files=COUNT("Learnings files."),
    entries=COUNT,
    lines=COUNT,
    words=COUNT("Words of what a session loads."),
    tokens=COUNT("Estimated: bytes / 3.8, rounded up."),
    errors=COUNT,
    notices=COUNT,
    as_of=DAY.or_null("The newest active day."),
)
FLEET: Document[Fleet] = Document(
    FLEET_SCHEMA.removeprefix("learnings."),
    "fleet scan .",
    summary=counts(*STATES, "words", "tokens")(
        "How many repositories have each state, and what one session of each pays.",
        of=lambda fleet: {
            **{state: fleet.count(state) for state in STATES},
            "words": fleet.words,
            "tokens": fleet.tokens,
        },
    ),
    repositories=each(_REPOSITORY)("Most overdue first.", of=lambda fleet: fleet.rows),
)

_ITEM: Record[SetupItem] = Record(
    name=TEXT,
    state=one_of("yes", "no", "not-needed"),
    message=WORDS,
    command=TEXT.if_any("For a shell in `root`; null if none is needed, or an edit is."),
)
DOCTOR: Document[SetupReport] = Document(
    "doctor/1",
    "doctor",
    root=TEXT("the repository's root"),
    version=TEXT("Of the program that printed this.", of=lambda _: learnings.__version__),
    revision=TEXT.if_any("The commit or tag that it is installed from; null if unknown."),
    missing=COUNT("Items with the state `no`."),
    items=each(_ITEM)("In the order in which to set them up."),
)
