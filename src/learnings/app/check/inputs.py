"""What the rules need besides the content of a file of an agent, or of a memory index."""

from __future__ import annotations

from collections.abc import Callable

from learnings.app.check.selection import SelectedPath, Selection
from learnings.core.agents.model import Commands
from learnings.core.roles import Role
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import IndexFacts, RuleInputs


def inputs_of(
    selection: Selection,
    selected: SelectedPath,
    file: CheckedFile,
    commands: Callable[[], Commands],
) -> RuleInputs:
    """Return what the rules need besides a file, its history left out; mostly that is nothing.

    Raises MissingFile for an indexed file that cannot be read, UsageProblem for one that is too
    large.
    """
    if file.role is Role.AGENT and selected.relative is not None:
        return _agent_inputs(selection, selected.relative, file, commands)
    if selected.relative is None or not file.is_text:
        return {}
    return _index_inputs(selection, selected.relative, file.data)


def _agent_inputs(
    selection: Selection, path: str, file: CheckedFile, commands: Callable[[], Commands]
) -> RuleInputs:
    from learnings.app.check.agent_facts import facts_for  # noqa: PLC0415  (for files of agents)
    from learnings.app.workspace.agent_files import home_around  # noqa: PLC0415

    root = selection.workspace.root
    home = home_around(root, path)
    if home is None:
        return {}
    return {"agent": facts_for(root, home, path, file.document, commands())}


def _index_inputs(selection: Selection, path: str, data: bytes) -> RuleInputs:
    """Compare a memory index with its files, all paths as findings name them.

    Empty for a file that is not an index.
    """
    from learnings.app.check.indexing import facts_of, form_of  # noqa: PLC0415  (for an index only)

    if form_of(selection.workspace, path, data) is None:
        return {}
    facts = facts_of(selection.workspace, path, data)
    paths = {*facts.files, *facts.ignores, *(problem.path for problem in facts.problems)}
    shown = {path: selection.shown(path) for path in paths}
    index = IndexFacts(
        tuple(problem._replace(path=shown[problem.path]) for problem in facts.problems),
        {shown[path]: ignores for path, ignores in facts.ignores.items()},
        tuple(shown[path] for path in facts.files),
    )
    return {"index": index}
