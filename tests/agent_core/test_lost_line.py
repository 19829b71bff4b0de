"""The line on the losses of a host's own consolidation, and the hooks that print it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent_core.agent_files import PLUGIN
from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

SCRIPT = PLUGIN / "bin" / "memory-line.py"
HOOKS = json.loads((PLUGIN / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
FILE = "agents/learnings.md"
ENTRIES = {
    "cache": "Put the tenant into every cache key, or one customer sees the prices of another.",
    "deploy": "Run the migration before the deploy, since new code reads the column at once.",
    "retry": "Retry only what is idempotent; the queue delivers each order twice under load.",
}


def memory_of(*names: str) -> str:
    entries = (f"\n## When {name} fails\n\n{ENTRIES[name]}\n" for name in names)
    return "# Learnings\n" + "".join(entries)


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository with three committed entries."""
    repository.write(FILE, memory_of(*ENTRIES))
    repository.commit(date="2026-03-01")
    return repository


def said(cwd: Path, *options: str, **env: str) -> str:
    """Return the output of the script, its only effect."""
    command = [sys.executable, str(SCRIPT), "lost", *options]
    run = subprocess.run(command, cwd=cwd, env={**os.environ, **env}, capture_output=True)  # noqa: PLW1510
    assert (run.returncode, run.stderr) == (0, b"")
    return run.stdout.decode()


def test_the_command_of_the_line_recovers_what_was_lost(
    memory: GitRepository, learnings: Command
) -> None:
    assert said(memory.path) == ""
    memory.write(FILE, memory_of("retry"))

    line = said(memory.path / "agents")
    assert line.startswith(f"2 entries lost from `{FILE}` since the last commit; to recover them: ")
    words = shlex.split(line.partition("recover them: ")[2])
    assert learnings(*words[1:], cwd=memory.path).code == 0
    assert said(memory.path) == ""
    (archive,) = (memory.path / "agents" / "archive").iterdir()
    assert ENTRIES["deploy"] in archive.read_text("utf-8")


def test_several_files_are_one_line(memory: GitRepository) -> None:
    memory.write("docs/lessons.md", memory_of("retry"))
    memory.commit(date="2026-03-02")
    memory.write("docs/lessons.md", "# Learnings\n")
    (memory.path / FILE).unlink()

    (line,) = said(memory.path).splitlines()
    assert re.match(r"[34] entries lost from `\S+` and 1 more since the last commit; ", line)
    assert line.endswith(": learnings verify --base HEAD")
    assert json.loads(said(memory.path, "--json")) == {"systemMessage": line}


def test_a_long_name_is_cut_and_its_command_left_out(
    repository: GitRepository, tmp_path: Path
) -> None:
    # No Windows: its file names have no newlines.
    name = "agents/" + "x" * 90 + "\n`" + "/" + "y" * 60 + "/learnings.md"
    repository.write("learnings.toml", f"path = {json.dumps(name)}\n")
    repository.write(name, memory_of(*ENTRIES))
    (tmp_path / "plain").mkdir()
    assert said(repository.path) == said(tmp_path / "plain") == ""  # nothing to compare with
    repository.commit(date="2026-03-01")
    repository.write(name, memory_of("retry"))
    assert said(repository.path, PATH=str(tmp_path)) == ""

    (line,) = said(repository.path).splitlines()
    path = line.removeprefix("2 entries lost from `").partition("`")[0]
    assert (len(path) <= 80, line.endswith(": learnings verify --base HEAD")) == (True, True)


def test_the_hooks_are_bounded_and_reach_who_can_act(memory: GitRepository) -> None:
    """An agent reads the output at the start; its user reads the error at the end."""

    def by_host(event: str, number: int) -> tuple[int, str, str]:
        command = HOOKS[event][0]["hooks"][number]["command"]
        words = ["/bin/sh", "-c", command.replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN))]
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        env = {**os.environ, "PATH": path}
        run = subprocess.run(
            words, cwd=memory.path, env=env, capture_output=True, text=True, check=False
        )
        return run.returncode, run.stdout, run.stderr

    assert by_host("SessionEnd", 0) == (0, "", "")
    memory.write(FILE, memory_of("retry"))
    code, out, err = by_host("SessionEnd", 0)
    assert (code, out, err.startswith("2 entries lost")) == (1, "", True)
    assert by_host("SessionStart", 1) == (0, err, "")

    (seconds,) = re.findall(r"^SECONDS = ([0-9]+)", SCRIPT.read_text("utf-8"), re.MULTILINE)
    timeouts = {hook["timeout"] for groups in HOOKS.values() for hook in groups[0]["hooks"]}
    assert timeouts == {10}
    assert int(seconds) + 1 < 10
