"""The hooks of this version as YAML and for lefthook, and those a configuration already has."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from learnings import REPOSITORY, REVISION
from learnings.app.setup.hook_files import PREK_FILE
from learnings.core.patterns import lazy_pattern
from learnings.history.git.programs import find_program

# The oldest supported Python, as in pyproject.toml.
OLDEST_PYTHON = (3, 11)
_NEWEST_PYTHON = 20  # minor versions to look for; enough for years
# `python3.9`, `3.10`, `pypy3.9`, `python310`, `/usr/bin/python2.7`: a name that ends in a version
# with a minor number; `python3` can be any.
_PYTHON_VERSION = lazy_pattern(r"(?<![\d.])([23])\.?(\d{1,2})(?:\.\d+)*(?:\.exe)?\Z")


def suitable_python() -> str:
    """Return the name of a new enough interpreter: the oldest on PATH, else the running one."""
    names = (f"python3.{minor}" for minor in range(OLDEST_PYTHON[1], _NEWEST_PYTHON))
    installed = next((name for name in names if find_program(name, Path())), None)
    return installed or f"python3.{sys.version_info.minor}"


TYPES_KEY = "default_install_hook_types"
HOOK_TYPES = ("pre-commit", "pre-merge-commit", "pre-push")

# All hooks in the order of the manifest: a fixer stands before its checker, because `fail_fast`
# stops at the first failure. A repository gets the hooks that only check; a hook that rewrites
# files is the user's choice, and a hook for a form of memory needs that form.
SHIPPED: Mapping[str, bool] = {
    "learnings-fix": False,
    "learnings-check": True,
    "target-line-limit": True,
    "memory-index-fix": False,
    "memory-index": True,
    "agent-core": True,
    "learnings-due": True,
    "learnings-lossless": True,
    "learning-tiers": False,
    "confidence-memory": False,
}
CHOSEN = tuple(hook for hook, is_chosen in SHIPPED.items() if is_chosen)


class ItemLayout(NamedTuple):
    """The column of an item's dash, the gap to its content, and the indent of its hooks."""

    column: int = 2
    gap: int = 2
    indent: int = 2


_LAYOUT = ItemLayout()


def is_own(url: object) -> bool:
    """Return True if the `repo:` of a configuration is this project, in any form of URL."""
    if not isinstance(url, str):
        return False
    plain = url.strip().rstrip("/").removesuffix(".git").lower()
    name = REPOSITORY.partition("github.com/")[2]
    return plain.endswith((f"github.com/{name}", f"github.com:{name}"))


def hook_values(hooks: Sequence[str], python: str | None = None) -> list[dict[str, str]]:
    """Return hooks as values of `hooks`, with a Python to run them if given."""
    version = {"language_version": python} if python else {}
    return [{"id": hook, **version} for hook in hooks]


def repository_value(hooks: Sequence[str], python: str | None = None) -> dict[str, object]:
    """Return the item of `repos` for this project with the given hooks."""
    return {"repo": REPOSITORY, "rev": REVISION, "hooks": hook_values(hooks, python)}


def repository_lines(
    hooks: Sequence[str], python: str | None = None, *, layout: ItemLayout = _LAYOUT
) -> list[str]:
    """Return the item as lines of YAML."""
    dash, pad = "-".ljust(layout.gap), " " * (layout.column + layout.gap)
    lines = [f"{' ' * layout.column}{dash}repo: {REPOSITORY}", f"{pad}rev: {REVISION}"]
    lines.append(f"{pad}hooks:")
    inner = pad + " " * layout.indent
    for hook in hook_values(hooks, python):
        starts = [dash, *[" " * layout.gap] * (len(hook) - 1)]
        pairs = zip(starts, hook.items(), strict=True)
        lines += [f"{inner}{start}{key}: {value}" for start, (key, value) in pairs]
    return lines


def repository_in_flow_style(hooks: Sequence[str], python: str | None = None) -> str:
    """Return the item as one line of YAML in braces."""
    values = [
        f"{{{', '.join(f'{key}: {value}' for key, value in hook.items())}}}"
        for hook in hook_values(hooks, python)
    ]
    return f"{{repo: {REPOSITORY}, rev: {REVISION}, hooks: [{', '.join(values)}]}}"


def types_line() -> str:
    """Return the YAML line that makes `pre-commit install` install all our hook types."""
    return f"{TYPES_KEY}: [{', '.join(HOOK_TYPES)}]"


def file_lines(python: str | None = None, *, hooks: Sequence[str] = CHOSEN) -> list[str]:
    """Return a complete pre-commit configuration with our hooks."""
    return [types_line(), "repos:", *repository_lines(hooks, python)]


def install_command(program: str, types: object) -> str:
    """Return the command that installs all our hook types; types are those installed by default."""
    default = types if isinstance(types, list) else []
    if set(HOOK_TYPES) <= {*default}:
        return f"{program} install"
    wanted = dict.fromkeys([*default, *HOOK_TYPES])
    return " ".join([f"{program} install", *(f"--hook-type {name}" for name in wanted)])


# Hooks that check changed files; the others check the repository.
_WITH_FILES = ("learnings-check", "target-line-limit")
_GLOB = "*.{md,markdown,mdc,mdx}"
_AT_PUSH = "learnings-due"

Table = dict[str, dict[str, dict[str, dict[str, str]]]]


def lefthook_table(hooks: Sequence[str]) -> Table:
    """Return the commands of each git hook in lefthook's format."""
    commit, merge, push = HOOK_TYPES
    commands = {hook: {"run": hook} for hook in hooks}
    for hook in commands.keys() & {*_WITH_FILES}:
        commands[hook] = {"glob": _GLOB, "run": f"{hook} {{staged_files}}"}
    at_push = {hook: command for hook, command in commands.items() if hook == _AT_PUSH}
    at_commit = {hook: command for hook, command in commands.items() if hook != _AT_PUSH}
    tables = {commit: at_commit, merge: at_commit, push: at_push}
    return {kind: {"commands": table} for kind, table in tables.items() if table}


def lefthook_lines(name: str, hooks: Sequence[str]) -> tuple[str, ...]:
    """Return the lines to add to a configuration, in the format of its file name."""
    table = lefthook_table(hooks)
    if name.endswith((".json", ".jsonc")):
        return tuple(json.dumps(table, indent=2).splitlines())
    is_toml = name.endswith(".toml")
    indent, sign = ("", " =") if is_toml else ("      ", ":")
    lines = []
    for kind, inner in table.items():
        if not is_toml:
            lines += [f"{kind}:", "  commands:"]
        for hook, command in inner["commands"].items():
            lines.append(f"[{kind}.commands.{hook}]" if is_toml else f"    {hook}:")
            lines += [f"{indent}{key}{sign} {json.dumps(v)}" for key, v in command.items()]
    return tuple(lines)


def missing_hooks(
    repos: list[dict[str, Any]], name: str, hooks_wanted: Sequence[str] = CHOSEN
) -> tuple[list[str], list[str]]:
    """Return the hooks to add, and notes on foreign, omitted or older ones."""
    missing, notes = [*hooks_wanted], []
    for repo in repos:
        hooks: Any = repo.get("hooks")
        ids = [hook.get("id") for hook in hooks] if is_list_of_tables(hooks) else []
        present = [hook for hook in hooks_wanted if hook in ids]
        missing = [hook for hook in missing if hook not in present]
        if present and not is_own(repo.get("repo")):
            notes.append(f"{name} has {', '.join(present)} from {repo.get('repo')}, which stays")
    own_repos = [repo for repo in repos if is_own(repo.get("repo"))]
    if not own_repos or not missing:
        return missing, notes
    lacking = ", ".join(missing)
    if own_repos[0].get("rev") == REVISION:
        return [], [*notes, f"{name} has our hooks without {lacking}; to use them, add their ids"]
    program = "prek" if name == PREK_FILE else "pre-commit"
    update = f"run `{program} autoupdate --repo {REPOSITORY}`, then this again"
    return [], [*notes, f"{name} does not use version {REVISION} and lacks {lacking}; {update}"]


def type_notes(data: dict[str, Any], name: str, *, is_extended: bool) -> list[str]:
    """Return notes on the hook types that `pre-commit install` installs."""
    if TYPES_KEY in data or not is_extended:
        lacking = [kind for kind in HOOK_TYPES if kind not in (data.get(TYPES_KEY) or [])]
        return [f"{name}: {TYPES_KEY} lacks {', '.join(lacking)}; add them"] if lacking else []
    if "default_stages" in data:
        return []
    advice = "to prevent this, set `default_stages` to pre-commit"
    return [f"other hooks without `stages` will also run at merges and pushes; {advice}"]


def python_for(data: dict[str, Any]) -> str | None:
    """Return the Python that our hooks must request, or none if the default is new enough."""
    versions = data.get("default_language_version")
    default = versions.get("python") if isinstance(versions, dict) else None
    match = _PYTHON_VERSION.search(str(default))
    is_too_old = match is not None and (int(match[1]), int(match[2])) < OLDEST_PYTHON
    return suitable_python() if is_too_old else None


def is_list_of_tables(value: object) -> bool:
    """Return True for a list, perhaps empty, of tables only."""
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)
