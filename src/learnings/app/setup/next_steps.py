"""The commands after `learnings init`: load the memory, commit, set up the merge driver."""

from __future__ import annotations

import os
import posixpath
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from learnings.agents.file_facts import Commands
from learnings.app.setup.origin import pipx_command
from learnings.app.setup.setup_plan import SetupPlan
from learnings.check.copies import copied_files
from learnings.check.full_check import full_check
from learnings.check.loading import MemoryLoading
from learnings.core.errors import LearningsError
from learnings.core.file_names import archive_folder
from learnings.core.findings.finding import Severity
from learnings.core.instruction_paths import import_line
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted
from learnings.history.git.process import find_program
from learnings.history.git.repository import output_of
from learnings.workspace.disk import content_of, is_file, is_folder, is_link
from learnings.workspace.tree import Tree
from learnings.workspace.workspace import Workspace

# At the root: files with imports that agents follow, and others.
_IMPORTING = ("CLAUDE.md", ".claude/CLAUDE.md")
_TELLING = ("AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md")
_TOLD = (
    "Read {files} before you start. When something was harder than expected, append an entry like "
    "the others: what to do next time, and why."
)


class MissingLines(NamedTuple):
    """Lines to add to an instruction file: its POSIX path from the root, and its content."""

    path: str
    lines: tuple[str, ...]
    before: bytes

    def command(self, shown: str) -> str:
        """Return the command that appends the lines to `shown`, after a blank line."""
        blank = [] if not self.before else [""] if self.before.endswith(b"\n") else ["", ""]
        # Always quote: `@` is special in PowerShell.
        quoted = [shlex.quote(line) for line in (*blank, *self.lines)]
        words = [word if word.startswith("'") else f"'{word}'" for word in quoted]
        program = "echo" if len(words) == 1 else "printf '%s\\n'"
        return f"{program} {' '.join(words)} >> {shown}"


def missing_lines(workspace: Workspace) -> Iterator[MissingLines]:
    """Yield lines that make instruction files name the learnings files: imports or sentences."""
    root, unnamed = workspace.root, unnamed_files(workspace)
    if not unnamed:
        return
    importing, telling = _first_present(root, _IMPORTING), _first_present(root, _TELLING)
    if importing and telling and telling.encode() in content_of(root / importing):
        importing = None  # its reader also reads the other one
    if importing or not telling:
        path = importing or _IMPORTING[0]
        folder = posixpath.dirname(path) or "."
        imports = tuple(import_line(posixpath.relpath(file, folder)) for file in unnamed)
        yield MissingLines(path, imports, content_of(root / path))
    if telling:
        told = _TOLD.format(files=" and ".join(f"`{file}`" for file in unnamed))
        yield MissingLines(telling, (told,), content_of(root / telling))


def unnamed_files(workspace: Workspace) -> list[str]:
    """Return the learnings files, or their indexes, that no instructions name; no copies."""
    loading, files = MemoryLoading(workspace.tree), workspace.found.learnings_paths
    copies = copied_files(workspace, files)
    unnamed = [path for path in files if path not in copies and not loading.is_named(path)]
    # An index leads to the files that it lists.
    return [*dict.fromkeys(workspace.places.index_listing(path) or path for path in unnamed)]


def _first_present(root: Path, names: Iterable[str]) -> str | None:
    present = (name for name in names if is_file(root / name) and not is_link(root / name))
    return next(present, None)


MESSAGE = "Set up learnings"


class NextStep(NamedTuple):
    """A shell command for the user's folder, and the reason for it, which may be empty."""

    command: str
    reason: str = ""


def next_steps(
    plan: SetupPlan, workspace: Workspace, *, commands: Callable[[], Commands]
) -> list[NextStep]:
    """Return the steps after a plan is carried out, in order.

    They repair today's errors, or record them, because the hooks would refuse every commit until
    all are fixed.
    """
    steps, paths = [], [*plan.untracked, *(change.path for change in plan.changes)]
    paths += [added.path for added in plan.to_add]
    whole = workspace.at(plan.root)
    for missing in missing_lines(whole):
        command = missing.command(_from(workspace, plan.root / missing.path))
        steps.append(NextStep(command, "so that agents read the memory"))
        paths += [] if whole.tree.is_ignored(missing.path) else [missing.path]
    try:
        # The errors of `learnings baseline`, thus of all hooks, from any folder.
        result = full_check(whole, commands=commands)
        known = result.baseline
        new = [finding for finding in result.today if finding.fingerprint not in known.known]
        new = [finding for finding in new if finding.severity is Severity.ERROR]
        fixable = [finding for finding in new if finding.fingerprint in result.fixable]
        errors = len(new) - len(fixable)
        baseline = known.path
    except LearningsError as error:  # the hooks cannot read it either
        errors, baseline, fixable = 0, "", []
        steps.append(NextStep("learnings check", str(error)))
    if fixable:
        steps.append(NextStep("learnings fix", f"repairs {counted(len(fixable), 'error')}"))
        paths += (finding.path for finding in fixable)
    if errors:
        number = "error" if errors == 1 else f"{errors} errors"
        reason = f"records the {number} of today, so that only new ones fail"
        steps.append(NextStep("learnings baseline", reason))
        paths.append(baseline)
    is_lefthook = plan.installation == "lefthook install"
    if is_lefthook and find_program("learnings-check", plan.root) is None:
        where = "" if plan.origin else "in a clone of learnings, "
        reason = f"{where}so that git finds the hooks on PATH"
        steps.append(NextStep(pipx_command(plan.origin), reason))
    if plan.installation:
        steps.append(NextStep(plan.installation))
    paths = [*dict.fromkeys(name for path in paths for name in _addable(whole.tree, path))]
    words = " ".join(_from(workspace, plan.root / path) for path in paths)
    return [*steps, NextStep(f"git add {words}"), NextStep(f'git commit -m "{MESSAGE}"')]


def _addable(tree: Tree, path: str) -> Iterator[str]:
    """Yield a path, unless a linked folder leads to it, which git refuses, and the end of it."""
    folder = path.rpartition("/")[0]
    if tree.real(folder) == folder:
        yield path
    yield tree.real(path) or path


def _from(workspace: Workspace, path: Path) -> str:
    relative = os.path.relpath(path, os.path.realpath(workspace.start))
    return shlex.quote(Path(relative).as_posix())


MERGE_DRIVER = "learnings merge-driver %O %A %B %P --marker-size=%L"
"""The command that git starts; it replaces the placeholders."""

_ATTRIBUTES = ".gitattributes"
# Characters that are special in a pattern of .gitattributes, or end it.
_SPECIAL = lazy_pattern(r'[\s*?\[\]\\"!#]')


def is_on_path(root: Path) -> bool:
    """Return True if `learnings` is on PATH outside a repository: git starts it by name, later."""
    return find_program("learnings", root) is not None


def missing_merge_steps(workspace: Workspace) -> list[NextStep]:
    """Return commands for the root that make git merge the configured files by entry."""
    root = workspace.root
    # Git merges the files at the ends of links.
    named = [file.path for file in workspace.settings.files if file.path]
    names = [workspace.tree.real(name) or name for name in named]
    attributes: list[str] = []
    with suppress(OSError):
        text = (root / _ATTRIBUTES).read_text(encoding="utf-8", errors="replace")
        attributes = [line.strip() for line in text.splitlines()]
    folders = [name for name in names if is_folder(root / name)]
    archives = dict.fromkeys(archive_folder(name) for name in names if name not in folders)
    patterns = [f"{_SPECIAL.sub('?', name)}{'/**' * (name in folders)}" for name in names]
    patterns += [f"{_SPECIAL.sub('?', folder)}/*-decisions.md" for folder in archives]
    lines = [f"{pattern} merge=learnings" for pattern in patterns]
    missing = [line for line in lines if line not in attributes]
    steps = [NextStep(f"echo {shlex.quote(line)} >> {_ATTRIBUTES}") for line in missing]
    if not names:
        return steps
    if not output_of(root, "config", "--get", "merge.learnings.driver"):
        driver = f'git config merge.learnings.driver "{MERGE_DRIVER}"'
        steps.append(NextStep(driver, "in each clone"))
    return steps
