"""Find missing parts of the set-up of a repository, and the commands that add them."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import learnings
from learnings.app.setup import ci_steps, text_steps
from learnings.app.setup.hooks import (
    HOOK_TYPES,
    PRE_COMMIT_FILE,
    PREK_FILE,
    HookManager,
    git_hook,
    hook_manager,
    install_command,
    is_list_of_tables,
    is_own,
    lefthook_file,
    runs_at,
    update_command,
)
from learnings.app.setup.next_steps import (
    is_on_path,
    missing_lines,
    missing_merge_steps,
    unnamed_files,
)
from learnings.app.setup.origin import (
    NO_ORIGIN,
    Origin,
    origin,
    pipx_command,
    without_credentials,
)
from learnings.core.errors import LearningsError
from learnings.core.file_names import DEFAULT_FILE
from learnings.core.roles import OWN_FOLDER, PLUGIN_FOLDERS
from learnings.core.text import BOM, decode, short_commit
from learnings.core.yaml.parsing import BadYaml
from learnings.forms.registry import forms_here, no_file
from learnings.history.git.repository import output_of
from learnings.workspace.disk import content_of, find_root, is_file
from learnings.workspace.skipped import likely_memory, skipped_files
from learnings.workspace.workspace import Workspace

_PLUGIN = "learnings@learnings"
_SETTINGS_OF_CLAUDE = ("settings.json", "settings.local.json")
# Managers whose hook is a user's script.
_PLAIN = ("husky", "git")


class SetupState(StrEnum):
    """The state of a part of the set-up; NOT_NEEDED if it would have nothing to do."""

    YES = "yes"
    NO = "no"
    NOT_NEEDED = "not-needed"


YES, NO, NOT_NEEDED = SetupState


class SetupItem(NamedTuple):
    """A part of the set-up, with the command that adds it if no manual edit is needed."""

    name: str
    state: SetupState
    message: str
    command: str = ""


class SetupReport(NamedTuple):
    """The parts of the set-up of a repository, in the order to set them up.

    Commands are for a shell at the root; is_at_root is True if the user is there; revision is the
    commit or tag of this installation, empty if unknown.
    """

    root: str
    is_at_root: bool
    revision: str
    items: tuple[SetupItem, ...]

    @property
    def missing(self) -> int:
        """The number of missing parts."""
        return sum(item.state is NO for item in self.items)


def setup_report(workspace: Workspace) -> SetupReport:
    """Inspect the repository around a folder without changing it. Raises BadSettings."""
    root, source = find_root(workspace.start.resolve()), origin()
    is_at_root = os.path.realpath(workspace.start) == os.path.realpath(root)
    items = tuple(_items(workspace.at(root), root, source))
    return SetupReport(str(root), is_at_root, source.revision if source else "", items)


def _items(workspace: Workspace, root: Path, source: Origin | None) -> Iterator[SetupItem]:
    if not os.path.lexists(root / ".git"):
        yield SetupItem("repository", NO, "this directory is not in a git repository", "git init")
        return
    yield _memory(workspace)
    manager = hook_manager(root)
    if manager is None:
        message = "no hook configuration runs learnings-check"
        can_add = source is not None or lefthook_file(root) is not None
        advice = "" if can_add else f", and {NO_ORIGIN}"
        command = "learnings init" if can_add else ""
        yield SetupItem("hooks configured", NO, message + advice, command)
    else:
        yield SetupItem("hooks configured", YES, f"in {manager.file}")
        yield _installed_hooks(root, manager)
    yield _merge_driver(workspace, source)
    yield _workflow(root, source)
    yield _plugin(root, source)
    yield _loading(workspace)
    yield _history(root)
    yield _version(root, source)


def _memory(workspace: Workspace) -> SetupItem:
    memories = workspace.found.memories
    if memories:
        more = f" and {len(memories) - 1} more" if len(memories) > 1 else ""
        return SetupItem("memory", YES, f"{memories[0].path}{more}")
    if forms_here(workspace):
        return SetupItem("memory", YES, "in a form other than a learnings file")
    likely = likely_memory(skipped_files(workspace))
    if likely and likely.is_empty:
        return SetupItem("memory", NO, no_file(workspace))
    command = likely.taking if likely else f"learnings init --memory {DEFAULT_FILE}"
    return SetupItem("memory", NO, no_file(workspace), command)


def _installed_hooks(root: Path, manager: HookManager) -> SetupItem:
    kinds = HOOK_TYPES if manager.name not in _PLAIN else HOOK_TYPES[:2]
    missing = [kind for kind in kinds if not runs_at(root, kind, manager.name)]
    if not missing:
        return SetupItem("hooks installed", YES, f"{manager.name} runs at {', '.join(kinds)}")
    message = f"{manager.name} does not run at {', '.join(missing)}"
    return SetupItem("hooks installed", NO, message, _installing(root, manager, missing))


def _installing(root: Path, manager: HookManager, missing: list[str]) -> str:
    """Return the command that makes git run a manager at the missing kinds of hooks."""
    commit, merge = HOOK_TYPES[:2]
    file = shlex.quote(manager.file)
    if manager.name in _PLAIN and commit in missing:
        return "npx husky" if manager.name == "husky" else f"chmod +x {file}"
    if manager.name in _PLAIN:
        return f"cp {file} {shlex.quote(manager.file.removesuffix(commit) + merge)}"
    if manager.name == "lefthook":
        return "lefthook install"
    if not output_of(root, "config", "--get", "core.hooksPath"):
        name = PREK_FILE if manager.name == "prek" else PRE_COMMIT_FILE
        try:
            types = text_steps.types_in(decode(content_of(root / manager.file)), name)
        except (LearningsError, BadYaml):
            types = None
        return install_command(manager.name, types)
    # Both refuse to install. husky keeps the hooks of users above its folder `_`.
    targets = {kind: git_hook(root, kind).replace("/_/", "/") for kind in missing}
    return " && ".join(_call(root, manager.name, kind, path) for kind, path in targets.items())


def _call(root: Path, program: str, kind: str, path: str) -> str:
    call, quoted = f"{program} run --hook-stage {kind}", shlex.quote(path)
    if is_file(root / path):
        return f"echo '{call}' >> {quoted} && chmod +x {quoted}"
    return f"printf '%s\\n' '#!/bin/sh' '{call}' > {quoted} && chmod +x {quoted}"


def _merge_driver(workspace: Workspace, source: Origin | None) -> SetupItem:
    name = "merge driver"
    if not any(file.path for file in workspace.settings.files):
        if workspace.found.memories:
            return SetupItem(name, NO, "no learnings file is configured", "learnings init")
        return SetupItem(name, NOT_NEEDED, "no learnings file found")
    steps = missing_merge_steps(workspace)
    if steps:
        command = " && ".join(step.command for step in steps)
        return SetupItem(name, NO, "git merges branches line by line, not by entry", command)
    if not is_on_path(workspace.root):
        command = pipx_command(source) if source else ""
        return SetupItem(name, NO, "git cannot find `learnings` on PATH", command)
    return SetupItem(name, YES, "git merges the configured files by entry")


def _workflow(root: Path, source: Origin | None) -> SetupItem:
    name, path = "workflow", ci_steps.running_file(root)
    if path:
        return SetupItem(name, YES, path)
    server = next(iter(ci_steps.servers(root)), "")
    if not server:
        return SetupItem(name, NOT_NEEDED, "no remote, folder or job of GitHub or GitLab found")
    message = f"no {'workflow' if server == 'github' else 'job'} runs `learnings`"
    if ci_steps.can_install(server, source):
        return SetupItem(name, NO, message, f"learnings init --{server}")
    where = source.address if source else "an unknown address"
    return SetupItem(name, NO, f"{message}; no runner can install it from {where}")


def _plugin(root: Path, source: Origin | None) -> SetupItem:
    home = Path(os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude"))  # noqa: PTH111  (never raises)
    for folder in (root / OWN_FOLDER, home):
        for name in _SETTINGS_OF_CLAUDE:
            path = folder / name
            if _enabled(path):
                shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path
                return SetupItem("plugin", YES, f"{_PLUGIN} is enabled in {shown}")
    for agents in (*PLUGIN_FOLDERS, OWN_FOLDER):
        if is_file(root / agents / "skills" / "handoff" / "SKILL.md"):
            return SetupItem("plugin", YES, f"its skills are in {agents}")
    signs = (home, root / OWN_FOLDER, root / "CLAUDE.md")
    if not any(map(os.path.lexists, signs)):
        return SetupItem("plugin", NOT_NEEDED, "neither .claude nor CLAUDE.md found")
    message = "the plugin with our skills and agents is not enabled"
    if source is None:
        return SetupItem(
            "plugin", NO, f"{message}; docs/agents.md in a clone of learnings shows how"
        )
    marketplace = f"claude plugin marketplace add {shlex.quote(source.address)}"
    return SetupItem("plugin", NO, message, f"{marketplace} && claude plugin install {_PLUGIN}")


def _enabled(path: Path) -> bool:
    try:
        return json.loads(content_of(path))["enabledPlugins"][_PLUGIN] is True
    except (ValueError, RecursionError, TypeError, KeyError):
        return False


# Files named in a sentence; the command beside it names all.
_MOST_NAMED = 3


def _loading(workspace: Workspace) -> SetupItem:
    name = "memory loaded"
    if not workspace.found.learnings_paths:
        return SetupItem(name, NOT_NEEDED, "no learnings file found")
    unnamed = unnamed_files(workspace)
    if not unnamed:
        return SetupItem(name, YES, "agent instructions lead to each learnings file")
    commands = (line.command(shlex.quote(line.path)) for line in missing_lines(workspace))
    more = f" or {len(unnamed) - _MOST_NAMED} more" if len(unnamed) > _MOST_NAMED else ""
    message = f"no agent instructions lead to {' or '.join(unnamed[:_MOST_NAMED])}{more}"
    return SetupItem(name, NO, message, " && ".join(commands))


def _history(root: Path) -> SetupItem:
    if not output_of(root, "rev-parse", "--verify", "--quiet", "HEAD"):
        return SetupItem("history", NOT_NEEDED, "there are no commits yet")
    if output_of(root, "rev-parse", "--is-shallow-repository") == "true":
        return SetupItem(
            "history", NO, "this is a shallow clone; ages are unknown", "git fetch --unshallow"
        )
    filters = output_of(root, "config", "--name-only", "--get-regexp", r"\.partialclonefilter$")
    if filters:
        key = filters.splitlines()[0]
        remote = key.removeprefix("remote.").removesuffix(".partialclonefilter")
        command = (
            f"git config --unset {shlex.quote(key)} && git fetch --refetch {shlex.quote(remote)}"
        )
        message = "this is a partial clone; git downloads old versions on demand"
        return SetupItem("history", NO, message, command)
    return SetupItem("history", YES, "neither a shallow nor a partial clone")


def _version(root: Path, source: Origin | None) -> SetupItem:
    tag = f"v{learnings.__version__}"
    moving = tag.partition(".")[0]  # a tag only for `uses:`
    known = source.revision if source else ""
    tool = f"learnings {learnings.__version__}{known and f' ({short_commit(known)})'}"
    for path, revision, address in _pins(root):
        is_other_tag = _numbers(revision) not in ((), _numbers(tag))
        is_right = revision in (known, tag) or (revision == moving and not address)
        if is_right or not (known or is_other_tag):
            continue
        message = f"{path} names {revision[:12]}, and this is {tool}"
        if address and _numbers(revision) > _numbers(tag):
            newer = pipx_command(Origin(without_credentials(address), revision))
            return SetupItem("version", NO, message, newer.replace("install", "install --force", 1))
        if address:
            return SetupItem("version", NO, message, update_command(path, address))
        return SetupItem("version", NO, f"{message}; change it there to {known or tag}")
    return SetupItem("version", YES, tool)


def _numbers(revision: str) -> tuple[int, ...]:
    """Return the version numbers of a tag; a commit has none."""
    match = re.fullmatch(r"v(\d{1,9})\.(\d{1,9})\.(\d{1,9})", revision)
    return tuple(map(int, match.groups())) if match else ()


def _pins(root: Path) -> Iterator[tuple[str, str, str]]:
    """Yield each file that pins our version, with that version and the address of a hook list."""
    for name in (PREK_FILE, PRE_COMMIT_FILE):
        text = decode(content_of(root / name)).removeprefix(BOM)
        try:
            data = text_steps.hook_values(text, name)
        except (LearningsError, BadYaml):
            continue
        repos: Any = data.get("repos") if isinstance(data, dict) else None
        for repo in repos if is_list_of_tables(repos) else ():
            if is_own(repo) and isinstance(repo.get("rev"), str):
                # After a commit, `autoupdate --freeze` writes the tag in a comment.
                comment = rf"{re.escape(repo['rev'])}[\"']?[ \t]+#[ \t]*(?:frozen: )?(v\d\S*)"
                tag = re.search(comment, text)
                yield name, tag[1] if tag else repo["rev"], repo["repo"]
    for workflow in ci_steps.workflows(root):
        if workflow.revision:
            yield workflow.path, workflow.revision, ""
