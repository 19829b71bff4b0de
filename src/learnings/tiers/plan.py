"""A compaction as a text for people to edit: join, rename and split themes, move findings.

The plan lists every finding that is not dismissed. When applied, it depends only on the raw files
and on people's words, neither of which it changes, so a run after a killed one ends as that would
have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from learnings.consolidation.groups.partition import Levels
from learnings.core.findings.finding import quoted
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, encode, printable, split_lines
from learnings.tiers.clusters import clusters_of
from learnings.tiers.compaction import Compaction, Compactor, Theme, time_stamp
from learnings.tiers.raw_files import item_of
from learnings.tiers.tier_files import (
    COMPACTED,
    INDEX_LINES,
    THEME_WORDS,
    TierFiles,
    TierIndex,
    is_rest,
    is_theme_name,
    words_of,
)

NO_THEME = "none"
"""The heading of the findings without a theme."""
_KIND = "learnings:tiers-plan"
# The origin of the plan, perhaps with ` applied`: `<!-- learnings:tiers-plan 0123456789abcdef -->`.
_ORIGIN = lazy_pattern(rf"<!-- {_KIND} ([0-9a-f]{{16}})( applied)? -->")
_THEME = lazy_pattern(r"##\s++([^:]+)(?::(.*))?")
# A raw file with the number of a finding, and words for the reader.
_FINDING = lazy_pattern(r"[-*+]\s++(.+?\.json#[0-9]{1,9})(?:[:\s].*)?")
_COMMENT = lazy_pattern(r"<!--.*-->")
_NEAR_NONE = "near no other"
# The label of findings without a theme.
_WAITING = lazy_pattern(rf"<!-- (group \d+|{_NEAR_NONE}) -->")
_HELP = """\
A heading is a theme: its name and, after the colon, its title. Rename themes, add headings, and
move findings between headings. A theme without findings is removed, unless somebody wrote it.
Findings below `none` wait for a theme; findings that may belong together form a group. Write a
heading of two or three words that name what they share, and move them below it. Waiting is better
than a theme that does not fit. The text after the number of a finding is only for you."""
_WRITTEN = "somebody wrote this theme: change its words, its title or its name in the file"
# How a finding is in a theme that somebody wrote.
_COVERED, _LISTED, _NEW = "its text covers", "items in it", "to be added"
NEAR_LEVELS = Levels(0.06, 0.12)
"""Minimum similarity in a group of findings without a theme, which somebody reads; half of that
of a theme, and less for two."""


class TierPlanProblem(NamedTuple):
    """A problem on a line (1-based) of a plan."""

    line: int
    message: str


class RefusedTierPlan(Exception):
    """A plan that cannot be carried out as it is."""

    def __init__(self, problems: list[TierPlanProblem]) -> None:
        super().__init__()
        self.problems = problems


class _PlanSection(NamedTuple):
    """A heading with its line, and the findings below it by index, with their lines."""

    name: str
    title: str
    line: int
    members: dict[int, int]


def tier_plan_text(files: TierFiles) -> str:
    """Return the plan of a compaction."""
    compactor = Compactor(files)
    placed = compactor.placed
    lines = [f"# Themes of {printable(files.folder)}", "", f"<!-- {_KIND} {_origin(compactor)} -->"]
    lines += ["", _HELP]
    waiting = {*range(len(compactor.observations))}
    for name, (title, every) in sorted(compactor.proposal().items()):
        members = sorted(every)
        waiting.difference_update(members)
        if name in placed.texts:
            lines += ["", f"## {name}: {printable(title)}", "", f"<!-- {_WRITTEN} -->"]
            parts = {_LISTED: placed.items, _COVERED: placed.words, _NEW: members}
            for label, part in parts.items():
                group = [index for index in members if index in part]
                members = [index for index in members if index not in part]
                lines += [f"<!-- {label} -->", *_lines(compactor, group)] if group else []
        elif members:
            lines += ["", f"## {name}: {title}", "", *_lines(compactor, members)]
    if waiting:
        lines += ["", f"## {NO_THEME}"]
    for label, group in _near_each_other(compactor, sorted(waiting)):
        lines += ["", f"<!-- {label} -->", *_lines(compactor, group)]
    return "\n".join([*lines, ""])


def _lines(compactor: Compactor, members: Iterable[int]) -> list[str]:
    observations = (compactor.observations[index] for index in members)
    return [f"- {one.reference} {item_of(one).short}" for one in observations]


def _near_each_other(
    compactor: Compactor, members: Sequence[int]
) -> Iterator[tuple[str, list[int]]]:
    """Yield members with a label, in groups of the nearest, largest first, then the rest."""
    observations = [compactor.observations[index] for index in members]
    clusters = clusters_of(observations, levels=NEAR_LEVELS)
    groups = [[members[index] for index in cluster.observations] for cluster in clusters]
    yield from ((f"group {number}", group) for number, group in enumerate(groups, start=1))
    rest = {*members}.difference(*groups)
    if rest:
        yield _NEAR_NONE, sorted(rest)


def applied_plan(data: bytes) -> bytes:
    """Return a plan with the mark of one that was applied."""
    return re.sub(rb"(<!-- %b [0-9a-f]{16}) -->" % _KIND.encode(), rb"\1 applied -->", data)


def is_applied(data: bytes) -> bool:
    """Return True for a plan with the mark of one that was applied."""
    return re.search(rb"<!-- %b [0-9a-f]{16} applied -->" % _KIND.encode(), data) is not None


def carried_out(files: TierFiles, data: bytes, now: datetime) -> Compaction | None:
    """Return the compaction that a plan makes, None if nothing is left. Raises RefusedTierPlan."""
    compactor = Compactor(files)
    lines = [line.strip() for line in split_lines(decode(data))]
    origins = [match for match in map(_ORIGIN.fullmatch, lines) if match]
    if len(origins) != 1:
        message = "is not a plan that `learnings tiers compact --plan --output` wrote"
        raise RefusedTierPlan([TierPlanProblem(1, message)])
    if origins[0][1] != _origin(compactor):
        message = "the raw files or a theme have changed since this plan was made; make a new one"
        line = lines.index(origins[0][0]) + 1
        raise RefusedTierPlan([TierPlanProblem(line, message)])
    problems: list[TierPlanProblem] = []
    sections = _sections(compactor, lines, problems)
    problems += _misplaced(compactor, sections)
    if problems:
        raise RefusedTierPlan(sorted(problems))
    # A theme that somebody wrote stays, with its heading or without.
    themes = {name: Theme("", ()) for name in compactor.placed.texts}
    themes |= {section.name: Theme(section.title, (*section.members,)) for section in sections}
    themes.pop(NO_THEME, None)
    problems += _too_long(compactor, sections)
    compaction = compactor.compaction(now, themes)
    changes = compaction.themes
    rows = {row.name for row in TierIndex(encode(compaction.index_text)).rows}
    unlisted = ", ".join(change.name for change in changes if change.name not in rows)
    if unlisted:
        message = (
            f"INDEX.md is limited to {INDEX_LINES} lines and has no room for {unlisted}; merge "
            "themes"
        )
        problems.append(TierPlanProblem(1, message))
    if problems:
        raise RefusedTierPlan(problems)
    stamp = files.index_file.values.get(COMPACTED, ("", 0))[0]
    is_same = compaction.index_text.replace(time_stamp(now), stamp) == files.index_file.text
    return None if is_same and not changes and not compaction.gone else compaction


def _origin(compactor: Compactor) -> str:
    """Return a digest of the observations, and of the words that people wrote into themes."""
    digest = sha256(encode(repr(compactor.observations)))
    for name, text in sorted(compactor.placed.texts.items()):
        lines = (line.strip() for line in text.split("\n"))
        digest.update(encode("\n".join([name, *filter(None, lines)])))
    return digest.hexdigest()[:16]


def _sections(
    compactor: Compactor, lines: Iterable[str], problems: list[TierPlanProblem]
) -> list[_PlanSection]:
    """Return the themes of a plan; add the errors of its lines to the problems."""
    indexes = {one.reference: index for index, one in enumerate(compactor.observations)}
    unusable = {file.name.removesuffix(".md") for file in compactor.files.unusable}
    sections: list[_PlanSection] = []
    earlier: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        theme, finding = _THEME.fullmatch(line), _FINDING.fullmatch(line)
        theme_name = theme[1].strip() if theme else ""
        if theme:
            words = theme_name.replace("-", " ")
            known = compactor.themes.get(theme_name)
            is_written = theme_name in compactor.placed.texts
            default = known.title if known and is_written else words[:1].upper() + words[1:]
            title = printable((theme[2] or "").strip() or default)
            sections.append(_PlanSection(theme_name, title, number, {}))
        # Text above the first heading is for the reader, too.
        if not line or not sections:
            continue
        if _COMMENT.fullmatch(line):
            problems += _lost_heading(number, line, sections[-1])
            continue
        name = theme_name or (finding[1] if finding else "")
        if name in earlier:
            message = f"{quoted(name)} is already on line {earlier[name]}; remove one of them"
        elif theme and (not is_theme_name(name) or name in unusable):
            message = f"{quoted(name)} is not a theme name; use a-z, 0-9 and - between words"
        elif not theme and name not in indexes:
            what = f"unknown finding {quoted(name)}" if name else "neither a heading nor a finding"
            message = f"{what}; correct or remove the line"
        else:
            message = ""
            if not theme:
                sections[-1].members[indexes[name]] = number
        problems += [TierPlanProblem(number, message)] if message else []
        if name:
            earlier.setdefault(name, number)
    return sections


def _lost_heading(number: int, line: str, section: _PlanSection) -> Iterator[TierPlanProblem]:
    """Yield the label of findings without a theme if it is inside of one."""
    label = _WAITING.fullmatch(line)
    if label and section.members and section.name != NO_THEME:
        message = f"put `## {NO_THEME}` above `{label[1]}`, or remove this line to move the"
        yield TierPlanProblem(number, f"{message} findings below it to {section.name}")


def _misplaced(compactor: Compactor, sections: Iterable[_PlanSection]) -> Iterator[TierPlanProblem]:
    """Yield missing findings, and changes that only a change of somebody's theme can make."""
    missing = {*range(len(compactor.observations))}
    for name, title, line, members in sections:
        missing.difference_update(members)
        if name in compactor.placed.texts and title != printable(compactor.themes[name].title):
            yield TierPlanProblem(line, f"{_WRITTEN}; put the title back here")
        for index, number in members.items() if name == NO_THEME else ():
            theme = compactor.placed.words.get(index)
            if theme:
                message = f"the text of {theme} covers it; move it below `## {theme}` or a theme"
                yield TierPlanProblem(number, message)
    if missing:
        lacking = ", ".join(compactor.observations[index].reference for index in sorted(missing))
        message = f"; put the missing findings back, or move them below `## {NO_THEME}`"
        yield TierPlanProblem(1, f"lacks {lacking}{message}")


def _too_long(compactor: Compactor, sections: Iterable[_PlanSection]) -> Iterator[TierPlanProblem]:
    """Yield themes of the rest that exceed the budget, since nobody will shorten them."""
    for name, title, line, members in sections:
        if is_rest(name) and words_of(compactor.placed.text_of(name, title, members)) > THEME_WORDS:
            message = f"{name} would have more than {THEME_WORDS} words; move findings out of it"
            yield TierPlanProblem(line, message)
