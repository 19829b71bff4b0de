"""Checkouts to measure: fetched into a cache, or made from the contents of a folder.

Git gets no settings of this machine, asks for no password, and runs no hook.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ecosystem.listing import UNLISTED, Row

HOST = "https://github.com"
SECONDS = 900
# The files that `learnings` reads; of all others it knows only the names.
KEPT = ("*.md", "*.mdc", "*.txt", "*.toml", "*.yml", "*.yaml", "*.json", ".*rules", ".goosehints")
DAY = "2026-01-01T12:00:00+0000"
PLAIN = "plain files, committed on one day"


class GitFailed(Exception):
    """A failed git command, with the last line of its output."""


class Checkout(NamedTuple):
    """A work tree to measure; `note` is its difference from a whole clone, or ""."""

    row: Row
    label: str
    path: Path
    note: str = ""


def git(folder: Path, *words: str) -> str:
    """Run git in a folder and return its output. Raises GitFailed."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    keep = ("GIT_SSL_CAINFO", "GIT_SSL_CAPATH")
    env |= {name: os.environ[name] for name in keep if name in os.environ}
    env |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        **{
            f"GIT_{who}_{what}": "ecosystem@example.invalid" if what == "EMAIL" else "ecosystem"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
        "GIT_AUTHOR_DATE": DAY,
        "GIT_COMMITTER_DATE": DAY,
    }
    try:
        done = subprocess.run(
            ["git", "-c", f"core.hooksPath={os.devnull}", "-c", "gc.auto=0", *words],
            cwd=folder,
            env=env,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {words[0]} took longer than {SECONDS} seconds") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitFailed(lines[-1] if lines else f"git {words[0]} failed")
    return done.stdout.decode(errors="replace").strip()


def fetched(row: Row, cache: Path) -> Checkout:
    """Return a sparse checkout of a public repository, with only one commit unless `history`.

    Raises GitFailed.
    """
    path = cache / "checkouts" / row.name.replace("/", "+")
    address = f"{HOST}/{row.name}"
    if not (path / ".git").exists():
        path.mkdir(parents=True, exist_ok=True)
        git(path, "init", "--quiet")
        git(path, "remote", "add", "origin", address)
        git(path, "sparse-checkout", "set", "--no-cone", *KEPT)
    depth = [] if row.history else ["--depth=1"]
    wanted = row.commit or "HEAD"
    git(path, "fetch", "--quiet", "--no-tags", "--filter=blob:none", *depth, "origin", wanted)
    git(path, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    return Checkout(row, row.name, path, "" if row.history else "one commit, no ages")


def found(folder: Path, rows: list[Row], work: Path) -> Iterator[Checkout]:
    """Yield the checkouts below a folder: clones, bundles, and folders named OWNER+NAME.

    Anything but a clone is copied below `work` and becomes one, so the folder does not change.
    """
    listed = {row.name.lower(): row for row in rows}
    for path in sorted(_tops(folder)):
        label = path.relative_to(folder).as_posix()
        name = path.name.removesuffix(".bundle").replace("+", "/")
        row = listed.get(name.lower()) or _by_short_name(name, rows) or Row(name, UNLISTED)
        target = work / label.replace("/", "__")
        if (path / ".git").exists():
            yield Checkout(row, label, path)
        elif path.is_file():
            yield Checkout(row, label, _from_bundle(path, target), "a bundle")
        else:
            yield Checkout(row, label, _committed(path, target), PLAIN)


def _tops(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        is_top = path.is_dir() and ((path / ".git").exists() or "+" in path.name)
        if is_top or (path.is_file() and path.suffix == ".bundle"):
            yield path
        elif path.is_dir() and not path.is_symlink():
            yield from _tops(path)


def _by_short_name(name: str, rows: list[Row]) -> Row | None:
    """Return the only listed repository whose NAME starts a file name such as NAME-2026-02."""
    if "/" in name:
        return None
    short = [row for row in rows if f"{name}-".startswith(f"{row.name.partition('/')[2]}-")]
    return short[0] if len(short) == 1 else None


def _from_bundle(bundle: Path, target: Path) -> Path:
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        heads = git(bundle.parent, "bundle", "list-heads", str(bundle.resolve())).split()
        branches = [head for head in heads if head.startswith("refs/heads/")]
        branch = ["--branch", branches[0].removeprefix("refs/heads/")] if branches else []
        git(bundle.parent, "clone", "--quiet", *branch, str(bundle.resolve()), str(target))
    return target


def _committed(folder: Path, target: Path) -> Path:
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder, target, symlinks=True)
        git(target, "init", "--quiet")
        git(target, "add", "--all", "--force")
        git(target, "commit", "--quiet", "--message=The files as they are")
    return target
