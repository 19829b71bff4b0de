"""`make demo` shows what it claims, repeatedly, and changes nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from demo import picture, repository, run, scenes, story
from demo.stage import Stage
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

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
        [sys.executable, "-m", "demo.run", "--folder", folder],
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.soak
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
    nowhere = str(tmp_path / "nowhere")
    settings = {"commit.gpgSign": "true", "core.hooksPath": nowhere, "user.name": "Somebody Else"}
    for key, value in settings.items():
        other.git("config", "--global", key, value)
    before = global_git_config.read_bytes()
    traps = {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_WORK_TREE": str(other.path),
        "GIT_INDEX_FILE": str(other.path / ".git" / "index"),
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00",
        "GIT_AUTHOR_NAME": "Somebody Else",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "log.date",
        "GIT_CONFIG_VALUE_0": "iso",
        "TZ": "Pacific/Auckland",
    }
    second = shown(tmp_path / "demo", traps)
    # The commits are the same to the last bit, so every line is.
    assert (second.returncode, second.stdout) == (0, first.stdout)
    assert global_git_config.read_bytes() == before
    assert (other.head(), other.git("status", "--porcelain")) == (head, "")

    built = GitRepository(tmp_path / "demo" / repository.NAME)
    assert built.git("status", "--porcelain", "--branch") == "## main"
    branches = built.git("branch", "--format=%(refname:short)").split()
    assert branches == ["carrier-import", "consolidation", "main", "other-memories"]
    # What documents show is what one finds there.
    documented = repository.build_to_last_day(tmp_path / "documented")
    assert built.head() == documented.git("rev-parse", "HEAD").strip()
    task = (tmp_path / "demo" / scenes.TASK).read_text(encoding="utf-8")
    gone = {title for title, _ in story.CONSOLIDATED}
    too_new = {"When a pull request grows past what a reviewer can hold"}
    too_new |= {"When the documentation and the code disagree", story.OLD_LESSON}
    missing = {title for title in story.learned_on() if f". `{title}`\n" not in task}
    assert missing == gone | too_new


@pytest.mark.slow
def test_the_picture_shows_what_the_commands_print(tmp_path: Path) -> None:
    drawn = picture.PICTURE.read_text(encoding="utf-8")
    assert drawn == picture.picture(tmp_path), "draw it again with: make picture"
    assert f"]({picture.PICTURE.relative_to(ROOT).as_posix()})" in (ROOT / "README.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals")
@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_headings_are_bold_on_a_terminal_that_wants_it(env: dict[str, str]) -> None:
    code = "import demo.stage as s; t = s.Stage(None, None); t.scene('Title', 'Some text.')"
    leader, follower = os.openpty()
    words = [sys.executable, "-c", code]
    variables = {**os.environ, "TERM": "xterm", **env}
    subprocess.run(words, cwd=ROOT, env=variables, stdout=follower, check=True)
    os.close(follower)
    output = os.read(leader, 65536).decode().replace("\r\n", "\n")
    os.close(leader)
    if env:
        assert not ESCAPE.search(output)
        assert "\n1. Title\n========\n\nSome text.\n" in output
    else:
        assert "\x1b[1m1. Title\x1b[0m" in output


def test_failed_checks_are_printed_and_end_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = repository.Repository(tmp_path)
    built.create()
    stage = Stage(built, run.SCRIPTS)
    stage.expect(True, "the sky is up")  # noqa: FBT003  (as the scenes call it)
    stage.run("git", "config", "--list", "--local", first=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3].startswith("$ git config")
    assert re.fullmatch(r"\[\d+ more lines\]", lines[-1])
    stage.run("git", "no-such-command", code=0)
    output = capsys.readouterr().out
    assert "[exit code 1]" in output
    assert "NOT AS IT SHOULD BE: git no-such-command ends with 0" in output
    assert stage.close() == 1
    assert capsys.readouterr().err == "failed: git no-such-command ends with 0\n"


@pytest.mark.slow
def test_nothing_of_the_users_is_removed_and_missing_commands_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / repository.NAME / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    done = shown(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "holds something else; name another folder" in done.stderr
    assert mine.read_text(encoding="utf-8") == "mine"
    monkeypatch.setattr(run, "SCRIPTS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["run.py", "--folder", str(tmp_path / "demo")])
    assert run.main() == 1
    assert capsys.readouterr().err.endswith("learnings was not found; run: make demo\n")


def test_every_entry_is_in_the_story() -> None:
    learned = {step.learn for step in story.STORY if step.learn} | {story.LAST_LESSON}
    assert learned | {story.FLAGS[1]} == set(story.entries())
    assert story.days() == sorted(story.days())
