"""The repositories in repositories.toml, and the commits written into it.

The shape of a repository is the kind of its memory, or that it has only agent instructions. A
repository is marked as used for a dialect or rule if its files were known when we wrote that. Only
the other repositories show how the product reads unseen files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("repositories.toml")
UNLISTED = "not listed"


class Row(NamedTuple):
    """A repository: OWNER/NAME, the shape of its memory, the marks of its uses, its commit.

    `commit` is "" for the newest one. Ages are measured only if `history` is true.
    """

    name: str
    shape: str
    used_for: tuple[str, ...] = ()
    commit: str = ""
    history: bool = True


def read(text: str) -> list[Row]:
    """Return the rows of a list. Raises ValueError for an invalid row."""
    rows = [_row(row) for row in tomllib.loads(text)["repository"]]
    names = [row.name.lower() for row in rows]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"listed twice: {', '.join(sorted(twice))}")
    return rows


def _row(table: dict[str, object]) -> Row:
    unknown = set(table) - {"name", "shape", "used-for", "commit", "history"}
    name, commit, used = table.get("name"), table.get("commit", ""), table.get("used-for", [])
    if (
        unknown
        or not (isinstance(name, str) and re.fullmatch(r"[\w.-]+/[\w.-]+", name))
        or not (isinstance(commit, str) and re.fullmatch(r"[0-9a-f]{40}|", commit))
        or not isinstance(used, list)
    ):
        raise ValueError(f"is no row of a repository: {table}")
    history = table.get("history", True) is True
    return Row(name, str(table["shape"]), tuple(map(str, used)), commit, history)


def pinned(text: str, commits: Mapping[str, str]) -> str:
    """Return a list with these commits for the repositories, and everything else unchanged."""
    for name, commit in commits.items():
        row = rf'(name = "{re.escape(name)}"[^}}\n]*, commit = ")[0-9a-f]*"'
        text = re.sub(row, rf'\g<1>{commit}"', text)
    return text
