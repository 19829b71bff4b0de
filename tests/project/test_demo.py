"""`make demo` shows what it claims, repeatedly, and changes nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from demo import repository, run, scenes, story
from demo.stage import Stage
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

SECONDS = 120
ESCAPE = re.compile(r"\x1b\[\d*m")
KEY_LINES = (
    "error duplicate-entry",
    "error unclosed-fence",
    "error conflict-marker",
    "**Last consolidation:** 17 active days ago",
    "18 entries (14 ≥7 days, consolidation 17d ago)",
    "  next: learnings plan agents/learnings.md --output tmp/consolidation-plan.md",
    "2026-03-27 fb53e00d2f4a removed 8",
    "agents/learnings.md: issue would be created",
    "Moved 13 entries, dropped 1 entry. Originals archived.",
    "Undo: git restore --staged --worktree -- agents/archive/learnings-consolidated-2026-05-04.md ",
    "agents/learnings.md: not-due: no trigger holds",
    "error resurrected-entry ",
    "agents/learnings.md | 5 +++++",
    "  OB-001   reinforced   PR-001 0.60 -> 0.68",
    "error memory-confidence-changed ",
    "checks of this demonstration held.",
)


def shown(folder: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "demo" / "run.py", "--folder", folder],
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.slow
def test_shows_what_it_should_twice_and_whatever_git_is_configured_to(
    tmp_path: Path, global_git_config: Path
) -> None:
    first = shown(tmp_path / "demo")
    assert (first.returncode, first.stderr) == (0, "")
    assert [line for line in KEY_LINES if line not in first.stdout] == []
    assert ESCAPE.search(first.stdout) is None

    other = GitRepository(tmp_path / "other")
    other.write("file", "text\n")
    head = other.commit()
    other.git("config", "--global", "commit.gpgSign", "true")
    other.git("config", "--global", "core.hooksPath", str(tmp_path / "nowhere"))
    other.git("config", "--global", "user.name", "Somebody Else")
    before = global_git_config.read_bytes()
    second = shown(
        tmp_path / "demo",
        {
            "GIT_DIR": str(other.path / ".git"),
            "GIT_WORK_TREE": str(other.path),
            "GIT_INDEX_FILE": str(other.path / ".git" / "index"),
            "GIT_AUTHOR_DATE": "2001-01-01T00:00:00",
            "GIT_AUTHOR_NAME": "Somebody Else",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "log.date",
            "GIT_CONFIG_VALUE_0": "iso",
            "TZ": "Pacific/Auckland",
        },
    )
    # The commits are the same to the last bit, so every line is.
    assert (second.returncode, second.stdout) == (0, first.stdout)
    assert global_git_config.read_bytes() == before
    assert (other.head(), other.git("status", "--porcelain")) == (head, "")
    _leaves_a_clean_repository(tmp_path / "demo")


def _leaves_a_clean_repository(folder: Path) -> None:
    built = GitRepository(folder / repository.NAME)
    assert built.git("status", "--porcelain", "--branch") == "## main"
    assert built.git("branch", "--format=%(refname:short)").split() == [
        "carrier-import",
        "consolidation",
        "main",
    ]
    task = (folder / scenes.TASK).read_text(encoding="utf-8")
    missing = [title for title in story.learned_on() if f". `{title}`\n" not in task]
    gone = {title for title, _ in story.CONSOLIDATED}
    too_new = {"When a pull request grows past what a reviewer can hold"}
    too_new |= {"When the documentation and the code disagree", story.OLD_LESSON}
    assert set(missing) == gone | too_new


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals")
def test_headings_are_bold_on_a_terminal_only() -> None:
    code = "import demo.stage as s; t = s.Stage(None, None); t.scene('Title', 'Some text.')"
    plain = _on_a_terminal(code, {"NO_COLOR": "1"})
    assert "\n1. Title\n========\n\nSome text.\n" in plain
    assert "\x1b[1m1. Title\x1b[0m" in _on_a_terminal(code, {})
    assert not ESCAPE.search(_on_a_terminal(code, {"TERM": "dumb"}))


def _on_a_terminal(code: str, env: Mapping[str, str]) -> str:
    leader, follower = os.openpty()
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", **env},
        stdout=follower,
        check=True,
    )
    os.close(follower)
    output = os.read(leader, 65536).decode().replace("\r\n", "\n")
    os.close(leader)
    return output


def test_failed_checks_are_printed_and_end_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage(repository.Repository(tmp_path), run.SCRIPTS)
    stage.expect(True, "the sky is up")  # noqa: FBT003
    stage.run("git", "no-such-command", code=0)
    output = capsys.readouterr()
    assert "[exit code 1]" in output.out
    assert "NOT AS IT SHOULD BE: git no-such-command ends with 0" in output.out
    assert stage.close() == 1
    assert capsys.readouterr().err == "failed: git no-such-command ends with 0\n"


def test_cut_output_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built = repository.Repository(tmp_path)
    built.create()
    stage = Stage(built, run.SCRIPTS)
    stage.run("git", "config", "--list", "--local", first=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("$ git config")
    assert re.fullmatch(r"\[\d+ more lines\]", lines[3])
    assert stage.close() == 0


def test_nothing_of_the_users_is_removed(tmp_path: Path) -> None:
    mine = tmp_path / repository.NAME / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    done = shown(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "holds something else; name another folder" in done.stderr
    assert mine.read_text(encoding="utf-8") == "mine"


def test_missing_commands_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "SCRIPTS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["run.py", "--folder", str(tmp_path / "demo")])
    assert run.main() == 1
    assert capsys.readouterr().err.endswith("learnings was not found; run: make demo\n")
    assert not (tmp_path / "demo").exists()


def test_every_entry_is_in_the_story() -> None:
    learned = {step.learn for step in story.STORY if step.learn} | {story.LAST_LESSON}
    assert learned | {story.FLAGS[1]} == set(story.entries())
    assert story.days() == sorted(story.days())
    assert [step.day for step in story.STORY if step.branch == story.MAIN] == sorted(
        step.day for step in story.STORY if step.branch == story.MAIN
    )
