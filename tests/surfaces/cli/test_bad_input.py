"""Unusable input ends in findings or one sentence, and never changes a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitRepository

learnings = Command("learnings")
FILE = "agents/learnings.md"
GOOD = b"# Learnings\n\n## When a build hangs\n\nLook.\n"
COMMANDS = ("check", "ages", "batch", "due", "index", "precheck", "route")


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, GOOD)
    repository.commit()
    return repository


def is_refusal(command: str, run: Completed) -> bool:
    """Return True if the command ended with its exit code for an unreadable file and one line."""
    code = 1 if command.startswith("ages") else 2
    said = run.err.count("\n") == 1 and run.err.startswith("learnings: ")
    return (run.code, run.out, said) == (code, "", True)


CONTENTS = {
    "empty": b"",
    "binary": bytes(range(256)) * 40,
    "NUL bytes": b"# L\n\n## A\n\0\0\n\n## B\n",
    "UTF-16": "# L\n\n## A\n".encode("utf-16"),
    "not UTF-8": b"# L\n\n## caf\xe9\n\n## caf\xe9\n\n\xed\xa0\x80\xed\xb0\x80\n",
    "control characters": b"## \x1b]0;title\x07\n\n## \x1b]0;title\x07\n",
    "carriage returns": b"## A\r## B\r\r\n",
    "broken front matter": b"---\na: [\n: }\n\n## A\n\n## B\n",
    "front matter without end": b"---\na: b\n\n## A\n",
    "deep quotation": b">" * 50_000 + b" x\n",
    "many fences": b"```\n" * 5_001,
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
def test_odd_content_is_no_obstacle(memory: GitRepository, content: str) -> None:
    file = memory.write(FILE, CONTENTS[content])
    memory.commit()
    before = file.stat().st_mtime_ns
    failures: list[tuple[str, Completed]] = []
    for command in (*COMMANDS, "check --format=json", "check --format=markdown"):
        run = learnings(*command.split(), FILE, cwd=memory.path)
        if run.code not in (0, 1) or not (run.out + run.err).replace("\n", "").isprintable():
            failures.append((command, run))
    assert failures == []
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (CONTENTS[content], before)
    assert memory.git("status", "--porcelain") == ""


# No file system takes a name of more than 255 bytes, no system a path of more than 4,096.
TOO_LONG = ("a" * 300 + ".md", "agents/" + "a" * 300 + "/b.md", "/".join(["a" * 200] * 25) + ".md")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_name_that_no_file_can_have_is_one_sentence(memory: GitRepository) -> None:
    memory.write("file", b"")
    for link, target in {"loop.md": "loop.md", "one": "two", "two": "one"}.items():
        (memory.path / link).symlink_to(target)
    reasons = dict.fromkeys((*TOO_LONG, "loop.md", "one/learnings.md"), "cannot be read")
    for name, reason in {**reasons, "file/learnings.md": "does not exist"}.items():
        for command in (*COMMANDS, "groups", "fix", "ages --at=HEAD", "due --at=HEAD"):
            run = learnings(*command.split(), name, cwd=memory.path)
            assert is_refusal(command, run), (command, run)
            assert reason in run.err or "--at" in command


def test_file_that_may_not_be_read_is_one_sentence(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def refuse(path: Path, *arguments: object, **options: object) -> object:
        if path.name == Path(FILE).name:  # a mode would not keep root out
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    for command in COMMANDS:
        run = learnings(command, FILE, cwd=memory.path)
        assert is_refusal(command, run), (command, run)
        assert "cannot be read (permission denied)" in run.err.lower()


def test_configured_target_that_no_system_takes_is_skipped(memory: GitRepository) -> None:
    memory.write("learnings.toml", f"targets = {[*TOO_LONG]}\n")
    memory.write("CLAUDE.md", f"@{FILE}\n")
    memory.commit()
    for command in ("check", "config", "route", "precheck", "fix", "ci --dry-run"):
        run = learnings(*command.split(), cwd=memory.path)
        assert (command, run.code, "defect" in run.err) == (command, 0, False)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("command", ["ages", "due", "verify"])
def test_a_folder_with_a_line_feed_in_its_name(tmp_path: Path, command: str) -> None:
    """What git prints about the repository cannot be parted into lines."""
    repository = GitRepository(tmp_path / "line\nfeed")
    repository.write(FILE, GOOD)
    repository.commit()
    run = learnings(command, cwd=repository.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "line\\nfeed" in run.err
    assert run.err.endswith(" has a line feed in its name; rename it\n")
