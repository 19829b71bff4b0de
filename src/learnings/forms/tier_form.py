"""Learning tiers as a form of memory; most repositories have none."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from learnings.core.errors import LearningsError
from learnings.core.text import counted
from learnings.forms.memory_form import FormStatus, InitOffer, Maintained, MemoryForm
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.findings.finding import CheckReport


class TierForm(MemoryForm):
    """Raw files of work units, compacted to themes under an index; see MemoryForm."""

    name, label, title, details_key, is_quick = "tiers", "tiers", "Learning tiers", "tiers", True
    own_hook = InitOffer("learning-tiers", "learnings tiers check")

    def files(self, workspace: Workspace) -> tuple[str, ...]:
        """Return INDEX, the themes and the readable raw files."""
        from learnings.forms.tiers import read_tier_folder  # noqa: PLC0415  (few repositories have them)

        files = read_tier_folder(workspace)
        return files.paths if files else ()

    def findings(self, workspace: Workspace, *, since: str = "HEAD") -> CheckReport:  # noqa: ARG002
        """Return the findings about the folder; raw files are compared with HEAD."""
        from learnings.forms.tiers import report_on_tiers  # noqa: PLC0415  (as above)

        return report_on_tiers(workspace)

    def statuses(self, workspace: Workspace) -> tuple[FormStatus, ...]:
        """Return the status of the folder; a due compaction needs action if auto-compact is off."""
        from learnings.forms.tiers import read_tier_folder  # noqa: PLC0415  (as above)
        from learnings.tiers.tier_files import INDEX_NAME, LATER_COMPACTION, CompactionTrigger  # noqa: PLC0415  (as above)

        settings = workspace.settings.tiers
        files, problem = None, None
        try:
            files = read_tier_folder(workspace)
        except LearningsError as error:
            problem = str(error)
        trigger = files.trigger if files else CompactionTrigger(0, 0)
        themes = counted(len(files.themes) if files else 0, "theme")
        summary = f"{counted(trigger.valid, 'raw file')}, {trigger.new} new, {themes}"
        advice = "run `learnings tiers compact`, since auto-compact is off"
        is_manual = trigger.is_due and not settings.auto_compact
        command = "learnings tiers compact" if is_manual else None
        if trigger.is_due:
            how = " (auto-compact is off)" if is_manual else " and happens at the next handoff"
            summary += f"; compaction is due{how}"
        if problem is not None:
            command = "learnings tiers check"
            advice = f"run `{command}` to list the problems in {settings.path}"
        status = FormStatus(
            self,
            settings.path,
            problem or summary,
            needs_action=command is not None,
            reason=problem or trigger.reason,
            next=command,
            advice=advice if command else "",
            problem=problem,
            annotated_file=f"{settings.path}/{INDEX_NAME}",
            counts=is_manual,
            threshold=LATER_COMPACTION,
            details={
                "folder": settings.path,
                "valid": trigger.valid,
                "new": trigger.new,
                "due": trigger.is_due,
                "auto_compact": settings.auto_compact,
                "problem": problem,
            },
        )
        return (status,)

    def maintain(self, workspace: Workspace, now: datetime, *, dry_run: bool) -> Maintained:
        """Compact if that is due and the user has not switched it off."""
        from learnings.forms.tiers import compact, compaction_lines, plan_compaction  # noqa: PLC0415  (as above)

        if not workspace.settings.tiers.auto_compact:
            return Maintained(note="learning tiers not compacted: auto-compact is off")
        plan = (plan_compaction if dry_run else compact)(workspace, now)
        if plan is None:
            return Maintained()
        lines = tuple(compaction_lines(plan, written=not dry_run))
        return Maintained(lines, () if dry_run else plan.paths)
