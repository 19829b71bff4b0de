"""The log of a step: what others have written there is no command."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from tests.support.command import Command
from tests.support.repository import GitRepository

ACTIONS = {"GITHUB_ACTIONS": "true"}
TITLE = "When ::add-mask::x ##[group]y"
STOPPED = re.compile(r"::stop-commands::(\w{32})\n(.*?)\n::\1::\n", re.DOTALL)


def test_text_stands_between_lines_that_stop_the_runner(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("agents/learnings.md", f"## {TITLE}\n\n::add-mask::x\n")
    repository.commit()
    out = learnings.process("index", "agents/learnings.md", cwd=repository.path, env=ACTIONS).out
    match = STOPPED.fullmatch(out)
    assert match
    assert r"::add-mask::x ##\x5bgroup]y" in match[2]


def test_standard_error_does_so_too(learnings: Command, repository: GitRepository) -> None:
    run = learnings.process("due", "\n::add-mask::x.md", cwd=repository.path, env=ACTIONS)
    assert run.code == 2
    match = STOPPED.fullmatch(run.err)
    assert match
    assert match[2].startswith("learnings: ")


def test_text_without_anything_like_a_command_stays_as_it_is(
    learnings: Command, repository: GitRepository
) -> None:
    """Scripts take such text from a variable."""
    repository.write("agents/learnings.md", "## When a\n\nText.\n\n## When b\n\nText.\n")
    repository.commit()
    for words in (["ages", "--summary"], ["due"], ["check"], ["--version"], []):
        plain = learnings.process(*words, cwd=repository.path)
        logged = learnings.process(*words, cwd=repository.path, env=ACTIONS)
        assert (logged.stdout, logged.stderr) == (plain.stdout, plain.stderr)


def test_a_document_is_whole_and_holds_no_command(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("agents/learnings.md", f"## {TITLE}\n")
    words = ("index", "agents/learnings.md", "--format=json")
    run = learnings(*words, cwd=repository.path, env=ACTIONS)
    assert run.json["headings"][0]["title"] == TITLE
    assert "##[" not in run.out
    assert json.loads(learnings("schema", "due", cwd=repository.path, env=ACTIONS).out)


def test_a_file_gets_the_text_alone(
    learnings: Command, repository: GitRepository, tmp_path: Path
) -> None:
    repository.write("agents/learnings.md", f"## {TITLE}\n")
    report = tmp_path / "report.md"
    with report.open("wb") as out:
        subprocess.run(
            [learnings.path, "index", "agents/learnings.md"],
            cwd=repository.path,
            env={**os.environ, **ACTIONS},
            stdout=out,
            check=True,
        )
    assert report.read_text("utf-8") == f"- `{TITLE}` (line 1)\n"


def test_a_patch_keeps_its_bytes(learnings: Command, repository: GitRepository) -> None:
    text = "# Learnings\n\n##[L-001] When a\n\n::add-mask::x  \n\n## [L-002] When b\n\nText"
    repository.write("agents/learnings.md", text)
    run = learnings.process("fix", "--diff", cwd=repository.path, env=ACTIONS)
    assert run.code == 1
    assert STOPPED.fullmatch(run.out)
    assert "##[L-001]" in run.out
    repository.git("apply", stdin=run.stdout)
    assert learnings("fix", "--diff", cwd=repository.path).code == 0
