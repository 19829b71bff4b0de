"""Find missing parts of the set-up of a repository, and the commands that add them."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import learnings
from learnings import REPOSITORY, REVISION
from learnings.app.setup import ci_steps, text_steps
from learnings.app.setup.hooks import (
    HOOK_TYPES,
    PRE_COMMIT_FILE,
    PREK_FILE,
    GitHook,
    HookManager,
    git_hook,
    hook_manager,
    install_command,
    is_list_of_tables,
    is_own,
    printed,
)
from learnings.app.setup.next_steps import INSTALL, is_on_path, missing_lines, missing_merge_steps
from learnings.check.loading import MemoryLoading
from learnings.core.errors import LearningsError
from learnings.core.roles import OWN_FOLDER, PLUGIN_FOLDERS
from learnings.core.text import BOM, decode
from learnings.core.yaml.parsing import BadYaml, load
from learnings.forms.registry import forms_here, no_file
from learnings.workspace.disk import content_of, find_root, is_file
from learnings.workspace.workspace import Workspace

_PLUGIN = "learnings@agent-learnings"
_INSTALL_PLUGIN = (
    f"claude plugin marketplace add agent-learnings/learnings && claude plugin install {_PLUGIN}"
)
_SETTINGS_OF_CLAUDE = ("settings.json", "settings.local.json")
_OUR_COMMAND = b"learnings "
# Managers whose hook is a user's script.
_PLAIN = ("husky", "git")


class SetupState(StrEnum):
    """The state of a part of the set-up; NOT_NEEDED if it would have nothing to do."""

    YES = "yes"
    NO = "no"
    NOT_NEEDED = "not-needed"


class SetupItem(NamedTuple):
    """A part of the set-up, with the command that adds it if no manual edit is needed."""

    name: str
    state: SetupState
    message: str
    command: str = ""


class SetupReport(NamedTuple):
    """The parts of the set-up of a repository, in the order to set them up.

    Commands are for a shell at the root; is_at_root is True if the user is there.
    """

    root: str
    is_at_root: bool
    items: tuple[SetupItem, ...]

    @property
    def missing(self) -> int:
        """The number of missing parts."""
        return sum(item.state is SetupState.NO for item in self.items)


def setup_report(workspace: Workspace) -> SetupReport:
    """Inspect the repository around a folder without changing it. Raises BadSettings."""
    root = find_root(workspace.start.resolve())
    is_at_root = os.path.realpath(workspace.start) == os.path.realpath(root)
    return SetupReport(str(root), is_at_root, tuple(_items(workspace.at(root), root)))


def _items(workspace: Workspace, root: Path) -> Iterator[SetupItem]:
    if not os.path.lexists(root / ".git"):
        yield _no("repository", "this directory is not in a git repository", "git init")
        return
    yield _memory(workspace)
    manager = hook_manager(root)
    if manager is None:
        message = "no hook configuration runs learnings-check"
        yield _no("hooks configured", message, "learnings init")
    else:
        yield _yes("hooks configured", f"in {manager.file}")
        yield _installed_hooks(root, manager)
    yield _merge_driver(workspace)
    yield _workflow(root)
    yield _plugin(root)
    yield _loading(workspace)
    yield _history(root)
    yield _version(root)


def _yes(name: str, message: str) -> SetupItem:
    return SetupItem(name, SetupState.YES, message)


def _no(name: str, message: str, command: str = "") -> SetupItem:
    return SetupItem(name, SetupState.NO, message, command)


def _not_needed(name: str, message: str) -> SetupItem:
    return SetupItem(name, SetupState.NOT_NEEDED, message)


def _memory(workspace: Workspace) -> SetupItem:
    memories = workspace.found.memories
    if memories:
        more = f" and {len(memories) - 1} more" if len(memories) > 1 else ""
        return _yes("memory", f"{memories[0].path}{more}")
    if forms_here(workspace):
        return _yes("memory", "in a form other than a learnings file")
    return _no("memory", no_file(workspace), "learnings init --memory agents/learnings.md")


def _installed_hooks(root: Path, manager: HookManager) -> SetupItem:
    name = "hooks installed"
    kinds = HOOK_TYPES if manager.name not in _PLAIN else HOOK_TYPES[:2]
    hooks = {kind: git_hook(root, kind) for kind in kinds}
    missing = [kind for kind, hook in hooks.items() if not hook.starts(manager.name)]
    if not missing:
        return _yes(name, f"{manager.name} runs at {', '.join(kinds)}")
    message = f"{manager.name} does not run at {', '.join(missing)}"
    if manager.name in _PLAIN:
        return _no(name, message, _copied(manager, missing))
    if manager.name == "lefthook":
        return _no(name, message, "lefthook install")
    if printed(root, "config", "--get", "core.hooksPath"):  # both then refuse to install
        calls = (_call(root, manager.name, hooks[kind], kind) for kind in missing)
        return _no(name, message, " && ".join(calls))
    return _no(name, message, install_command(manager.name, _types(root, manager)))


def _copied(manager: HookManager, missing: list[str]) -> str:
    """Return the command that makes git run our hook at a commit and at a merge."""
    commit, merge = HOOK_TYPES[:2]
    if commit in missing:
        return "npx husky" if manager.name == "husky" else f"chmod +x {shlex.quote(manager.file)}"
    target = manager.file.removesuffix(commit) + merge
    return f"cp {shlex.quote(manager.file)} {shlex.quote(target)}"


def _call(root: Path, program: str, hook: GitHook, kind: str) -> str:
    """Return the command that adds a call to a hook; husky keeps user hooks above `_`."""
    folder, _, inner = hook.name.rpartition("/_/")
    target = f"{folder}/{inner}" if folder else hook.name
    call, quoted = f"{program} run --hook-stage {kind}", shlex.quote(target)
    if is_file(root / target):
        return f"echo '{call}' >> {quoted} && chmod +x {quoted}"
    return f"printf '%s\\n' '#!/bin/sh' '{call}' > {quoted} && chmod +x {quoted}"


def _types(root: Path, manager: HookManager) -> object:
    name = PREK_FILE if manager.name == "prek" else PRE_COMMIT_FILE
    try:
        return text_steps.types_in(decode(content_of(root / manager.file)), name)
    except (LearningsError, BadYaml):
        return None


def _merge_driver(workspace: Workspace) -> SetupItem:
    name = "merge driver"
    if not any(file.path for file in workspace.settings.files):
        if workspace.found.memories:
            return _no(name, "no learnings file is configured", "learnings init")
        return _not_needed(name, "no learnings file found")
    steps = missing_merge_steps(workspace)
    if steps:
        command = " && ".join(step.command for step in steps)
        return _no(name, "git merges branches line by line, not by entry", command)
    if not is_on_path(workspace.root):
        return _no(name, "git cannot find `learnings` on PATH", INSTALL)
    return _yes(name, "git merges the configured files by entry")


def _workflow(root: Path) -> SetupItem:
    path = ci_steps.checking_workflow(root)
    if path is not None:
        return _yes("workflow", path)
    if ci_steps.has_job(root) or _OUR_COMMAND in content_of(root / ci_steps.PIPELINE):
        return _yes("workflow", ci_steps.PIPELINE)
    if ci_steps.is_on_github(root):
        return _no("workflow", "no workflow runs `learnings`", "learnings init --github")
    if ci_steps.is_on_gitlab(root):
        return _no("workflow", "no job runs `learnings`", "learnings init --gitlab")
    return _not_needed("workflow", "the repository is on neither GitHub nor GitLab")


def _plugin(root: Path) -> SetupItem:
    home = Path(os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude"))  # noqa: PTH111  (never raises)
    for folder in (root / OWN_FOLDER, home):
        for name in _SETTINGS_OF_CLAUDE:
            path = folder / name
            if _enabled(path):
                shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path
                return _yes("plugin", f"{_PLUGIN} is enabled in {shown}")
    for agents in (*PLUGIN_FOLDERS, OWN_FOLDER):
        if is_file(root / agents / "skills" / "handoff" / "SKILL.md"):
            return _yes("plugin", f"its skills are in {agents}")
    signs = (home, root / OWN_FOLDER, root / "CLAUDE.md")
    if not any(map(os.path.lexists, signs)):
        return _not_needed("plugin", "Claude Code is not used here")
    return _no("plugin", "the plugin with our skills and agents is not enabled", _INSTALL_PLUGIN)


def _enabled(path: Path) -> bool:
    try:
        settings = json.loads(content_of(path) or b"{}")
    except (ValueError, RecursionError):
        return False
    plugins = settings.get("enabledPlugins") if isinstance(settings, dict) else None
    return isinstance(plugins, dict) and plugins.get(_PLUGIN) is True


def _loading(workspace: Workspace) -> SetupItem:
    name, loading = "memory loaded", MemoryLoading(workspace.tree)
    files = workspace.found.learnings_paths
    if not files:
        return _not_needed(name, "no learnings file found")
    unnamed = [path for path in files if not loading.is_named(path)]
    if not unnamed:
        return _yes(name, "agent instructions mention each learnings file")
    commands = (line.command(shlex.quote(line.path)) for line in missing_lines(workspace))
    message = f"no agent instructions mention {' or '.join(unnamed)}"
    return _no(name, message, " && ".join(commands))


def _history(root: Path) -> SetupItem:
    if not printed(root, "rev-parse", "--verify", "--quiet", "HEAD"):
        return _not_needed("history", "there are no commits yet")
    if printed(root, "rev-parse", "--is-shallow-repository") == "true":
        return _no("history", "this is a shallow clone; ages are unknown", "git fetch --unshallow")
    filters = printed(root, "config", "--name-only", "--get-regexp", r"\.partialclonefilter$")
    if filters:
        key = filters.splitlines()[0]
        remote = key.removeprefix("remote.").removesuffix(".partialclonefilter")
        command = (
            f"git config --unset {shlex.quote(key)} && git fetch --refetch {shlex.quote(remote)}"
        )
        message = "this is a partial clone; git downloads old versions on demand"
        return _no("history", message, command)
    return _yes("history", "the clone has all commits")


def _version(root: Path) -> SetupItem:
    ours = [REVISION, f"v{learnings.__version__}"]
    moving = ours[1].partition(".")[0]  # a tag only for `uses:`
    tool = f"learnings {learnings.__version__} ({REVISION[:12]})"
    for path, revision in _pins(root):
        is_hook = path in (PRE_COMMIT_FILE, PREK_FILE)
        if revision in ours or (revision == moving and not is_hook):
            continue
        message = f"{path} names {revision[:12]}, and this is {tool}"
        if _numbers(revision) > _numbers(ours[1]):
            newer = f"learnings @ git+{REPOSITORY}@{revision}"
            return _no("version", message, f"pipx install --force {shlex.quote(newer)}")
        if is_hook:
            program = "prek" if path == PREK_FILE else "pre-commit"
            return _no("version", message, f"{program} autoupdate --repo {REPOSITORY}")
        return _no("version", f"{message}; change it there to {REVISION}")
    return _yes("version", tool)


def _numbers(revision: str) -> tuple[int, ...]:
    """Return the version numbers of a tag; a commit has none."""
    match = re.fullmatch(r"v(\d{1,9})\.(\d{1,9})\.(\d{1,9})", revision)
    return tuple(map(int, match.groups())) if match else ()


def _pins(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each file that pins our version, with that version."""
    toml = partial(text_steps.parsed_toml, name=PREK_FILE)
    for name, read in ((PREK_FILE, toml), (PRE_COMMIT_FILE, load)):
        text = decode(content_of(root / name)).removeprefix(BOM)
        try:
            data: Any = read(text)
        except (LearningsError, BadYaml):
            continue
        repos: Any = data.get("repos") if isinstance(data, dict) else None
        for repo in repos if is_list_of_tables(repos) else ():
            if is_own(repo.get("repo")) and isinstance(repo.get("rev"), str):
                # After a commit, `autoupdate --freeze` writes the tag in a comment.
                comment = rf"{re.escape(repo['rev'])}[\"']?[ \t]+#[ \t]*(?:frozen: )?(v\d\S*)"
                tag = re.search(comment, text)
                yield name, tag[1] if tag else repo["rev"]
    for workflow in ci_steps.own_workflows(root):
        yield workflow.path, workflow.revision
