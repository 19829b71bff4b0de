"""Sessions of an editor with `learnings lsp`, started as a program in a real repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings import REPOSITORY, REVISION, requirement
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


def first_words(action: str) -> str:
    return action.partition(":")[0].partition(" here")[0].partition(" “")[0]


def test_a_session(learnings: Command, repo: GitRepository) -> None:
    path = repo.path / PATH
    with language_client(repo.path) as editor:
        can = editor.initialize(repo.path)
        assert can["positionEncoding"] == "utf-16"
        assert can["hoverProvider"] is True
        uri = editor.open(path)
        found = editor.diagnostics(uri)
        assert [(d["code"], d["severity"], d["source"], d["range"]) for d in found] == [
            (rule, 1, "learnings", place)
            for rule, place in [
                ("entry-heading-malformed", place_of(6, 0, 17)),
                ("duplicate-entry", place_of(10, 0, 21)),
                ("final-newline", place_of(12, 8, 8)),
            ]
        ]
        assert found[0]["codeDescription"]["href"] == (
            f"{REPOSITORY}/blob/{REVISION}/docs/rules.md#entry-heading-malformed"
        )
        assert found[0]["message"].startswith("a blank is missing after ##")
        # A change that nobody has saved.
        editor.change(uri, TEXT.replace("##When", "## When"))
        assert [rule for rule, *_ in editor.rules(uri)] == ["duplicate-entry", "final-newline"]
        editor.change(uri, TEXT)
        assert len(editor.diagnostics(uri)) == 3
        # What an entry and a finding are about.
        about_entry = editor.hover(uri, 4)
        assert (
            "**When a build hangs**\n\n- Age: 5 active days\n- Added: 2026-01-01 in `"
            in about_entry
        )
        assert '- References: 2, 1 dead\n  - "src/cache.py" was removed in' in about_entry
        about_finding = editor.hover(uri, 10)
        assert about_finding.startswith("# duplicate-entry\n")
        assert "\n---\n\n**When a build hangs**" in about_finding
        # What can be done: fix all, ignore, archive.
        actions = editor.actions(uri, 6)
        assert [(first_words(title), action["kind"]) for title, action in actions.items()] == [
            ("Fix", "quickfix"),
            ("Fix everything that needs no decision", "source.fixAll"),
            ("Ignore entry-heading-malformed", "quickfix"),
            ("Archive", "refactor"),
            ("Archive", "refactor"),
        ]
        editor.apply(uri, actions["Fix everything that needs no decision"])
        assert [rule for rule, *_ in editor.rules(uri)] == ["duplicate-entry"]
        (ignoring,) = [
            action for title, action in editor.actions(uri, 10).items() if "Ignore" in title
        ]
        text = editor.apply(uri, ignoring)
        assert editor.rules(uri) == [("ignore-without-reason", 10, 22)]
        text = text.replace("[duplicate-entry] ", "[duplicate-entry] two daemons, see ADR 7 ")
        editor.change(uri, text)
        assert editor.diagnostics(uri) == []
        path.write_text(text, encoding="utf-8", newline="")
        editor.save(uri)
        assert editor.diagnostics(uri) == []
        checked = learnings("check", PATH, cwd=repo.path)
        assert (checked.code, checked.out) == (0, "")
        # An entry leaves for the archive.
        (archive, _) = [a for t, a in editor.actions(uri, 6).items() if "Archive" in t]
        editor.execute(archive["command"])
        assert "When it is slow" in editor.shown()
        assert "When it is slow" not in path.read_text(encoding="utf-8")
        (archived,) = (repo.path / "agents/archive").iterdir()
        kept = archived.read_text(encoding="utf-8")
        assert "## Dropped: out of date" in kept
        assert "Profile 😀 it." in kept
        editor.change(uri, path.read_text(encoding="utf-8"))
        assert editor.diagnostics(uri) == []
        editor.close(uri)
        assert editor.diagnostics(uri) == []
        assert editor.end() == 0


def place_of(line: int, first: int, last: int) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": line, "character": first},
        "end": {"line": line, "character": last},
    }


def test_bad_messages_end_nothing(repo: GitRepository) -> None:
    """The library reports bad messages on standard error; editors log them."""
    with language_client(repo.path, may_complain=True) as editor:
        editor.initialize(repo.path)
        editor.send_bytes(b"{")
        assert "bug in learnings" in editor.logged()
        half = "\ud83d"  # of an emoji
        uri = editor.open(repo.path / PATH, f"# Learnings\n\n## When {half} breaks\n\ntext\n")
        assert [rule for rule, *_ in editor.rules(uri)] == ["replacement-characters"]
        change = {
            "textDocument": {"uri": uri, "version": 2},
            "contentChanges": [{"range": place_of(0, 0, 1), "text": "x"}],
        }
        editor.notify("textDocument/didChange", change)
        assert "changed partially" in editor.logged()
        editor.send({"id": 99, "method": "learnings/none", "params": {}})
        assert "error" in editor.receive(lambda message: message.get("id") == 99)
        assert "When" in editor.hover(uri, 2)
        assert editor.hover(uri, 99) == editor.hover(uri, 4)
        editor.close("file:///never/opened.md")
        assert editor.end() == 0


def test_without_the_library(learnings: Command, repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "pygls").mkdir()
    broken = 'raise ImportError("not installed")\n'
    (tmp_path / "pygls/__init__.py").write_text(broken, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = learnings("lsp", cwd=repo.path, env={"PYTHONPATH": path})
    assert (done.code, done.out) == (2, "")
    wanted = requirement("lsp")
    assert done.err.startswith(
        f"learnings: the library for editors is not installed; run: pipx install --force '{wanted}'"
    )
