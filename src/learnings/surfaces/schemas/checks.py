"""Documents about findings and rules: findings, baseline, rules, index."""

from __future__ import annotations

from learnings.core.findings.baseline import BASELINE_SCHEMA
from learnings.core.roles import Role
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.schemas import fields as js

_RULE = js.TEXT.but(pattern="^[a-z]+(-[a-z]+)*$")
_SEVERITY = js.Kind(js.one_of("error", "notice").schema, lambda severity: severity.value)
_FINGERPRINT = js.TEXT.but(pattern="^[0-9a-f]{16}$")
_LINE = js.LINE.but(description="1-based")

_EDIT = js.Record(
    line=_LINE, old=js.TEXT("The whole line with its end"), new=js.TEXT("The new line with its end")
)
_FIX = js.Record(
    does=js.WORDS("A clause"),
    edits=js.each(_EDIT)("Empty if the fix rewrites a file as a whole, such as the memory index"),
)
_PATH = "From the root of the repository, with /"
_OWN = js.Record(
    rule=_RULE,
    severity=_SEVERITY,
    path=js.WORDS(f"{_PATH}; absolute for a file outside of it"),
    line=_LINE,
    column=js.LINE("1-based, in characters"),
    message=js.WORDS("One line"),
    fix=_FIX.or_null("The fix that `learnings fix` applies, or null"),
)
_FINDING = js.Record(
    _OWN.at(js.FIRST),
    fingerprint=_FINGERPRINT("Stays the same in later runs, even if lines move", of=js.SECOND),
    url=js.URL.or_null(
        "Documentation of the rule; null until the project has a URL",
        of=lambda pair: rule_link(pair[0].rule),
    ),
)
_SUMMARY = js.Record(
    errors=js.COUNT,
    notices=js.COUNT,
    known=js.COUNT("Findings in the baseline, which are not listed", of="known"),
    files=js.COUNT("Number of checked files"),
)
FINDINGS = js.Head("findings/1", "check").document(
    findings=js.each(_FINDING)(
        "In the order of path, line and column", of=lambda report: report.with_fingerprints()
    ),
    summary=_SUMMARY(of=js.itself),
)

_KNOWN = js.Record(
    path=js.WORDS(_PATH),
    rule=_RULE,
    about=js.TEXT("The text that the finding is about, shortened; empty for the whole file"),
    severity=_SEVERITY,
    fingerprint=_FINGERPRINT("Identifies the finding in later runs"),
)
BASELINE = js.Head(
    BASELINE_SCHEMA.removeprefix("learnings."),
    title="The file that `learnings baseline` writes",
).document(findings=js.each(_KNOWN)("In the order of path, rule and text"))

_RULES_ROW = js.Record(
    id=_RULE,
    severity=_SEVERITY("The highest severity of its findings"),
    roles=js.each(js.one_of(*(role.value for role in Role), "none"), minItems=1, uniqueItems=True)(
        "Roles of the files that it checks; none is a file without a role", of="role_names"
    ),
    extra=js.BOOL("Off by default", of="is_opt_in"),
    history=js.BOOL("Only with --history", of="needs_history"),
    says=js.WORDS("A sentence about the problem that it finds"),
    url=js.URL.or_null(
        "Documentation of the rule; null until the project has a URL",
        of=lambda rule: rule_link(rule.id),
    ),
)
RULES_DOCUMENT = js.Head("rules/1", "rules").document(
    rules=js.each(_RULES_ROW)("In the order of their ids", of=js.itself)
)

_HEADING = js.Record(
    title=js.WORDS,
    level=js.INTEGER.but(minimum=1, maximum=6),
    line=_LINE,
    last_line=js.LINE(
        "1-based; the last line above the next heading that is not deeper", of="last"
    ),
    structural=js.BOOL(
        "Whether the title starts with a dot, so that no index has a row for it",
        of=lambda heading: heading.title.startswith("."),
    ),
)
INDEX = js.Head("index/1", "index FILE").document(
    file=js.TEXT("FILE as given on the command line"),
    headings=js.each(_HEADING)("In the order of the lines, without empty headings"),
)
