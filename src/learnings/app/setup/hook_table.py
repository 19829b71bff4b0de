"""The hooks of this version, and which of them a repository that is set up gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from learnings import REPOSITORY, __version__

REVISION = f"v{__version__}"
TYPES_KEY = "default_install_hook_types"
HOOK_TYPES = ("pre-commit", "pre-merge-commit", "pre-push")

# Every hook of the manifest, in its order. A repository gets those that only check; a hook that
# rewrites files is the user's choice.
SHIPPED: Mapping[str, bool] = {
    "learnings-check": True,
    "learnings-fix": False,
    "target-line-limit": True,
    "memory-index": True,
    "memory-index-fix": False,
    "agent-core": True,
    "learnings-due": True,
}
CHOSEN = tuple(hook for hook, is_chosen in SHIPPED.items() if is_chosen)


def is_own(url: object) -> bool:
    """Return True if the `repo:` of a configuration is this project, whatever form its URL has."""
    if not isinstance(url, str):
        return False
    plain = url.strip().rstrip("/").removesuffix(".git").lower()
    name = REPOSITORY.partition("github.com/")[2]
    return plain.endswith((f"github.com/{name}", f"github.com:{name}"))


def repository_value(hooks: Sequence[str]) -> dict[str, object]:
    """Return the value in `repos` for this project, with some of its hooks."""
    return {"repo": REPOSITORY, "rev": REVISION, "hooks": [{"id": hook} for hook in hooks]}


def repository_lines(
    hooks: Sequence[str], *, column: int = 2, gap: int = 2, indent: int = 2
) -> list[str]:
    """Return the same as lines of YAML.

    The dash is in `column`, from 0, and `gap` columns before its content; the dashes of the hooks
    are indented by `indent`.
    """
    dash, pad = "-".ljust(gap), " " * (column + gap)
    return [
        f"{' ' * column}{dash}repo: {REPOSITORY}",
        f"{pad}rev: {REVISION}",
        f"{pad}hooks:",
        *(f"{pad}{' ' * indent}{dash}id: {hook}" for hook in hooks),
    ]


def types_line() -> str:
    """Return the line of YAML that makes `pre-commit install` install all types of our hooks."""
    return f"{TYPES_KEY}: [{', '.join(HOOK_TYPES)}]"


def file_lines() -> list[str]:
    """Return a whole configuration of pre-commit with our hooks."""
    return [types_line(), "repos:", *repository_lines(CHOSEN)]
