"""The project's own agent files: copied into a repository and checked in-process."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from learnings import rules
from learnings.check.search import Search
from learnings.core.roles import Role
from learnings.core.text import decode, split_lines
from learnings.surfaces.cli.arguments import command_table
from learnings.workspace.workspace import Workspace
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

PLUGIN = ROOT / "agent-core"
SKILLS = sorted(path.relative_to(ROOT).as_posix() for path in PLUGIN.glob("skills/*/*.md"))
AGENTS = sorted(path.relative_to(ROOT).as_posix() for path in PLUGIN.glob("agents/*.md"))
# Without site-packages Python finds no installed package.
BARE = [sys.executable, "-I", "-S"]


def program(folder: Path, name: str, script: str) -> Path:
    """Write an executable to a folder and return the folder."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)
    return folder


def copied(path: Path) -> GitRepository:
    """Return a repository with a copy of agent-core."""
    repository = GitRepository(path)
    shutil.copytree(PLUGIN, path / "agent-core", ignore=shutil.ignore_patterns("__pycache__"))
    return repository


def finding_lines(repository: GitRepository, *paths: str) -> set[str]:
    """Return the findings in all agent files, or in some of them, as `path:line rule`."""
    search = Search(
        Workspace.open(repository.path), paths, commands=command_table, only=(Role.AGENT,)
    )
    return {
        f"{finding.path}:{finding.line} {finding.rule}"
        for _, file, inputs in search.files()
        for finding in rules.check(file, inputs=inputs)
    }


def lines_of(repository: GitRepository, path: str) -> list[str]:
    """Return the lines of a file with their ends."""
    return split_lines(decode(repository.read(path)))


def replaced(lines: list[str], line: int, column: int, old: str, new: str) -> str:
    """Return the text with `old` at a given place replaced."""
    text = lines[line - 1]
    assert text[column - 1 :].startswith(old), f"{old} does not stand in {text!r}"
    changed = text[: column - 1] + new + text[column - 1 + len(old) :]
    return "".join([*lines[: line - 1], changed, *lines[line:]])


def each_file(repository: GitRepository) -> Iterator[tuple[str, list[str]]]:
    """Yield path and lines of every skill, its pages, and every agent."""
    for path in (*AGENTS, *SKILLS):
        yield path, lines_of(repository, path)
