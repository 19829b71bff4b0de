"""History for the rules of a check that need it."""

from __future__ import annotations

from learnings.check.search import SelectedFile
from learnings.core.entries.document import ReadOptions
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory
from learnings.core.roles import Role
from learnings.core.text import printable
from learnings.history.file_history import HistoryQuery, open_history
from learnings.history.rule_facts import history_facts
from learnings.workspace.workspace import Workspace


class HistoryLoader:
    """Adds history to the learnings files of a check, and keeps the reasons for missing ones."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._queries = 0
        self._errors: dict[str, LearningsError] = {}

    def with_history(self, selected: SelectedFile) -> SelectedFile:
        """Return the same file with its history, where that can be trusted and rules need it."""
        file = selected.file
        if file.role is not Role.LEARNINGS:
            return selected
        self._queries += 1
        query = HistoryQuery(
            file=self._workspace.root / file.path,
            user_folder=self._workspace.user_folder,
            tomorrow=self._workspace.clock.tomorrow(),
            read_options=ReadOptions.of(file.file_settings),
            ignore_revs_file=file.settings.ignore_revs_file,
            may_allow_shallow=False,
        )
        try:
            with open_history(query) as history:
                facts = history_facts(history)
        except (UntrustedHistory, MissingFile) as error:
            self._errors[file.path] = error
            return selected
        return selected._replace(inputs={**selected.inputs, "history": facts})

    def complaints(self) -> list[str]:
        """Return why histories are not trusted: each sentence once, with its file if several."""
        sentences = {path: str(error) for path, error in self._errors.items()}
        everywhere = len(sentences) == self._queries and len(set(sentences.values())) == 1
        named = {
            sentence if everywhere or path in sentence else f"{printable(path)}: {sentence}": None
            for path, sentence in sentences.items()
        }
        return list(named)
