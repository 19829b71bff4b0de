"""Test whether the product finds and reads the memories of tools without configuration.

DATA/shapes/truth.json names for each memory its path, its role, and the first lines of its entries;
for a folder its files; for an index its dead rows and the files without a row. Each repository is
committed unchanged and has no configuration.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learnings.check.memory_index import links_of
from learnings.index.links import problems_of_links
from learnings.workspace.memory_file import memory_at
from learnings.workspace.workspace import Workspace


def report(data: Path) -> Iterator[str]:
    """Yield a row for each shape: the number of correct memories, and the errors."""
    folder = data / "shapes"
    if not folder.is_dir():
        return
    items = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    right, every, wrong = Counter[str](), Counter[str](), []
    for item in items:
        shape, problem = item["shape"], _problem(folder / item["folder"], item)
        every[shape] += 1
        right[shape] += not problem
        wrong += [f"{item['repo']} {item['path']}: {problem}"] if problem else []
    yield "| shape | memories | right |"
    yield "|---|--:|--:|"
    yield from (f"| {shape} | {every[shape]} | {right[shape]} |" for shape in sorted(every))
    yield f"| all | {every.total()} | {right.total()} |"
    yield from wrong


def _problem(source: Path, item: dict[str, Any]) -> str:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "repository"
        shutil.copytree(source, root)
        for arguments in (["init", "--quiet"], ["add", "--all"]):
            subprocess.run(["git", *arguments], cwd=root, check=True)
        workspace = Workspace.open(root)
        if item["role"] == "folder":
            return _problem_of_folder(workspace, item)
        taken = {*workspace.found.learnings_paths}
        if not item["entries"]:
            return "is taken for a memory" if item["path"] in taken else ""
        if item["path"] not in taken:
            return "is not found"
        document = memory_at(workspace, root / item["path"]).document
        lines = [entry.first for entry in document.entries]
        expected = [[line for line, _ in item["entries"]], *item.get("also_right", [])]
        return "" if lines in expected else f"{len(lines)} entries"


def _problem_of_folder(workspace: Workspace, item: dict[str, Any]) -> str:
    if item["path"] not in {folder.path for folder in workspace.found.folders}:
        return "is not found"
    entries = memory_at(workspace, workspace.root / item["path"]).document.entries
    files = [[entry.path, entry.title] for entry in entries]
    expected = [item["files"], *item.get("also_right", [])]
    if files != expected[0] and [path for path, _ in files] not in expected[1:]:
        return f"{len(files)} files, or other titles"
    if "index" not in item:
        return ""
    path = item["index"]
    links = links_of(workspace, path, (workspace.root / path).read_bytes())
    problems = list(problems_of_links(links)) if links else []
    dead = sorted(p.subject for p in problems if p.kind == "missing-file")
    missing = sorted(p.path for p in problems if p.kind == "missing-row")
    folder = path.rpartition("/")[0]
    wanted = sorted({f"{folder}/{link}" for _, link in item["dead_rows"]})
    is_right = dead == wanted and missing == sorted(item["missing_rows"])
    return "" if is_right else f"{len(dead)} dead rows, {len(missing)} files without one"
