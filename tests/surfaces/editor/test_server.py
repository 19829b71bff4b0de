"""Sessions of an editor with `learnings lsp`, started as a program in a real repository."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnings import REPOSITORY, REVISION, requirement
from tests.support.command import Command
from tests.support.language_client import LanguageClient, language_client
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

PATH, INDEX, TARGET = "agents/learnings.md", "agents/memory-index.md", "agents/decisions/cli.md"
TEXT = """\
# Learnings

## When a build hangs

Look at `src/cache.py` and `src/lock.py`.

##When it is slow

Profile 😀 it.

## When a build hangs

Kill it."""
CLEAN = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"


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


@pytest.fixture
def editor(repo: GitRepository) -> Iterator[LanguageClient]:
    """Yield an editor that has the repository open."""
    with language_client(repo.path) as client:
        client.initialize(repo.path)
        yield client


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


def test_each_fix_by_itself(editor: LanguageClient, repo: GitRepository) -> None:
    uri = editor.open(repo.path / PATH)
    assert len(editor.diagnostics(uri)) == 3
    only = editor.actions(uri, 0, 20, only=["quickfix"])
    fixes = [title for title in only if title.startswith("Fix: ")]
    assert fixes == ["Fix: add a blank after the #", "Fix: add the newline"]
    assert only[fixes[1]]["diagnostics"][0]["code"] == "final-newline"
    assert editor.apply(uri, only[fixes[1]]) == f"{TEXT}\n"
    assert len(editor.diagnostics(uri)) == 2
    assert [*editor.actions(uri, 0, 20, only=["source"])] == [
        "Fix everything that needs no decision"
    ]
    assert editor.actions(uri, 0, 20, only=["refactor.extract"]) == {}
    assert (repo.path / PATH).read_text(encoding="utf-8") == TEXT, "only the buffer changes"


def test_what_is_not_saved_is_not_archived(editor: LanguageClient, repo: GitRepository) -> None:
    uri = editor.open(repo.path / PATH)
    (archive, covered) = [a for t, a in editor.actions(uri, 4).items() if "Archive" in t]
    assert covered["command"]["arguments"] == [uri, "when a build hangs", "covered elsewhere"]
    editor.change(uri, f"{TEXT}\n")
    editor.execute(archive["command"])
    assert editor.shown() == f"{PATH} has unsaved changes; save it, then archive"
    assert not (repo.path / "agents/archive").exists()
    editor.change(uri, TEXT)
    arguments = [uri, "when nobody asks", "gone"]
    editor.execute({"command": "learnings.archive", "arguments": arguments})
    assert "when nobody asks" in editor.shown()
    arguments = ["file:///nowhere.md", "when nobody asks", "gone"]
    editor.execute({"command": "learnings.archive", "arguments": arguments})
    assert "is not an open memory file" in editor.shown()
    assert (repo.path / PATH).read_text(encoding="utf-8") == TEXT


def test_an_index_is_compared_with_the_buffers(editor: LanguageClient, repo: GitRepository) -> None:
    repo.write(TARGET, "# CLI\n\n## When it parses\n\nText.\n")
    repo.write(INDEX, f"# Index\n\n## {TARGET}\n\n/when it parses\n")
    index, target = editor.open(repo.path / INDEX), editor.open(repo.path / TARGET)
    assert editor.diagnostics(index) == []
    assert editor.diagnostics(target) == []
    editor.change(target, "# CLI\n\n## When it parses\n\nText.\n\n## When it 😀 quotes\n\nText.\n")
    assert editor.diagnostics(target) == []
    editor.save(target)
    for _ in range(2):  # once for the check of each file
        assert editor.rules(target) == [("index-missing-row", 6, 0)]
    editor.close(index)
    assert editor.diagnostics(target) == []


@pytest.mark.parametrize("encodings", [("utf-8", "utf-16"), ("utf-32", "utf-16")])
def test_positions_in_the_encoding_of_the_editor(
    repo: GitRepository, encodings: tuple[str, ...]
) -> None:
    text = "# Learnings\n\n## A 😀 <!-- learnings: ignore[final-newline] -->\n\ntext\n"
    expected = {"utf-8": 10, "utf-32": 7}
    with language_client(repo.path) as editor:
        can = editor.initialize(repo.path, encodings=encodings)
        assert can["positionEncoding"] == encodings[0]
        uri = editor.open(repo.path / PATH, text)
        columns = [column for rule, _, column in editor.rules(uri) if rule.endswith("-reason")]
        assert columns == [expected[encodings[0]]]
        assert editor.end() == 0


def test_a_file_of_windows(editor: LanguageClient, repo: GitRepository) -> None:
    """The file has carriage returns and a byte order mark, which editors hide."""
    data = b"\xef\xbb\xbf" + f"{TEXT}\n".replace("\n", "\r\n").encode()
    repo.write(PATH, data)
    uri = editor.open(repo.path / PATH)
    assert editor.rules(uri) == [("entry-heading-malformed", 6, 0), ("duplicate-entry", 10, 0)]
    (fix,) = [action for title, action in editor.actions(uri, 6).items() if "blank" in title]
    assert editor.apply(uri, fix) == f"{TEXT}\n".replace("##When", "## When").replace("\n", "\r\n")
    assert [rule for rule, *_ in editor.rules(uri)] == ["duplicate-entry"]
    editor.change(uri, data.decode("utf-8-sig"))
    (archive, _) = [a for t, a in editor.actions(uri, 10).items() if "Archive" in t]
    editor.execute(archive["command"])
    assert "When a build hangs" in editor.shown()
    assert repo.read(PATH).startswith(b"\xef\xbb\xbf# Learnings\r\n")


def test_an_editor_that_knows_no_versions(repo: GitRepository) -> None:
    with language_client(repo.path) as editor:
        editor.initialize(repo.path, workspace={})
        uri = editor.open(repo.path / PATH)
        action = editor.actions(uri, 0)["Fix everything that needs no decision"]
        assert [*action["edit"]] == ["changes"]
        editor.apply(uri, action)
        assert editor.end() == 0


def test_files_of_a_memory_folder(editor: LanguageClient, repo: GitRepository) -> None:
    repo.write(".serena/memories/build.md", "# Build\n\nUse make.\n")
    repo.write(".serena/memories/test.md", "# Test\n\nUse `src/cache.py`.\n\n```\n")
    repo.commit(date="2026-01-07")
    uri = editor.open(repo.path / ".serena/memories/test.md")
    assert [rule for rule, *_ in editor.rules(uri)] == ["unclosed-fence"]
    about = editor.hover(uri, 0)
    assert "- Age: 0 active days\n- Added: 2026-01-07" in about
    assert "1 dead" in about
    (archive, _) = [a for t, a in editor.actions(uri, 0).items() if "Archive" in t]
    editor.execute(archive["command"])
    assert "test.md" in editor.shown()
    assert (repo.path / ".serena/memories/archive/test.md").exists()


def test_documents_that_cannot_be_checked(
    editor: LanguageClient, repo: GitRepository, tmp_path: Path
) -> None:
    """Each gives one message, however often it changes, and the server goes on."""
    untitled = editor.open("untitled:Untitled-1", "# Learnings\n")
    assert editor.logged() == (
        "untitled:Untitled-1 is not a file on disk and was not checked; save it first"
    )
    editor.change(untitled, "# Learnings\n\n")
    assert editor.diagnostics(untitled) == []
    outside = editor.open(tmp_path / "learnings.md", CLEAN)
    assert editor.logged().endswith(
        "learnings.md is not in a git repository, so it is not checked; move it into one, or run "
        "`git init`"
    )
    binary = editor.open(repo.path / "agents/sub/learnings.md", "# A\0B\n")
    assert editor.logged() == "agents/sub/learnings.md is not a text file, so it has no entries"
    huge = editor.open(repo.path / "lessons.md", "a" * 5_000_000)
    assert "lessons.md" in editor.logged()
    repo.write("learnings.toml", "size-trigger = 'many'\n")
    uri = editor.open(repo.path / PATH)
    assert editor.logged().startswith("learnings.toml")
    repo.write("learnings.toml", "")
    editor.change(uri, CLEAN)
    assert editor.rules(uri) == []
    for document in (untitled, outside, binary, huge):
        assert "When" not in editor.hover(document, 0)
        assert not any("Archive" in title for title in editor.actions(document, 0))
    assert editor.end() == 0


def test_other_files_are_none_of_our_business(editor: LanguageClient, repo: GitRepository) -> None:
    uri = editor.open(repo.path / "README.md", "##Title\n\n<<<<<<< HEAD\n")
    assert editor.diagnostics(uri) == []
    assert editor.hover(uri, 0) == ""
    assert editor.actions(uri, 0) == {}


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


def test_an_entry_without_a_commit(editor: LanguageClient, repo: GitRepository) -> None:
    uri = editor.open(repo.path / PATH)
    editor.change(uri, f"{TEXT}\n\n## When it is new\n\nWait.\n")
    assert "- Age: unknown (it is not saved yet)" in editor.hover(uri, 14)
    repo.write(PATH, editor.texts[uri])
    editor.save(uri)
    assert "- Added: not committed yet" in editor.hover(uri, 14)


def test_an_editor_that_goes_away(repo: GitRepository, learnings: Command) -> None:
    gone = learnings.process("lsp", cwd=repo.path)
    assert (gone.code, gone.stdout, gone.err) == (1, b"", "")
    with language_client(repo.path) as editor:
        editor.notify("exit", None)


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
