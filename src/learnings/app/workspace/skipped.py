"""What discovery came upon and did not take, each file with its reason, and the sentence for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from learnings.app.workspace.discovery import Candidate
from learnings.app.workspace.tree import FileTree
from learnings.core.file_names import DEFAULT_FILE, LEARNINGS_NAMES, LOADED_FOLDER, LOADED_NAME
from learnings.core.roles import Role, is_package_path
from learnings.core.settings.values import Settings
from learnings.core.text import printable

# A sentence that names more than these is not read to its end.
_MOST_NAMED = 5
_NOUNS = {
    Role.LEARNINGS: "learnings file",
    Role.TARGET: "target file",
    Role.INDEX: "memory index",
    Role.AGENT: "agent file that runs learnings",
}
_ADVICE = {
    Role.LEARNINGS: f"write {DEFAULT_FILE}, or configure the path of yours",
    Role.TARGET: "configure `targets` if there are any",
    Role.INDEX: "configure `index` if there is one",
    Role.AGENT: "they are looked for in .claude, in agent-core and in plugins",
}


def tracked_elsewhere(
    root: Path,
    settings: Settings,
    memories: Iterable[str],
    role_of: Callable[[str], Role | None],
) -> Iterator[Candidate]:
    """Give the files that are named like a memory, or nearly, and have no role, with the reasons.

    memories are the tracked files of such names, role_of returns the role of a path.
    """
    tree = FileTree(root)
    for path in memories:
        folder, _, name = path.rpartition("/")
        is_on_disk = name in tree.names(folder)
        if is_on_disk and role_of(path) in (None, Role.LEARNINGS):
            yield Candidate(path, _reason(settings, folder, name))


def skipped_sentence(files: Sequence[Candidate], *, most: int | None = _MOST_NAMED) -> str:
    """Return the clause that names skipped files with their reasons, empty where there are none.

    most is the number of files to name, None for all.
    """
    if not files:
        return ""
    named = [f"{printable(file.path)}: {printable(file.reason)}" for file in files[:most]]
    rest = len(files) - len(named)
    more = [f"and {rest} more, see `learnings config`"] if rest else []
    return f"skipped {'; '.join([*named, *more])}"


def nothing_found(skipped: Sequence[Candidate], role: Role = Role.LEARNINGS) -> str:
    """Return the sentence that there is no file of a role; skipped are those that might be one."""
    clause = skipped_sentence(skipped)
    because = f" ({clause})" if clause else ""
    return f"no {_NOUNS[role]} found{because}; {_ADVICE[role]}"


def _reason(settings: Settings, folder: str, name: str) -> str:
    if name == LOADED_NAME:
        return f"{LOADED_NAME} is an index only below {LOADED_FOLDER}"
    if settings.files:
        return "not among the configured files"
    if name not in LEARNINGS_NAMES:
        return "only a name like learnings.md"
    if folder and not is_package_path(folder):
        return "among tests, examples, archives or hidden folders"
    return "outside the folders that are searched"
