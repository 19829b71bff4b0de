"""Drops findings that comments ignore, and reports comments that ignore nothing.

Imported only if a file, or a file that it lists, has such a comment.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from learnings.core.findings.finding import Finding
from learnings.core.findings.ignores import Ignore, UnusedIgnore, ignores_of
from learnings.core.text import nearest
from learnings.rules.conflict_marker import RULE as CONFLICT_MARKER
from learnings.rules.rule import CheckedFile, IgnoreFacts, Rule, RuleInputs

# Names in a file for which the nearest rule is looked up, at 1 ms each. Nobody misspells more.
_MOST_SUGGESTIONS = 100


def unignored(
    file: CheckedFile,
    findings: Iterable[Finding],
    ran: Sequence[Rule],
    inputs: RuleInputs,
    *,
    table: Sequence[Rule],
) -> Iterator[Finding]:
    """Yield the findings that no comment ignores, then findings about the comments.

    The findings may be in files that this memory index lists. table holds all rules by id.
    """
    in_file = ignores_of(file.document, file.role)
    elsewhere = inputs["index"].ignores if "index" in inputs else {}
    ignores: Mapping[str, Sequence[Ignore]] = {**elsewhere, file.path: in_file}
    listed = tuple(findings)
    by_name = {path: _by_name(path_ignores) for path, path_ignores in ignores.items()}
    yield from (finding for finding in listed if not _is_covered(finding, by_name))
    lines = _lines_of(listed)
    judged = {rule.id for rule in ran if file.is_text and rule.can_run(file, inputs)}
    of_index = {rule.id for rule in ran if rule.needs == "index"}
    candidates = [*_judged(file.path, in_file, judged, table)]
    for path, comments in elsewhere.items():
        named = ((ignore, name) for ignore in comments for name in ignore.rules)
        candidates += [UnusedIgnore(path, *one) for one in named if one[1] in of_index]
    unused = (name for name in candidates if not _is_used(name, lines))
    facts: RuleInputs = {"ignores": IgnoreFacts(in_file, tuple(unused))}
    for rule in ran:
        if rule.needs == "ignores" and rule.can_run(file, facts) and file.is_text:
            yield from rule.check(file, facts["ignores"])


class _Covered(NamedTuple):
    """The sorted lines where comments ignore one rule; lasts are the running maximum."""

    firsts: list[int]
    lasts: list[int]


def _first_covered(ignore: Ignore, rule: str) -> int:
    # A comment below the first line of a conflict came with one of its sides.
    return max(ignore.first, ignore.line) if rule == CONFLICT_MARKER.id else ignore.first


def _by_name(ignores: Sequence[Ignore]) -> dict[str, _Covered]:
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for ignore in ignores:
        for name in ignore.rules:
            spans[name].append((_first_covered(ignore, name), ignore.last))
    covered = {}
    for name, lines in spans.items():
        lines.sort()
        lasts = accumulate((last for _, last in lines), max)
        covered[name] = _Covered([first for first, _ in lines], list(lasts))
    return covered


def _is_covered(finding: Finding, by_name: Mapping[str, Mapping[str, _Covered]]) -> bool:
    covered = by_name.get(finding.path, {}).get(finding.rule)
    if covered is None:
        return False
    count = bisect_right(covered.firsts, finding.line)
    return count > 0 and covered.lasts[count - 1] >= finding.line


def _lines_of(findings: Iterable[Finding]) -> dict[tuple[str, str], list[int]]:
    lines: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for finding in sorted(findings, key=lambda finding: finding.line):
        lines[finding.path, finding.rule].append(finding.line)
    return lines


def _is_used(name: UnusedIgnore, lines: Mapping[tuple[str, str], Sequence[int]]) -> bool:
    if name.rule is None:
        return False
    numbers = lines.get((name.path, name.rule), ())
    index = bisect_left(numbers, _first_covered(name.ignore, name.rule))
    return index < len(numbers) and numbers[index] <= name.ignore.last


def _judged(
    path: str, ignores: Sequence[Ignore], judged: set[str], table: Sequence[Rule]
) -> Iterator[UnusedIgnore]:
    """Yield the names in this file's comments that count as unused if they ignored nothing."""
    known = {rule.id: rule for rule in table}
    suggestions: dict[str, str] = {}
    for ignore in ignores:
        if not ignore.rules:
            yield UnusedIgnore(path, ignore, None)
        for name in ignore.rules:
            if name not in known:
                if name not in suggestions and len(suggestions) < _MOST_SUGGESTIONS:
                    suggestions[name] = nearest(name, known) or ""
                yield UnusedIgnore(path, ignore, name, suggestions.get(name, ""))
            elif known[name].needs == "ignores":
                yield UnusedIgnore(path, ignore, name, can_be_ignored=False)
            elif name in judged:
                yield UnusedIgnore(path, ignore, name)
