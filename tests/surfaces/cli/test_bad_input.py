"""Unusable input ends in findings or one sentence, and never changes a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from learnings.core.entries.document import LARGEST_FILE
from learnings.surfaces.cli.main import main
from tests.support.repository import GitRepository

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="links and modes are others on Windows")
FILE = "agents/learnings.md"
GOOD = b"# Learnings\n\n## When a build hangs\n\nLook.\n"
COMMANDS = ("check", "ages", "batch", "due", "index", "precheck", "route")
HISTORY = ("ages", "batch", "due")
CLEAN, FINDINGS, WRONG = 0, 1, 2


class Said(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Return the way to run the command line in the repository."""

    def run(*words: str) -> Said:
        monkeypatch.chdir(repository.path)
        code = main(words)
        return Said(code, *capsys.readouterr())

    return run


def is_sentence(said: Said) -> bool:
    """Return True if the only output is one line on standard error."""
    one = said.err.count("\n") == 1 and said.err.startswith("learnings: ")
    return one and said.out == ""


def wrong(command: str) -> int:
    """Return the exit code for an unreadable file."""
    return FINDINGS if command == "ages" else WRONG


CONTENTS = {
    "empty": b"",
    "binary": bytes(range(256)) * 40,
    "NUL bytes": b"# L\n\n## A\n\0\0\n\n## B\n",
    "UTF-16": "# L\n\n## A\n".encode("utf-16"),
    "not UTF-8": b"# L\n\n## caf\xe9\n",
    "broken front matter": b"---\na: [\n: }\n\n## A\n\n## B\n",
    "front matter without end": b"---\na: b\n\n## A\n",
    "one long line": b"# L\n\n## A\n\n" + b"word " * 700_000 + b"\n",
    "a long title": b"# L\n\n## " + b"word " * 100_000 + b"\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(name, marks=[pytest.mark.soak] if len(text) > 100_000 else [])
        for name, text in CONTENTS.items()
    ],
)
def test_odd_content_is_no_obstacle(repository: GitRepository, run: Run, content: str) -> None:
    file = repository.write(FILE, CONTENTS[content])
    repository.commit()
    before = file.stat().st_mtime_ns
    failures: list[tuple[str, Said | str]] = []
    for command in COMMANDS:
        said = run(command, FILE)
        if said.code not in (CLEAN, FINDINGS) or "\0" in said.out + said.err:
            failures.append((command, said))
        if (file.read_bytes(), file.stat().st_mtime_ns) != (CONTENTS[content], before):
            failures.append((command, "the file was written"))
    assert failures == []
    assert repository.git("status", "--porcelain") == ""


def large(repository: GitRepository) -> str:
    lines = b"## Entry\n\nText.\n\n"
    repository.write("large.md", lines * (100_000_000 // len(lines)))
    repository.git("add", "--intent-to-add", "large.md")
    return "large.md"


def impossible(_repository: GitRepository) -> str:
    return "a" * 5_000


def below_a_file(repository: GitRepository) -> str:
    repository.write("file", b"")
    return "file/learnings.md"


def loop(repository: GitRepository) -> str:
    (repository.path / "loop.md").symlink_to("loop.md")
    return "loop.md"


def loop_of_folders(repository: GitRepository) -> str:
    (repository.path / "one").symlink_to("two")
    (repository.path / "two").symlink_to("one")
    return "one/learnings.md"


UNUSABLE = {
    "100 MB": (large, "has more than 4 MB"),
    "impossible name": (impossible, "cannot be read"),
    "below a file": (below_a_file, "file/learnings.md does not exist"),
    "loop of links": (loop, "loop.md cannot be read"),
    "loop of folders": (loop_of_folders, "one/learnings.md cannot be read"),
}


@POSIX_ONLY
@pytest.mark.parametrize("kind", UNUSABLE)
def test_file_that_cannot_be_used_is_one_sentence(
    repository: GitRepository, run: Run, kind: str
) -> None:
    make, reason = UNUSABLE[kind]
    repository.write(FILE, GOOD)
    repository.commit()
    name = make(repository)
    failures = [
        (command, said)
        for command in COMMANDS
        for said in [run(command, name)]
        if not is_sentence(said) or reason not in said.err or said.code != wrong(command)
    ]
    assert failures == []


@pytest.mark.parametrize("command", COMMANDS)
def test_file_that_may_not_be_read_is_one_sentence(
    repository: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    file = repository.write(FILE, GOOD)
    repository.commit()
    opened = Path.open

    def refuse(path: Path, *arguments: object, **options: object) -> object:
        if path.name == file.name:  # a mode would not keep root out
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    said = run(command, FILE)
    assert is_sentence(said), said
    assert "cannot be read (permission denied)" in said.err.lower()
    assert said.code == wrong(command)


def test_large_file_at_a_commit_is_refused_as_well(repository: GitRepository, run: Run) -> None:
    repository.write(FILE, b"## Entry\n\nText.\n\n" * (LARGEST_FILE // 16))
    repository.commit()
    repository.write(FILE, GOOD)
    repository.commit()
    said = run("ages", FILE, "--at", "HEAD~1")
    assert is_sentence(said), said
    assert "has more than 4 MB" in said.err
    assert said.code == FINDINGS


# No file system takes a name of more than 255 bytes, no system a path of more than 4,096.
TOO_LONG = ("a" * 300 + ".md", "agents/" + "a" * 300 + "/b.md", "/".join(["a" * 200] * 25) + ".md")


@pytest.mark.parametrize("name", TOO_LONG, ids=["name", "folder", "path"])
def test_name_that_no_system_takes_is_one_sentence(
    repository: GitRepository, run: Run, name: str
) -> None:
    repository.write(FILE, GOOD)
    repository.commit()
    for command in (*COMMANDS, "groups", "fix", "ages --at=HEAD", "due --at=HEAD"):
        said = run(*command.split(), name)
        assert (command, said.code) == (command, wrong(command.split()[0]))
        assert is_sentence(said), said


def test_configured_target_that_no_system_takes_is_skipped(
    repository: GitRepository, run: Run
) -> None:
    repository.write(FILE, GOOD)
    repository.write("learnings.toml", f"targets = {[*TOO_LONG]}\n")
    repository.commit()
    for command in ("check", "config", "route", "precheck", "fix", "ci --dry-run"):
        said = run(*command.split())
        assert (command, said.code, "defect" in said.err) == (command, CLEAN, False)
