"""Documents about findings and rules: findings, baseline, rules, index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnings.core.findings.baseline import BASELINE_SCHEMA
from learnings.core.roles import Role
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.schemas.fields import (
    BOOL,
    COUNT,
    INTEGER,
    LINE,
    TEXT,
    URL,
    WORDS,
    Document,
    Kind,
    Record,
    each,
    one_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnings.core.findings.finding import CheckReport, Finding, Fix
    from learnings.index.headings import Heading
    from learnings.rules.rule import Rule
    from learnings.surfaces.render.results import FileHeadings

_RULE = TEXT.but(pattern="^[a-z]+(-[a-z]+)*$")
_SEVERITY = Kind(one_of("error", "notice").schema, lambda severity: severity.value)
_FINGERPRINT = TEXT.but(pattern="^[0-9a-f]{16}$")
_LINE = LINE.but(description="1-based")

_EDIT: Record[Any] = Record(
    line=_LINE, old=TEXT("The whole line with its end"), new=TEXT("What it will be")
)
_FIX: Record[Fix] = Record(
    does=WORDS("A clause"),
    edits=each(_EDIT)("Empty where the file is fixed as a whole, as the memory index"),
)
_PATH = "From the root of the repository, with /"
_OWN: Record[Finding] = Record(
    rule=_RULE,
    severity=_SEVERITY,
    path=WORDS(f"{_PATH}; absolute for a file outside"),
    line=_LINE,
    column=LINE("1-based, in characters"),
    message=WORDS("One line"),
    fix=_FIX.or_null("What learnings fix does about it; null where it does nothing"),
)
_PRINTED: Record[tuple[Finding, str]] = _OWN.at(lambda pair: pair[0])
_FINDING: Record[tuple[Finding, str]] = Record(
    _PRINTED,
    fingerprint=_FINGERPRINT(
        "The same in a later run, also when lines have moved", of=lambda pair: pair[1]
    ),
    url=URL.or_null(
        "Where the rule is documented; null until the project has a home",
        of=lambda pair: rule_link(pair[0].rule),
    ),
)
_SUMMARY: Record[CheckReport] = Record(
    errors=COUNT,
    notices=COUNT,
    known=COUNT(
        "Findings that the baseline knows; they are not in the list",
        of=lambda report: len(report.known),
    ),
    files=COUNT("Files looked at"),
)
FINDINGS: Document[CheckReport] = Document(
    "findings/1",
    "check",
    findings=each(_FINDING)(
        "In the order of path, line and column", of=lambda report: report.with_fingerprints()
    ),
    summary=_SUMMARY(of=lambda report: report),
)

_KNOWN: Record[Any] = Record(
    path=WORDS(_PATH),
    rule=_RULE,
    about=TEXT("The text that it is about, shortened; empty for the whole file"),
    severity=_SEVERITY,
    fingerprint=_FINGERPRINT("What a later run compares"),
)
BASELINE: Document[Any] = Document(
    BASELINE_SCHEMA.removeprefix("learnings."),
    "",
    title="The file in which `learnings baseline` records findings",
    findings=each(_KNOWN)("In the order of path, rule and text"),
)

_RULES_ROW: Record[Rule] = Record(
    id=_RULE,
    severity=_SEVERITY("The highest of its findings"),
    roles=each(one_of(*(role.value for role in Role), "none"), minItems=1, uniqueItems=True)(
        "Of the files it looks at; none is a file without a role", of=lambda rule: rule.role_names
    ),
    extra=BOOL("Off unless the configuration switches it on", of=lambda rule: rule.is_opt_in),
    history=BOOL("Only with --history", of=lambda rule: rule.needs_history),
    says=WORDS("What it finds, a sentence"),
    url=URL.or_null(
        "Where it is documented; null until the project has a home",
        of=lambda rule: rule_link(rule.id),
    ),
)
RULES_DOCUMENT: Document[Sequence[Rule]] = Document(
    "rules/1", "rules", rules=each(_RULES_ROW)("In the order of their ids", of=lambda rules: rules)
)

_HEADING: Record[Heading] = Record(
    title=WORDS,
    level=INTEGER.but(minimum=1, maximum=6),
    line=_LINE,
    last_line=LINE(
        "1-based; the last line above the next heading that is not deeper",
        of=lambda heading: heading.last,
    ),
    structural=BOOL(
        "Whether the title starts with a dot, so that no index has a row for it",
        of=lambda heading: heading.title.startswith("."),
    ),
)
INDEX: Document[FileHeadings] = Document(
    "index/1",
    "index FILE",
    file=TEXT("FILE as it was given"),
    headings=each(_HEADING)("In the order of the lines; those without words are left out"),
)
