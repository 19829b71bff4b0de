"""The planning of safe fixes for memory files; nothing is written yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from learnings.check.repository import SelectedFile
from learnings.core.errors import FixRefused, UsageProblem
from learnings.core.findings.finding import apply
from learnings.core.text import printable
from learnings.rules import check
from learnings.rules.index import rule_id
from learnings.rules.rule import CheckedFile, RuleInputs
from learnings.workspace.disk import is_link, real_path

if TYPE_CHECKING:
    from learnings.rules.rule import Rule
    from learnings.store.files import Change


_ROUNDS = 4
"""Maximum rounds, since a fix can lead to another; chosen, to stop fixes that undo each other."""


def fixed_files(
    root: Path,
    files: Iterable[SelectedFile],
    *,
    rules: Sequence[Rule] | None = None,
    add_missing: bool = False,
    others: Mapping[str, bytes] | None = None,
) -> tuple[Change, ...]:
    """Return the changes of files by fixes, in path order.

    root is the repository to write to; rules default to all enabled ones. Memory indexes come last,
    since they are compared with the fixed files, and with `others` instead of the files on disk.
    Raises FixRefused if a fix would lose something, UsageProblem for a changed file outside the
    repository.
    """
    selected = [*_once(root, files)]
    contents = {**(others or {})}
    contents |= {file.path: fixed_text(file, inputs, rules) for _, file, inputs in selected}
    for one in selected:
        if "index" in one.inputs:
            after = _fixed_index(root, one, contents, rules=rules, add_missing=add_missing)
            contents[one.file.path] = after
    changed = [one for one in selected if one.file.data != contents[one.file.path]]
    changed.sort(key=lambda one: one.file.path)
    for path in (one.file.path for one in changed):
        if path.startswith("../") or Path(path).is_absolute():
            raise UsageProblem(
                f"{printable(path)} is outside this repository, where fixes write nothing; "
                "run the command in its folder"
            )
    if not changed:
        return ()
    from learnings.store.files import Change  # noqa: PLC0415  (most runs change nothing)

    return tuple(
        Change(_place(root, one), one.file.data, contents[one.file.path]) for one in changed
    )


def _place(root: Path, selected: SelectedFile) -> str:
    """Return the path to write to: the end of a link that git wrote as text."""
    tree, path = selected.workspace.tree, selected.file.path
    inner = selected.workspace.relative(root / path)
    if inner is None or tree.text_link(inner) is None:
        return path
    return tree.full(inner).relative_to(root).as_posix()


def fixed_text(
    file: CheckedFile, inputs: RuleInputs | None = None, rules: Sequence[Rule] | None = None
) -> bytes:
    """Return a file with the fixes of its findings, except those of an index."""
    for _ in range(_ROUNDS):
        findings = [
            finding for finding in check(file, rules, inputs=inputs) if finding.path == file.path
        ]
        fixes = [finding.fix for finding in findings if finding.fix]
        if not any(fix.edits for fix in fixes):
            return file.data
        file = file.reread(apply(file.data, fixes, path=file.path))
    raise FixRefused(f"{file.path} was not changed: each fix leads to another; fix it by hand")


def _fixed_index(
    root: Path,
    selected: SelectedFile,
    contents: Mapping[str, bytes],
    *,
    rules: Sequence[Rule] | None,
    add_missing: bool,
) -> bytes:
    from learnings.check.memory_index import fixed_index  # noqa: PLC0415  (for an index only)

    workspace, file, inputs = selected
    reported = {(f.rule, f.path, f.line) for f in check(file, rules, inputs=inputs)}
    # By kind and subject: problems that a comment ignores, or whose rule does not run.
    ignored = {
        (problem.kind, problem.subject)
        for problem in inputs["index"].problems
        if (rule_id(problem.kind), problem.path, problem.line) not in reported
    }
    written = {workspace.relative(root / path) or "": data for path, data in contents.items()}
    path = workspace.relative(root / file.path) or file.path
    return fixed_index(workspace, path, written, add_missing=add_missing, ignored=ignored)


def _once(root: Path, files: Iterable[SelectedFile]) -> Iterator[SelectedFile]:
    """Yield each file once, under its own name if a link also leads to it."""
    seen: set[Path] = set()
    for selected in sorted(files, key=lambda selected: is_link(root / selected.file.path)):
        path = real_path(root / selected.file.path)
        if path not in seen and "obstacle" not in selected.inputs:
            seen.add(path)
            yield selected
