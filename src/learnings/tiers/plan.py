"""A compaction as a text for people to edit: join, rename and split themes, move findings.

The plan lists every finding that nobody has put into a theme in their own words. When applied, it
depends only on the raw files and on people's words, neither of which it changes, so a run after a
killed one ends as that would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from learnings.core.findings.finding import quoted
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, encode, printable, split_lines
from learnings.tiers.clusters import OTHER, category_named, category_of
from learnings.tiers.compaction import Compaction, Compactor, ThemeChange, time_stamp
from learnings.tiers.raw_files import RawObservation, item_of
from learnings.tiers.tier_files import (
    COLLECTED,
    COMPACTED,
    DRAFT,
    INDEX_LINES,
    THEME_WORDS,
    TierFiles,
    TierIndex,
    is_theme_name,
)

NO_THEME = "none"
"""The heading of the findings without a theme."""
_KIND = "learnings:tiers-plan"
# The origin of the plan: `<!-- learnings:tiers-plan 0123456789abcdef -->`.
_ORIGIN = lazy_pattern(rf"<!-- {_KIND} ([0-9a-f]{{16}}) -->")
_THEME = lazy_pattern(r"##\s++([^:]+)(?::(.*))?")
# A raw file with the number of a finding, and words for the reader.
_FINDING = lazy_pattern(r"[-*+]\s++(.+?\.json#[0-9]{1,9})(?:[:\s].*)?")
_HELP = """\
A heading is a theme: its name and, after the colon, its title. Rename themes, add headings, and
move findings between headings. A theme without findings is removed, unless somebody wrote it.
Findings below `none` are in no theme. The text after the number of a finding is only for you."""


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


def tier_plan_text(files: TierFiles, now: datetime) -> str:
    """Return the plan of a compaction at an instant."""
    compactor = Compactor(files)
    changes = {change.name: change for change in compactor.compaction(now).themes}
    themes: dict[str, list[RawObservation]] = {}
    for index in _movable(compactor):
        name = compactor.home[index] or NO_THEME
        themes.setdefault(name, []).append(compactor.observations[index])
    lines = [f"# Themes of {printable(files.folder)}", "", f"<!-- {_KIND} {_origin(compactor)} -->"]
    lines += ["", _HELP]
    for name in sorted(themes, key=lambda name: (name == NO_THEME, name)):
        theme = changes.get(name) or compactor.themes.get(name)
        lines += ["", f"## {name}: {theme.title}" if theme else f"## {name}", ""]
        lines += [f"- {_reference(one)} {item_of(one).short}" for one in themes[name]]
    return "\n".join([*lines, ""])


def carried_out(files: TierFiles, data: bytes, now: datetime) -> Compaction | None:
    """Return the compaction that a plan makes, None if nothing is left. Raises RefusedTierPlan."""
    compactor = Compactor(files)
    lines = [line.strip() for line in split_lines(decode(data))]
    origins = [match[1] for match in map(_ORIGIN.fullmatch, lines) if match]
    if len(origins) != 1:
        message = "is not a plan that `learnings tiers compact --plan --output` wrote"
        raise RefusedTierPlan([TierPlanProblem(1, message)])
    if origins[0] != _origin(compactor):
        message = "the raw files or a theme have changed since this plan was made; make a new one"
        line = lines.index(f"<!-- {_KIND} {origins[0]} -->") + 1
        raise RefusedTierPlan([TierPlanProblem(line, message)])
    problems: list[TierPlanProblem] = []
    sections = _sections(compactor, lines, problems)
    problems += _misplaced(compactor, sections)
    if problems:
        raise RefusedTierPlan(sorted(problems))
    changes = [*_changes(compactor, sections, problems)]
    compaction = compactor.compaction_with(changes, now, marks=(DRAFT, COLLECTED))
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


def _movable(compactor: Compactor) -> list[int]:
    """Return the observations, by index, that no hand-written theme contains."""
    homes = enumerate(compactor.placed.home)
    return [index for index, home in homes if home not in compactor.placed.texts]


def _reference(observation: RawObservation) -> str:
    return printable(f"{observation.file}#{observation.number}")


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
    indexes = {_reference(one): index for index, one in enumerate(compactor.observations)}
    unusable = {file.name.removesuffix(".md") for file in compactor.files.unusable}
    sections: list[_PlanSection] = []
    earlier: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        theme, finding = _THEME.fullmatch(line), _FINDING.fullmatch(line)
        theme_name = theme[1].strip() if theme else ""
        if theme:
            words = theme_name.replace("-", " ")
            title = printable((theme[2] or "").strip() or words[:1].upper() + words[1:])
            sections.append(_PlanSection(theme_name, title, number, {}))
        if not line or not sections:  # text above the first heading is for the reader
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
        earlier.setdefault(name, number)
    return sections


def _misplaced(compactor: Compactor, sections: Iterable[_PlanSection]) -> Iterator[TierPlanProblem]:
    """Yield missing findings, and findings that are already in a person's theme."""
    movable, placed = _movable(compactor), set[int]()
    for section in sections:
        placed.update(section.members)
        for index, line in section.members.items():
            home = compactor.placed.home[index]
            if index not in movable and home != section.name:
                yield TierPlanProblem(line, f"the finding is already in {home}; remove the line")
    missing = [
        _reference(compactor.observations[index]) for index in movable if index not in placed
    ]
    if missing:
        message = f"; put the missing findings back, or move them below `## {NO_THEME}`"
        yield TierPlanProblem(1, f"lacks {', '.join(missing)}{message}")


def _changes(
    compactor: Compactor, sections: Iterable[_PlanSection], problems: list[TierPlanProblem]
) -> Iterator[ThemeChange]:
    """Yield the themes of a plan that differ from the files."""
    written = compactor.placed.texts
    compactor.home = [home if home in written else None for home in compactor.placed.home]
    for name, title, line, members in sections:
        if name != NO_THEME:
            mark = _mark_of(compactor, name, members)
            yield from compactor.written(name, title, members, mark)
        if name != NO_THEME and any(compactor.home[index] != name for index in members):
            message = f"{name} would have more than {THEME_WORDS} words; move findings out of it"
            problems.append(TierPlanProblem(line, message))


def _mark_of(compactor: Compactor, name: str, members: Mapping[int, int]) -> str:
    """Return COLLECTED for a pure category, so that themes can be made of it later."""
    categories = {category_of(compactor.observations[index]) for index in members}
    is_collected = category_named(name) == OTHER or categories == {category_named(name)}
    return COLLECTED if is_collected else DRAFT
