"""The hooks of this version, and which of them a repository that is set up gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnings import REPOSITORY, __version__

REVISION = f"v{__version__}"
TYPES_KEY = "default_install_hook_types"
HOOK_TYPES = ("pre-commit", "pre-merge-commit", "pre-push")

# Every hook of the manifest, in its order: one that fixes stands before the one that checks, since
# `fail_fast` ends a run at the first that fails. A repository gets those that only check; a hook
# that rewrites files is the user's choice, and one for a form of memory needs that form.
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


class Layout(NamedTuple):
    """Where the dash of an item is, from 0, and how many columns it is before its content.

    The dashes of the hooks are indented by `indent` from their key.
    """

    column: int = 2
    gap: int = 2
    indent: int = 2


_LAYOUT = Layout()


def is_own(url: object) -> bool:
    """Return True if the `repo:` of a configuration is this project, whatever form its URL has."""
    if not isinstance(url, str):
        return False
    plain = url.strip().rstrip("/").removesuffix(".git").lower()
    name = REPOSITORY.partition("github.com/")[2]
    return plain.endswith((f"github.com/{name}", f"github.com:{name}"))


def hook_values(hooks: Sequence[str], python: str | None = None) -> list[dict[str, str]]:
    """Return hooks as values of `hooks`, to be run with a Python if one is given."""
    version = {"language_version": python} if python else {}
    return [{"id": hook, **version} for hook in hooks]


def repository_value(hooks: Sequence[str], python: str | None = None) -> dict[str, object]:
    """Return the value in `repos` for this project, with some of its hooks."""
    return {"repo": REPOSITORY, "rev": REVISION, "hooks": hook_values(hooks, python)}


def repository_lines(
    hooks: Sequence[str], python: str | None = None, *, layout: Layout = _LAYOUT
) -> list[str]:
    """Return the same as lines of YAML."""
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
    """Return the same as YAML in braces, on one line."""
    values = [
        f"{{{', '.join(f'{key}: {value}' for key, value in hook.items())}}}"
        for hook in hook_values(hooks, python)
    ]
    return f"{{repo: {REPOSITORY}, rev: {REVISION}, hooks: [{', '.join(values)}]}}"


def types_line() -> str:
    """Return the line of YAML that makes `pre-commit install` install all types of our hooks."""
    return f"{TYPES_KEY}: [{', '.join(HOOK_TYPES)}]"


def file_lines(python: str | None = None, *, hooks: Sequence[str] = CHOSEN) -> list[str]:
    """Return a whole configuration of pre-commit with our hooks."""
    return [types_line(), "repos:", *repository_lines(hooks, python)]
