"""Everything that the set-up of a repository changes, before any of it is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.app.setup import pre_commit_step, text_steps
from learnings.app.setup.hook_table import CHOSEN, PREK_FILE, SHIPPED, install_command
from learnings.app.setup.text_steps import EditedText
from learnings.core.errors import UsageProblem
from learnings.core.file_names import COMPANION_NAME, LEARNINGS_NAMES, OWN_FILE
from learnings.core.roles import Role, packages_around
from learnings.core.settings.reader import confidence_options, tier_settings
from learnings.core.text import counted, decode, encode, not_text
from learnings.forms.confidence.memory_findings import report_on_memory
from learnings.forms.confidence.memory_folder import memory_folder_of
from learnings.forms.tiers import report_on_tiers
from learnings.history.git import process
from learnings.history.git.tracked import listed_files, tracked_files
from learnings.store.files import Change
from learnings.workspace.config_file import LARGEST_CONFIG, SHARED_FILE, find_config
from learnings.workspace.discovery import nothing_found
from learnings.workspace.disk import existing_file, find_root, is_folder, read_file
from learnings.workspace.learnings_files import learnings_files
from learnings.workspace.tree import IGNORED_BY_GIT
from learnings.workspace.workspace import Workspace

_MEMORY_NAMES = (*LEARNINGS_NAMES, COMPANION_NAME)


class RepositoryFiles(NamedTuple):
    """The learnings files to configure; POSIX paths from the root.

    ignored are those that git ignores, unnamable those whose names no configuration can hold, since
    they are not UTF-8. untracked are those to configure that nobody has added to git yet.
    """

    files: tuple[str, ...]
    ignored: tuple[str, ...]
    unnamable: tuple[str, ...]
    untracked: tuple[str, ...]


def find_learnings_files(workspace: Workspace) -> RepositoryFiles:
    """Find the learnings files in the folders of discovery, from the root and from each package.

    A folder needs no manifest to be a package here, where its learnings file is configured. Files
    that git ignores are in this clone only, so that a configuration that names them fails
    everywhere else. Raises LearningsError where git fails.
    """
    patterns = [
        f"*{name}" for name in _MEMORY_NAMES
    ]  # longer names too, which packages_around() leaves out
    paths = listed_files(workspace.root, patterns)
    packages = {package for path in paths for package in packages_around(path, _MEMORY_NAMES)}
    candidates = learnings_files(workspace.root, workspace.settings, packages=sorted(packages))
    for candidate in candidates:
        problem = workspace.problem_of(candidate)
        if problem is not None:
            raise problem
    included = [file.path for file in candidates if file.included]
    files = tuple(path for path in included if not not_text(path))
    literally = [f":(literal){path}" for path in files]
    tracked = tracked_files(workspace.root, literally) if files else []
    return RepositoryFiles(
        files=files,
        untracked=tuple(path for path in files if path not in tracked),
        unnamable=tuple(path for path in included if not_text(path)),
        ignored=tuple(file.path for file in candidates if file.reason == IGNORED_BY_GIT),
    )


_COMMANDS = {
    "learning-tiers": "learnings tiers check",
    "confidence-memory": "learnings memory check",
}
"""What each hook runs."""


def hooks_for(workspace: Workspace) -> tuple[tuple[str, ...], list[str]]:
    """Return the ids of the hooks, in their order, and notes about those that are left out.

    The findings of these hooks are in no baseline: one that has errors to report is left out, so
    that the first commit passes.
    """
    folders = {
        "learning-tiers": tier_settings(workspace.settings).path,
        "confidence-memory": confidence_options(workspace.settings).path,
    }
    wanted, notes = {*CHOSEN}, []
    for hook, path in folders.items():
        if not is_folder(workspace.root / path):
            continue
        errors = _errors_of_hook(hook, workspace)
        if errors:
            counts = counted(errors, "error")
            notes.append(
                f"{hook} is left out, because `{_COMMANDS[hook]}` finds {counts}; correct them, "
                "then add its id"
            )
        else:
            wanted.add(hook)
    return tuple(hook for hook in SHIPPED if hook in wanted), notes


def _errors_of_hook(hook: str, workspace: Workspace) -> int:
    if hook == "learning-tiers":
        return report_on_tiers(workspace).errors
    return report_on_memory(memory_folder_of(workspace)).errors


class SetupPlan(NamedTuple):
    """The files to change in the repository at `root`, and what the user should know.

    installation is the command that installs the hooks, empty where that is not wanted or refused.
    untracked are learnings files that nobody has added to git yet.
    """

    root: Path
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    installation: str = ""
    untracked: tuple[str, ...] = ()


def setup_plan_for(workspace: Workspace, *, with_hooks: bool = True) -> SetupPlan:
    """Plan the set-up of a repository; nothing is written.

    Raises UsageProblem outside a repository, ManualEditRequired for a file that is not edited,
    BadSettings for a broken configuration, and LearningsError where git fails.
    """
    root = find_root(workspace.start.resolve())
    if not os.path.lexists(root / ".git"):
        raise UsageProblem("this folder is in no git repository; change to one, or run `git init`")
    planner = _Planner(workspace.at(root))
    planner.settings()
    if with_hooks:
        planner.hooks()
    planner.ignored()
    return planner.plan()


class _Planner:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._root = workspace.root
        self._changes: list[Change] = []
        self._notes: list[str] = []
        self._installation = ""
        self._untracked: tuple[str, ...] = ()
        self._wanted = CHOSEN
        self._left_out: list[str] = []
        # Before git reads it, which waits for a pipe, and takes gigabytes into memory.
        self._ignore_file = self._content(text_steps.IGNORE_FILE)

    def plan(self) -> SetupPlan:
        return SetupPlan(
            self._root,
            tuple(self._changes),
            tuple(self._notes),
            self._installation,
            self._untracked,
        )

    def settings(self) -> None:
        workspace = self._workspace
        self._wanted, self._left_out = hooks_for(workspace)
        config = find_config(self._root, self._root)
        if config is not None and text_steps.names_files(config.table):
            return
        learnings = find_learnings_files(workspace)
        self._notes += [f"{path} is left out, because git ignores it" for path in learnings.ignored]
        self._notes += [
            f"{path} is left out, because its name is not UTF-8; rename it"
            for path in learnings.unnamable
        ]
        if not learnings.files:
            self._notes.append(nothing_found(workspace.skipped_files(Role.LEARNINGS)))
            return
        name = config.path.name if config else self._new_settings()
        before = self._content(name)
        after = text_steps.with_files(_decoded(before), learnings.files, name=name)
        self._untracked = learnings.untracked
        self._add(name, before, after)

    def hooks(self) -> None:
        """Plan the hooks in the file that prek or pre-commit reads."""
        self._notes += self._left_out
        prek = self._content(PREK_FILE)
        if prek is None:
            self._hooks_of_pre_commit()
            return
        if os.path.lexists(self._root / pre_commit_step.PRE_COMMIT_FILE):
            self._notes.append(
                f"{pre_commit_step.PRE_COMMIT_FILE} is left as it is, since prek reads {PREK_FILE}"
            )
        after = text_steps.with_prek_hooks(decode(prek), self._wanted)
        self._add(PREK_FILE, prek, after)
        self._installation = install_command("prek", text_steps.prek_types_in(after.text))

    def _hooks_of_pre_commit(self) -> None:
        before = self._content(pre_commit_step.PRE_COMMIT_FILE)
        misnamed = f"{pre_commit_step.PRE_COMMIT_FILE.removesuffix('.yaml')}.yml"
        if before is None and os.path.lexists(self._root / misnamed):
            raise UsageProblem(
                f"pre-commit reads {pre_commit_step.PRE_COMMIT_FILE} only; rename {misnamed}, "
                "then run again"
            )
        after = pre_commit_step.with_pre_commit_hooks(_decoded(before), self._wanted)
        self._add(pre_commit_step.PRE_COMMIT_FILE, before, after)
        folder = hooks_folder(self._root)
        if folder is None:
            self._installation = install_command(
                "pre-commit", pre_commit_step.pre_commit_types_in(after.text)
            )
        else:
            self._notes.append(
                f"git takes its hooks from {folder} (core.hooksPath), where `pre-commit install` "
                "refuses to write; call `pre-commit run` in the hook pre-commit there"
            )

    def ignored(self) -> None:
        before = self._ignore_file
        self._add(text_steps.IGNORE_FILE, before, text_steps.with_leftovers(_decoded(before)))

    def _new_settings(self) -> str:
        return SHARED_FILE if (self._root / SHARED_FILE).is_file() else OWN_FILE

    def _content(self, name: str) -> bytes | None:
        path = self._root / name
        if not os.path.lexists(path):
            return None
        existing_file(path, shown=name)
        if path.stat().st_size > LARGEST_CONFIG:
            raise UsageProblem(f"{name} has more than {LARGEST_CONFIG} bytes; shorten it")
        return read_file(path, shown=name)

    def _add(self, name: str, before: bytes | None, new: EditedText) -> None:
        self._notes += new.notes
        after = encode(new.text)
        if after != before:
            self._changes.append(Change(name, before, after))


def hooks_folder(root: Path) -> str | None:
    """Return the folder that git is configured to take hooks from, as other tools do, or None."""
    try:
        return os.fsdecode(process.run(["config", "--get", "core.hooksPath"], root)).strip() or None
    except process.GitFailed:
        return None  # it is not configured


def _decoded(data: bytes | None) -> str | None:
    return None if data is None else decode(data)
