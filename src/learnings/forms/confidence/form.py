"""A confidence memory as a form of memory; most repositories have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnings.core.text import counted, number_text
from learnings.forms.memory_form import FormStatus, InitOffer, MemoryForm
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.findings.finding import CheckReport

ENTRY_NOUNS = {
    "principles": "principle",
    "anti_patterns": "anti-pattern",
    "procedures": "procedure",
}
"""The noun for one entry, by the key of its file."""


class ConfidenceForm(MemoryForm):
    """Observations of stories, distilled to scored entries; see MemoryForm."""

    name, label, title = "confidence", "memory", "Confidence memory"
    details_key, is_quick = "memory", False
    own_hook = InitOffer("confidence-memory", "learnings memory check")

    def files(self, workspace: Workspace) -> tuple[str, ...]:
        """Return the existing memory files and observations files."""
        from learnings.forms.confidence.memory_folder import memory_folder_of  # noqa: PLC0415  (few have such a memory)

        return memory_folder_of(workspace).files()

    def findings(self, workspace: Workspace, *, since: str = "HEAD") -> CheckReport:
        """Return the findings about all files, compared with a commit."""
        from learnings.forms.confidence.loaded_memory import report_on_memory  # noqa: PLC0415  (as above)
        from learnings.forms.confidence.memory_folder import memory_folder_of  # noqa: PLC0415  (as above)

        return report_on_memory(memory_folder_of(workspace), since=since)

    def statuses(self, workspace: Workspace) -> tuple[FormStatus, ...]:
        """Return the active entries, and the uncaptured observations files."""
        from learnings.confidence.summaries import statistics  # noqa: PLC0415  (as above)
        from learnings.confidence.values import NEAR_ARCHIVE  # noqa: PLC0415  (as above)
        from learnings.forms.confidence.loaded_memory import load_memory  # noqa: PLC0415  (as above)
        from learnings.forms.confidence.memory_folder import memory_folder_of  # noqa: PLC0415  (as above)

        folder = memory_folder_of(workspace)
        loaded = load_memory(folder)
        numbers = statistics(loaded.memory, loaded.settings)
        near_archive = len(numbers.near_archive)
        active = {kind.key: kind.active for kind in numbers.kinds}
        pending = [file.source.path for file in loaded.sources if not file.is_captured]
        problems = loaded.problems
        kinds = [counted(active[key], noun) for key, noun in ENTRY_NOUNS.items() if active[key]]
        parts = [
            f"{', '.join(kinds)} active" if kinds else "no active entry",
            f"{near_archive} near archive (below {number_text(NEAR_ARCHIVE)})",
            *([f"{counted(len(pending), 'file')} to curate"] if pending else []),
            *([counted(len(problems), "problem")] if problems else []),
        ]
        sources = counted(len(pending), "observations file")
        command, advice, reason = None, "", "no observations file to curate"
        if problems:
            command, reason = "learnings memory check", str(problems[0])
            advice = f"run `{command}` to list the problems in {folder.path}"
        elif pending:
            command, reason = "learnings memory curate", f"{sources} to curate"
            advice = f"run `{command}` to add {sources} to {folder.path}"
        status = FormStatus(
            self,
            folder.path,
            ", ".join(parts),
            needs_action=command is not None,
            reason=reason,
            next=command,
            advice=advice,
            problem=str(problems[0]) if problems else None,
            annotated_file=problems[0].path if problems else next(iter(pending), ""),
            details={
                "path": folder.path,
                "active": active,
                "near_archive": near_archive,
                "waiting": pending,
            },
        )
        return (status,)
