"""Findings that comments ignore are left out, and comments that ignore nothing are reported.

Loaded only for a file that has such a comment, or that lists a file which has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from learnings.core.findings.finding import Finding
from learnings.core.findings.ignores import Ignore, Unused, ignores_of
from learnings.core.text import nearest
from learnings.rules.checked_file import CheckedFile
from learnings.rules.conflict_marker import ID as CONFLICT_MARKER
from learnings.rules.rule import IgnoreFacts, Needs, Rule, RuleInputs, can_run


def unignored(
    file: CheckedFile,
    findings: Iterable[Finding],
    ran: Sequence[Rule],
    inputs: RuleInputs,
    *,
    table: Sequence[Rule],
) -> Iterator[Finding]:
    """Give the findings that no comment ignores, then those of the rules about the comments.

    The findings are those of the rules that ran, in this file or, if it is the memory index, in a
    file that it lists. The table holds all rules there are, in the order of their ids.
    """
    in_file = ignores_of(file.document, file.role)
    elsewhere = inputs["index"].ignores if "index" in inputs else {}
    ignores: Mapping[str, Sequence[Ignore]] = {**elsewhere, file.path: in_file}
    used: set[tuple[str, Ignore, str]] = set()
    for finding in findings:
        covering = [ignore for ignore in ignores.get(finding.path, ()) if _covers(ignore, finding)]
        used.update((finding.path, ignore, finding.rule) for ignore in covering)
        if not covering:
            yield finding
    candidates = (
        *_judged(file.path, in_file, _ids_of_judged(file, ran, inputs), table),
        *_judged_elsewhere(elsewhere, ran),
    )
    unused = (name for name in candidates if (name.path, name.ignore, name.rule) not in used)
    facts: RuleInputs = {"ignores": IgnoreFacts(in_file, tuple(unused))}
    for rule in ran:
        if rule.NEEDS is Needs.IGNORES and can_run(rule, file, facts) and file.is_text:
            yield from rule.check(file, facts["ignores"])


def _covers(ignore: Ignore, finding: Finding) -> bool:
    """Return True if a comment ignores a finding."""
    # A comment below the first line of a conflict came with one of its sides.
    if finding.rule == CONFLICT_MARKER and ignore.line > finding.line:
        return False
    return finding.rule in ignore.rules and ignore.first <= finding.line <= ignore.last


def _ids_of_judged(file: CheckedFile, ran: Sequence[Rule], inputs: RuleInputs) -> set[str]:
    """Return the ids of the rules of which it is known whether they find something here."""
    return {rule.ID for rule in ran if file.is_text and can_run(rule, file, inputs)}


def _judged(
    path: str, ignores: Sequence[Ignore], judged: set[str], table: Sequence[Rule]
) -> Iterator[Unused]:
    """Give the names in the comments of this file that are unused unless they ignored something."""
    known = {rule.ID: rule for rule in table}
    for ignore in ignores:
        if not ignore.rules:
            yield Unused(path, ignore, None)
        for name in ignore.rules:
            if name not in known:
                yield Unused(path, ignore, name, nearest(name, known) or "")
            elif known[name].NEEDS is Needs.IGNORES:
                yield Unused(path, ignore, name, can_be_ignored=False)
            elif name in judged:
                yield Unused(path, ignore, name)


def _judged_elsewhere(
    ignores: Mapping[str, Sequence[Ignore]], ran: Sequence[Rule]
) -> Iterator[Unused]:
    """Give the same for the files that this one lists, if it is the memory index."""
    of_index = {rule.ID for rule in ran if rule.NEEDS is Needs.INDEX}
    for path, comments in ignores.items():
        for ignore in comments:
            yield from (Unused(path, ignore, name) for name in ignore.rules if name in of_index)
