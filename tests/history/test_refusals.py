"""A history that cannot answer is refused in one sentence with the remedy, never shown as zeros."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.history.memory import (
    FILE,
    active_days,
    added,
    ages,
    basis,
    body,
    configure,
    day,
    keep,
    live,
    memory,
    run,
)
from tests.support.command import Command
from tests.support.repository import GitRepository

HISTORY_COMMANDS = ("ages", "due", "batch")


def refused(
    where: GitRepository | Path,
    *words: str | Path,
    code: int = 2,
    env: Mapping[str, str | None] | None = None,
) -> str:
    """The one sentence on standard error with which a command ends."""
    done = run(where, *words, env=env)
    assert (done.code, done.stdout) == (code, b""), done
    assert done.err.startswith("learnings: ")
    assert done.err.count("\n") == 1, done.err
    assert "Traceback" not in done.err
    return done.err


@pytest.fixture
def shallow(repository: GitRepository) -> GitRepository:
    """A clone of depth 3 of a memory whose entries are 5, 2 and 1 active days old."""
    first = f"# L\n\n## [2025-01-01-120000] A\n\n{body('A')}\n\n"
    second = f"{first}## [2025-01-04-120000] B\n\n{body('B')}\n\n"
    keep(repository, 0, first)
    live(repository, 1, 2)
    keep(repository, 3, second)
    keep(repository, 4, f"{second}## C\n\nc\n")
    repository.commit(date=day(5))
    return repository.clone(depth=3)


def test_a_shallow_clone(shallow: GitRepository) -> None:
    for command in HISTORY_COMMANDS:
        said = refused(shallow, command, FILE)
        for remedy in ("fetch-depth: 0", "git fetch --unshallow", "--allow-shallow"):
            assert remedy in said
    for words in (("notify", "file"), ("ci",), ("precheck",)):  # that have no such option
        done = run(shallow, *words)
        assert "git fetch --unshallow" in done.err
        assert "--allow-shallow" not in done.out + done.err


def test_a_shallow_clone_gives_lower_bounds_that_are_marked(shallow: GitRepository) -> None:
    document = ages(shallow, "--allow-shallow")
    assert document["history"]["shallow"] is True
    assert [entry["lower_bound"] for entry in document["entries"]] == [True] * 3
    assert basis(document) == {"A": "stated-date", "B": "stated-date", "C": "commit"}
    assert added(document) == {"A": day(0), "B": day(3), "C": day(4)}
    assert active_days(document) == {"A": 3, "B": 2, "C": 1}
    assert any("lower bounds" in note for note in document["history"]["notes"])


def test_lower_bounds_are_marked_everywhere(shallow: GitRepository) -> None:
    said = run(shallow, "ages", FILE, "--allow-shallow")
    assert "- Age: ≥ 3 active days\n- Added: 2025-01-01" in said.out
    assert "**Entries ≥7 active days:** ≥ 0\n" in said.out
    said = run(shallow, "ages", FILE, "--allow-shallow", "--summary")
    assert said.out == "3 entries (≥0 ≥7 days, no prior consolidation)\n"
    options = ("--allow-shallow", "--freshness=1", "--min-batch=1", "--keep-recent=0")
    commands = (
        (("due", "--staleness-trigger=3"), ("text", "markdown", "json", "github")),
        (("batch",), ("markdown", "json")),
        (("due", "--replay", "--size-trigger=1", "--staleness-trigger=2"), ("text", "json")),
    )
    for words, formats in commands:
        for format_name in formats:
            said = run(shallow, *words, FILE, *options, f"--format={format_name}")
            assert said.code == 0
            assert "≥" in said.out or '"lower_bound": true' in said.out
            assert "shallow clone: " in said.out
            assert "never consolidated" not in said.out
    empty = run(shallow, "batch", FILE, "--allow-shallow").out
    assert "shallow clone: all ages" in empty


def test_a_shallow_clone_is_not_remembered(shallow: GitRepository) -> None:
    ages(shallow, "--allow-shallow")
    shallow.git("fetch", "--quiet", "--unshallow")
    assert active_days(ages(shallow)) == {"A": 5, "B": 2, "C": 1}


def test_where_there_is_no_history(repository: GitRepository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / FILE).write_text(memory("A"))
    bare = GitRepository(tmp_path / "bare.git", bare=True)
    bare.write(FILE, memory("A"))
    clone = GitRepository(tmp_path / "damaged")
    keep(clone, 0, memory("A"))
    keep(clone, 1, memory("A", "B"))
    blob = clone.git("rev-parse", f"HEAD~1:{FILE}")
    (clone.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    repository.write(FILE, memory("A"))
    repository.git("add", FILE)
    for command in HISTORY_COMMANDS:
        assert "no commits" in refused(repository, command, FILE)
        assert "not in a git repository" in refused(outside, command, FILE)
        assert "bare" in refused(bare, command, FILE)
        assert "git fsck" in refused(clone, command, FILE)
    repository.git("rm", "--quiet", "--cached", FILE)
    repository.commit(all=False)
    for command in HISTORY_COMMANDS:
        assert f"git add {FILE}" in refused(repository, command, FILE)
    repository.write(".gitignore", FILE)
    refused(repository, "ages", FILE)
    assert run(outside, "config", env={"PATH": str(outside)}).code == 0


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_a_question_that_is_none(repository: GitRepository, command: str, tmp_path: Path) -> None:
    keep(repository, 0, memory("A"), file="folder/learnings.md")
    for name in ("missing.md", "folder", "missing/missing.md"):
        refused(repository, command, name, code=1 if command == "ages" else 2)
    refused(repository, command, "")
    keep(repository, 0, memory("A"))
    nowhere = {"PATH": str(tmp_path / "no")}
    assert "cannot find git" in refused(repository, command, FILE, env=nowhere)
    for rev in ("nonsense", "HEAD~9", "--all", "", "HEAD:learnings.md"):
        refused(repository, command, FILE, f"--at={rev}")
    for date in ("yesterday", "2025-02-30", "2025-1-1", ""):
        assert "YYYY-MM-DD" in refused(repository, command, FILE, f"--as-of={date}")
    configure(repository, ignore_revs_file="nowhere")
    assert "ignore-revs-file" in refused(repository, command, FILE)


def test_several_files_of_which_one_is_missing_or_none_is_named(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory("A"))
    keep(repository, 0, memory("A"))
    for command in HISTORY_COMMANDS:
        done = run(repository, command)
        assert (done.code, done.err) == (0, ""), done
        assert "agents/learnings.md" in done.out
        assert FILE in done.out.replace("agents/learnings.md", "")
    done = run(repository, "due", FILE, "other.md")
    assert (done.code, "other.md" in done.err) == (2, True)
    assert done.out.startswith(f"{FILE}: not-due")


def given_away(repository: GitRepository) -> dict[str, str]:
    """Make the repository another user's, as far as we may; the variables that do the rest."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        # git's own tests do it that way; every git that checks owners understands it.
        return {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    for path in (repository.path, *repository.path.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    return {}


@pytest.mark.parametrize("by_variable", [True, False])
def test_a_repository_of_another_user(
    tmp_path: Path, global_git_config: Path, *, by_variable: bool
) -> None:
    repository = GitRepository(tmp_path / "it's a $place")
    keep(repository, 0, memory("A"))
    other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    env = other if by_variable else given_away(repository)
    for command in HISTORY_COMMANDS:
        said = refused(repository, command, FILE, env=env)
        remedy = "git config --global --add safe.directory "
        assert f"""{remedy}'{tmp_path}/it'"'"'s a $place'""" in said
    safe = f"[safe]\n\tdirectory = {repository.path}\n"
    global_git_config.write_text(global_git_config.read_text() + safe)
    assert run(repository, "due", FILE, env=env).code == 0


def test_what_is_no_file_now_or_then(repository: GitRepository) -> None:
    first = repository.commit(date=day(0))
    keep(repository, 1, memory("A"))
    refused(repository, "ages", FILE, f"--at={first}", code=1)
    refused(repository, "due", FILE, f"--at={first}")
    (repository.path / "loop.md").symlink_to("loop.md")
    refused(repository, "ages", "loop.md", code=1)
    os.mkfifo(repository.path / "pipe.md")
    refused(repository, "ages", "pipe.md", code=1)


def test_a_submodule_from_outside_of_it(repository: GitRepository, tmp_path: Path) -> None:
    keep(repository, 0, memory("A"))
    above = GitRepository(tmp_path / "above")
    above.git("submodule", "--quiet", "add", repository.path.as_uri(), "inner module")
    above.commit(date=day(1))
    inside = above.path / "inner module"
    for command in HISTORY_COMMANDS:
        said = refused(above, command, f"inner module/{FILE}")
        assert f"cd '{inside}'" in said
    (above.path / "below").mkdir()
    refused(above.path / "below", "ages", inside / FILE)


@pytest.mark.parametrize(
    ("key", "value"),
    [("core.bare", "perhaps"), ("diff.algorithm", "fast"), ("log.date", "sometimes")],
)
def test_a_setting_of_git_that_it_does_not_take(
    repository: GitRepository, key: str, value: str
) -> None:
    keep(repository, 0, memory("A"))
    repository.git("config", key, value)
    said = refused(repository, "due", FILE)
    assert "correct it in git's configuration" in said
    assert "fsck" not in said


def test_a_repository_that_git_itself_cannot_read(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.git("config", "core.repositoryformatversion", "9")
    assert refused(repository, "due", FILE).rstrip().endswith("; update git")
    with (repository.path / ".git" / "config").open("a") as file:
        file.write("[broken\n")
    said = refused(repository, "due", FILE)
    assert "bad config line" in said
    assert "correct it in git's configuration" in said


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_a_staleness_trigger_that_does_not_exceed_freshness(
    repository: GitRepository, command: str
) -> None:
    keep(repository, 0, memory("A"))
    for trigger, freshness in ((7, 7), (5, 6)):
        configure(repository, staleness_trigger=trigger, freshness=freshness)
        said = refused(repository, command, FILE)
        assert said.startswith("learnings: learnings.toml:1: staleness-trigger")
        assert "due again" in said
    configure(repository, staleness_trigger=8, freshness=7)
    assert run(repository, command, FILE).code == 0
    if command != "ages":
        (repository.path / "learnings.toml").unlink()
        refused(repository, command, FILE, "--staleness-trigger=7")
        refused(repository, command, FILE, "--freshness=14")


def test_replace_refs_and_grafts_are_named(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    old = repository.commit(date=day(1))
    repository.commit(date=day(5))
    plain = ages(repository)
    assert plain["history"]["notes"] == []
    repository.git("replace", "--graft", old)
    for document in (ages(repository), ages(repository)):
        assert any("1 replace ref changes" in note for note in document["history"]["notes"])
        assert document["history"]["active_days"] == 2
        assert added(document) == {"A": day(1)}
    assert "1 replace ref changes" in run(repository, "ages", FILE).out
    repository.git("replace", "--delete", old)
    assert ages(repository) == plain
    grafts = repository.path / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{repository.head()}\n")
    document = ages(repository)
    assert any("grafts" in note for note in document["history"]["notes"])
    assert document["history"]["active_days"] == 1
    grafts.unlink()
    assert ages(repository) == plain


def test_a_pre_push_hook_is_not_stopped_by_what_it_cannot_know(shallow: GitRepository) -> None:
    said = run(shallow, "due", "--hook", FILE)
    assert said.code == 0
    assert "fetch-depth: 0" in said.out
    shutil.rmtree(shallow.path / ".git")
    assert run(shallow, "due", "--hook", FILE).code == 0


SECRET = "a line that nobody wants in a log"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the machine, outside of every repository."""
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("name", [".git-blame-ignore-revs", "revs"])
def test_a_list_of_revisions_that_leads_out_of_the_repository(
    repository: GitRepository, secret: Path, name: str
) -> None:
    if name == "revs":
        configure(repository, ignore_revs_file=name)
    (repository.path / name).symlink_to(secret)
    keep(repository, 0, memory("A"))
    for command in HISTORY_COMMANDS:
        assert "leads out of the repository" in refused(repository, command, FILE)
    for words in (("ci",), ("check", "--history"), ("overview",), ("notify", "file")):
        done = run(repository, *words)
        assert SECRET not in done.out + done.err
        assert done.code != 3, done


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither")
@pytest.mark.parametrize("name", [".git-blame-ignore-revs", "revs"])
@pytest.mark.parametrize("target", ["fifo", pytest.param("/dev/zero", marks=pytest.mark.soak)])
def test_a_list_of_revisions_that_never_ends(
    repository: GitRepository, learnings: Command, name: str, target: str
) -> None:
    if name == "revs":
        configure(repository, ignore_revs_file=name)
    repository.write(name, "")
    keep(repository, 0, memory("A"))
    (repository.path / name).unlink()
    if target == "fifo":
        os.mkfifo(repository.path / name)
    else:
        (repository.path / name).symlink_to(target)
    done = learnings.process("ages", FILE, cwd=repository.path)
    assert done.code == 2
    assert "not a regular file" in done.err


def test_a_list_of_revisions_inside_the_repository_is_not_quoted(repository: GitRepository) -> None:
    repository.write("other", f"{SECRET}\n")
    (repository.path / ".git-blame-ignore-revs").symlink_to("other")
    keep(repository, 0, memory("A"))
    (note,) = ages(repository)["history"]["notes"]
    assert note.startswith(".git-blame-ignore-revs:1: skipped, not a commit")
    assert SECRET not in note


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="Windows has neither")
def test_files_that_never_end_where_others_are_expected(
    repository: GitRepository, learnings: Command
) -> None:
    """What a repository brings beside its memory: ignore files, archives, hooks, manifests."""
    keep(repository, 0, memory("A", "B"))
    repository.write("learnings.md", memory("A"))
    for name in (
        ".gitignore",
        "archive/.gitignore",
        "archive/learnings.md",
        ".pre-commit-config.yaml",
        ".claude-plugin/plugin.json",
    ):
        (repository.path / name).parent.mkdir(exist_ok=True)
        os.mkfifo(repository.path / name)
    for words in (("ages", FILE), ("check",), ("due",), (), ("config",), ("ci",)):
        done = learnings.process(*words, cwd=repository.path)
        assert done.code in (0, 1), (words, done)
