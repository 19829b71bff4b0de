"""Each command lists the same memories: one repository with a memory of each kind."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from learnings.app.buffers import Buffers, checked_buffer
from learnings.surfaces.cli.arguments import command_table
from tests.support.command import Command, Program
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

ENTRIES = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
LINKS = "".join(f"- [{name}](../docs/solutions/{name}.md): it\n" for name in ("one", "two"))
FOLDER, FOLDER_INDEX = "docs/solutions", "docs/solutions/INDEX.md"
TOPICS = {f"{FOLDER}/{name}.md": f"# {name}\n\nText of {name}.\n" for name in ("one", "two")}
CONFIGURED = ("notes/memory.rst", "packages/api/agents/learnings.md", FOLDER)
DISCOVERED = ("packages/api/agents/learnings.md", ".squad/decisions.md", "progress.txt", FOLDER)
SETTINGS = "".join(f'[[file]]\npath = "{path}"\n' for path in CONFIGURED)


@pytest.fixture(params=["discovered", "configured"])
def memories(request: pytest.FixtureRequest, repository: GitRepository) -> tuple[str, ...]:
    """Write the memories, and return their paths in the order of discovery."""
    is_configured = request.param == "configured"
    repository.write("packages/api/package.json", "{}")
    for path in {*CONFIGURED, *DISCOVERED} - {FOLDER, "progress.txt"}:
        repository.write(path, ENTRIES)
    repository.write("progress.txt", "# Log\n\n## Codebase Patterns\n- Use x.\n- Use y.\n")
    for path, text in {**TOPICS, FOLDER_INDEX: LINKS.replace("../docs/solutions/", "")}.items():
        repository.write(path, text)
    repository.write("learnings.toml", SETTINGS if is_configured else "")
    repository.commit()
    return CONFIGURED if is_configured else DISCOVERED


def test_every_command_has_the_same_list(
    memories: tuple[str, ...], repository: GitRepository, learnings: Command
) -> None:
    def said(*words: str) -> str:
        run = learnings(*words, cwd=repository.path)
        assert run.code in (0, 1), run.err
        return run.out + run.err

    def documented(*words: str) -> Any:  # noqa: ANN401  (a JSON document)
        return json.loads(learnings(*words, "--format", "json", cwd=repository.path).out)

    def named(pattern: str, text: str) -> list[str]:
        return re.findall(pattern, text, re.MULTILINE)

    line = Program(sys.executable)(ROOT / "agent-core/bin/memory-line.py", cwd=repository.path)
    config = documented("config")
    row = documented("fleet", "scan", ".")["repositories"][0]
    lists: dict[str, Callable[[], list[str]]] = {
        "due": lambda: [file["file"] for file in documented("due")["files"]],
        "config": lambda: [file["path"] for file in config["learnings"] if file["taken"]],
        "learnings": lambda: named(r"^(\S+): not-due", said()),
        "ages": lambda: named(r"^(\S+): ", said("ages", "--summary")),
        "ci": lambda: named(r"^\| `([^`]+)` \| not-due", said("ci", "--dry-run")),
        "report": lambda: [file["file"] for file in documented("report")["files"]],
    }
    faults = {name: found for name, listed in lists.items() if (found := listed()) != [*memories]}
    assert faults == {}
    assert f"memory            yes  {memories[0]} and {len(memories) - 1} more" in said("doctor")
    assert row["files"] == len(memories)
    assert line.out == f"{len(memories)} learnings files\n"


def test_check_and_the_editor_read_the_same_files(
    memories: tuple[str, ...], repository: GitRepository, learnings: Command
) -> None:
    files = {*memories, *TOPICS, FOLDER_INDEX} - {FOLDER}
    indexes = json.loads(learnings("config", "--format", "json", cwd=repository.path).out)
    assert [index["path"] for index in indexes["link_indexes"]] == [FOLDER_INDEX]
    trace = learnings("check", "--verbose", cwd=repository.path).err
    read = re.findall(r"^(\S+): (?:checked|compared)", trace, re.MULTILINE)
    assert {*read} == files
    others = {".squad/decisions.md", "progress.txt", "notes/memory.rst", "learnings.toml"} - files
    for path in (*files, *others):
        full = repository.path / path
        buffers = Buffers({full: full.read_bytes()}, (), command_table)
        assert (checked_buffer(full, buffers) is not None) is (path in files), path
