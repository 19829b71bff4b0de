"""The planned changes of the set-up of a repository, before any is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from learnings.app.setup import ci_steps, text_steps
from learnings.app.setup.hooks import (
    CHOSEN,
    MISSPELT_FILE,
    PRE_COMMIT_FILE,
    PREK_FILE,
    SHIPPED,
    HookList,
    hook_manager,
    install_command,
    lefthook_file,
    lefthook_lines,
    names_hook,
)
from learnings.app.setup.origin import CLONE, NO_ORIGIN, origin
from learnings.app.setup.text_steps import EditedText
from learnings.core.entries.ambiguities import second_reading
from learnings.core.entries.dialects import Dialect
from learnings.core.entries.document import Document
from learnings.core.errors import MissingFile, UnusableFile, UsageProblem
from learnings.core.file_names import MEMORY_ENDINGS, OWN_FILE
from learnings.core.text import BOM, counted, decode, encode, printable
from learnings.forms import registry
from learnings.history.git.repository import output_of
from learnings.store.files import Change
from learnings.workspace.config_file import LARGEST_CONFIG, SHARED_FILE, find_config
from learnings.workspace.disk import existing_file, find_root, is_file, is_folder, read_start
from learnings.workspace.memory_file import memory_at
from learnings.workspace.skipped import nothing_found, skipped_files
from learnings.workspace.workspace import Workspace

# The start of a new learnings file.
_BEGINNING = b"# Learnings\n"


Choice = Callable[[str, Document, Dialect], Dialect | None]
"""Returns the dialect to set for a path, given its document and the other one; None sets none."""


class LinesToAdd(NamedTuple):
    """Lines that the user adds to a file, its POSIX path from the root, and the place in words."""

    path: str
    lines: tuple[str, ...]
    place: str


def setup_plan_for(
    workspace: Workspace,
    *,
    with_hooks: bool = True,
    with_workflow: bool = False,
    with_gitlab_job: bool = False,
    memory: str | None = None,
    choose: Choice | None = None,
) -> SetupPlan:
    """Plan the set-up of a repository; memory is a file to create or take, or a folder to take.

    choose says how to configure a file with a second reading.

    Raises UsageProblem outside a repository, ManualEditRequired, BadSettings, LearningsError.
    """
    root = find_root(workspace.start.resolve())
    if not os.path.lexists(root / ".git"):
        raise UsageProblem("not a git repository; change to one, or run `git init`")
    plan = SetupPlan(workspace.at(root))
    plan.settings(workspace.start / memory if memory else None, choose)
    if with_hooks:
        plan.hooks()
    if with_workflow:
        workflow = partial(ci_steps.with_workflow, root=root, source=plan.origin)
        plan.edit(ci_steps.WORKFLOW, workflow)
    if with_gitlab_job:
        plan.gitlab_job()
    plan.edit(text_steps.IGNORE_FILE, text_steps.with_leftovers)
    return plan


class SetupPlan:
    """The files to change, lines to add by hand, and notes; installation installs the hooks.

    untracked are files that git should have, from the root.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.root, self.origin = workspace.root, origin()
        self.changes: list[Change] = []
        self.to_add: list[LinesToAdd] = []
        self.notes: list[str] = []
        self.untracked: list[str] = []
        self.installation = ""
        # Check before git reads it: git waits for a pipe and loads gigabytes into memory.
        self._content(text_steps.IGNORE_FILE)
        self._offers = {form: form.offer(workspace) for form in registry.FORMS}

    def settings(self, memory: Path | None, choose: Choice | None) -> None:
        workspace, offers = self._workspace, self._offers.values()
        if workspace.settings.files:
            if memory is not None:
                first = workspace.settings.files[0]
                raise UsageProblem(
                    f"learnings files are already configured ({first.origins['path']}); add the "
                    "path there"
                )
            return
        config = find_config(self.root, self.root)
        self.notes += [note for offer in offers for note in offer.notes]
        files = [path for offer in offers for path in offer.files]
        if memory is not None:
            files = [*dict.fromkeys((*files, self._begun(memory)))]
        if not files and not registry.forms_here(workspace):
            self.notes.append(nothing_found(skipped_files(workspace)))
        if not files:
            return
        self.untracked += [path for offer in offers for path in offer.untracked]
        new = SHARED_FILE if is_file(self.root / SHARED_FILE) else OWN_FILE
        name = config.path.name if config else new
        readings = {path: reading for path in files if (reading := self._chosen(path, choose))}
        added = partial(text_steps.with_files, paths=files, name=name, readings=readings)
        self.edit(name, added)

    def _chosen(self, path: str, choose: Choice | None) -> Dialect | None:
        if choose is None or not os.path.lexists(self.root / path):
            return None
        try:
            document = memory_at(self._workspace, self.root / path).document
        except (MissingFile, UnusableFile):  # the report says so
            return None
        other = second_reading(document) if document.entries else None
        return choose(path, document, other.dialect) if other and not other.before else None

    def _begun(self, memory: Path) -> str:
        """Return the path of a new or existing learnings file, or folder. Raises UsageProblem."""
        path = self._workspace.relative(memory)
        if path is not None and is_folder(memory) and self._workspace.tree.files(f"{path}/**/*.md"):
            return path
        endings = MEMORY_ENDINGS if memory.is_file() else (".md",)
        if path is None or memory.suffix.lower() not in endings or is_folder(memory):
            raise UsageProblem(
                f"{printable(str(memory))} is not a Markdown file in this repository; give "
                f"a path such as docs/learnings.md"
            )
        if self._workspace.tree.is_off_disk(path):
            raise UsageProblem(f"git keeps {printable(path)} off the disk; check it out first")
        if os.path.lexists(memory):
            existing_file(memory, shown=path)
        else:
            self.changes.append(Change(path, None, _BEGINNING))
        return path

    def hooks(self) -> None:
        """Plan the hooks in the file that prek, pre-commit or lefthook reads."""
        wanted = self._wanted_hooks()
        has_prek = os.path.lexists(self.root / PREK_FILE)
        has_list = has_prek or os.path.lexists(self.root / PRE_COMMIT_FILE)
        name, program = (PREK_FILE, "prek") if has_prek else (PRE_COMMIT_FILE, "pre-commit")
        lefthook, manager = lefthook_file(self.root), hook_manager(self.root)
        if lefthook is not None and not has_list:
            present = decode(self._content(lefthook) or b"")
            if missing := [hook for hook in wanted if not names_hook(present, hook)]:
                lines = lefthook_lines(lefthook, missing)
                self.to_add.append(LinesToAdd(lefthook, lines, "below its existing keys"))
                self.installation = "lefthook install"
            return
        if lefthook is not None:
            self.notes.append(
                f"{lefthook} exists too; if lefthook runs the hooks of this repository, call "
                f"`{program} run` in it instead of installing them"
            )
        if manager is not None and not has_list:  # a user's script
            self.notes.append(f"{manager.file} already runs our hooks; no others were added")
        elif not has_list and os.path.lexists(self.root / MISSPELT_FILE):
            raise UsageProblem(
                f"pre-commit reads only {PRE_COMMIT_FILE}; rename {MISSPELT_FILE}, then run again"
            )
        elif self.origin is not None:
            self._hook_list(HookList(self.origin, wanted), name, program)
        elif manager is None:
            self.notes.append(
                f"{name} was not changed, because {NO_ORIGIN}; or add an item to its `repos` with "
                f"`repo: {CLONE}`, a commit of the clone as `rev`, and the hooks "
                f"{', '.join(wanted)}"
            )

    def _wanted_hooks(self) -> tuple[str, ...]:
        """Return the hook ids that let the first commit pass, and note those left out."""
        wanted = {*CHOSEN}
        for form, offer in self._offers.items():
            errors = form.findings(self._workspace).errors if offer.hook else 0
            if errors:
                self.notes.append(
                    f"{offer.hook} is left out, because `{offer.check_command}` finds "
                    f"{counted(errors, 'error')}; correct them, then add the hook id"
                )
            elif offer.hook:
                wanted.add(offer.hook)
        return tuple(hook for hook in SHIPPED if hook in wanted)

    def _hook_list(self, wanted: HookList, name: str, program: str) -> None:
        if name == PREK_FILE and os.path.lexists(self.root / PRE_COMMIT_FILE):
            self.notes.append(f"{PRE_COMMIT_FILE} was not changed, because prek reads {PREK_FILE}")
        changes = len(self.changes)
        after = self.edit(name, partial(text_steps.with_hooks, wanted=wanted, name=name))
        if wanted.origin.is_local and len(self.changes) > changes:
            self.notes.append(
                f"{name} takes the hooks from {wanted.origin.address}, which only this machine "
                "has; for others, push learnings to a server and put its address there"
            )
        folder = output_of(self.root, "config", "--get", "core.hooksPath")
        if folder and program == "pre-commit":
            self.notes.append(
                f"git takes its hooks from {folder} (core.hooksPath), so `pre-commit "
                f"install` refuses to run; call `pre-commit run` in the pre-commit hook there"
            )
        else:
            self.installation = install_command(program, text_steps.types_in(after, name))

    def gitlab_job(self) -> None:
        """Plan the job for GitLab, and a pipeline that includes it if there is no pipeline."""
        job = self.edit(ci_steps.JOB, partial(ci_steps.with_job, source=self.origin))
        name = ci_steps.PIPELINE
        before = self._content(name)
        if before is None:
            self.changes.append(Change(name, None, encode(ci_steps.PIPELINE_TEXT)))
            return
        self.notes += ci_steps.stage_notes(decode(before), job)
        if lines := ci_steps.lines_to_include(decode(before)):
            place = "in the list `include`" if len(lines) == 1 else "at the end"
            self.to_add.append(LinesToAdd(name, lines, place))

    def _content(self, name: str) -> bytes | None:
        path = self.root / name
        if not os.path.lexists(path):
            return None
        data = read_start(path, LARGEST_CONFIG + 1, shown=name)
        if len(data) > LARGEST_CONFIG:
            raise UsageProblem(f"{name} has more than {LARGEST_CONFIG} bytes; shorten it")
        return data

    def edit(self, name: str, edited: Callable[[str | None], EditedText]) -> str:
        """Plan a change of a file and return the new text; an empty new file is not written."""
        before = self._content(name)
        text = None if before is None else decode(before)
        mark = BOM if (text or "").startswith(BOM) else ""
        new = edited(text and text.removeprefix(BOM))
        self.notes += new.notes
        after = encode(mark + new.text)
        if after != (before or b""):
            self.changes.append(Change(name, before, after))
        return new.text
