"""Files that look like a memory but are none: why, and sentences that name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from posixpath import dirname

from learnings.core.entries.dialects import TO_HEADINGS
from learnings.core.file_names import (
    DEFAULT_FILE,
    LEARNINGS_NAMES,
    LOADED_FOLDER,
    LOADED_NAME,
    MEMORY_RULES,
)
from learnings.core.roles import Role, is_package_path
from learnings.core.text import printable
from learnings.workspace.discovery import IS_STATE, Candidate, Discovery
from learnings.workspace.places import index_of, link_rows_of
from learnings.workspace.workspace import Workspace

# Commits needed to tell whether sessions overwrite a file, and how many of them then replaced half
# of its lines.
_ENOUGH_COMMITS, _REWRITTEN = 3, 2


def skipped_files(workspace: Workspace, role: Role = Role.LEARNINGS) -> tuple[Candidate, ...]:
    """Return files with the names of a role but not the role; raises as `found.indexes`."""
    found, candidates = workspace.found, tuple[Candidate, ...]()
    if role is Role.LEARNINGS:
        others = (*found.learnings, *_elsewhere(workspace))
        own = (file for file in others if workspace.role_of(file.path) is not Role.INDEX)
        candidates = tuple(_by_history(found, own))
    if role is Role.TARGET:
        candidates = found.targets
    if role is Role.INDEX:
        candidates = (*found.indexes, *found.loaded_indexes)
    return tuple(candidate for candidate in candidates if not candidate.included)


def _by_history(found: Discovery, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the files; a state by name that few commits rewrote may be a memory."""
    from learnings.history.git.tracked import rewrites  # noqa: PLC0415  (few repositories have a state)

    files = [*candidates]
    states = [file.path for file in files if file.reason == IS_STATE]
    counts = rewrites(found.tree.root, states) if states and found.tree.has_git else {}
    for file in files:
        changed, rewritten = counts.get(file.path, (0, 0))
        if changed < _ENOUGH_COMMITS or rewritten >= _REWRITTEN:
            yield file
            continue
        reason = f"named like the state of work, but {changed} commits kept most of it"
        yield Candidate(file.path, reason, is_open=not found.settings.files)


def _elsewhere(workspace: Workspace) -> Iterator[Candidate]:
    """Yield tracked files with a memory name but without a role, and folders of such files.

    This includes memory files that are missing on disk: a new one would clash with git's.
    """
    found, is_configured = workspace.found, bool(workspace.settings.files)
    yield from () if found.memories else _listed_folders(found)
    used = [file.path for file in (*found.learnings, *found.link_indexes) if file.included]
    if not is_configured:
        yield from _lesson_folders(found, {*map(dirname, used)})
    judged = {*(file.path for file in found.learnings), *map(found.tree.real, used)}
    for path in (path for path in found.names.memories if path not in judged):
        name = path.rpartition("/")[2]
        is_on_disk, role = found.tree.is_listed(path), workspace.role_of(path)
        is_rules = path.endswith(MEMORY_RULES) and not is_configured
        if is_on_disk and (is_rules or role in (None, Role.LEARNINGS)):
            yield _judged_elsewhere(found, path)
        elif not is_on_disk and name in LEARNINGS_NAMES and role is Role.LEARNINGS:
            yield Candidate(path, "tracked, but deleted or outside the sparse checkout")


def _judged_elsewhere(found: Discovery, path: str) -> Candidate:
    """Return a file in no usual place with the reason, or the folder that its index lists."""
    folder, _, name = path.rpartition("/")
    inner = folder if name in LEARNINGS_NAMES else folder.lstrip(".")
    is_copy = bool(folder) and not is_package_path(inner)
    is_open = not found.settings.files and not is_copy
    if name == LOADED_NAME and folder and index_of(found.tree, folder) == path:
        reason = f"its {name} lists its files; each would be an entry"
        return Candidate(folder, reason, is_open=is_open)
    if name == LOADED_NAME:
        reason = f"{LOADED_NAME} is only an index below {LOADED_FOLDER}"
    elif found.settings.files:
        reason = "not among the configured files"
    elif name not in LEARNINGS_NAMES:
        reason = "only its name is like that of a memory"
    elif is_copy:
        reason = "in tests, examples, archives or hidden folders"
    else:
        reason = "outside the searched folders"
    return Candidate(path, reason, is_open=is_open)


def _listed_folders(found: Discovery) -> Iterator[Candidate]:
    """Yield the folders to which most rows of an index lead."""
    for index in found.link_indexes:
        rows = link_rows_of(index.path, found.tree.content(index.path) or b"")
        folders = Counter(map(dirname, rows))
        folder, count = folders.most_common(1)[0] if folders else ("", 0)
        if folder and is_package_path(folder.lstrip(".")) and 2 * count > len(rows):
            reason = f"a folder of files that {index.path} lists"
            yield Candidate(folder, reason, is_open=not found.settings.files)


def _lesson_folders(found: Discovery, used: Container[str]) -> Iterator[Candidate]:
    """Yield the folders named like those of lessons that hold no memory and are none."""
    known = {file.path for file in found.folders}
    for folder in found.names.folders:
        if folder not in known and folder not in used:
            reason = "named like a folder of memories; each of its files would be an entry"
            yield Candidate(folder, reason, is_open=True)


# Nobody reads a longer list in a sentence to its end.
_MOST_NAMED = 5
# The noun for a file of a role, and the advice if there is none.
_WORDS = {
    Role.LEARNINGS: (
        "learnings file",
        f"write {DEFAULT_FILE}, or set `path` in learnings.toml if yours has another name",
    ),
    Role.TARGET: ("target file", "set `targets` if you have any"),
    Role.INDEX: ("memory index", "set `index` if you have one"),
    Role.AGENT: (
        "agent file that runs learnings",
        "`learnings` looks in .claude, agent-core and plugins",
    ),
    Role.TOPIC: (
        "file of a memory folder",
        "configure the memory folder as a learnings file if you have one",
    ),
}


def likely_memory(skipped: Sequence[Candidate]) -> Candidate | None:
    """Return the skipped file that may be the memory, or is to become it, if there is one."""
    files = [file for file in skipped if file.is_empty or file.is_open]
    return min(files, key=lambda file: file.is_empty, default=None)


def skipped_sentence(files: Sequence[Candidate], *, most: int | None = _MOST_NAMED) -> str:
    """Return a clause that names at most `most` skipped files with their reasons."""
    if not files:
        return ""
    named = [f"{printable(file.path)}: {printable(file.words)}" for file in files[:most]]
    rest = len(files) - len(named)
    more = [f"and {rest} more, see `learnings config`"] if rest else []
    return f"skipped {'; '.join([*named, *more])}"


def nothing_found(
    skipped: Sequence[Candidate],
    roles: Sequence[Role] = (Role.LEARNINGS,),
    *,
    has_advice: bool = True,
) -> str:
    """Return the sentence that no file has one of the roles; skipped are possible files."""
    clause = skipped_sentence(skipped)
    because = f" ({clause})" if clause else ""
    nouns = " or ".join(_WORDS[role][0] for role in roles)
    likely = likely_memory(skipped)
    is_told = likely and (likely.is_open or TO_HEADINGS in likely.reason)
    if not has_advice or is_told or IS_STATE in (f.reason for f in skipped):
        return f"no {nouns} found{because}"
    if likely:
        return f"no {nouns} found{because}; write a first entry into {printable(likely.path)}"
    return "; ".join([f"no {nouns} found{because}", *(_WORDS[role][1] for role in roles)])
