"""The command `learnings` itself: help, wrong usage, bugs, streams, exit codes."""

from __future__ import annotations

import errno
import gc
import importlib
import io
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnings import __version__
from learnings.hooks import learnings_check
from learnings.surfaces.cli import config
from learnings.surfaces.cli.commands import COMMANDS, Context
from learnings.surfaces.cli.main import main, program
from learnings.surfaces.cli.usage import PURPOSES
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


# --- the end of a process


@pytest.fixture
def own_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the end of a process raise SystemExit, and enable garbage collection after it."""
    monkeypatch.setattr(os, "_exit", sys.exit)
    yield
    assert not gc.isenabled()
    gc.enable()


@pytest.mark.usefixtures("own_process")
def test_the_program_ends_with_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["learnings", "schema", "none"])
    with pytest.raises(SystemExit, match="2"):
        program()


@pytest.mark.usefixtures("own_process")
def test_a_hook_ends_as_the_program_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["learnings-check", "--role=none"])
    with pytest.raises(SystemExit, match="2"):
        learnings_check.main()


@pytest.mark.slow
@pytest.mark.parametrize("actions", [pytest.param("", marks=pytest.mark.soak), "true"])
def test_a_process_that_ends_at_once_has_written_all(
    learnings: Command, tmp_path: Path, actions: str
) -> None:
    env = {"GITHUB_ACTIONS": actions}
    for words in (("rules", "--format", "json"), ("rules",), ("schema", "none")):
        run = learnings.process(*words, cwd=tmp_path, env={**env, "PYTHONUNBUFFERED": None})
        whole = learnings(*words, cwd=tmp_path, env=env)
        assert (run.code, run.out, run.err) == (whole.code, whole.out, whole.err)


def test_arguments_that_are_given_leave_the_process_as_it_is() -> None:
    assert learnings_check.main(["--role=none"]) == 2
    assert gc.isenabled()


def test_a_full_disk_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(monkeypatch, OSError(errno.ENOSPC, "No space left on device"))
    assert main(["config"]) == 2
    assert capsys.readouterr().err == (
        "learnings: cannot write output: no space left; free some and try again\n"
    )


FULL = Path("/dev/full")  # Linux: every write to it fails, as on a disk without space


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(("words", "unbuffered"), [(["rules"], "1"), (["--version"], "")])
def test_a_full_device_is_one_sentence(
    learnings: Command, remembering: GitRepository, words: list[str], unbuffered: str
) -> None:
    with FULL.open("wb") as full:
        run = subprocess.run(
            [learnings.path, *words],
            cwd=remembering.path,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert run.returncode == 2
    assert run.stderr == b"learnings: cannot write output: no space left; free some and try again\n"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", [["none"], ["rules"]])
def test_errors_that_cannot_be_written_leave_the_exit_code(
    learnings: Command, nowhere: Path, words: list[str]
) -> None:
    with FULL.open("wb") as full:
        run = subprocess.run(
            [learnings.path, *words], cwd=nowhere, stdout=full, stderr=full, check=False
        )
    assert run.returncode == 2


@POSIX_ONLY
def test_an_output_that_is_open_for_reading_only(learnings: Command, nowhere: Path) -> None:
    with Path(os.devnull).open("rb") as stream:
        run = subprocess.run(
            [learnings.path, "rules"],
            cwd=nowhere,
            stdout=stream,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert run.returncode == 2
    reason = b"cannot write output: Bad file descriptor; redirect it"
    assert run.stderr == b"learnings: %s\n" % reason


# --- help


def test_the_help_groups_commands_by_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = capsys.readouterr()
    assert (said.err, said.out.startswith("usage: learnings [-h] [-V]")) == ("", True)
    blocks = said.out.split("\n\n")
    groups = {
        block.splitlines()[0].removesuffix(":"): [row.split()[0] for row in block.splitlines()[1:]]
        for block in blocks
        if block.splitlines()[0].removesuffix(":") in PURPOSES
    }
    assert [*groups] == ["look", "check", "consolidate", "other forms of memory", "set up"]
    assert {"ages", "due"} < {*groups["look"]}
    assert {"init", "merge-driver"} < {*groups["set up"]}
    assert all(names == sorted(names) for names in groups.values())
    assert sorted(name for names in groups.values() for name in names) == [*COMMANDS]


def test_every_module_beside_it_is_a_command() -> None:
    folder = Path(str(config.__file__)).parent
    shared = {"main", "commands", "context", "formats", "options", "output", "overview"}
    shared |= {"platforms", "reports", "usage"}
    assert {path.stem for path in folder.glob("[!_]*.py")} - shared == {
        name.replace("-", "_") for name in COMMANDS
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = importlib.import_module(f"learnings.surfaces.cli.{name.replace('-', '_')}").__doc__
    assert words
    assert main([name, "--help"]) == 0
    said = capsys.readouterr()
    assert (said.out.startswith(f"usage: learnings {name} "), said.err) == (True, "")
    assert words.strip().splitlines()[0] in " ".join(said.out.split())


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version(option: str, learnings: Command, nowhere: Path) -> None:
    run = learnings(option, cwd=nowhere)
    assert (run.code, run.out, run.err) == (0, f"learnings {__version__}\n", "")


# --- wrong usage


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["remember"], "unknown command 'remember'; see `learnings --help` for all commands"),
        (["chekc"], "unknown command 'chekc'; did you mean check?"),
        (["AGES"], "unknown command 'AGES'; did you mean ages?"),
        (["a\nb\x1b"], "unknown command 'a\\nb\\x1b'; see `learnings --help` for all commands"),
        ([""], "unknown command ''; see `learnings --help` for all commands"),
        (["--zzz"], "unrecognized arguments: --zzz; see `learnings --help`"),
        (["--vers"], "unrecognized arguments: --vers; did you mean --version?"),
        (["--zzz", "ages"], "unrecognized arguments: --zzz ages; see `learnings --help`"),
        (["ages", "--zzz"], "unrecognized arguments: --zzz; see `learnings ages --help`"),
        (
            ["ages", "--form=json"],
            "unrecognized arguments: --form=json; did you mean --format?",
        ),
        (["index", "a", "b\n"], "unrecognized arguments: b\\n; see `learnings index --help`"),
        (
            ["due", "--size-trigger", "x"],
            "argument --size-trigger: invalid int value: 'x'; see `learnings due --help`",
        ),
        (["ages", "--at"], "argument --at: expected one argument; see `learnings ages --help`"),
    ],
)
def test_wrong_usage_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert tuple(capsys.readouterr()) == ("", f"learnings: {said}\n")


@pytest.mark.parametrize(("name", "code"), [("ages", 1), ("batch", 2), ("check", 2), ("due", 2)])
def test_a_missing_file_is_one_line(
    name: str,
    code: int,
    remembering: GitRepository,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(remembering.path)
    assert main([name, "no\nsuch.md"]) == code
    said = "learnings: no\\nsuch.md does not exist; check the path, or write the file first\n"
    assert tuple(capsys.readouterr()) == ("", said)


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


def test_a_command_that_cannot_be_imported_is_a_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "learnings.surfaces.cli.config", None)
    assert main(["config"]) == 3
    assert "ModuleNotFoundError" in capsys.readouterr().err


def test_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(monkeypatch, KeyboardInterrupt())
    assert main(["config"]) == 130
    assert capsys.readouterr().err == ""


# --- streams


def usual() -> dict[str, str]:
    """Return an environment with buffered output; otherwise a partial write is no error."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@POSIX_ONLY
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("check", "--format", "json"),
        *(pytest.param((name,), marks=pytest.mark.soak) for name in ("ages", "config", "due")),
    ],
)
@pytest.mark.usefixtures("instructed")
def test_a_reader_that_has_seen_enough(
    remembering: GitRepository, learnings: Command, words: tuple[str, ...]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        run = subprocess.run(
            [learnings.path, *words],
            cwd=remembering.path,
            env=usual() | {"PYTHONDEVMODE": "1"},  # tells of what is else skipped in silence
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.soak
@POSIX_ONLY
@pytest.mark.usefixtures("instructed")
def test_the_first_line_of_many(remembering: GitRepository, learnings: Command) -> None:
    remembering.write(FILE, "# Learnings\n\n" + "## When a build hangs\n\ntext\n\n" * 5000)
    with subprocess.Popen(
        [learnings.path, "check"],
        cwd=remembering.path,
        env=usual(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline().startswith(b"agents/learnings.md:7:1: error duplicate-entry")
        run.stdout.close()
        assert b"Traceback" not in run.stderr.read()
    assert run.returncode == 0


def test_closed_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert [main(words) for words in (["schema", "ages"], ["--version"], ["--zzz"])] == [0, 0, 2]


def test_streams_that_only_take_text(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["--version"]) == 0
    assert (out.getvalue(), err.getvalue()) == (f"learnings {__version__}\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("ages",), ("batch",)])
def test_output_is_utf_8_whatever_the_locale(
    remembering: GitRepository, learnings: Command, words: tuple[str, ...]
) -> None:
    remembering.work("2026-03-02", days=10)
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": None}
    settings = ("--keep-recent", "0", "--min-batch", "1") if words == ("batch",) else ()
    run = learnings(*words, *settings, cwd=remembering.path, env=env)
    assert run.code == 0
    assert "When „zwei“ – 確認 ✓" in run.stdout.decode("utf-8")
    missing = learnings("ages", "fünf.md", cwd=remembering.path, env=env)
    assert missing.code == 1
    assert missing.stderr.decode("utf-8").startswith("learnings: f")
