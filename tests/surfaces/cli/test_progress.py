"""The progress line of long work, and the notes that --quiet leaves out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from learnings.core import progress
from learnings.surfaces.cli.arguments import options_of
from learnings.surfaces.cli.commands import COMMANDS
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
ERASE = "\r\x1b[K"


def terminal_output(*words: str, cwd: Path, env: dict[str, str]) -> str:
    """Run `learnings` on a terminal for people and return all that it wrote."""
    leader, follower = os.openpty()
    variables = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "60", **env}
    variables = {name: value for name, value in variables.items() if value or name != "CI"}
    program = Command("learnings").process.path
    process = subprocess.Popen(
        [program, *words], cwd=cwd, env=variables, stdout=follower, stderr=follower
    )
    os.close(follower)
    written = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:  # Linux says so when the program has ended
            block = b""
        if not block:
            break
        written += block
    os.close(leader)
    process.wait()
    return written.decode().replace("\r\n", "\n")


def left_on_screen(written: str) -> str:
    return "\n".join(line.rpartition(ERASE)[2] for line in written.split("\n"))


@pytest.fixture
def slow_git(tmp_path: Path) -> str:
    """Return a PATH on which git takes more than a second to read objects."""
    git = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout
    script = tmp_path / "slow" / "git"
    script.parent.mkdir()
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *cat-file*) sleep 2.5 ;; esac\nexec {git.strip()} "$@"\n'
    )
    script.chmod(0o755)
    return f"{script.parent}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "step"),
    [
        ((), f"reading the history of {FILE}"),
        ((), f"checking {FILE}"),
        (("verify", "HEAD~1..HEAD"), "comparing with HEAD~1"),
        (("verify", "HEAD~2..HEAD"), "comparing commit 2 of 2"),
        (("plan", "--all"), f"comparing the entries of {FILE}"),
        (("fleet", "scan", "."), f"1 of 1: .: reading the history of {FILE}"),
    ],
)
def test_commands_say_what_they_do(
    repo: GitRepository, learnings: Command, words: tuple[str, ...], step: str
) -> None:
    for number in (2, 4, 6):
        repo.write(FILE, memory(number))
        repo.commit(date=f"2026-01-0{number}")
    steps: list[str] = []
    progress.report_to(steps.append)
    try:
        learnings(*words, cwd=repo.path)
    finally:
        progress.report_to(None)
    assert step in steps


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals")
def test_a_line_is_there_while_one_waits_and_gone_afterwards(
    repo: GitRepository, slow_git: str
) -> None:
    repo.write(FILE, memory(5))
    repo.commit(date="2026-01-02")
    written = terminal_output("plan", "--all", cwd=repo.path, env={"PATH": slow_git})
    assert f"{ERASE}reading the " in written
    plain = Command("learnings").process("plan", "--all", cwd=repo.path)
    assert left_on_screen(written) == plain.err + plain.out


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals")
def test_quick_work_jobs_and_dumb_terminals_have_no_such_line(
    repo: GitRepository, slow_git: str
) -> None:
    repo.write(FILE, memory(2))
    repo.commit(date="2026-01-02")
    assert ERASE not in terminal_output("rules", cwd=repo.path, env={})
    for env in ({"CI": "true"}, {"TERM": "dumb"}):
        written = terminal_output("due", cwd=repo.path, env={"PATH": slow_git, **env})
        assert ERASE not in written
        assert written.startswith(f"{FILE}: not-due")


ENTRY = "\n## When part {} hangs\n\nLook at the lock of part {}.\n"
QUIET = [n for n in COMMANDS if "--quiet" in options_of(n) and n != "verify"]


def memory(number: int) -> str:
    return "# Learnings\n" + "".join(ENTRY.format(n, n) for n in range(number))


@pytest.fixture
def repo(repository: GitRepository) -> GitRepository:
    repository.write("README.md", "# A\n")
    repository.commit(date="2026-01-01")
    return repository


def words_of(command: str) -> list[str]:
    return [command, "github", "--dry-run"] if command == "notify" else [command]


def test_no_notes_where_there_is_no_memory(repo: GitRepository, learnings: Command) -> None:
    failures = []
    for command in QUIET:
        loud = learnings(*words_of(command), cwd=repo.path)
        quiet = learnings(*words_of(command), "--quiet", cwd=repo.path)
        expected = loud.err if loud.code else ""
        if (quiet.code, quiet.out, quiet.err) != (loud.code, loud.out, expected) or not loud.err:
            failures.append((command, loud, quiet))
    assert failures == []


def test_errors_stay(repo: GitRepository, learnings: Command) -> None:
    repo.write(FILE, memory(2))
    repo.commit(date="2026-01-02")
    run = learnings("due", "--quiet", cwd=repo.clone(depth=1).path)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("learnings: this is a shallow clone")
    failures = []
    for command in QUIET:
        run = learnings(*words_of(command), "--quiet", "gone.md", cwd=repo.path)
        if (run.code, run.err.count("gone.md")) not in ((1, 1), (2, 1)):
            failures.append((command, run))
    assert failures == []


@pytest.mark.slow
def test_due_prints_only_what_is_due(repo: GitRepository, learnings: Command) -> None:
    repo.write(FILE, memory(2))
    repo.commit(date="2026-01-02")
    assert learnings("due", cwd=repo.path).out.startswith(f"{FILE}: not-due: ")
    run = learnings("due", "--quiet", cwd=repo.path)
    assert (run.code, run.out, run.err) == (0, "", "")
    whole = learnings("due", "--quiet", "--format=json", cwd=repo.path)
    assert [file["verdict"] for file in whole.json["files"]] == ["not-due"]
    repo.write("docs/lessons.md", memory(8))
    repo.commit(date="2026-01-03")
    repo.work("2026-01-04", days=20)
    repo.write(FILE, "# Learnings\n\n## How to read a trace\n\nFrom the bottom up.\n")
    repo.commit(date="2026-02-01")
    run = learnings("due", "--quiet", "--exit-code", cwd=repo.path)
    assert run.code == 1
    assert run.out.startswith("docs/lessons.md: due\n")
    assert FILE not in run.out
    assert learnings("due", "--exit-code", cwd=repo.path).out.endswith(run.out)
