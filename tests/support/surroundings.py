"""The environment of every test: no settings of this machine, no repository around."""

from __future__ import annotations

import os
from pathlib import Path

NAME = "Ada Tester"
EMAIL = "ada@example.invalid"

# CI and GITHUB_*: a test must behave the same on a server and at a desk. Without bytecode, each
# process of ours would compile the package again, which takes half as long as its work.
FOREIGN = ("GIT_", "PRE_COMMIT", "GITHUB_", "LC_", "XDG_")
FOREIGN_NAMES = (
    *("CI", "LANG", "LANGUAGE", "PYTHONDONTWRITEBYTECODE"),
    *("CLICOLOR_FORCE", "COLUMNS", "FORCE_COLOR", "NO_COLOR"),
)

GIT_CONFIG = f"""\
[user]
	name = {NAME}
	email = {EMAIL}
[init]
	defaultBranch = main
[commit]
	gpgSign = false
[tag]
	gpgSign = false
[core]
	autocrlf = false
	fsync = none
[gc]
	auto = 0
[maintenance]
	auto = false
[advice]
	detachedHead = false
[protocol "file"]
	allow = always
"""


def is_foreign(name: str) -> bool:
    """Return True for a variable that no test may see."""
    return name.startswith(FOREIGN) or name in FOREIGN_NAMES


def variables(home: Path, *, ceiling: Path) -> dict[str, str]:
    """Return the variables of a session, creating files for them in an empty folder `home`.

    REAL_HOME keeps the value of HOME. Git looks for no repository in `ceiling` and above.
    """
    (home / ".gitconfig").write_text(GIT_CONFIG, encoding="utf-8")
    (home / "system.gitconfig").touch()
    (home / "template").mkdir()
    own = {
        "REAL_HOME": os.path.expanduser("~"),  # noqa: PTH111
        "HOME": home,
        "USERPROFILE": home,
        "XDG_CACHE_HOME": home / "cache",
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_STATE_HOME": home / "state",
        "GIT_CEILING_DIRECTORIES": ceiling,
        "GIT_CONFIG_GLOBAL": home / ".gitconfig",
        "GIT_CONFIG_SYSTEM": home / "system.gitconfig",
        "GIT_TEMPLATE_DIR": home / "template",
        "LC_ALL": "C.UTF-8",
        "PIP_COMPILE": "0",  # 2 s for each environment; most of the installed code never runs
        "TZ": "UTC",
    }
    return {name: str(value) for name, value in own.items()}
