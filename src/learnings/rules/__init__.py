"""The table of rules, and the function that runs them on a file.

A rule is a module named after its id, with `_` for `-`. It has ID, SEVERITY, ROLES, NEEDS, check(),
and a docstring for users. The module `index` has one object with the same attributes for each of
its rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module

from learnings.core.findings.finding import Finding, Severity
from learnings.core.markdown.line_kinds import IGNORE_MARK
from learnings.core.settings.rule_ids import RULE_IDS
from learnings.core.settings.setting_values import OFF, Settings
from learnings.rules import entries_gone, index, invalid_encoding
from learnings.rules.rule import CheckedFile, Rule, RuleInputs


def _rule(rule_id: str) -> Rule:
    if rule_id.startswith("index-"):
        name = rule_id.removeprefix("index-").replace("-", "_").upper()
        return getattr(index, name)  # type: ignore[no-any-return]  # all are rules
    module = import_module(f"{__name__}.{rule_id.replace('-', '_')}")
    rule: Rule = module.RULE
    rule.check, rule.__doc__ = module.check, module.__doc__
    return rule


RULES: tuple[Rule, ...] = tuple(map(_rule, RULE_IDS))

# Rules that also run on files that are not text.
_ABOUT_BYTES = (entries_gone.RULE, invalid_encoding.RULE)
_SEVERITIES = {rule.id: rule.severity for rule in RULES}


def check(
    file: CheckedFile, chosen: Sequence[Rule] | None = None, *, inputs: RuleInputs | None = None
) -> Iterator[Finding]:
    """Yield the findings of the chosen rules (default: all enabled), with configured severities.

    A rule that needs a missing input does not run. Findings that comments in the file ignore are
    left out. Data with NUL bytes is not text, so only few rules apply.
    """
    rules = enabled(file.settings) if chosen is None else chosen
    known: RuleInputs = inputs or {}
    findings = _findings(file, rules, known)
    if IGNORE_MARK.encode() in file.data or ("index" in known and bool(known["index"].ignores)):
        from learnings.rules.ignoring import unignored  # noqa: PLC0415  (most files ignore nothing)

        findings = unignored(file, findings, rules, known, table=RULES)
    levels = file.settings.rules
    return (_at_level(finding, levels) for finding in findings) if levels else findings


def enabled(settings: Settings) -> tuple[Rule, ...]:
    """Return the rules that run by default: all that no setting switches off."""
    return _enabled(settings.extra_rules, tuple(settings.rules.items()))


@lru_cache(maxsize=4)
def _enabled(extra_rules: tuple[str, ...], levels: tuple[tuple[str, str], ...]) -> tuple[Rule, ...]:
    extra = {rule.id for rule in RULES if rule.is_opt_in}.difference(extra_rules)
    off = dict.fromkeys(extra, OFF) | dict(levels)
    return tuple(rule for rule in RULES if off.get(rule.id) != OFF)


def _at_level(finding: Finding, levels: Mapping[str, str]) -> Finding:
    # Some rules with errors also give notices, such as "nearly full". These stay notices.
    level = levels.get(finding.rule, OFF)
    if level == OFF or finding.severity is not _SEVERITIES[finding.rule]:
        return finding
    return finding._replace(severity=Severity(level))


def _findings(file: CheckedFile, rules: Sequence[Rule], inputs: RuleInputs) -> Iterator[Finding]:
    for rule in rules:
        if ("obstacle" in inputs) != (rule.needs == "obstacle"):
            continue
        if rule.can_run(file, inputs) and (file.is_text or rule in _ABOUT_BYTES):
            needed = () if rule.needs is None else (inputs[rule.needs],)
            yield from rule.check(file, *needed)
