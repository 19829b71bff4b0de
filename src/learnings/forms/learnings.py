"""Learnings files as a form of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnings.core.due.verdicts import DUE
from learnings.core.errors import MissingFile, UntrustedHistory, UsageProblem
from learnings.core.file_names import COMPANION_NAME, LEARNINGS_NAMES
from learnings.core.roles import packages_around
from learnings.core.text import not_text
from learnings.forms import verdict_words
from learnings.forms.memory_form import FormStatus, InitOffer, MemoryForm
from learnings.history.git.tracked import listed_files, tracked_files
from learnings.workspace.discovery import Discovery
from learnings.workspace.tree import CANNOT_BE_READ, IGNORED_BY_GIT
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.findings.finding import CheckReport

_MEMORY_NAMES = (*LEARNINGS_NAMES, COMPANION_NAME)


class LearningsForm(MemoryForm):
    """Files of entries whose ages come from git history; see MemoryForm."""

    name, label, title, details_key, is_quick = "learnings", "learnings", "Learnings file", "", True

    def is_here(self, workspace: Workspace) -> bool:
        """Return True if a learnings file or memory folder is configured or discovered."""
        return bool(self.files(workspace))

    def files(self, workspace: Workspace) -> tuple[str, ...]:
        """Return the learnings files, then the memory folders."""
        return tuple(memory.path for memory in workspace.found.memories)

    def findings(self, workspace: Workspace, *, since: str = "HEAD") -> CheckReport:
        """Return the findings of all rules about them, including rules that need history."""
        from learnings.agents.file_facts import Commands  # noqa: PLC0415  (a status does without)
        from learnings.check.history_inputs import HistoryLoader  # noqa: PLC0415  (as above)
        from learnings.check.run import report_on  # noqa: PLC0415  (as above)
        from learnings.check.search import Search  # noqa: PLC0415  (as above)

        # No learnings file refers to commands.
        none = Commands((), lambda _name: {})
        files = [str(workspace.root / f.path) for f in workspace.found.learnings if f.included]
        search = Search(workspace, files, commands=lambda: none, since=since)
        history = HistoryLoader(workspace)
        return report_on(search.files(), base=workspace.root, history=history)

    def statuses(self, workspace: Workspace) -> tuple[FormStatus, ...]:
        """Return the status of each file from its verdict."""
        return tuple(self._status(workspace, path) for path in self.files(workspace))

    def _status(self, workspace: Workspace, path: str) -> FormStatus:
        from learnings.forms.learnings_file import reading_of  # noqa: PLC0415  (`due` needs none)
        from learnings.workspace.memory_file import memory_at  # noqa: PLC0415  (as above)

        file = memory_at(workspace, workspace.root / path)
        status = FormStatus(self, path, "", annotated_file=path)
        try:
            verdict = file.verdict()
        except (UntrustedHistory, MissingFile, UsageProblem) as error:
            return status._replace(
                summary=f"no verdict: {error}",
                needs_action=True,
                reason=str(error),
                advice="solve the problem above, then run `learnings` again",
                problem=str(error),
                reading=reading_of(file),
            )
        command, reason = verdict_words.next_step(verdict), verdict_words.reason(verdict)
        is_due = verdict.verdict == DUE
        return status._replace(
            summary=f"{verdict_words.state(verdict)}: {reason}",
            needs_action=is_due,
            reason=reason,
            next=command,
            advice=command or "",
            counts=is_due,
            reading=reading_of(file),
            verdict=verdict,
        )

    def offer(self, workspace: Workspace) -> InitOffer:
        """Return the memories that discovery finds, also in packages without a manifest.

        Ignored memories are left out: a configuration that names them fails in every other clone.
        Empty if files are configured. Raises LearningsError.
        """
        if workspace.settings.files:
            return InitOffer()

        # Include longer names, which packages_around() leaves out.
        paths = listed_files(workspace.root, [f"*{name}" for name in _MEMORY_NAMES])
        packages = {package for path in paths for package in packages_around(path, _MEMORY_NAMES)}
        discovery = Discovery(workspace.tree, workspace.places, packages=sorted(packages))
        candidates = discovery.learnings
        problems = []
        for candidate in candidates:
            problem = workspace.found.problem_of(candidate)
            if problem and candidate.reason.startswith(CANNOT_BE_READ):
                raise problem  # a configuration that left it out would guard it no more
            problems += [problem] if problem else []
        folders = [folder.path for folder in workspace.found.folders]
        included = [*(file.path for file in candidates if file.included), *folders]
        files = tuple(path for path in included if not not_text(path))
        literally = [f":(literal){path}" for path in files]
        tracked = tracked_files(workspace.root, literally) if files else []
        ignored = [file.path for file in candidates if file.reason == IGNORED_BY_GIT]
        unnamable = [path for path in included if not_text(path)]
        return InitOffer(
            files=files,
            untracked=tuple(path for path in files if path not in (*tracked, *folders)),
            notes=(
                *map(str, problems),
                *(f"skipped {path}: git ignores it" for path in ignored),
                *(f"skipped {path}: its name is not UTF-8; rename it" for path in unnamable),
            ),
        )
