"""The memory index of a workspace, compared with its listed files, as its rules need it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from learnings.check.selection import SelectedPath, Selection
from learnings.core.entries.document import ReadOptions, read
from learnings.core.findings.ignores import Ignore, ignores_of
from learnings.core.markdown.line_kinds import IGNORE_MARK
from learnings.core.roles import Role, exclusion
from learnings.core.settings.setting_values import OFF
from learnings.core.text import encode
from learnings.index.forms import FORMS, has_block, read_index
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.index_file import MemoryIndex
from learnings.index.index_fixes import with_fixes
from learnings.index.index_problems import (
    MISSING_FILE,
    MISSING_ROW,
    IndexProblem,
    may_be_other,
    other_form,
    problems_of,
)
from learnings.index.table_forms import BlockForm
from learnings.rules.index import rule_id
from learnings.rules.rule import CheckedFile, IndexFacts, RuleInputs, document_of
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import read_file
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.index.index_problems import OtherForm
    from learnings.index.links import IndexedLinks


def form_of(workspace: Workspace, path: str, data: bytes) -> str | None:
    """Return the form of the index at a path, None for no index; a block is not configured."""
    is_block = has_block(data) and workspace.role_of(path) is Role.LEARNINGS
    is_configured = path in workspace.settings.index
    return BlockForm.name if is_block else workspace.settings.index_form if is_configured else None


def load_index(
    workspace: Workspace, path: str, data: bytes, contents: Mapping[str, bytes] | None = None
) -> tuple[MemoryIndex, Sequence[IndexedFile]]:
    """Load the index in `data` with its files as in contents. Raises as read_file()."""
    form = form_of(workspace, path, data) or workspace.settings.index_form
    index = read_index(data, form=form, path=path)
    return index, _files_of(workspace, index, contents)


def _files_of(
    workspace: Workspace, index: MemoryIndex, contents: Mapping[str, bytes] | None = None
) -> Sequence[IndexedFile]:
    if index.form.lists_itself:
        options = ReadOptions.of(workspace.file_settings(index.path))
        return [entries_of(index.path, read(index.to_bytes(), options))]
    files = []
    for file in (file for file in _listed(workspace, index) if file.included):
        source = (contents or {}).get(file.path)
        if source is None:
            source = workspace.tree.read(file.path)
        files.append(headings_of(file.path, source))
    return files


def other_form_of(
    workspace: Workspace, index: MemoryIndex, files: Sequence[IndexedFile]
) -> OtherForm | None:
    """Return what is wrong with the form of a whole index, or None; raises as load_index() does."""
    if not may_be_other(index):
        return None
    others = (
        read_index(index.to_bytes(), form=name, path=index.path)
        for name in FORMS
        if name != index.form.name
    )
    return other_form(
        index, files, [(other, _files_of(workspace, other)) for other in others if other.rows]
    )


def index_facts_of(
    workspace: Workspace, path: str, data: bytes, contents: Mapping[str, bytes] | None = None
) -> IndexFacts:
    """Compare the index in `data`, at a path, with its files; arguments as for load_index()."""
    fuzzy = fuzzy_ratio(workspace)
    index, files = load_index(workspace, path, data, contents)
    paths = tuple(file.path for file in files)
    if other := other_form_of(workspace, index, files):
        return IndexFacts((other.problem,), {}, paths)
    faults = tuple(
        problem
        for problem in problems_of(index, files, fuzzy=fuzzy)
        if exclusion(problem.path, workspace.settings) is None or problem.path == index.path
        if problem.kind != MISSING_FILE or not workspace.tree.is_off_disk(problem.subject)
    )
    ignores = {
        file.path: _ignores_in(workspace, file.path, encode("".join(file.lines)))
        for file in files
        if file.path != path and any(IGNORE_MARK in line for line in file.lines)
    }
    if faults:
        own = _ignores_in(workspace, path, data) if IGNORE_MARK.encode() in data else ()
        ignored = _ignored(workspace, faults, {**ignores, path: own})
        faults = tuple(with_fixes(index, files, faults, ignored=ignored, fuzzy=fuzzy))
    return IndexFacts(faults, ignores, paths)


def fixed_links(
    workspace: Workspace,
    path: str,
    data: bytes,
    *,
    add_missing: bool,
    ignored: Container[tuple[str, str]],
) -> bytes:
    """Return a corrected link index, on request with rows for unlisted files."""
    from learnings.index.links import unlisted, with_links  # noqa: PLC0415  (few are indexes of links)

    index = links_of(workspace, path, data)
    if index is None:
        return data
    moved = {p: file for p, file in index.moved.items() if (MISSING_FILE, p) not in ignored}
    new = unlisted(index) if add_missing else {}
    new = {p: words for p, words in new.items() if (MISSING_ROW, p) not in ignored}
    return with_links(path, data, new=new, moved=moved)


def links_of(workspace: Workspace, path: str, data: bytes) -> IndexedLinks | None:
    """Return the link index at a path with the files it leads to, or None for another file."""
    from learnings.index.links import indexed_links  # noqa: PLC0415  (as above)

    tree, folder = workspace.tree, path.rpartition("/")[0]
    is_memory = any(memory.path == folder for memory in workspace.found.folders)
    files = {}
    for file in workspace.found.entries_in(folder) if is_memory else ():
        if exclusion(file, workspace.settings) is None:
            files[file] = read_file(workspace.root / file, shown=file)
    return indexed_links(path, data, files, tree.has)


def fuzzy_ratio(workspace: Workspace) -> float | None:
    """Return the configured `fuzzy-threshold`, or None if it is off."""
    threshold = workspace.settings.fuzzy_threshold
    return threshold if isinstance(threshold, float) else None


def _ignored(
    workspace: Workspace, problems: Iterable[IndexProblem], ignores: Mapping[str, Sequence[Ignore]]
) -> set[tuple[str, str]]:
    def is_ignored(problem: IndexProblem) -> bool:
        rule = rule_id(problem.kind)
        return workspace.settings.rules.get(rule) == OFF or any(
            rule in ignore.rules and ignore.first <= problem.line <= ignore.last
            for ignore in ignores.get(problem.path, ())
        )

    return {(problem.kind, problem.subject) for problem in problems if is_ignored(problem)}


def indexed_files(workspace: Workspace, path: str) -> Sequence[Candidate]:
    """Return the files that an index lists, and skipped ones; raises as load_index()."""
    data = read_file(workspace.root / path, shown=path)
    form = form_of(workspace, path, data) or workspace.settings.index_form
    index = read_index(data, form=form, path=path)
    return [] if index.form.lists_itself else _listed(workspace, index)


def _ignores_in(workspace: Workspace, path: str, data: bytes) -> tuple[Ignore, ...]:
    role = workspace.role_of(path)
    document = document_of(data, role, workspace.file_settings(path))
    return ignores_of(document, role)


def _listed(workspace: Workspace, index: MemoryIndex) -> list[Candidate]:
    """Return the files of the globs, then the files that only the index names."""
    tree, origin = workspace.tree, workspace.settings.origins.get("indexed")
    set_at = f"configured ({origin})" if origin else "default"
    files: dict[str, Candidate] = {}
    for glob in workspace.settings.indexed:
        for path in tree.files(glob):
            if exclusion(path, workspace.settings) is not None:
                continue
            obstacle = tree.obstacle(path)
            reason = obstacle or f"{set_at}: {glob}"
            files[path] = Candidate(path, reason, included=obstacle is None)
    for path in index.named_paths():
        if path in files and files[path].included:
            continue
        if tree.is_file(path) or (path in tree.index.sparse and path in tree.index.files):
            files[path] = Candidate(path, "named in the index", included=True)
    return [file for path, file in files.items() if path not in workspace.settings.index]


def index_inputs_of(
    selection: Selection,
    selected: SelectedPath,
    file: CheckedFile,
    contents: Mapping[str, bytes] | None = None,
) -> RuleInputs:
    """Return the inputs of an index, empty for any other file. Arguments as for load_index()."""
    path, data, workspace = selected.relative, file.data, selection.workspace
    if path is None or not file.is_text:
        return {}
    if form_of(workspace, path, data) is not None:
        facts = index_facts_of(workspace, path, data, contents)
    elif workspace.role_of(path) is Role.INDEX:
        from learnings.index.links import problems_of_links  # noqa: PLC0415  (few are indexes of links)

        links = links_of(workspace, path, data)
        problems = () if links is None else problems_of_links(links)
        facts = IndexFacts(tuple(problems), {}, () if links is None else tuple(links.files))
    else:
        return {}
    paths = {*facts.files, *facts.ignores, *(problem.path for problem in facts.problems)}
    shown = {path: selection.shown(path) for path in paths}
    index = IndexFacts(
        tuple(problem._replace(path=shown[problem.path]) for problem in facts.problems),
        {shown[path]: ignores for path, ignores in facts.ignores.items()},
        tuple(shown[path] for path in facts.files),
    )
    return {"index": index}
