"""The git checkouts below a folder, one per repository."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.workspace.disk import is_folder, reason_of

MOST_LEVELS = 5
"""Maximum folder levels below the named one: `FOLDER/github.com/owner/name` needs three."""
_SKIPPED = frozenset({"node_modules"})
_LONGEST_POINTER = 8192  # bytes of a file `.git` or `commondir`, which hold one path


class FoundCheckout(NamedTuple):
    """The name of a checkout, as given or below a given name; or the reason why it has no row."""

    name: str
    problem: str = ""


def found_checkouts(names: Sequence[str], folder: Path) -> list[FoundCheckout]:
    """Return the named checkouts, and the checkouts below the named folders.

    A folder without a checkout in it keeps its name. Names start from `folder`.
    """
    found: list[FoundCheckout] = []
    searched: list[FoundCheckout] = []
    for name in names:
        below = [] if _is_checkout(folder / name) else [*_below(folder / name, name, MOST_LEVELS)]
        searched += below
        found += [] if below else [FoundCheckout(name)]
    named = {_repository_of(folder / one.name) for one in found if _is_checkout(folder / one.name)}
    # One checkout per repository: the main one, else its first work tree.
    chosen: dict[str, FoundCheckout] = {}
    for one in searched:
        key = one.name if one.problem else _repository_of(folder / one.name)
        is_main = is_folder(folder / one.name / ".git")
        if key not in named and (key not in chosen or is_main):
            chosen[key] = one
    return [*found, *chosen.values()]


def _below(path: Path, shown: str, levels: int) -> Iterator[FoundCheckout]:
    try:
        with os.scandir(path) as entries:
            folders = sorted(e.name for e in entries if e.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return  # its row says so
    except OSError as error:
        advice = "make it readable, or name the checkouts in it"
        yield FoundCheckout(shown, f"this folder cannot be read ({reason_of(error)}); {advice}")
        return
    for name in folders:
        if name in _SKIPPED or name.startswith("."):
            continue
        inner = name if shown == "." else f"{shown.removesuffix('/')}/{name}"
        if _is_checkout(path / name):
            yield FoundCheckout(inner)
        elif levels > 1:
            yield from _below(path / name, inner, levels - 1)


def _is_checkout(path: Path) -> bool:
    return os.path.lexists(path / ".git")


def _repository_of(checkout: Path) -> str:
    """Return the git folder that a checkout shares with its linked work trees."""
    git = checkout / ".git"
    try:
        if git.is_file():
            git = checkout / _pointer(git).removeprefix("gitdir:").strip()
            common = git / "commondir"  # https://git-scm.com/docs/gitrepository-layout
            if common.is_file():
                git = git / _pointer(common).strip()
        return os.path.realpath(git)
    except (OSError, ValueError):
        return os.path.realpath(checkout)


def _pointer(path: Path) -> str:
    with path.open("rb") as file:
        return os.fsdecode(file.read(_LONGEST_POINTER))
