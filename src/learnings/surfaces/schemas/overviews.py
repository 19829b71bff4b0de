"""Documents about a whole repository or several: report, fleet."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from learnings.surfaces.schemas.entries import DueForm, ReferencesFields
from learnings.surfaces.schemas.record_fields import Count, Day, Line, Part, Words, one_of


class ReportFile(TypedDict):
    file: str
    problem: Annotated[
        str | None, "Why there is no verdict; due, ages, replay and groups are null then."
    ]
    due: Annotated[Part | None, "A file of learnings.due/1."]
    ages: Annotated[Part | None, "A document learnings.ages/2."]
    replay: Annotated[Part | None, "A file of learnings.replay/1."]
    groups: Annotated[Part | None, "A document learnings.groups/1, without neighbours."]


class ReportCost(TypedDict):
    words: Annotated[
        Count, "Runs of characters between blanks; each character of a script without spaces."
    ]
    tokens: Annotated[Count, "An estimate: bytes / 3.8, rounded up."]


class ReportFileCost(ReportCost):
    path: str


class ReportAgentCost(ReportCost):
    agent: str
    files: list[ReportFileCost]


class ReportSessionCost(ReportCost):
    agents: Annotated[
        list[ReportAgentCost],
        "What a session of each agent with instructions here loads; the first is the total.",
    ]


class ReportTarget(TypedDict):
    path: str
    lines: Count
    limit: Count


class ReportRuleCount(TypedDict):
    rule: str
    count: Line


class ReportIndex(TypedDict):
    path: str
    rows: Annotated[
        Count | None,
        "null for an index without a form that `index-form` knows, or that cannot be read.",
    ]
    findings: list[ReportRuleCount]


class ReportForm(DueForm):
    files: Annotated[list[str], "The files that belong to it, from the root."]
    errors: Annotated[Count | None, "Findings of its rules; null if it cannot be checked."]
    notices: Count | None


class ReportDocument(TypedDict):
    schema: Literal["learnings.report/1"]
    name: Annotated[str, "The name of the repository's folder."]
    as_of: Annotated[Day | None, "The newest active day that counts."]
    problem: Annotated[str | None, "Why files could not be checked."]
    files: list[ReportFile]
    cost: Annotated[
        ReportSessionCost,
        "What a session loads at its start: instructions, and the memory that they name.",
    ]
    targets: list[ReportTarget]
    indexes: list[ReportIndex]
    forms: Annotated[list[ReportForm], "Memory of other forms."]
    findings: Annotated[Part | None, "A document learnings.findings/1."]
    references: Annotated[
        ReferencesFields | None,
        "What learnings files, targets, instructions and files of memory folders refer to.",
    ]


class FleetSummary(TypedDict):
    due: Count
    unknown: Count
    errors: Count
    starved: Count
    healthy: Count
    absent: Count
    words: Count
    tokens: Count


class FleetRepository(TypedDict):
    name: Annotated[str, "The path of the checkout, as it was named."]
    state: Annotated[
        str,
        one_of("due", "unknown", "errors", "starved", "healthy", "absent"),
        "unknown: it could not be judged; errors: rules find some; absent: there is no memory.",
    ]
    reasons: Annotated[list[str], "Why; also why it could not be judged."]
    overdue: Annotated[
        Count, "Active days for which a file has been due, the longest where several are."
    ]
    files: Annotated[Count, "Learnings files."]
    entries: Count
    lines: Count
    words: Annotated[Count, "Words of what a session loads."]
    errors: Count
    notices: Count
    as_of: Annotated[Day | None, "The newest active day."]
    tokens: Annotated[Count, "Estimated: bytes / 3.8, rounded up."]


class FleetDocument(TypedDict):
    schema: Literal["learnings.fleet/1"]
    summary: Annotated[
        FleetSummary, "How many repositories have each state, and what one session of each pays."
    ]
    repositories: Annotated[list[FleetRepository], "Most overdue first."]


class DoctorItem(TypedDict):
    name: str
    state: Annotated[str, one_of("yes", "no", "not-needed")]
    message: Words
    command: Annotated[str | None, "For a shell in `root`; null if none is needed, or an edit is."]


class DoctorDocument(TypedDict):
    schema: Literal["learnings.doctor/1"]
    root: Annotated[str, "the repository's root"]
    version: Annotated[str, "Of the program that printed this."]
    revision: Annotated[str | None, "The commit or tag that it is installed from; null if unknown."]
    missing: Annotated[Count, "Items with the state `no`."]
    items: Annotated[list[DoctorItem], "In the order in which to set them up."]
