"""What the rules need besides the content of a memory index."""

from __future__ import annotations

from learnings.app.check.selection import SelectedPath, Selection
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import IndexFacts, RuleInputs


def inputs_of(selection: Selection, selected: SelectedPath, file: CheckedFile) -> RuleInputs:
    """Return what the rules need besides a file, its history left out; mostly that is nothing.

    Raises MissingFile for an indexed file that cannot be read, UsageProblem for one that is too
    large.
    """
    if selected.relative is None or not file.is_text:
        return {}
    return _index_inputs(selection, selected.relative, file.data)


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
