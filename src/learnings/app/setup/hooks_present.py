"""The hooks that a configuration of pre-commit or prek has, and which of our own it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from learnings import REPOSITORY
from learnings.app.setup.hook_table import CHOSEN, HOOK_TYPES, REVISION, TYPES_KEY, is_own
from learnings.app.setup.interpreter import is_too_old, suitable

PREK_FILE = "prek.toml"
"""The configuration that prek prefers to that of pre-commit, which does not read it."""


def install_command(program: str, types: object) -> str:
    """Return the command that installs all types of our hooks, by pre-commit or prek.

    types are those that a configuration installs by default, None where it does not say.
    """
    default = types if isinstance(types, list) else []
    if set(HOOK_TYPES) <= {*default}:
        return f"{program} install"
    wanted = dict.fromkeys([*default, *HOOK_TYPES])
    return " ".join([f"{program} install", *(f"--hook-type {name}" for name in wanted)])


def missing_hooks(
    repos: list[dict[str, Any]], name: str, hooks_wanted: Sequence[str] = CHOSEN
) -> tuple[list[str], list[str]]:
    """Return the hooks to add, and notes about those from elsewhere, left out or older."""
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
        return [], [
            *notes,
            f"{name} has our hooks without {lacking}; add their ids to have them too",
        ]
    program = "prek" if name == PREK_FILE else "pre-commit"
    update = f"run `{program} autoupdate --repo {REPOSITORY}`, then this again"
    return [], [*notes, f"{name} has another version than {REVISION}, without {lacking}; {update}"]


def type_notes(data: dict[str, Any], name: str, *, is_extended: bool) -> list[str]:
    """Return notes about the types of hooks that `pre-commit install` installs."""
    if TYPES_KEY in data or not is_extended:
        lacking = [kind for kind in HOOK_TYPES if kind not in (data.get(TYPES_KEY) or [])]
        return [f"{name}: {TYPES_KEY} lacks {', '.join(lacking)}; add them"] if lacking else []
    if "default_stages" in data:
        return []
    advice = "`default_stages` with pre-commit alone keeps them from it"
    return [f"other hooks without `stages` will run at merges and pushes too; {advice}"]


def python_for(data: dict[str, Any]) -> str | None:
    """Return the Python that our hooks have to ask for: none where the default is new enough."""
    versions = data.get("default_language_version")
    default = versions.get("python") if isinstance(versions, dict) else None
    return suitable() if default is not None and is_too_old(default) else None


def is_list_of_tables(value: object) -> bool:
    """Return True for a list, perhaps empty, of nothing but tables."""
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)
