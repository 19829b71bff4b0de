"""The number of dead references in memory files and instructions of a repository."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from learnings.check.reference_facts import References
from learnings.check.search import SelectedFile
from learnings.core.errors import UntrustedHistory
from learnings.core.roles import Role
from learnings.core.settings.setting_values import OFF
from learnings.rules import dead_reference
from learnings.workspace.workspace import Workspace


class ReferenceCount(NamedTuple):
    """References to existing or former things, and the dead ones among them."""

    known: int
    dead: int


def reference_count(workspace: Workspace, files: Iterable[SelectedFile]) -> ReferenceCount | None:
    """Count the references of some files; None if no history can tell, or the rule is off."""
    if workspace.settings.rules.get(dead_reference.RULE.id) == OFF:
        return None
    references = References(workspace.root)
    known = dead = 0
    for _, file, _ in files:
        if file.role in dead_reference.RULE.roles:
            is_learnings = file.role is Role.LEARNINGS
            try:
                judged = references.in_file(file.path, file.document, is_learnings=is_learnings)
            except UntrustedHistory:
                return None
            known += len(judged.named)
            dead += len(judged.dead)
    return ReferenceCount(known, dead)
