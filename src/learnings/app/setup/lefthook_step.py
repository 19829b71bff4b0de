"""The lines that the user adds to lefthook's configuration: YAML, TOML or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from learnings.app.setup.hook_table import HOOK_TYPES

# Hooks that check changed files; the others check the repository.
_WITH_FILES = ("learnings-check", "target-line-limit")
_GLOB = "*.{md,markdown,mdc,mdx}"
_AT_PUSH = "learnings-due"

Table = dict[str, dict[str, dict[str, dict[str, str]]]]


def lefthook_table(hooks: Sequence[str]) -> Table:
    """Return the commands of each git hook in lefthook's format."""
    commit, merge, push = HOOK_TYPES
    at_commit = {hook: _command(hook) for hook in hooks if hook != _AT_PUSH}
    at_push = {hook: _command(hook) for hook in hooks if hook == _AT_PUSH}
    tables = {commit: at_commit, merge: at_commit, push: at_push}
    return {kind: {"commands": commands} for kind, commands in tables.items() if commands}


def _command(hook: str) -> dict[str, str]:
    if hook in _WITH_FILES:
        return {"glob": _GLOB, "run": f"{hook} {{staged_files}}"}
    return {"run": hook}


def lefthook_lines(name: str, hooks: Sequence[str]) -> tuple[str, ...]:
    """Return the lines to add to a configuration, in the format of its file name."""
    table = lefthook_table(hooks)
    if name.endswith((".json", ".jsonc")):
        return tuple(json.dumps(table, indent=2).splitlines())
    return tuple(_toml(table) if name.endswith(".toml") else _yaml(table))


def _yaml(table: Table) -> Iterator[str]:
    for kind, inner in table.items():
        yield from (f"{kind}:", "  commands:")
        for hook, command in inner["commands"].items():
            yield f"    {hook}:"
            yield from (f"      {key}: {json.dumps(value)}" for key, value in command.items())


def _toml(table: Table) -> Iterator[str]:
    for kind, inner in table.items():
        for hook, command in inner["commands"].items():
            yield f"[{kind}.commands.{hook}]"
            yield from (f"{key} = {json.dumps(value)}" for key, value in command.items())
