"""The findings about the files of learning tiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.text import counted
from learnings.tiers.raw_files import SUFFIX
from learnings.tiers.tier_files import (
    COMPACTED,
    INDEX_LINES,
    INDEX_NAME,
    PROCESSED,
    THEME_WORDS,
    THEMES_FOLDER,
    ThemeFile,
    TierFiles,
    is_theme_name,
)

BUDGET, FRONT_MATTER, ROW = "tiers-index-budget", "tiers-index-front-matter", "tiers-index-row"
MISSING_THEME, MISSING_ROW = "tiers-missing-theme", "tiers-missing-row"
THEME_BUDGET, THEME_NAME = "tiers-theme-budget", "tiers-theme-name"
UNKNOWN_UNIT, AHEAD, RAW_CHANGED = "tiers-unknown-unit", "tiers-index-ahead", "tiers-raw-changed"
_FORM = "**NAME** — SUMMARY → themes/NAME.md"


def findings_of(files: TierFiles, changed: Sequence[str] = ()) -> Iterator[Finding]:
    """Yield the findings; changed are the names of raw files that differ from the last commit."""
    if files.index_file.data is not None:
        yield from _front_matter(files)
        yield from _rows(files)
    yield from _themes(files)
    for name in changed:
        yield _finding(
            RAW_CHANGED,
            f"{files.folder}/{name}",
            1,
            "a raw file was changed or deleted; restore it with `git restore` and write a new "
            "work unit instead",
        )


def _front_matter(files: TierFiles) -> Iterator[Finding]:
    index, path = files.index_file, f"{files.folder}/{INDEX_NAME}"
    valid = len(files.raw)
    if index.last_compaction is None:
        line = index.values.get(COMPACTED, ("", 1))[1]
        message = f"{COMPACTED} is missing or not a time stamp; write it as 2026-02-12T14:30:00Z"
        yield _finding(FRONT_MATTER, path, line, message)
    text, line = index.values.get(PROCESSED, ("", 1))
    if str(index.processed) != text:
        message = f"{PROCESSED} is missing or not a number; write the number of covered raw files"
        yield _finding(FRONT_MATTER, path, line, message)
    elif index.processed > valid:
        message = (
            f"{PROCESSED} is {index.processed}, but the folder has "
            f"{counted(valid, 'valid raw file')}; restore the missing files or correct the number"
        )
        yield _finding(AHEAD, path, line, message)


def _rows(files: TierFiles) -> Iterator[Finding]:
    index, path = files.index_file, f"{files.folder}/{INDEX_NAME}"
    for line, text in index.malformed:
        yield _finding(ROW, path, line, f"{quoted(text)} is not a theme row; write it as {_FORM}")
    first: dict[str, int] = {}
    themes = {theme.name for theme in files.themes}
    for row in index.rows:
        if not (is_theme_name(row.name) and is_theme_name(row.target)):
            name = row.target if is_theme_name(row.name) else row.name
            message = f"{quoted(name)} is not a theme name; use a-z, 0-9 and - between words"
            yield _finding(THEME_NAME, path, row.line, message)
        elif row.name != row.target:
            message = f"the row of {row.name} leads to {row.target}.md; write the same name twice"
            yield _finding(ROW, path, row.line, message)
        elif row.name in first:
            message = f"{row.name} already has a row on line {first[row.name]}; remove one of them"
            yield _finding(ROW, path, row.line, message)
        elif row.name not in themes:
            message = (
                f"{THEMES_FOLDER}/{row.name}.md does not exist; write the theme or remove its row"
            )
            yield _finding(MISSING_THEME, path, row.line, message)
        first.setdefault(row.name, row.line)
    if len(index.content) > INDEX_LINES:
        message = (
            f"{len(index.content)} lines below the front matter exceed the limit of "
            f"{INDEX_LINES}; merge the smallest themes, or move other lines to another file"
        )
        yield _finding(BUDGET, path, index.content[INDEX_LINES][0], message)


def _themes(files: TierFiles) -> Iterator[Finding]:
    rows = {row.name for row in files.index_file.rows}
    units = {unit for file in files.raw for unit in (file.unit, file.work_id)}
    names = [*(file.name for file in files.raw), *(file.name for file in files.skipped)]
    units.update(name.removesuffix(SUFFIX) for name in names)
    for unusable in files.unusable:
        message = f"{quoted(unusable.name)} {unusable.reason}; rename or replace it"
        yield _finding(THEME_NAME, f"{files.folder}/{THEMES_FOLDER}/{unusable.name}", 1, message)
    for theme in files.themes:
        path = files.theme_path(theme.name)
        if theme.name not in rows:
            message = (
                f"{INDEX_NAME} has no row for this theme; add {_FORM.replace('NAME', theme.name)}"
            )
            yield _finding(MISSING_ROW, path, 1, message)
        if theme.words > THEME_WORDS:
            message = (
                f"the theme has {theme.words} words, over the limit of {THEME_WORDS} (300 "
                "tokens); split it or remove the least useful lines"
            )
            yield _finding(THEME_BUDGET, path, 1, message)
        yield from _units(theme, path, units)


def _units(theme: ThemeFile, path: str, units: set[str]) -> Iterator[Finding]:
    counts = Counter[str]()
    for unit, line in theme.units:
        counts[unit] += 1
        if unit not in units:
            message = (
                f"no raw file belongs to the work unit {quoted(unit)}; correct or remove the id"
            )
            yield _finding(UNKNOWN_UNIT, path, line, message)
        elif counts[unit] == 2:
            message = f"the work unit {quoted(unit)} is listed twice; remove one of them"
            yield _finding(UNKNOWN_UNIT, path, line, message)


def _finding(rule: str, path: str, line: int, message: str) -> Finding:
    return Finding(rule, Severity.ERROR, path, line, 1, message)
