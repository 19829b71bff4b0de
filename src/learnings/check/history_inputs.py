"""History for the rules of a check that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from learnings.check.reference_facts import NOTHING, References
from learnings.check.repository import SelectedFile
from learnings.core.entries.document import Document
from learnings.core.entries.merge_damage import still_in
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory
from learnings.core.roles import Role
from learnings.core.text import printable
from learnings.history.rule_facts import damage_by_merges, history_facts
from learnings.references.dead import Judged
from learnings.rules import RULES, dead_reference, merge_damage
from learnings.rules.rule import Rule
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.workspace import Workspace


class HistoryLoader:
    """Asks git about the files of a check, and keeps the reasons if it cannot answer.

    rules are the rules that will run, None for all.
    """

    def __init__(self, workspace: Workspace, rules: Iterable[Rule] | None = None) -> None:
        self._workspace = workspace
        self._needs = {rule.needs for rule in (RULES if rules is None else rules)}
        self._needs_damage = rules is None or merge_damage.RULE in rules
        self._asked: set[str] = set()
        self._errors: dict[str, LearningsError] = {}
        self._references: dict[Path, References] = {}

    def with_history(self, selected: SelectedFile) -> SelectedFile:
        """Return the file with the history facts for its rules, if history can be trusted."""
        file, inputs = selected.file, selected.inputs.copy()
        if "obstacle" in inputs:
            return selected
        if "references" in self._needs and file.role in dead_reference.RULE.roles:
            inputs["references"] = self._judge_of(selected)
        needs_facts = "history" in self._needs
        if file.role is Role.LEARNINGS and (needs_facts or self._needs_damage):
            self._asked.add(file.path)
            try:
                memory = MemoryFile(selected.workspace, self._workspace.root / file.path)
                with memory.history() as history:
                    if needs_facts:
                        inputs["history"] = history_facts(history)
                    if self._needs_damage:
                        damages = damage_by_merges(history)
                        find = partial(still_in, damages=damages)
                        file = file._replace(damage=(*file.damage, find))
            except (UntrustedHistory, MissingFile) as error:
                self._errors[file.path] = error
        return selected._replace(file=file, inputs=inputs)

    def complaints(self) -> list[str]:
        """Return the reasons for untrusted histories, each once, with its file if several."""
        sentences = {path: str(error) for path, error in self._errors.items()}
        everywhere = len(sentences) == len(self._asked) and len(set(sentences.values())) == 1
        named = {
            sentence if everywhere or path in sentence else f"{printable(path)}: {sentence}": None
            for path, sentence in sentences.items()
        }
        return list(named)

    def notes(self) -> list[str]:
        """Return the gaps in the answers, for people; they fail no check."""
        lacking = any(references.lacks_content for references in self._references.values())
        return [_LACKS_CONTENT] if lacking else []

    def _judge_of(self, selected: SelectedFile) -> Callable[[Document], Judged]:
        workspace, file = selected.workspace, selected.file
        path = workspace.relative(self._workspace.root / file.path) or file.path
        references = self._references.setdefault(workspace.root, References(workspace.tree))

        def judge(document: Document) -> Judged:
            is_learnings = file.role is Role.LEARNINGS
            try:
                judged = references.in_file(path, document, is_learnings=is_learnings)
            except UntrustedHistory as error:
                self._errors[file.path] = error
                judged = NOTHING
            if judged.named or file.path in self._errors:
                self._asked.add(file.path)
            return judged

        return judge


_LACKS_CONTENT = (
    "this repository lacks files of older commits: dead references are found, but not the new "
    "paths of renamed and edited files"
)
