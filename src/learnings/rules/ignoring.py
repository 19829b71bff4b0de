"""What comments in a file ignore is left out, and remembered by the comment that ignored it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from learnings.core.findings.finding import Finding
from learnings.core.findings.ignores import Ignore, Unused, ignores_of
from learnings.core.markdown.ignore_comments import MARK
from learnings.core.suggestions import nearest
from learnings.rules.conflict_marker import ID as CONFLICT
from learnings.rules.context import ABOUT_IGNORES, WITH_HISTORY, Context, Rule
from learnings.rules.unused_ignore import ID as UNUSED
from learnings.rules.unused_ignore import check as told

_Used = set[tuple[str, Ignore, str]]


def has_ignores(context: Context) -> bool:
    """Whether there may be a comment that ignores something: one look at the bytes."""
    return MARK.encode() in context.data or bool(context.elsewhere)


def applied(
    context: Context, findings: Iterable[Finding], ran: Sequence[Rule], known: Iterable[str]
) -> Iterator[Finding]:
    """Give the findings that nothing ignores and, if that rule ran, the ignores without use.

    The findings are those of all rules that ran, in this file or, if it is the memory index, in a
    file that it lists; known are the ids of all rules there are.
    """
    own = ignores_of(context.document, context.role)
    ignores: Mapping[str, Sequence[Ignore]] = {**(context.elsewhere or {}), context.path: own}
    used: _Used = set()
    for finding in findings:
        heeding = [each for each in ignores.get(finding.path, ()) if _covers(each, finding)]
        used.update((finding.path, each, finding.rule) for each in heeding)
        if not heeding:
            yield finding
    if any(rule.ID == UNUSED for rule in ran):
        here = _in_vain(context, own, ran, sorted(known))
        there = _in_vain_elsewhere(context, ran)
        vain = (each for each in (*here, *there) if (each.path, each.ignore, each.rule) not in used)
        yield from told(context._replace(unused=tuple(vain)))


def _covers(ignore: Ignore, finding: Finding) -> bool:
    if finding.rule not in ignore.rules or finding.rule in ABOUT_IGNORES:
        return False
    # One that stands in the conflict came with one of its sides.
    if finding.rule == CONFLICT and ignore.line > finding.line:
        return False
    return ignore.first <= finding.line <= ignore.last


def _in_vain(
    context: Context, ignores: Sequence[Ignore], ran: Sequence[Rule], known: Sequence[str]
) -> Iterator[Unused]:
    """Give what ignores nothing in this file, as far as the rules that ran can tell."""
    judged = {rule.ID for rule in ran if _could_find(rule, context)}
    for each in ignores:
        if not each.rules:
            yield Unused(context.path, each, None)
        for rule in each.rules:
            if rule not in known:
                yield Unused(context.path, each, rule, nearest(rule, known) or "")
            elif rule in judged or rule in ABOUT_IGNORES:
                yield Unused(context.path, each, rule)


def _in_vain_elsewhere(context: Context, ran: Sequence[Rule]) -> Iterator[Unused]:
    """Give the same for the files that this one lists, if it is the memory index."""
    between = {rule.ID for rule in ran if _is_between(rule)}
    for path, ignores in (context.elsewhere or {}).items():
        for each in ignores:
            yield from (Unused(path, each, rule) for rule in each.rules if rule in between)


def _could_find(rule: Rule, context: Context) -> bool:
    if context.role not in rule.ROLES or b"\0" in context.data:
        return False
    if _is_between(rule):
        return context.elsewhere is not None
    return context.history is not None or rule.ID not in WITH_HISTORY


def _is_between(rule: Rule) -> bool:
    """Whether a rule is about the index and the files that it lists."""
    return rule.ID.startswith("index-")
