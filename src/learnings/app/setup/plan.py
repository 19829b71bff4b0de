"""Everything that the set-up of a repository changes, before any of it is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.app.setup import hooks_step, ignore_step, prek_step, settings_step
from learnings.app.setup.hook_table import CHOSEN
from learnings.app.setup.hooks_present import PREK_FILE, install_command
from learnings.app.setup.memory_forms import hooks_for
from learnings.app.setup.packages import find_learnings_files
from learnings.app.setup.step import NewText
from learnings.app.workspace.config_file import LARGEST_CONFIG, SHARED_FILE, find_config
from learnings.app.workspace.disk import existing_file, find_root, read_file
from learnings.app.workspace.skipped import nothing_found
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import UsageProblem
from learnings.core.file_names import OWN_FILE
from learnings.core.roles import Role
from learnings.core.text import decode, encode
from learnings.store.files import Change


class Plan(NamedTuple):
    """The files to change in the repository at `root`, and what the user should know.

    installation is the command that installs the hooks, empty where that is not wanted or refused.
    untracked are learnings files that nobody has added to git yet.
    """

    root: Path
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    installation: str = ""
    untracked: tuple[str, ...] = ()


def plan_for(cwd: Path, *, with_hooks: bool = True) -> Plan:
    """Plan the set-up of the repository around a folder; nothing is written.

    Raises UsageProblem outside a repository, ManualEditRequired for a file that is not edited,
    BadSettings for a broken configuration, and LearningsError where git fails.
    """
    root = find_root(cwd.resolve())
    if not os.path.lexists(root / ".git"):
        raise UsageProblem("this folder is in no git repository; change to one, or run `git init`")
    planner = _Planner(root)
    planner.settings()
    if with_hooks:
        planner.hooks()
    planner.ignored()
    return planner.plan()


class _Planner:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._changes: list[Change] = []
        self._notes: list[str] = []
        self._installation = ""
        self._untracked: tuple[str, ...] = ()
        self._wanted = CHOSEN
        self._left_out: list[str] = []
        # Before git reads it, which waits for a pipe, and takes gigabytes into memory.
        self._ignore_file = self._content(ignore_step.FILE)

    def plan(self) -> Plan:
        return Plan(
            self._root,
            tuple(self._changes),
            tuple(self._notes),
            self._installation,
            self._untracked,
        )

    def settings(self) -> None:
        workspace = Workspace.open(self._root)
        self._wanted, self._left_out = hooks_for(workspace)
        config = find_config(self._root, self._root)
        if config is not None and settings_step.names_files(config.table):
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
        after = settings_step.with_files(_text(before), learnings.files, name=name)
        self._untracked = learnings.untracked
        self._add(name, before, after)

    def hooks(self) -> None:
        """Plan the hooks in the file that prek or pre-commit reads."""
        self._notes += self._left_out
        prek = self._content(PREK_FILE)
        if prek is None:
            self._hooks_of_pre_commit()
            return
        if os.path.lexists(self._root / hooks_step.FILE):
            self._notes.append(f"{hooks_step.FILE} is left as it is, since prek reads {PREK_FILE}")
        after = prek_step.with_hooks(decode(prek), self._wanted)
        self._add(PREK_FILE, prek, after)
        self._installation = install_command("prek", prek_step.types_in(after.text))

    def _hooks_of_pre_commit(self) -> None:
        before = self._content(hooks_step.FILE)
        misnamed = f"{hooks_step.FILE.removesuffix('.yaml')}.yml"
        if before is None and os.path.lexists(self._root / misnamed):
            raise UsageProblem(
                f"pre-commit reads {hooks_step.FILE} only; rename {misnamed}, then run again"
            )
        after = hooks_step.with_hooks(_text(before), self._wanted)
        self._add(hooks_step.FILE, before, after)
        folder = hooks_folder(self._root)
        if folder is None:
            self._installation = install_command("pre-commit", hooks_step.types_in(after.text))
        else:
            self._notes.append(
                f"git takes its hooks from {folder} (core.hooksPath), where `pre-commit install` "
                "refuses to write; call `pre-commit run` in the hook pre-commit there"
            )

    def ignored(self) -> None:
        before = self._ignore_file
        self._add(ignore_step.FILE, before, ignore_step.with_leftovers(_text(before)))

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

    def _add(self, name: str, before: bytes | None, new: NewText) -> None:
        self._notes += new.notes
        after = encode(new.text)
        if after != before:
            self._changes.append(Change(name, before, after))


def hooks_folder(root: Path) -> str | None:
    """Return the folder that git is configured to take hooks from, as other tools do, or None."""
    from learnings.history.git import process  # noqa: PLC0415  (starts git)

    try:
        return os.fsdecode(process.run(["config", "--get", "core.hooksPath"], root)).strip() or None
    except process.GitFailed:
        return None  # it is not configured


def _text(data: bytes | None) -> str | None:
    return None if data is None else decode(data)
