"""Documents about findings and rules: findings, baseline, rules, index."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from learnings.core.roles import Role
from learnings.surfaces.schemas.record_fields import Count, Keywords, Line, Url, Words, one_of

RuleId = Annotated[str, Keywords(pattern="^[a-z]+(-[a-z]+)*$")]
SeverityName = Annotated[str, one_of("error", "notice")]
Fingerprint = Annotated[str, Keywords(pattern="^[0-9a-f]{16}$")]
OneBased = Annotated[Line, "1-based"]


class LineEdit(TypedDict):
    line: OneBased
    old: Annotated[str, "The whole line with its end"]
    new: Annotated[str, "What it will be"]


class FindingFix(TypedDict):
    does: Annotated[Words, "A clause"]
    edits: Annotated[
        list[LineEdit], "Empty where the file is fixed as a whole, as the memory index"
    ]


class CheckFinding(TypedDict):
    rule: RuleId
    severity: SeverityName
    path: Annotated[Words, "From the root of the repository, with /; absolute for a file outside"]
    line: OneBased
    column: Annotated[Line, "1-based, in characters"]
    message: Annotated[Words, "One line"]
    fix: Annotated[
        FindingFix | None, "What learnings fix does about it; null where it does nothing"
    ]
    fingerprint: Annotated[Fingerprint, "The same in a later run, also when lines have moved"]
    url: Annotated[Url | None, "Where the rule is documented; null until the project has a home"]


class CheckSummary(TypedDict):
    errors: Count
    notices: Count
    known: Annotated[Count, "Findings that the baseline knows; they are not in the list"]
    files: Annotated[Count, "Files looked at"]


class FindingsDocument(TypedDict):
    schema: Literal["learnings.findings/1"]
    findings: Annotated[list[CheckFinding], "In the order of path, line and column"]
    summary: CheckSummary


class BaselineFinding(TypedDict):
    path: Annotated[Words, "From the root of the repository, with /"]
    rule: RuleId
    about: Annotated[str, "The text that it is about, shortened; empty for the whole file"]
    severity: SeverityName
    fingerprint: Annotated[Fingerprint, "What a later run compares"]


class BaselineDocument(TypedDict):
    schema: Literal["learnings.baseline/1"]
    findings: Annotated[list[BaselineFinding], "In the order of path, rule and text"]


class RuleRow(TypedDict):
    id: RuleId
    severity: Annotated[SeverityName, "The highest of its findings"]
    roles: Annotated[
        list[Annotated[str, one_of(*(role.value for role in Role), "none")]],
        Keywords(minItems=1, uniqueItems=True),
        "Of the files it looks at; none is a file without a role",
    ]
    extra: Annotated[bool, "Off unless the configuration switches it on"]
    history: Annotated[bool, "Only with --history"]
    says: Annotated[Words, "What it finds, a sentence"]
    url: Annotated[Url | None, "Where it is documented; null until the project has a home"]


class RulesDocument(TypedDict):
    schema: Literal["learnings.rules/1"]
    rules: Annotated[list[RuleRow], "In the order of their ids"]


class IndexHeading(TypedDict):
    title: Words
    level: Annotated[int, Keywords(minimum=1, maximum=6)]
    line: OneBased
    last_line: Annotated[Line, "1-based; the last line above the next heading that is not deeper"]
    structural: Annotated[
        bool, "Whether the title starts with a dot, so that no index has a row for it"
    ]


class IndexDocument(TypedDict):
    schema: Literal["learnings.index/1"]
    file: Annotated[str, "FILE as it was given"]
    headings: Annotated[
        list[IndexHeading], "In the order of the lines; those without words are left out"
    ]
