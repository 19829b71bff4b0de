"""Scripted sessions, played to `learnings lsp` in the test process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from learnings.app import buffers
from learnings.surfaces.editor import server
from tests.support.command import Command
from tests.support.language_client import Editor, framed
from tests.support.repository import GitRepository

Json = dict[str, Any]
PATH, INDEX, TARGET = "agents/learnings.md", "agents/memory-index.md", "agents/decisions/cli.md"
CLEAN = "# Learnings\n\n## When a build hangs\n\nLook at `src/lock.py`.\n"
OTHER = "\n## When a disk fills\n\nWait."
UNTIDY = CLEAN.replace("## ", "##") + OTHER


@pytest.fixture
def repo(instructed: GitRepository) -> GitRepository:
    instructed.write("src/lock.py", "x = 1\n")
    instructed.write(PATH, CLEAN)
    instructed.commit(date="2026-01-01")
    instructed.work("2026-01-02", days=2)
    return instructed


class Session(Editor):
    """The messages of an editor, all sent at once; a request is the number of its answer."""

    def __init__(self, learnings: Command, repo: GitRepository, **capabilities: Json) -> None:
        super().__init__(repo.path)
        self.learnings = learnings
        self._sent = b""
        self.initialize(**capabilities)

    def send(self, message: Json) -> None:
        self._sent += framed(message)

    def archive(self, path: str, identity: str) -> None:
        self.execute({"command": server.ARCHIVE, "arguments": [self.uri(path), identity, "gone"]})

    def play(self, *, ends: bool = True) -> Answers:
        if ends:
            self.request("shutdown")
            self.notify("exit")
        done = self.learnings("lsp", cwd=self.root, stdin=self._sent)
        assert done.code == (0 if ends else 1), done.err
        return Answers(self, [*parsed(done.stdout)])


def parsed(data: bytes) -> Iterable[Json]:
    while data:
        header, _, data = data.partition(b"\r\n\r\n")
        size = int(header.partition(b"Content-Length: ")[2].split(b"\r\n")[0])
        yield json.loads(data[:size])
        data = data[size:]


class Answers:
    """The messages of the server."""

    def __init__(self, session: Session, messages: list[Json]) -> None:
        self._session = session
        self._messages = messages

    def __getitem__(self, number: int) -> Any:  # noqa: ANN401  (whatever the result is)
        (answer,) = [m for m in self._messages if m.get("id") == number]
        assert "error" not in answer, answer
        return answer["result"]

    def titles(self, number: int) -> list[str]:
        return [action["title"] for action in self[number]]

    def rules(self, path: str) -> list[list[str]]:
        """Return the rules of each set of diagnostics sent for a file."""
        uri = self._session.uri(path)
        sets = self.params("textDocument/publishDiagnostics")
        return [[d["code"] for d in p["diagnostics"]] for p in sets if p["uri"] == uri]

    def params(self, method: str) -> list[Json]:
        return [m["params"] for m in self._messages if m.get("method") == method]

    @property
    def logged(self) -> list[str]:
        return [params["message"] for params in self.params("window/logMessage")]

    @property
    def shown(self) -> list[str]:
        return [params["message"] for params in self.params("window/showMessage")]


@pytest.fixture
def session(learnings: Command, repo: GitRepository) -> Session:
    return Session(learnings, repo)


def test_from_opening_to_closing(session: Session) -> None:
    session.open(PATH, UNTIDY)
    about, offered = session.hover(PATH, 2), session.actions(PATH, 2)
    all_of_it = session.actions(PATH, 2, "source")
    no_kind = session.actions(PATH, 2, "refactor.extract")
    session.change(PATH, f"{CLEAN}{OTHER}\n")
    nothing = session.actions(PATH, 2, "quickfix", "source.fixAll")
    session.save(PATH)
    session.close(PATH)
    after = session.actions(PATH, 2)
    answers = session.play()
    assert answers.rules(PATH) == [["entry-heading-malformed", "final-newline"], [], [], []]
    assert answers[about]["contents"]["value"].startswith("# entry-heading-malformed\n")
    assert answers.titles(offered) == [
        "Fix: correct the beginning of the line",
        "Fix everything that needs no decision",
        "Ignore entry-heading-malformed here (then write the reason)",
    ]
    (edit,) = answers[offered][1]["edit"]["documentChanges"]
    assert [e["newText"] for e in edit["edits"]] == [f"{CLEAN}{OTHER}\n".partition("\n\n")[2]]
    assert answers.titles(all_of_it) == ["Fix everything that needs no decision"]
    assert answers[no_kind] == answers[nothing] == answers[after] == []


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 10), ("utf-32", 7), ("utf-16", 8)])
def test_positions_in_the_encoding_of_the_editor(
    learnings: Command, repo: GitRepository, encoding: str, column: int
) -> None:
    session = Session(learnings, repo, general={"positionEncodings": [encoding, "utf-16"]})
    session.open(PATH, "# L\n\n## A 😀 <!-- learnings: ignore[final-newline] -->\n\ntext\n")
    answers = session.play()
    assert answers[1]["capabilities"]["positionEncoding"] == encoding
    (found,) = answers.params("textDocument/publishDiagnostics")
    columns = [d["range"]["start"]["character"] for d in found["diagnostics"]]
    assert columns[-1] == column


def test_a_file_of_windows(session: Session, repo: GitRepository) -> None:
    """The file has carriage returns and a byte order mark, which editors hide."""
    text = f"{UNTIDY}\n".replace("\n", "\r\n")
    repo.write(PATH, f"\ufeff{text}".encode())
    session.open(PATH, text)
    offered = session.actions(PATH, 2, "quickfix")
    session.archive(PATH, "when a disk fills")
    answers = session.play()
    assert answers.rules(PATH) == [["entry-heading-malformed"]]
    (edit,) = answers[offered][0]["edit"]["documentChanges"][0]["edits"]
    assert edit["newText"] == "## When a build hangs\r\n"
    assert "When a disk fills" in answers.shown[0]
    data = repo.read(PATH)
    assert data.startswith(b"\xef\xbb\xbf# Learnings\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_an_editor_that_knows_no_versions(learnings: Command, repo: GitRepository) -> None:
    session = Session(learnings, repo, workspace={})
    session.open(PATH, UNTIDY)
    offered = session.actions(PATH, 2, "source")
    ((edits,),) = (action["edit"]["changes"].values() for action in session.play()[offered])
    assert [edit["newText"] for edit in edits] == [f"{CLEAN}{OTHER}\n".partition("\n\n")[2]]


def test_the_age_of_an_entry(session: Session) -> None:
    session.open(PATH, f"{CLEAN}\n## When it is new\n\nWait.\n")
    known, new, title = (session.hover(PATH, line) for line in (4, 6, 0))
    answers = session.play()
    text = answers[known]["contents"]["value"]
    assert "**When a build hangs**\n\n- Age: 2 active days\n- Added: 2026-01-01 in `" in text
    assert text.endswith("- References: 1, none dead\n")
    assert "- Age: unknown (it is not saved yet)" in answers[new]["contents"]["value"]
    assert answers[title] is None


def test_an_entry_without_a_commit(session: Session, repo: GitRepository) -> None:
    repo.write(PATH, f"{CLEAN}{OTHER}\n")
    session.open(PATH, f"{CLEAN}{OTHER}\n")
    about = session.hover(PATH, 6)
    assert "- Added: not committed yet" in session.play()[about]["contents"]["value"]


def test_an_age_that_rests_on_something_else(session: Session, repo: GitRepository) -> None:
    """The heading was reworded: git shows that, and the hover says so."""
    repo.write(PATH, CLEAN.replace("a build hangs", "builds hang"))
    repo.commit(date="2026-01-09")
    session.open(PATH, repo.read(PATH).decode())
    about = session.hover(PATH, 2)
    text = session.play()[about]["contents"]["value"]
    assert "- Added: 2026-01-01" in text
    assert "- Based on: renamed-heading" in text


def test_an_age_that_git_cannot_tell(session: Session, repo: GitRepository) -> None:
    repo.write(".git/shallow", f"{repo.head()}\n")
    session.open(PATH, CLEAN)
    about = session.hover(PATH, 2)
    assert "- Age: unknown (" in session.play()[about]["contents"]["value"]


def test_archiving(session: Session, repo: GitRepository) -> None:
    session.open(PATH, f"{CLEAN}\n")
    session.archive(PATH, "when a build hangs")
    session.change(PATH, CLEAN)
    session.archive(PATH, "when nobody asks")
    session.archive("README.md", "when nobody asks")
    offered = session.actions(PATH, 4, "refactor")
    session.archive(PATH, "when a build hangs")
    answers = session.play()
    assert answers.titles(offered) == [
        "Archive “When a build hangs”: out of date",
        "Archive “When a build hangs”: covered elsewhere",
    ]
    dirty, unknown, closed, done = answers.shown
    assert dirty == f"{PATH} has unsaved changes; save it, then archive"
    assert "when nobody asks" in unknown
    assert "is not an open memory file" in closed
    assert "When a build hangs" in done
    assert b"When a build hangs" not in repo.read(PATH)


def test_rows_are_added_to_an_index(session: Session, repo: GitRepository) -> None:
    repo.write(TARGET, "# CLI\n\n## When it parses\n\nText.\n")
    index = f"# Index\n\n## {TARGET}\n\n/when it parses\n/when it is gone\n"
    session.open(INDEX, index)
    offered = session.actions(INDEX, 5)
    session.open(TARGET, "# CLI\n\n## When it parses\n\nText.\n\n## When it quotes\n\nText.\n")
    session.save(TARGET)
    lacking = session.actions(INDEX, 0, "quickfix")
    session.close(INDEX)
    answers = session.play()
    assert ["index-missing-row"] in answers.rules(TARGET)
    assert answers.rules(TARGET)[-1] == [], "the check of the index is over"
    assert answers.rules(INDEX)[0] == ["index-orphan-row"]
    assert answers.titles(offered) == ["Ignore index-orphan-row here (then write the reason)"]
    assert answers.titles(lacking) == ["Fix: add all missing rows"]
    (edit,) = answers[lacking][0]["edit"]["documentChanges"][0]["edits"]
    assert edit["newText"] == "/when it quotes\n"


def test_rows_are_put_in_order(session: Session, repo: GitRepository) -> None:
    repo.write(TARGET, "# CLI\n\n## When it parses\n\nText.\n\n## When it quotes\n\nText.\n")
    session.open(INDEX, f"# Index\n\n## {TARGET}\n\n/when it quotes\n/when it parses\n")
    offered = session.actions(INDEX, 5, "quickfix")
    answers = session.play()
    assert answers.rules(INDEX) == [["index-order"]]
    assert answers.titles(offered)[0] == (
        "Fix: put the rows in the order of the headings, and everything else that needs no decision"
    )


def test_a_finding_in_code_is_ignored_from_above(session: Session) -> None:
    """A comment after the fence would be the name of a language."""
    text = f"{CLEAN}\n```\nlock\n"
    session.open(PATH, text)
    offered = session.actions(PATH, 6, "quickfix", "source")
    answers = session.play()
    assert answers.rules(PATH) == [["unclosed-fence"]]
    (ignoring,) = answers[offered]
    (edit,) = ignoring["edit"]["documentChanges"][0]["edits"]
    assert edit["newText"] == "<!-- learnings: ignore[unclosed-fence] -->\n\n"
    assert edit["range"] == {"start": (below := {"line": 4, "character": 0}), "end": below}


def test_slow_checks_wait_for_the_next_change(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_PROMPT", 0)
    session.open(PATH, CLEAN)
    for number in range(20):
        session.change(PATH, f"{UNTIDY}{number}")
    session.change(PATH, CLEAN)
    session.hover(PATH, 0)
    session.close(PATH)
    answers = session.play()
    sent = answers.rules(PATH)
    assert len(sent) < 10
    assert sent[-2:] == [[], []]


def test_what_cannot_be_checked_is_logged_once(session: Session, repo: GitRepository) -> None:
    repo.write("learnings.toml", "size-trigger = 'many'\n")
    session.open(PATH, CLEAN)
    session.change(PATH, UNTIDY)
    session.open("../outside.md", CLEAN)
    session.open("untitled:Untitled-1", "# Learnings\n")
    session.open("lessons.md", "a" * 5_000_000)
    nothing = session.hover("untitled:Untitled-1", 0), session.actions("lessons.md", 0)
    answers = session.play()
    wrong, outside, untitled, huge = answers.logged
    assert wrong.startswith("learnings.toml")
    assert "outside.md is not in a git repository" in outside
    assert (
        untitled == "untitled:Untitled-1 is not a file on disk and was not checked; save it first"
    )
    assert "lessons.md" in huge
    assert answers.rules(PATH) == [[], []]
    assert [answers[number] or None for number in nothing] == [None, None]


def test_parts_of_a_text_are_refused(session: Session) -> None:
    session.open(PATH, CLEAN)
    place = {"line": 0, "character": 0}
    session.change(PATH, {"range": {"start": place, "end": place}, "text": "x"})
    session.change(PATH)
    answers = session.play(ends=False)
    assert any("changed partially" in message for message in answers.logged)
    assert answers.rules(PATH) == [[]]


def test_a_defect_is_named_in_the_log(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(server, "checked_buffer", fail)
    session.open(PATH, CLEAN)
    (said,) = session.play().logged
    assert said.startswith("this is a bug in learnings; please report it:")
    assert "no idea" in said


def test_files_that_are_no_memory(session: Session, repo: GitRepository) -> None:
    repo.write(".serena/memories/test.md", "# Test\n")
    session.open("README.md", UNTIDY)
    nothing = session.hover("README.md", 2), session.actions("README.md", 2)
    session.open(".serena/memories/test.md", "# Test\n\n```\n")
    session.open("agents/sub/learnings.md", "# A\0B\n")
    session.change("agents/sub/learnings.md", "# A\0C\n")
    offered = session.actions(".serena/memories/test.md", 0, "refactor")
    answers = session.play()
    assert answers.rules("README.md") == [[]]
    assert answers.rules(".serena/memories/test.md") == [["unclosed-fence"]]
    assert answers.logged == ["agents/sub/learnings.md is not a text file, so it has no entries"]
    assert len(answers[offered]) == 2
    assert [answers[number] or None for number in nothing] == [None, None]


def test_a_file_of_a_memory_folder(session: Session, repo: GitRepository) -> None:
    path = ".serena/memories/test.md"
    repo.write(path, "# Test\n\nUse `src/lock.py`.\n")
    (repo.path / "src/lock.py").unlink()
    repo.commit(date="2026-01-07")
    session.open(path, repo.read(path).decode())
    about, offered = session.hover(path, 0), session.actions(path, 0, "refactor")
    answers = session.play()
    text = answers[about]["contents"]["value"]
    assert "- Age: 0 active days\n- Added: 2026-01-07" in text
    assert '- References: 1, 1 dead\n  - "src/lock.py" was removed in' in text
    again = Session(session.learnings, repo)
    again.open(path, repo.read(path).decode())
    again.execute(answers[offered][0]["command"])
    assert "test.md" in again.play().shown[0]
    assert (repo.path / ".serena/memories/archive/test.md").exists()


def test_a_comment_that_breaks_something_is_not_offered(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comment would remove this finding and cause another."""
    changed = UNTIDY.replace("##When", "## When").replace("Wait.", "```\n")
    monkeypatch.setattr(buffers, "_ignored", lambda *_: iter([changed.encode()]))
    session.open(PATH, UNTIDY)
    offered = session.actions(PATH, 2)
    titles = session.play().titles(offered)
    assert titles[0] == "Fix: correct the beginning of the line"
    assert [title for title in titles if title.startswith("Ignore")] == []
