"""The planned changes of the set-up of a repository, before any is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from learnings.app.setup import ci_steps, text_steps
from learnings.app.setup.hooks import (
    CHOSEN,
    PRE_COMMIT_FILE,
    PREK_FILE,
    SHIPPED,
    hook_manager,
    install_command,
    lefthook_file,
    lefthook_lines,
    names_hook,
    printed,
)
from learnings.app.setup.text_steps import EditedText
from learnings.core.errors import UsageProblem
from learnings.core.file_names import OWN_FILE
from learnings.core.roles import Role
from learnings.core.text import counted, decode, encode, printable
from learnings.forms import registry
from learnings.forms.memory_form import InitOffer, MemoryForm
from learnings.store.files import Change
from learnings.workspace.config_file import LARGEST_CONFIG, SHARED_FILE, find_config
from learnings.workspace.discovery import nothing_found
from learnings.workspace.disk import find_root, is_file, is_folder, read_start
from learnings.workspace.workspace import Workspace

# The start of a new learnings file.
_BEGINNING = b"# Learnings\n"


def hooks_for(
    workspace: Workspace, offers: Mapping[MemoryForm, InitOffer]
) -> tuple[tuple[str, ...], list[str]]:
    """Return the hook ids that let the first commit pass, and notes on omitted ones."""
    chosen, notes = [*CHOSEN], []
    for form, offer in offers.items():
        errors = form.findings(workspace).errors if offer.hook else 0
        if errors:
            counts = counted(errors, "error")
            notes.append(
                f"{offer.hook} is left out, because `{offer.check_command}` finds {counts}; "
                "correct them, then add the hook id"
            )
        elif offer.hook:
            chosen.append(offer.hook)
    order = [*SHIPPED]
    return tuple(sorted(chosen, key=order.index)), notes


class LinesToAdd(NamedTuple):
    """Lines that the user adds to a file, with its POSIX path from the root."""

    path: str
    lines: tuple[str, ...]


class SetupPlan(NamedTuple):
    """The files to change, notes, the command that installs hooks, and files not added to git."""

    root: Path
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    installation: str = ""
    untracked: tuple[str, ...] = ()
    to_add: LinesToAdd | None = None
    to_include: LinesToAdd | None = None


def setup_plan_for(
    workspace: Workspace,
    *,
    with_hooks: bool = True,
    with_workflow: bool = False,
    with_gitlab_job: bool = False,
    memory: str | None = None,
) -> SetupPlan:
    """Plan the set-up of a repository; memory is a file to create, from the user's folder.

    Raises UsageProblem outside a repository, ManualEditRequired, BadSettings, LearningsError.
    """
    root = find_root(workspace.start.resolve())
    if not os.path.lexists(root / ".git"):
        raise UsageProblem("not a git repository; change to one, or run `git init`")
    planner = _Planner(workspace.at(root))
    planner.settings(workspace.start / memory if memory else None)
    if with_hooks:
        planner.hooks()
    if with_workflow:
        with_workflow_file = partial(ci_steps.with_workflow, root=root)
        planner.edit(ci_steps.WORKFLOW, with_workflow_file)
    if with_gitlab_job:
        planner.gitlab_job()
    planner.edit(text_steps.IGNORE_FILE, text_steps.with_leftovers)
    return planner.plan._replace(changes=tuple(planner.changes), notes=tuple(planner.notes))


class _Planner:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._root = workspace.root
        self.plan = SetupPlan(workspace.root)
        self.changes: list[Change] = []
        self.notes: list[str] = []
        # Check before git reads it: git waits for a pipe and loads gigabytes into memory.
        self._content(text_steps.IGNORE_FILE)
        self._offers = {form: form.offer(workspace) for form in registry.FORMS}
        self._wanted, self._left_out = hooks_for(workspace, self._offers)

    def settings(self, memory: Path | None) -> None:
        workspace, offers = self._workspace, self._offers.values()
        if workspace.settings.files:
            if memory is not None:
                first = workspace.settings.files[0]
                raise UsageProblem(
                    f"learnings files are already configured ({first.origins['path']}); add the "
                    "path there"
                )
            return
        config = find_config(self._root, self._root)
        self.notes += [note for offer in offers for note in offer.notes]
        files = [path for offer in offers for path in offer.files]
        if memory is not None:
            files = [*dict.fromkeys((*files, self._begun(memory)))]
        if not files and not registry.forms_here(workspace):
            self.notes.append(nothing_found(workspace.skipped_files(Role.LEARNINGS)))
        if not files:
            return
        new = SHARED_FILE if is_file(self._root / SHARED_FILE) else OWN_FILE
        name = config.path.name if config else new
        untracked = tuple(path for offer in offers for path in offer.untracked)
        self.plan = self.plan._replace(untracked=untracked)
        self.edit(name, partial(text_steps.with_files, paths=files, name=name))

    def _begun(self, memory: Path) -> str:
        """Return the path of a new or existing learnings file. Raises UsageProblem."""
        path = self._workspace.relative(memory)
        if path is None or memory.suffix.lower() != ".md" or is_folder(memory):
            raise UsageProblem(
                f"{printable(str(memory))} is not a Markdown file in this repository; give "
                f"a path such as docs/learnings.md"
            )
        if not os.path.lexists(memory):
            self.changes.append(Change(path, None, _BEGINNING))
        return path

    def hooks(self) -> None:
        """Plan the hooks in the file that prek, pre-commit or lefthook reads."""
        self.notes += self._left_out
        has_prek = os.path.lexists(self._root / PREK_FILE)
        has_pre_commit = os.path.lexists(self._root / PRE_COMMIT_FILE)
        lefthook = lefthook_file(self._root)
        if lefthook is not None and not has_prek and not has_pre_commit:
            present = decode(self._content(lefthook) or b"")
            missing = [hook for hook in self._wanted if not names_hook(present, hook)]
            if missing:
                lines = LinesToAdd(lefthook, lefthook_lines(lefthook, missing))
                self.plan = self.plan._replace(to_add=lines, installation="lefthook install")
            return
        if lefthook is not None:
            self.notes.append(
                f"{lefthook} exists too; if lefthook runs the hooks of this repository, call "
                f"`{'prek' if has_prek else 'pre-commit'} run` in it instead of installing them"
            )
        if not has_prek:
            self._hooks_of_pre_commit(is_new=not has_pre_commit)
            return
        if has_pre_commit:
            self.notes.append(f"{PRE_COMMIT_FILE} was not changed, because prek reads {PREK_FILE}")
        after = self.edit(PREK_FILE, partial(text_steps.with_prek_hooks, hooks=self._wanted))
        command = install_command("prek", text_steps.types_in(after, PREK_FILE))
        self.plan = self.plan._replace(installation=command)

    def _hooks_of_pre_commit(self, *, is_new: bool) -> None:
        manager = hook_manager(self._root) if is_new else None
        if manager is not None:  # a user's script
            self.notes.append(f"{manager.file} already runs our hooks; no others were added")
            return
        misnamed = f"{PRE_COMMIT_FILE.removesuffix('.yaml')}.yml"
        if is_new and os.path.lexists(self._root / misnamed):
            raise UsageProblem(
                f"pre-commit reads only {PRE_COMMIT_FILE}; rename {misnamed}, then run again"
            )
        with_hooks = partial(text_steps.with_pre_commit_hooks, hooks=self._wanted)
        after = self.edit(PRE_COMMIT_FILE, with_hooks)
        folder = printed(self._root, "config", "--get", "core.hooksPath")
        if folder:
            self.notes.append(
                f"git takes its hooks from {folder} (core.hooksPath), so `pre-commit "
                f"install` refuses to run; call `pre-commit run` in the pre-commit hook there"
            )
        else:
            types = text_steps.types_in(after, PRE_COMMIT_FILE)
            self.plan = self.plan._replace(installation=install_command("pre-commit", types))

    def gitlab_job(self) -> None:
        """Plan the job for GitLab, and a pipeline that includes it if there is no pipeline."""
        job = self.edit(ci_steps.JOB, ci_steps.with_job)
        name = ci_steps.PIPELINE
        before = self._content(name)
        if before is None:
            self.changes.append(Change(name, None, encode(ci_steps.pipeline_text())))
            return
        self.notes += ci_steps.stage_notes(decode(before), job)
        lines = ci_steps.lines_to_include(decode(before))
        if lines:
            self.plan = self.plan._replace(to_include=LinesToAdd(name, lines))

    def _content(self, name: str) -> bytes | None:
        path = self._root / name
        if not os.path.lexists(path):
            return None
        data = read_start(path, LARGEST_CONFIG + 1, shown=name)
        if len(data) > LARGEST_CONFIG:
            raise UsageProblem(f"{name} has more than {LARGEST_CONFIG} bytes; shorten it")
        return data

    def edit(self, name: str, edited: Callable[[str | None], EditedText]) -> str:
        """Plan a change of a file and return the new text; an empty new file is not written."""
        before = self._content(name)
        new = edited(None if before is None else decode(before))
        self.notes += new.notes
        after = encode(new.text)
        if after != (before or b""):
            self.changes.append(Change(name, before, after))
        return new.text
