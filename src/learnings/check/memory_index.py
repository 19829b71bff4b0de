"""The memory index of a workspace, compared with its listed files, as its rules need it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING

from learnings.core.entries.document import ReadOptions, read
from learnings.core.errors import FixRefused, LearningsError
from learnings.core.findings.ignores import Ignore, ignores_of
from learnings.core.markdown.line_kinds import IGNORE_MARK
from learnings.core.roles import Role, exclusion
from learnings.core.settings.setting_values import OFF
from learnings.core.text import encode
from learnings.index.comparison import problems_of
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.other_form import other_form
from learnings.index.problems import IndexProblem
from learnings.index.rows import FORMS, Index, has_block, read_index
from learnings.rules.index import rule_id
from learnings.rules.rule import IndexFacts, document_of
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import is_folder, read_file
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.index.links import IndexedLinks
    from learnings.index.other_form import OtherForm


def form_of(workspace: Workspace, path: str, data: bytes) -> str | None:
    """Return the form of the index at a path, None for no index; a block is not configured."""
    is_block = has_block(data) and workspace.role_of(path) is Role.LEARNINGS
    is_configured = path in workspace.settings.index
    return "block" if is_block else workspace.settings.index_form if is_configured else None


def load_index(
    workspace: Workspace, path: str, data: bytes, contents: Mapping[str, bytes] | None = None
) -> tuple[Index, Sequence[IndexedFile]]:
    """Load the index in `data` with its files as in contents. Raises as read_file()."""
    form = form_of(workspace, path, data) or workspace.settings.index_form
    return _with_files(workspace, read_index(data, form=form, path=path), contents or {})


def _with_files(
    workspace: Workspace, index: Index, contents: Mapping[str, bytes]
) -> tuple[Index, Sequence[IndexedFile]]:
    if index.form.is_block:
        options = ReadOptions.of(workspace.file_settings(index.path))
        return index, [entries_of(index.path, read(index.to_bytes(), options))]
    listed, unread = _listed(workspace, index)
    paths = [file.path for file in listed if file.included]
    texts = (contents[p] if p in contents else workspace.tree.read(p) for p in paths)
    return index._replace(unread=unread), [*map(headings_of, paths, texts)]


def _listed(workspace: Workspace, index: Index) -> tuple[list[Candidate], frozenset[str]]:
    """Return the files of the globs, then the files that only the index names.

    The second value holds the named files that exist, but cannot be read.
    """
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
    named = [path for path in index.named_paths() if path not in files or not files[path].included]
    there = [path for path in named if tree.is_file(path)]
    # The rest are other readings of the same names, or titles; git is asked for what is missing.
    names = {path.rpartition("/")[2] for path in (*files, *there)}
    missing = [path for path in named if path.rpartition("/")[2] not in names]
    off_disk = [p for p in missing if p in tree.index.sparse and p in tree.index.files]
    for path in (*there, *off_disk):
        files[path] = Candidate(path, "named in the index", included=True)
    own = workspace.settings.index
    unread = {p for p in named if tree.is_listed(p) and not is_folder(tree.full(p))}
    unread |= {p for p in missing if tree.is_off_disk(p)}
    unread -= {path for path, file in files.items() if file.included and path not in own}
    return [file for path, file in files.items() if path not in own], frozenset(unread)


def indexed_files(workspace: Workspace, path: str) -> Sequence[Candidate]:
    """Return the files that an index lists, and skipped ones; raises as read_file()."""
    data = read_file(workspace.tree.full(path), shown=path)
    form = form_of(workspace, path, data) or workspace.settings.index_form
    index = read_index(data, form=form, path=path)
    return [] if index.form.is_block else _listed(workspace, index)[0]


def other_form_of(
    workspace: Workspace, index: Index, files: Sequence[IndexedFile]
) -> OtherForm | None:
    """Return what is wrong with the form of a whole index, or None; raises as load_index() does."""
    data, path = index.to_bytes(), index.path
    others = (read_index(data, form=name, path=path) for name in FORMS if name != index.form.name)
    readings = (_with_files(workspace, other, {}) for other in others if other.rows)
    return other_form(index, files, readings)


def any_index_facts(
    workspace: Workspace, path: str, data: bytes, contents: Mapping[str, bytes]
) -> IndexFacts | None:
    """Return the facts about an index of any kind, or None for any other file."""
    if form_of(workspace, path, data) is not None:
        return index_facts_of(workspace, path, data, contents)
    if workspace.role_of(path) is not Role.INDEX:
        return None
    from learnings.index.links import problems_of_links  # noqa: PLC0415  (few are indexes of links)

    links = links_of(workspace, path, data)
    if links is None:
        return IndexFacts((), {})
    return IndexFacts(tuple(problems_of_links(links)), {}, tuple(links.files))


def index_facts_of(
    workspace: Workspace, path: str, data: bytes, contents: Mapping[str, bytes] | None = None
) -> IndexFacts:
    """Compare the index in `data`, at a path, with its files; arguments as for load_index()."""
    index, files = load_index(workspace, path, data, contents)
    paths = tuple(file.path for file in files)
    if other := other_form_of(workspace, index, files):
        return IndexFacts((other.problem,), {}, paths)
    found = [
        problem
        for problem in problems_of(index, files)
        if problem.path == path or exclusion(problem.path, workspace.settings) is None
    ]
    texts = {file.path: encode("".join(file.lines)) for file in files} | {path: data}
    ignores = {
        name: ignores_of(document_of(text, role, workspace.file_settings(name)), role)
        for name, text in texts.items()
        if IGNORE_MARK.encode() in text
        for role in [workspace.role_of(name)]
    }
    if found:
        from learnings.index.fixing import with_fixes  # noqa: PLC0415  (where something is wrong)

        ignored = {(p.kind, p.subject) for p in found if _is_ignored(p, workspace, ignores)}
        found = [*with_fixes(index, files, found, ignored=ignored)]
    ignores.pop(path, None)
    return IndexFacts(tuple(found), ignores, paths)


def _is_ignored(
    problem: IndexProblem, workspace: Workspace, ignores: Mapping[str, Sequence[Ignore]]
) -> bool:
    rule = rule_id(problem.kind)
    return workspace.settings.rules.get(rule) == OFF or any(
        rule in ignore.rules and ignore.first <= problem.line <= ignore.last
        for ignore in ignores.get(problem.path, ())
    )


def fixed_index(
    workspace: Workspace,
    path: str,
    contents: Mapping[str, bytes],
    *,
    add_missing: bool,
    ignored: Container[tuple[str, str]],
) -> bytes:
    """Return the fixed index at a path, on request with the rows that it lacks.

    contents are the index and files about to be written; ignored are kinds and subjects of
    problems. Raises FixRefused.
    """
    data = contents[path]
    if form_of(workspace, path, data) is None:
        from learnings.index.links import fixed_links  # noqa: PLC0415  (few are indexes of links)

        links = links_of(workspace, path, data)
        return fixed_links(links, data, add_missing=add_missing, ignored=ignored) if links else data
    from learnings.index.fixing import fixed  # noqa: PLC0415  (as above)

    index, files = load_index(workspace, path, data, contents)
    other = other_form_of(workspace, index, files)
    if other and other.is_list:
        if add_missing:
            raise FixRefused(f"{path} was not changed: {other.problem.message}")
        return data
    return fixed(index, files, add_missing=add_missing, ignored=ignored).after.to_bytes()


def links_of(workspace: Workspace, path: str, data: bytes) -> IndexedLinks | None:
    """Return the link index at a path with the files it leads to, or None for another file."""
    from learnings.index.links import indexed_links  # noqa: PLC0415  (as above)

    tree, folder = workspace.tree, path.rpartition("/")[0]
    is_memory = any(memory.path == folder for memory in workspace.found.folders)
    files = {}
    for file in workspace.found.entries_in(folder) if is_memory else ():
        if exclusion(file, workspace.settings) is None:
            files[file] = read_file(workspace.tree.full(file), shown=file)

    def read(other: str) -> bytes | None:
        try:
            return tree.read(other)
        except LearningsError:  # a folder, or a file that nobody can read
            return None

    return indexed_links(path, data, files, tree.has, read=read, find=tree.files)
