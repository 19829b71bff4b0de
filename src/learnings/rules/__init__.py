"""The rules: one module each, named by the rule's id with `_` for `-`, or one for a family.

What there is to say about a rule stands in its module: ID, SEVERITY, ROLES, NEEDS, the docstring
for its users, and check(). A family that shares a check, as `index`, has a value for each rule with
the same attributes. Here is the table of all, and the way of one file through them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from learnings.core.findings.finding import Finding, Severity
from learnings.core.markdown.line_kinds import IGNORE_MARK
from learnings.core.settings.setting_values import OFF, Settings
from learnings.rules import (
    agent_default_number,
    agent_embedded_copy,
    agent_front_matter,
    agent_missing_file,
    agent_unknown_command,
    conflict_marker,
    date_mismatch,
    dialect_doubtful,
    dialect_mixed,
    dialect_unknown,
    duplicate_entry,
    entries_gone,
    entries_in_comment,
    entry_heading_malformed,
    entry_title_empty,
    entry_title_form,
    ephemeral_path,
    final_newline,
    ignore_without_reason,
    index,
    invalid_encoding,
    line_limit,
    load_limit,
    merge_damage,
    orphan_content,
    replacement_characters,
    resurrected_entry,
    section_without_content,
    setext_entry,
    soft_limit,
    unclosed_comment,
    unclosed_fence,
    unused_ignore,
)
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import Needs, Rule, RuleInputs, can_run, is_opt_in

RULES: tuple[Rule, ...] = (
    agent_default_number,
    agent_embedded_copy,
    agent_front_matter,
    agent_missing_file,
    agent_unknown_command,
    conflict_marker,
    date_mismatch,
    dialect_doubtful,
    dialect_mixed,
    dialect_unknown,
    duplicate_entry,
    entries_gone,
    entries_in_comment,
    entry_heading_malformed,
    entry_title_empty,
    entry_title_form,
    ephemeral_path,
    final_newline,
    ignore_without_reason,
    index.AMBIGUOUS_HEADING,
    index.COLLISION,
    index.DUPLICATE_ROW,
    index.MISSING_FILE,
    index.MISSING_ROW,
    index.ORDER,
    index.ORPHAN_ROW,
    index.ROW_FORM,
    index.STALE_LINE_NUMBER,
    index.STRUCTURAL_ROW,
    index.WRONG_SECTION,
    invalid_encoding,
    line_limit,
    load_limit,
    merge_damage,
    orphan_content,
    replacement_characters,
    resurrected_entry,
    section_without_content,
    setext_entry,
    soft_limit,
    unclosed_comment,
    unclosed_fence,
    unused_ignore,
)

# The rules for files that are no text, too.
_ABOUT_BYTES = (entries_gone, invalid_encoding)
_SEVERITIES = {rule.ID: rule.SEVERITY for rule in RULES}


def check(
    file: CheckedFile, chosen: Sequence[Rule] | None = None, *, inputs: RuleInputs | None = None
) -> Iterator[Finding]:
    """Give the findings of the chosen rules, those of them that look at files of this role.

    By default these are all that are enabled. A rule that needs what is not in the inputs is left
    out, and so is what comments in the file ignore. Data with NUL bytes is not text, and what other
    rules would say about it is meaningless. Findings are as severe as the settings say.
    """
    rules = enabled(file.settings) if chosen is None else chosen
    known: RuleInputs = inputs or {}
    findings = _findings(file, rules, known)
    if _may_ignore(file, known):
        from learnings.rules.ignoring import unignored  # noqa: PLC0415  (most files ignore nothing)

        findings = unignored(file, findings, rules, known, table=RULES)
    levels = file.settings.rules
    return (_at_level(finding, levels) for finding in findings) if levels else findings


def enabled(settings: Settings) -> tuple[Rule, ...]:
    """Return the rules that run where none is chosen: those that no setting switches off."""
    return _enabled(settings.extra_rules, tuple(settings.rules.items()))


@lru_cache(maxsize=4)
def _enabled(extra_rules: tuple[str, ...], levels: tuple[tuple[str, str], ...]) -> tuple[Rule, ...]:
    extra = {rule.ID for rule in RULES if is_opt_in(rule)}.difference(extra_rules)
    off = dict.fromkeys(extra, OFF) | dict(levels)
    return tuple(rule for rule in RULES if off.get(rule.ID) != OFF)


def _at_level(finding: Finding, levels: Mapping[str, str]) -> Finding:
    """Return a finding as severe as its rule is set to be.

    Only findings of the rule's own severity change: the notices of a rule that also has errors, a
    file that is nearly full for one, are never made errors.
    """
    level = levels.get(finding.rule, OFF)
    if level == OFF or finding.severity is not _SEVERITIES[finding.rule]:
        return finding
    return finding._replace(severity=Severity(level))


def _findings(file: CheckedFile, rules: Sequence[Rule], inputs: RuleInputs) -> Iterator[Finding]:
    by_key: Mapping[str, object] = {**inputs}
    for rule in rules:
        if can_run(rule, file, inputs) and (file.is_text or rule in _ABOUT_BYTES):
            needed = () if rule.NEEDS is Needs.FILE else (by_key[rule.NEEDS.value],)
            yield from rule.check(file, *needed)


def _may_ignore(file: CheckedFile, inputs: RuleInputs) -> bool:
    """Return True if there may be a comment that ignores a rule, in this file or one it lists."""
    return IGNORE_MARK.encode() in file.data or (
        "index" in inputs and bool(inputs["index"].ignores)
    )
