"""Where hooks are configured: the files of pre-commit, prek, husky, lefthook and git itself."""

from __future__ import annotations

import re
from pathlib import Path

from learnings.workspace.disk import content_of, is_file

PREK_FILE = "prek.toml"
"""The configuration that prek prefers to that of pre-commit, which does not read it."""
PRE_COMMIT_FILE = ".pre-commit-config.yaml"
HUSKY_FILE = ".husky/pre-commit"
LEFTHOOK_FILES = tuple(
    f"{place}.{suffix}"
    for place in ("lefthook", ".lefthook", ".config/lefthook")
    for suffix in ("yml", "yaml", "toml", "json", "jsonc")
)
# prek reads the other spelling as well; the last one is where git has its hooks by default.
_CONFIGURATIONS = (
    PREK_FILE,
    PRE_COMMIT_FILE,
    ".pre-commit-config.yml",
    *LEFTHOOK_FILES,
    HUSKY_FILE,
    ".git/hooks/pre-commit",
)
_HOOK = b"learnings-check"


def has_hooks(root: Path) -> bool:
    """Return True if a file that configures hooks, or git's own hook, names our first one."""
    return any(_HOOK in content_of(root / name) for name in _CONFIGURATIONS)


def lefthook_file(root: Path) -> str | None:
    """Return the configuration of lefthook in a repository, or None."""
    return next((name for name in LEFTHOOK_FILES if is_file(root / name)), None)


def names_hook(text: str, hook: str) -> bool:
    """Return True if a configuration names a hook, and not only a longer name or a path."""
    return re.search(rf"(?<![\w/-]){re.escape(hook)}(?![\w/-])", text) is not None
