"""The command `learnings` itself: help, wrong usage, bugs, streams, exit codes."""

from __future__ import annotations

import gc
import importlib
import io
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from learnings import __version__
from learnings.hooks import learnings_check
from learnings.surfaces.cli import config
from learnings.surfaces.cli.commands import COMMANDS, PURPOSES, Context
from learnings.surfaces.cli.main import main, program
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
MEMORY = "# Learnings\n\n## When „zwei“ – 確認 ✓\n\ntext\n"
POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="works otherwise on Windows")


@pytest.fixture
def remembering(repository: GitRepository) -> GitRepository:
    """Return a repository with a memory of one entry."""
    repository.write(FILE, MEMORY)
    repository.commit()
    return repository


def fails(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make `learnings config` fail after some output."""

    def run(_: object, context: Context) -> int:
        context.out.write("half of a docum")
        raise error

    monkeypatch.setattr(config, "run", run)


def test_notes_come_after_results_in_a_log_of_both(remembering: GitRepository) -> None:
    remembering.write(FILE, MEMORY + "## When „zwei“ – 確認 ✓\n\nother words\n")
    command = [sys.executable, "-m", "learnings", "check"]
    log = subprocess.run(
        command,
        cwd=remembering.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    ).stdout
    assert log.splitlines()[-1].startswith("1 error, ")


# --- the end of a process


def test_a_process_ends_with_the_exit_code_and_a_call_with_arguments_returns_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "_exit", sys.exit)
    assert learnings_check.main(["--role=none"]) == 2
    for start, words in ((program, ["schema", "none"]), (learnings_check.main, ["--role=none"])):
        assert gc.isenabled()
        monkeypatch.setattr(sys, "argv", ["learnings", *words])
        with pytest.raises(SystemExit, match="2"):
            start()
        assert not gc.isenabled()
        gc.enable()


@pytest.mark.slow
def test_a_process_that_ends_at_once_has_written_all(learnings: Command, tmp_path: Path) -> None:
    env = {"GITHUB_ACTIONS": "true"}
    for words in (("rules", "--format", "json"), ("rules",), ("schema", "none")):
        run = learnings.process(*words, cwd=tmp_path, env={**env, "PYTHONUNBUFFERED": None})
        whole = learnings(*words, cwd=tmp_path, env=env)
        assert (run.code, run.out, run.err) == (whole.code, whole.out, whole.err)


FULL = Path("/dev/full")  # Linux: every write to it fails, as on a disk without space
NO_SPACE = "no space left; free some and try again"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    ("word", "unbuffered", "mode", "reason"),
    [
        ("rules", "1", "wb", NO_SPACE),
        ("--version", "", "wb", NO_SPACE),
        ("rules", "", "rb", "Bad file descriptor; redirect it"),
    ],
)
def test_output_that_cannot_be_written_is_one_sentence(
    learnings: Command, word: str, unbuffered: str, mode: str, reason: str
) -> None:
    command = [str(learnings.path), word]
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with FULL.open(mode) as stream:
        run = subprocess.run(command, env=env, stdout=stream, stderr=subprocess.PIPE, check=False)
        silent = subprocess.run(command, env=env, stdout=stream, stderr=stream, check=False)
    assert run.stderr == f"learnings: cannot write output: {reason}\n".encode()
    assert (run.returncode, silent.returncode) == (2, 2)


# --- help


def test_the_help_groups_commands_by_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = capsys.readouterr()
    assert (said.err, said.out.startswith("usage: learnings [-h] [-V]")) == ("", True)
    blocks = [block.splitlines() for block in said.out.split("\n\n")]
    named = ((heading.removesuffix(":"), rows) for heading, *rows in blocks)
    groups = {name: [row.split()[0] for row in rows] for name, rows in named if name in PURPOSES}
    assert [*groups] == ["look", "check", "consolidate", "other forms of memory", "set up"]
    assert {"ages", "due"} < {*groups["look"]}
    assert {"init", "merge-driver"} < {*groups["set up"]}
    assert all(names == sorted(names) for names in groups.values())
    assert sorted(name for names in groups.values() for name in names) == [*COMMANDS]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = importlib.import_module(f"learnings.surfaces.cli.{name.replace('-', '_')}").__doc__
    assert words
    assert main([name, "--help"]) == 0
    said = capsys.readouterr()
    assert (said.out.startswith(f"usage: learnings {name} "), said.err) == (True, "")
    assert words.strip().splitlines()[0] in " ".join(said.out.split())


# --- wrong usage


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["remember"], "unknown command 'remember'; see `learnings --help` for all commands"),
        (["AGES"], "unknown command 'AGES'; did you mean ages?"),
        (["a\nb\x1b"], "unknown command 'a\\nb\\x1b'; see `learnings --help` for all commands"),
        (["--vers"], "unrecognized arguments: --vers; did you mean --version?"),
        (["--zzz", "ages"], "unrecognized arguments: --zzz ages; see `learnings --help`"),
        (["ages", "--zzz"], "unrecognized arguments: --zzz; see `learnings ages --help`"),
        (["ages", "--form=json"], "unrecognized arguments: --form=json; did you mean --format?"),
        (["index", "a", "b\n"], "unrecognized arguments: b\\n; see `learnings index --help`"),
        (
            ["due", "--size-trigger", "x"],
            "argument --size-trigger: invalid int value: 'x'; see `learnings due --help`",
        ),
    ],
)
def test_wrong_usage_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert tuple(capsys.readouterr()) == ("", f"learnings: {said}\n")


@POSIX_ONLY
def test_a_working_directory_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["config"]) == 2
    said = "learnings: the working directory no longer exists; change to one that does\n"
    assert capsys.readouterr().err == said


# --- when something breaks


def test_a_defect_says_what_to_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(monkeypatch, ZeroDivisionError("so it is ours"))
    assert main(["config", "--format", "json"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("learnings: this is a bug in learnings; please report it")
    assert f"learnings {__version__}, Python {platform.python_version()}" in said
    assert "command line: ['config', '--format', 'json']" in said
    assert said.rstrip().endswith("ZeroDivisionError: so it is ours")


def test_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(monkeypatch, KeyboardInterrupt())
    assert main(["config"]) == 130
    assert capsys.readouterr().err == ""


# --- streams


@POSIX_ONLY
@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "unbuffered"), [(["--help"], ""), (["check", "--format=json"], ""), (["rules"], "1")]
)
@pytest.mark.usefixtures("instructed")
def test_a_reader_that_has_seen_enough(
    remembering: GitRepository, learnings: Command, words: list[str], unbuffered: str
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    told = {"PYTHONDEVMODE": "1"}  # of what is else skipped in silence
    try:
        run = subprocess.run(
            [learnings.path, *words],
            cwd=remembering.path,
            env={**os.environ, **told, "PYTHONUNBUFFERED": unbuffered},
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (run.returncode, run.stderr) == (0, b"")


def test_closed_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert [main(words) for words in (["schema", "ages"], ["--version"], ["--zzz"])] == [0, 0, 2]


def test_the_version_on_streams_that_only_take_text(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert [main([option]) for option in ("--version", "-V")] == [0, 0]
    assert (out.getvalue(), err.getvalue()) == (f"learnings {__version__}\n" * 2, "")


@pytest.mark.slow
def test_output_is_utf_8_whatever_the_locale(
    remembering: GitRepository, learnings: Command
) -> None:
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": None}
    run = learnings("ages", cwd=remembering.path, env=env)
    assert run.code == 0
    assert "When „zwei“ – 確認 ✓" in run.stdout.decode("utf-8")
    missing = learnings("ages", "fünf.md", cwd=remembering.path, env=env)
    assert missing.code == 1
    assert missing.stderr.decode("utf-8").startswith("learnings: f")
