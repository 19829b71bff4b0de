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
    due,
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
    stamped = "# L\n\n## [2025-01-01-120000] A\n\n{}\n\n## [2025-01-04-120000] B\n\n{}\n\n"
    keep(repository, 0, stamped.format(body("A"), body("B")).partition("## [2025-01-04")[0])
    live(repository, 1, 2)
    repository.git("reset", "--quiet", "--hard")
    keep(repository, 3, stamped.format(body("A"), body("B")))
    keep(repository, 4, stamped.format(body("A"), body("B")) + "## C\n\nc\n")
    repository.commit(date=day(5))
    return repository.clone(depth=3)


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_a_shallow_clone(shallow: GitRepository, command: str) -> None:
    said = refused(shallow, command, FILE)
    assert "fetch-depth: 0" in said
    assert "git fetch --unshallow" in said
    assert "--allow-shallow" in said


@pytest.mark.parametrize("words", [("notify", "file"), ("ci",), ("precheck",)])
def test_the_option_is_named_where_there_is_one(
    shallow: GitRepository, words: tuple[str, ...]
) -> None:
    said = run(shallow, *words)
    assert "git fetch --unshallow" in said.err
    assert "--allow-shallow" not in said.out + said.err


def test_a_shallow_clone_gives_lower_bounds_that_are_marked(shallow: GitRepository) -> None:
    document = ages(shallow, "--allow-shallow")
    assert document["history"]["shallow"] is True
    assert [entry["lower_bound"] for entry in document["entries"]] == [True] * 3
    assert basis(document) == {"A": "stated-date", "B": "stated-date", "C": "commit"}
    assert added(document) == {"A": day(0), "B": day(3), "C": day(4)}
    assert active_days(document) == {"A": 3, "B": 2, "C": 1}
    assert any("lower bounds" in note for note in document["history"]["notes"])


def test_an_entry_without_a_stated_date_at_the_boundary(repository: GitRepository) -> None:
    for number, titles in enumerate(["A", "AB", "ABC"]):
        keep(repository, number, memory(*titles))
    document = ages(repository.clone(depth=2), "--allow-shallow")
    assert added(document) == {"A": day(1), "B": day(1), "C": day(2)}
    assert [entry["lower_bound"] for entry in document["entries"]] == [True] * 3


@pytest.mark.parametrize("options", [(), ("--summary",)])
def test_the_lower_bounds_of_a_report(shallow: GitRepository, options: tuple[str, ...]) -> None:
    said = run(shallow, "ages", FILE, "--allow-shallow", *options)
    assert said.code == 0
    if options:
        assert said.out == "3 entries (≥0 ≥7 days, no prior consolidation)\n"
    else:
        assert "- Age: ≥ 3 active days\n- Added: 2025-01-01" in said.out
        assert "stated-date" in said.out
        assert "**Entries ≥7 active days:** ≥ 0\n" in said.out
        assert "shallow" in said.out


@pytest.mark.parametrize("format_name", ["text", "markdown", "json", "github"])
def test_the_lower_bounds_of_a_verdict(shallow: GitRepository, format_name: str) -> None:
    options = ("--staleness-trigger=3", "--freshness=1", "--min-batch=1", "--keep-recent=0")
    said = run(shallow, "due", FILE, "--allow-shallow", f"--format={format_name}", *options)
    assert said.code == 0
    assert "≥" in said.out or '"lower_bound": true' in said.out
    assert "shallow clone: " in said.out
    assert "never consolidated" not in said.out
    if format_name == "json":
        assert said.json["files"][0]["lower_bound"] is True


@pytest.mark.parametrize("format_name", ["markdown", "json"])
def test_the_lower_bounds_of_a_batch(shallow: GitRepository, format_name: str) -> None:
    options = ("--allow-shallow", "--freshness=1", "--min-batch=1", "--keep-recent=0")
    said = run(shallow, "batch", FILE, *options, f"--format={format_name}")
    assert said.code == 0
    assert "≥ 3 active days" in said.out or '"lower_bound": true' in said.out
    assert "shallow clone: all ages and the staleness are lower bounds" in said.out
    empty = run(shallow, "batch", FILE, "--allow-shallow", f"--format={format_name}").out
    assert "shallow clone: all ages and the staleness are lower bounds" in empty


def test_the_lower_bounds_of_a_replay(shallow: GitRepository) -> None:
    options = ("--replay", "--allow-shallow", "--freshness=1", "--min-batch=1", "--keep-recent=0")
    triggers = ("--staleness-trigger=2", "--size-trigger=1")
    for format_name in ("text", "markdown", "json"):
        said = run(shallow, "due", FILE, *options, *triggers, f"--format={format_name}")
        assert said.code == 0
        assert "shallow clone: all ages and the staleness are lower bounds" in said.out
        assert "≥ 3 active days" in said.out or '"lower_bound": true' in said.out


def test_a_shallow_clone_is_not_remembered(shallow: GitRepository) -> None:
    ages(shallow, "--allow-shallow")
    shallow.git("fetch", "--quiet", "--unshallow")
    assert active_days(ages(shallow)) == {"A": 5, "B": 2, "C": 1}


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_no_commits(repository: GitRepository, command: str) -> None:
    repository.write(FILE, memory("A"))
    repository.git("add", FILE)
    assert "no commits" in refused(repository, command, FILE)


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_an_untracked_file(repository: GitRepository, command: str) -> None:
    repository.commit()
    repository.write(FILE, memory("A"))
    assert f"git add {FILE}" in refused(repository, command, FILE)
    repository.write(".gitignore", FILE)
    refused(repository, command, FILE)


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_outside_any_repository(tmp_path: Path, command: str) -> None:
    (tmp_path / FILE).write_text(memory("A"))
    assert "not in a git repository" in refused(tmp_path, command, FILE)


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_git_is_missing(repository: GitRepository, command: str, tmp_path: Path) -> None:
    keep(repository, 0, memory("A"))
    assert "cannot find git" in refused(
        repository, command, FILE, env={"PATH": str(tmp_path / "no")}
    )


def test_a_bare_repository(tmp_path: Path) -> None:
    bare = GitRepository(tmp_path / "bare.git", bare=True)
    bare.write(FILE, memory("A"))
    assert "bare" in refused(bare, "ages", FILE)


def given_away(repository: GitRepository) -> dict[str, str]:
    """Make the repository another user's, as far as we may; the variables that do the rest."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        # git's own tests do it that way; every git that checks owners understands it.
        return {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    for path in (repository.path, *repository.path.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    return {}


@pytest.mark.parametrize("by_variable", [True, False])
@pytest.mark.parametrize("command", HISTORY_COMMANDS)
def test_a_repository_of_another_user(
    repository: GitRepository, command: str, global_git_config: Path, *, by_variable: bool
) -> None:
    keep(repository, 0, memory("A"))
    other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    env = other if by_variable else given_away(repository)
    said = refused(repository, command, FILE, env=env)
    remedy = f"git config --global --add safe.directory {repository.path}"
    assert remedy in said
    safe = f"[safe]\n\tdirectory = {repository.path}\n"
    global_git_config.write_text(global_git_config.read_text() + safe)
    assert run(repository, command, FILE, env=env).code == 0


def test_the_folder_of_another_user_is_quoted_for_the_shell(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "it's a $place")
    keep(repository, 0, memory("A"))
    said = refused(repository, "ages", FILE, env={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert f"""safe.directory '{tmp_path}/it'"'"'s a $place'""" in said


@pytest.mark.parametrize(("command", "code"), [("ages", 1), ("due", 2), ("batch", 2)])
@pytest.mark.parametrize("name", ["missing.md", "folder", "missing/missing.md", ""])
def test_no_such_file(repository: GitRepository, command: str, code: int, name: str) -> None:
    keep(repository, 0, memory("A"), file="folder/learnings.md")
    refused(repository, command, name, code=code if name else 2)


def test_a_file_that_cannot_be_read(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    (repository.path / "loop.md").symlink_to("loop.md")
    refused(repository, "ages", "loop.md", code=1)
    os.mkfifo(repository.path / "pipe.md")
    refused(repository, "ages", "pipe.md", code=1)


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
@pytest.mark.parametrize(
    "rev", ["nonsense", "HEAD~9", "--all", "-1", "", "HEAD:learnings.md", "a b"]
)
def test_an_unknown_revision(repository: GitRepository, command: str, rev: str) -> None:
    keep(repository, 0, memory("A"))
    refused(repository, command, FILE, f"--at={rev}")


def test_a_revision_without_the_file(repository: GitRepository) -> None:
    first = repository.commit(date=day(0))
    keep(repository, 1, memory("A"))
    refused(repository, "ages", FILE, f"--at={first}", code=1)
    refused(repository, "due", FILE, f"--at={first}")


@pytest.mark.parametrize("command", HISTORY_COMMANDS)
@pytest.mark.parametrize("date", ["yesterday", "2025-02-30", "01.02.2025", "2025-1-1", ""])
def test_a_date_that_is_none(repository: GitRepository, command: str, date: str) -> None:
    keep(repository, 0, memory("A"))
    assert "YYYY-MM-DD" in refused(repository, command, FILE, f"--as-of={date}")


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


def test_a_partial_clone_that_cannot_fetch(repository: GitRepository, tmp_path: Path) -> None:
    keep(repository, 0, memory("A"))
    keep(repository, 1, memory("B", B=body("A")))
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = GitRepository(tmp_path / "partial")
    clone.git("remote", "add", "origin", repository.path.as_uri())
    clone.git("fetch", "--quiet", "--filter=blob:none", "origin", "main")
    clone.git("checkout", "--quiet", "FETCH_HEAD")
    repository.path.rename(tmp_path / "gone")
    said = refused(clone, "ages", FILE)
    assert "partial clone" in said


def test_a_damaged_repository(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    keep(repository, 1, memory("A", "B"))
    blob = repository.git("rev-parse", f"HEAD~1:{FILE}")
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert "git fsck" in refused(repository, "ages", FILE)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.abbrev", "x"),
        ("core.bare", "perhaps"),
        ("core.looseCompression", "99"),
        ("diff.algorithm", "fast"),
        ("diff.renameLimit", "x"),
        ("log.date", "sometimes"),
    ],
)
def test_a_setting_of_git_that_it_does_not_take(
    repository: GitRepository, key: str, value: str
) -> None:
    keep(repository, 0, memory("A"))
    repository.git("config", key, value)
    said = refused(repository, "due", FILE)
    assert "correct it in git's configuration" in said
    assert "fsck" not in said


def test_a_configuration_of_git_that_is_broken(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    with (repository.path / ".git" / "config").open("a") as file:
        file.write("[broken\n")
    said = refused(repository, "due", FILE)
    assert "bad config line" in said
    assert "correct it in git's configuration" in said


def test_a_repository_that_needs_a_newer_git(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.git("config", "core.repositoryformatversion", "9")
    assert refused(repository, "due", FILE).rstrip().endswith("; update git")


def test_a_configured_list_of_revisions_that_is_missing(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    configure(repository, ignore_revs_file="nowhere")
    for command in HISTORY_COMMANDS:
        assert "ignore-revs-file" in refused(repository, command, FILE)


def test_several_files_and_none_named(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory("A"))
    keep(repository, 0, memory("A"))
    for command in ("ages", "batch", "due"):
        done = run(repository, command)
        assert (done.code, done.err) == (0, ""), done
        assert "agents/learnings.md" in done.out
        assert FILE in done.out.replace("agents/learnings.md", "")


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


def test_replace_refs_are_named(repository: GitRepository) -> None:
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


def test_grafts_are_named(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    keep(repository, 1, memory("A", "B"))
    head = repository.commit(date=day(2))
    plain = ages(repository)
    grafts = repository.path / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{head}\n")
    document = ages(repository)
    assert any("grafts" in note for note in document["history"]["notes"])
    assert document["history"]["active_days"] == 1
    grafts.unlink()
    assert ages(repository) == plain


def test_commands_that_need_no_history_do_not_ask_for_it(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(memory("A"))
    assert run(tmp_path, "config").code == 0
    assert run(tmp_path, "config", env={"PATH": str(tmp_path)}).code == 0


def test_a_pre_push_hook_is_not_stopped_by_what_it_cannot_know(shallow: GitRepository) -> None:
    said = run(shallow, "due", "--hook", FILE)
    assert said.code == 0
    assert "fetch-depth: 0" in said.out
    shutil.rmtree(shallow.path / ".git")
    assert run(shallow, "due", "--hook", FILE).code == 0


def test_due_of_several_files_of_which_one_is_missing(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    assert due(repository)["verdict"] == "not-due"
    done = run(repository, "due", FILE, "other.md")
    assert done.code == 2
    assert done.out.startswith(f"{FILE}: not-due")
    assert "other.md" in done.err


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
@pytest.mark.parametrize("target", ["fifo", "/dev/zero"])
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


def test_a_list_of_revisions_inside_the_repository_is_not_quoted(
    repository: GitRepository,
) -> None:
    repository.write("other", f"{SECRET}\n")
    (repository.path / ".git-blame-ignore-revs").symlink_to("other")
    keep(repository, 0, memory("A"))
    (note,) = ages(repository)["history"]["notes"]
    assert note.startswith(".git-blame-ignore-revs:1: skipped, not a commit")
    assert SECRET not in note


@pytest.mark.slow
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
