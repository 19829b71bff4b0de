"""What a compaction has written, or would write, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.tiers.compacting import CompactionPlan
from learnings.core.settings.tiers import TierSettings
from learnings.core.text import counted, printable
from learnings.surfaces.render.commit_text import commit_lines
from learnings.tiers.compaction import ThemeChange
from learnings.tiers.items import item_of


def render(plan: CompactionPlan | None, _settings: TierSettings, *, written: bool) -> str:
    """Return the lines, none where no compaction is due."""
    return "".join(f"{line}\n" for line in _lines(plan, written=written)) if plan else ""


def _lines(plan: CompactionPlan, *, written: bool) -> Iterator[str]:
    compaction = plan.compaction
    number = counted(plan.state.trigger.new, "new raw file")
    themes = counted(len(compaction.themes), "theme")
    yield f"{'Compacted' if written else 'Would compact'} {number} into {themes}."
    for theme in compaction.themes:
        yield f"  {_theme(theme)}"
        if not written:
            yield from (f"    - {printable(item_of(one).short)}" for one in theme.added)
    if compaction.left:
        left = counted(len(compaction.left), "finding")
        yield f"In no theme, since like no other or without room: {left}."
    if not written:
        yield "Nothing was written; `learnings tiers compact` writes it."
        return
    if any(theme.before is None for theme in compaction.themes):
        yield "New themes are drafts in the words of the findings; rewrite them if you like."
    yield from commit_lines([printable(path) for path in plan.paths], "", staged=False)


def _theme(theme: ThemeChange) -> str:
    units = counted(len({one.unit for one in theme.added}), "work unit")
    state = "new  " if theme.before is None else "grown"
    return f"{state}  {theme.name}: {counted(len(theme.added), 'finding')} of {units}"
