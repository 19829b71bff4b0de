"""The hooks of this version, and which of them a repository that is set up gets."""

from __future__ import annotations

from collections.abc import Mapping

from learnings import REPOSITORY, __version__

REVISION = f"v{__version__}"
HOOK_TYPES = ("pre-commit", "pre-merge-commit", "pre-push")

# Every hook of the manifest, in its order. A check comes along; what rewrites files does not,
# whoever wants that adds it.
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
    """Whether the `repo:` of a configuration is this project, in whatever form of its address."""
    if not isinstance(url, str):
        return False
    plain = url.strip().rstrip("/").removesuffix(".git").lower()
    place = REPOSITORY.partition("github.com/")[2]
    return plain.endswith((f"github.com/{place}", f"github.com:{place}"))
