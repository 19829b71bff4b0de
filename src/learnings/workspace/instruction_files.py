"""The files on disk that tell an agent what to read: instructions, skills, hooks and settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.instruction_paths import (
    INSTRUCTION_NAMES,
    ROOT_PATTERNS,
    TRACKED_PATTERNS,
    is_instructions,
    is_started,
    is_text,
)
from learnings.core.roles import PLUGIN_FOLDERS, PLUGIN_MANIFEST
from learnings.history.git.tracked import listed_files
from learnings.workspace.tree import Tree

_PLUGIN_PATTERNS = ("agents/**/*", "commands/**/*", "hooks/**/*", "skills/**/*")


class InstructionFile(NamedTuple):
    """A file by its POSIX path from the root; is_started: it may run programs."""

    path: str
    is_started: bool = False


def root_instructions(tree: Tree) -> Iterator[InstructionFile]:
    """Yield the files in the usual places, likely ones first. Raises UnusableFile."""
    for pattern in ROOT_PATTERNS:
        for path in filter(is_text, tree.files(pattern)):
            yield InstructionFile(path, is_started(path))
    for home in PLUGIN_FOLDERS:
        yield from _in_plugin(tree, f"{home}/")


def tracked_instructions(tree: Tree) -> Iterator[InstructionFile]:
    """Yield the tracked files in any folder, also of plugins. Raises LearningsError."""
    patterns = (*TRACKED_PATTERNS, f"*{PLUGIN_MANIFEST}")
    for path in listed_files(tree.root, patterns, with_untracked=False):
        if f"/{path}".endswith(f"/{PLUGIN_MANIFEST}"):
            yield from _in_plugin(tree, path.removesuffix(PLUGIN_MANIFEST))
        elif is_instructions(path) or is_started(path):
            yield InstructionFile(path, is_started(path))


def instructions_above(tree: Tree, path: str) -> Iterator[InstructionFile]:
    """Yield the instructions in the folders around a file, tracked or not."""
    folder = path.rpartition("/")[0]
    while folder:
        for name in sorted(tree.names(folder) & INSTRUCTION_NAMES):
            yield InstructionFile(f"{folder}/{name}")
        folder = folder.rpartition("/")[0]


def _in_plugin(tree: Tree, prefix: str) -> Iterator[InstructionFile]:
    for pattern in _PLUGIN_PATTERNS:
        for path in filter(is_text, tree.files(prefix + pattern)):
            yield InstructionFile(path, is_started=True)
