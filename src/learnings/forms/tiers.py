"""A folder of learning tiers on disk: read, checked, compacted, promoted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError, UnusableFile
from learnings.core.findings.finding import CheckReport
from learnings.core.text import counted, decode, encode, printable
from learnings.history.git.tracked import altered_files, tracked_files
from learnings.store.files import Change, write_planned
from learnings.tiers import tier_files
from learnings.tiers.checks import findings_of
from learnings.tiers.clusters import Promotion, promotions_of
from learnings.tiers.compaction import Compaction, Compactor
from learnings.tiers.plan import carried_out
from learnings.tiers.raw_files import (
    SUFFIX,
    RawFile,
    RawObservation,
    SkippedFile,
    item_of,
    read_raw_file,
)
from learnings.tiers.tier_files import THEME_WORDS, words_of
from learnings.workspace.disk import find_root, is_file, is_folder, is_link, read_file, real_path
from learnings.workspace.workspace import Workspace

_LEADS_OUT = "is a link that leads out of its folder"


def read_tier_folder(workspace: Workspace) -> tier_files.TierFiles | None:
    """Return the files of the folder, if it exists. Raises UnusableFile for an unreadable INDEX."""
    settings = workspace.settings.tiers
    name, folder = settings.path, workspace.root / settings.path
    if not is_folder(folder):
        return None
    if not real_path(folder).is_relative_to(real_path(workspace.root)):
        raise UnusableFile(f"{printable(name)} leads out of the repository; configure another path")
    read = []
    for file in _names_in(folder):
        if file.endswith(SUFFIX):
            data = _content(folder, file)
            read.append(data if isinstance(data, SkippedFile) else read_raw_file(file, data))
    themes = [
        _read_theme(folder / tier_files.THEMES_FOLDER, file)
        for file in _names_in(folder / tier_files.THEMES_FOLDER)
        if file.endswith(".md")
    ]
    path, shown = folder / tier_files.INDEX_NAME, f"{name}/{tier_files.INDEX_NAME}"
    if is_link(path) and not real_path(path).is_relative_to(real_path(folder)):
        raise UnusableFile(f"{printable(shown)} {_LEADS_OUT}; replace it with a file")
    index = read_file(path, shown=shown) if os.path.lexists(path) else None
    return tier_files.TierFiles(
        name,
        tuple(file for file in read if isinstance(file, RawFile)),
        tuple(file for file in read if isinstance(file, SkippedFile)),
        tuple(theme for theme in themes if isinstance(theme, tier_files.ThemeFile)),
        tier_files.TierIndex(index),
        tuple(theme for theme in themes if isinstance(theme, SkippedFile)),
        settings.strict_trigger,
    )


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  (names, of which few are read)
    except OSError:
        return []


def _read_theme(folder: Path, name: str) -> tier_files.ThemeFile | SkippedFile:
    stem = name.removesuffix(".md")
    if not tier_files.is_theme_name(stem):
        return SkippedFile(name, "is not a valid theme name (a-z, 0-9, and - between words)")
    data = _content(folder, name)
    if not isinstance(data, SkippedFile):
        return tier_files.ThemeFile(stem, data)
    if data.reason.startswith("cannot be read"):  # its contents would be written again
        raise UnusableFile(f"{printable(name)} {data.reason}; fix this and run again")
    return data


def _content(folder: Path, name: str) -> bytes | SkippedFile:
    path = folder / name
    if not real_path(path).is_relative_to(real_path(folder)):
        return SkippedFile(name, _LEADS_OUT)
    try:
        return read_file(path, shown=name)
    except LearningsError as error:
        reason = str(error).removeprefix(f"{printable(name)} ").partition(";")[0]
        return SkippedFile(name, reason)


def report_on_tiers(workspace: Workspace) -> CheckReport:
    """Return the findings about the folder, if it exists. Raises as read_tier_folder()."""
    files = read_tier_folder(workspace)
    if files is None:
        return CheckReport.of((), files=0)
    has_index = files.index_file.data is not None
    count = len(files.raw) + len(files.themes) + has_index
    return CheckReport.of(findings_of(files, changed_raw_files(workspace, files)), files=count)


def changed_raw_files(workspace: Workspace, files: tier_files.TierFiles) -> list[str]:
    """Return the names of raw files that differ from the last commit, if they were valid there."""
    top = find_root(real_path(workspace.root))
    if not os.path.lexists(top / ".git"):
        return []
    inner = (real_path(workspace.root) / files.folder).relative_to(top).as_posix()
    escaped = re.sub(r"([*?\[\\])", r"\\\1", inner)  # characters with a meaning in git's globs
    altered = altered_files(top, "HEAD", [f":(glob,top){escaped}/*{SUFFIX}"])
    names = {f"{files.folder}/{path.rpartition('/')[2]}" for path in altered}
    committed = workspace.tree.committed(sorted(names), rev="HEAD")
    return [
        path.rpartition("/")[2]
        for path, data in sorted(committed.items())
        if isinstance(read_raw_file(path.rpartition("/")[2], data), RawFile)
    ]


class CompactionPlan(NamedTuple):
    """The result of a compaction of files, as values and as changes.

    themes come first, then removed ones, and INDEX. never_committed are the paths of removed themes
    that git does not know.
    """

    files: tier_files.TierFiles
    compaction: Compaction
    themes: tuple[Change, ...]
    then: tuple[Change, ...]
    never_committed: frozenset[str]

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of changed files, POSIX from the root."""
        return tuple(change.path for change in (*self.themes, *self.then))


def plan_compaction(workspace: Workspace, now: datetime) -> CompactionPlan | None:
    """Return the plan of a compaction at an instant, or None if none is due."""
    files = read_tier_folder(workspace)
    if files is None or not files.trigger.is_due:
        return None
    return _plan_of(workspace, files, Compactor(files).compaction(now))


def _plan_of(
    workspace: Workspace, files: tier_files.TierFiles, compaction: Compaction
) -> CompactionPlan:
    themes = tuple(
        Change(
            files.theme_path(theme.name),
            theme.before.data if theme.before else None,
            encode(theme.text),
        )
        for theme in compaction.themes
    )
    gone = {files.theme_path(theme.name): theme.data for theme in compaction.gone}
    known = tracked_files(workspace.root, [f":(literal){path}" for path in gone]) if gone else ()
    removed = (Change(path, data, None) for path, data in gone.items())
    path = f"{files.folder}/{tier_files.INDEX_NAME}"
    index_change = Change(path, files.index_file.data, encode(compaction.index_text))
    then = (*removed, index_change)
    return CompactionPlan(files, compaction, themes, then, frozenset(gone.keys() - {*known}))


def compact(workspace: Workspace, now: datetime) -> CompactionPlan | None:
    """Compact if that is due; return the written plan. Raises WriteError.

    Themes are written before INDEX, which says how many raw files they cover, so a compaction is
    still due after a killed run. A run that another overtakes plans again.
    """
    return write_planned(workspace.root, lambda: plan_compaction(workspace, now), _steps)


def apply_tier_plan(workspace: Workspace, data: bytes, now: datetime) -> CompactionPlan | None:
    """Apply a plan that somebody edited; return the written plan, None if nothing was left to do.

    Raises WriteError, and RefusedTierPlan before anything is written.
    """

    def plan() -> CompactionPlan | None:
        files = read_tier_folder(workspace)
        compaction = carried_out(files, data, now) if files else None
        return _plan_of(workspace, files, compaction) if files and compaction else None

    return write_planned(workspace.root, plan, _steps)


def _steps(plan: CompactionPlan | None) -> tuple[Sequence[Change], Sequence[Change]]:
    return (plan.themes, plan.then) if plan else ((), ())


def compaction_lines(plan: CompactionPlan, *, written: bool) -> Iterator[str]:
    """Yield the lines about a compaction, written or only planned."""
    compaction, new = plan.compaction, plan.files.trigger.new
    number = counted(new, "new raw file") if new else "the findings"
    themes = counted(len(compaction.themes), "theme")
    yield f"{'Compacted' if written else 'Would compact'} {number} into {themes}."
    for theme in compaction.themes:
        units = counted(len({one.unit for one in theme.added}), "work unit")
        number = counted(len(theme.added), "finding")
        state, added = "grown", f"{number} added, of {units}"
        if theme.before is None:
            state, added = "new  ", f"{number} of {units}"
        elif not theme.added:
            state, added = "fewer", "some findings left it"
        yield f"  {state}  {theme.name}: {added}"
        if not written:
            yield from map(finding_line, theme.added)
        over = words_of(theme.text) - THEME_WORDS
        if over > 0:
            yield f"    {counted(over, 'word')} over the limit of {THEME_WORDS}; shorten it"
    yield from (f"  gone   {theme.name}: its findings left it" for theme in compaction.gone)
    if compaction.left:
        yield f"Waiting for a theme: {counted(len(compaction.left), 'finding')}."
        yield from map(finding_line, compaction.left)
    if not written:
        yield "Nothing was written; run `learnings tiers compact` to write it."
    elif any(theme.before is None for theme in compaction.themes):
        yield "New themes are drafts; `learnings tiers status` lists them until they are rewritten."


def finding_line(one: RawObservation) -> str:
    """Return a finding as an item of a list: its reference and its short text."""
    return f"    - {one.reference} {printable(item_of(one).short)}"


PATTERNS_FILE = "patterns.md"
"""The file for promoted rules, beside the folder."""


def promotions(workspace: Workspace) -> tuple[str | None, list[Promotion]]:
    """Return the file of rules and the proposed ones; without a folder None, and none.

    Raises MissingFile and UnusableFile.
    """
    files = read_tier_folder(workspace)
    if files is None:
        return None, []
    above, _, _ = files.folder.rpartition("/")
    path = f"{above}/{PATTERNS_FILE}" if above else PATTERNS_FILE
    known = workspace.root / path
    is_inside = real_path(known).is_relative_to(real_path(workspace.root))
    text = decode(read_file(known, shown=path)) if is_inside and is_file(known) else ""
    compactor = Compactor(files)
    placed = zip(compactor.observations, compactor.placed.home, strict=True)
    titles = {one.reference: compactor.themes[name].title for one, name in placed if name}
    return path, promotions_of(files.raw, titles, text, coverage=workspace.settings.covered)
