"""Sessions of an editor with `learnings lsp`, started as a program in a real repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from learnings.surfaces.render.findings import rule_link
from tests.support.checkout import pyproject
from tests.support.command import Command
from tests.support.language_client import language_client
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

PATH = "agents/learnings.md"
TEXT = """\
# Learnings

## When a build hangs

Look at `src/cache.py` and `src/lock.py`.

##When it is slow

Profile 😀 it.

## When a build hangs

Kill it."""


@pytest.fixture
def repo(instructed: GitRepository) -> GitRepository:
    """Return a memory with three findings, five active days old, that names a deleted file."""
    instructed.write("src/cache.py", "x = 1\n")
    instructed.write("src/lock.py", "x = 1\n")
    instructed.write(PATH, TEXT)
    instructed.commit(date="2026-01-01")
    instructed.work("2026-01-02", days=4)
    (instructed.path / "src/cache.py").unlink()
    instructed.commit(date="2026-01-06")
    return instructed


def test_a_session(learnings: Command, repo: GitRepository) -> None:
    path = repo.path / PATH
    with language_client(repo.path) as editor:
        can = editor.initialize()["capabilities"]
        assert (can["positionEncoding"], can["hoverProvider"]) == ("utf-16", True)
        editor.notify("initialized", {})
        editor.open(PATH, TEXT)
        found = editor.diagnostics(PATH)
        assert [(d["code"], d["severity"], d["source"], d["range"]) for d in found] == [
            ("entry-heading-malformed", 1, "learnings", place_of(6, 0, 17)),
            ("duplicate-entry", 1, "learnings", place_of(10, 0, 21)),
            ("final-newline", 1, "learnings", place_of(12, 8, 8)),
        ]
        link = found[0].get("codeDescription", {}).get("href")
        assert link == rule_link("entry-heading-malformed")
        assert found[0]["message"].startswith("a blank is missing after ##")
        # What can be done: fix all, ignore, archive.
        kinds = [action["kind"] for action in editor.actions(PATH, 6)]
        assert kinds == ["quickfix", "source.fixAll", "quickfix", "refactor", "refactor"]
        (fix,) = editor.actions(PATH, 6, "source")
        text = applied(TEXT, fix)
        editor.change(PATH, text)
        assert [rule for rule, *_ in editor.rules(PATH)] == ["duplicate-entry"]
        (ignoring,) = editor.actions(PATH, 10, "quickfix")
        text = applied(text, ignoring)
        editor.change(PATH, text)
        assert editor.rules(PATH) == [("ignore-without-reason", 10, 22)]
        text = text.replace("[duplicate-entry] ", "[duplicate-entry] two daemons, see ADR 7 ")
        editor.change(PATH, text)
        assert editor.diagnostics(PATH) == []
        path.write_text(text, encoding="utf-8", newline="")
        editor.save(PATH)
        assert editor.diagnostics(PATH) == []
        checked = learnings("check", PATH, cwd=repo.path)
        assert (checked.code, checked.out) == (0, "")
        # An entry leaves for the archive.
        archive, _ = editor.actions(PATH, 6, "refactor")
        editor.execute(archive["command"])
        assert "When it is slow" in editor.told("showMessage")
        left = path.read_text(encoding="utf-8")
        (archived,) = (repo.path / "agents/archive").iterdir()
        assert "When it is slow" not in left
        assert "## Dropped: out of date" in archived.read_text(encoding="utf-8")
        assert "Profile 😀 it." in archived.read_text(encoding="utf-8")
        editor.change(PATH, left)
        assert editor.diagnostics(PATH) == []
        editor.close(PATH)
        assert editor.diagnostics(PATH) == []
        assert editor.end() == 0


def applied(text: str, action: dict[str, Any]) -> str:
    """Return a text with the edit of an action; its lines have characters of one unit."""
    (only,) = action["edit"]["documentChanges"][0]["edits"]
    starts = [0, *(index + 1 for index, sign in enumerate(text) if sign == "\n")]
    start, end = (
        starts[only["range"][name]["line"]] + only["range"][name]["character"]
        for name in ("start", "end")
    )
    return str(text[:start] + only["newText"] + text[end:])


def place_of(line: int, first: int, last: int) -> dict[str, dict[str, int]]:
    return {"start": {"line": line, "character": first}, "end": {"line": line, "character": last}}


def test_bad_messages_end_nothing(repo: GitRepository) -> None:
    """The library reports bad messages on standard error; editors log them."""
    with language_client(repo.path, may_complain=True) as editor:
        editor.initialize()
        editor.send_bytes(b"Content-Length: 1\r\n\r\n{")
        assert "bug in learnings" in editor.told("logMessage")
        half = "\ud83d"  # of an emoji
        editor.open(PATH, f"# Learnings\n\n## When {half} breaks\n\ntext\n")
        assert [rule for rule, *_ in editor.rules(PATH)] == ["replacement-characters"]
        editor.change(PATH, {"range": place_of(0, 0, 1), "text": "x"})
        assert "changed partially" in editor.told("logMessage")
        editor.send({"id": 99, "method": "learnings/none", "params": {}})
        assert "error" in editor.receive(lambda message: message.get("id") == 99)
        assert "When" in editor.hover(PATH, 2)["contents"]["value"]
        assert editor.hover(PATH, 99) == editor.hover(PATH, 4)
        editor.close("file:///never/opened.md")
        assert editor.end() == 0


def test_without_the_library(learnings: Command, repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "pygls").mkdir()
    broken = 'raise ImportError("not installed")\n'
    (tmp_path / "pygls/__init__.py").write_text(broken, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = learnings("lsp", cwd=repo.path, env={"PYTHONPATH": path})
    assert (done.code, done.out) == (2, "")
    (wanted,) = pyproject()["project"]["optional-dependencies"]["lsp"]
    assert f"is not installed; run: pipx inject learnings '{wanted}'" in done.err
