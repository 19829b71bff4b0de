"""History for the rules of a check that need it."""

from __future__ import annotations

from pathlib import Path

from learnings.app.workspace.clock import tomorrow
from learnings.core.entries.document import Reading
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory
from learnings.core.roles import Role
from learnings.core.text import printable
from learnings.history.query import HistoryQuery
from learnings.history.rule_facts import history_facts
from learnings.rules.context import Context


class HistoryLoader:
    """Asks git about the learnings files of a check, and keeps what it could not tell.

    Paths of findings start from the folder base.
    """

    def __init__(self, *, base: Path, cwd: Path) -> None:
        self._base = base
        self._cwd = cwd
        self._asked = 0
        self._trouble: dict[str, LearningsError] = {}

    def with_history(self, context: Context) -> Context:
        """The same file with its history, where that can be trusted and rules look at it."""
        if context.role is not Role.LEARNINGS:
            return context
        self._asked += 1
        try:
            return context._replace(history=history_facts(self._question(context)))
        except (UntrustedHistory, MissingFile) as error:
            self._trouble[context.path] = error
            return context

    def complaints(self) -> list[str]:
        """What keeps histories from being trusted: each sentence once, its file where several."""
        sentences = {path: str(error) for path, error in self._trouble.items()}
        everywhere = len(sentences) == self._asked and len(set(sentences.values())) == 1
        named = {
            sentence if everywhere or path in sentence else f"{printable(path)}: {sentence}": None
            for path, sentence in sentences.items()
        }
        return list(named)

    def _question(self, context: Context) -> HistoryQuery:
        file = context.file
        return HistoryQuery(
            file=self._base / context.path,
            cwd=self._cwd,
            tomorrow=tomorrow(),
            reading=Reading(file.dialect, file.entry_level, file.preamble_lines),
            min_removed=file.consolidation_min_removed,
            ignore_revs_file=context.settings.ignore_revs_file,
            may_allow_shallow=False,
        )
