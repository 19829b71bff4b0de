"""The safe fixes of memory files, planned: what is to be written, with nothing written yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from learnings.app.check.search import SelectedFile
from learnings.app.workspace.disk import real_path
from learnings.core.errors import FixRefused, UsageProblem
from learnings.core.findings.fixes import apply
from learnings.core.text import printable
from learnings.rules import check
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import Inputs

_ROUNDS = 4  # one fix can bring another to light, so the files are checked until nothing is left


class FixedFile(NamedTuple):
    """A file that a fix changes; its path is POSIX from the root of the repository."""

    path: str
    before: bytes
    after: bytes


def fixed_files(
    root: Path, selected: Iterable[SelectedFile], *, add_missing: bool = False
) -> tuple[FixedFile, ...]:
    """Return the files that a fix changes, in the order of their paths.

    root is that of the repository in which files are written. Memory indexes come last, since
    they are held against the files as they will be. Raises FixRefused where a fix would lose
    something, UsageProblem for a file outside the repository; a file that needs nothing is no
    reason to raise anything.
    """
    files = list(_each_once(root, selected))
    contents = {each.file.path: fixed_text(each.file, each.inputs) for each in files}
    for each in files:
        if "index" in each.inputs:
            index = fixed_index(root, each, contents, add_missing=add_missing)
            contents[each.file.path] = index
    found = [FixedFile(f.path, f.data, contents[f.path]) for _, f, _ in files]
    return tuple(_inside(each) for each in sorted(found) if each.before != each.after)


def fixed_text(file: CheckedFile, inputs: Inputs | None = None) -> bytes:
    """Return a file with the fixes of what is found in it, but for those of an index."""
    for _ in range(_ROUNDS):
        findings = check(file, inputs=inputs)
        fixes = [each.fix for each in findings if each.fix and each.path == file.path]
        if not any(fix.edits for fix in fixes):
            return file.data
        file = file.reread(apply(file.data, fixes, path=file.path))
    raise FixRefused(
        f"{file.path} is left as it is: each fix brings another to light; mend it by hand"
    )


def fixed_index(
    root: Path, selected: SelectedFile, contents: Mapping[str, bytes], *, add_missing: bool
) -> bytes:
    """Return a memory index put in order, but for what is ignored in it.

    contents are those of the files that are about to be written, by their paths in findings.
    """
    from learnings.app.check.indexing import load_index  # noqa: PLC0415
    from learnings.core.index.fix import fixed  # noqa: PLC0415  (most runs meet no index)

    workspace, file, _ = selected
    written = {workspace.relative(root / path) or "": data for path, data in contents.items()}
    index, files = load_index(workspace, contents[file.path], written)
    return fixed(index, files, add_missing=add_missing, ignored=_ignored(selected))


def _ignored(selected: SelectedFile) -> set[tuple[str, str]]:
    """Return the kinds and subjects of the problems of an index that a comment ignores."""
    _, file, inputs = selected
    findings = {(each.rule, each.path, each.line) for each in check(file, inputs=inputs)}
    return {
        (problem.kind, problem.subject)
        for problem in inputs["index"].problems
        if (problem.kind, problem.path, problem.line) not in findings
    }


def _each_once(root: Path, selected: Iterable[SelectedFile]) -> Iterator[SelectedFile]:
    """Give the files, one that is named by a link as well under its own name."""

    def is_link(each: SelectedFile) -> bool:
        return (root / each.file.path).is_symlink()

    met: set[Path] = set()
    for each in sorted(selected, key=is_link):
        real = real_path(root / each.file.path)
        if real not in met:
            met.add(real)
            yield each


def _inside(each: FixedFile) -> FixedFile:
    if each.path.startswith("../") or Path(each.path).is_absolute():
        raise UsageProblem(
            f"{printable(each.path)} lies outside of this repository, and a fix writes nothing "
            "there; run it in that folder"
        )
    return each
