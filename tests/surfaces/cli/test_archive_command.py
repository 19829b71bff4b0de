"""The command `learnings archive`, in real repositories."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learnings.core.entries.archives import originals_in
from learnings.core.entries.document import digest_of, read
from learnings.core.entries.rewriting import original_of
from tests.support.command import Command
from tests.support.memories import Memory, memories
from tests.support.repository import GitRepository
from tests.support.schemas import validate

learnings = Command("learnings")
FILE, INDEX = "agents/learnings.md", "agents/memory-index.md"
MEMORY = """\
# Learnings

## When a build hangs

Look at the lock first.

## When a test is slow

Profile it.

## When mocks lie

Use real ones."""
SLOW = "## When a test is slow\n\nProfile it.\n\n"


def archive_path(file: str = FILE) -> str:
    path = Path(file)
    today = date.today().isoformat()  # noqa: DTZ011  (that of the machine is meant)
    return (path.parent / f"archive/{path.stem.lower()}-consolidated-{today}.md").as_posix()


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, MEMORY)
    repository.commit()
    return repository


def archived(repository: GitRepository, path: str | None = None) -> list[tuple[str, str]]:
    originals = originals_in(repository.read(path or archive_path()))
    return [(original.heading, original.data.decode()) for original in originals]


def undo(repository: GitRepository, out: str) -> None:
    (line,) = (line for line in out.splitlines() if line.startswith("Undo: learnings "))
    words = shlex.split(line.removeprefix("Undo: learnings "))
    assert learnings(*words, cwd=repository.path).code == 0


@pytest.mark.parametrize("words", [("--reason", "no use"), ("--restore",), ("--from", "HEAD")])
def test_a_dry_run_says_what_it_would_do_and_writes_nothing(
    memory: GitRepository, words: tuple[str, ...]
) -> None:
    named = () if "--from" in words else ("When a test is slow",)
    if "--restore" in words:
        learnings("archive", *named, "--reason", "gone", cwd=memory.path)
        memory.commit()
    if "--from" in words:
        memory.write(FILE, MEMORY.replace(SLOW, ""))
    paths = [path for path in memory.path.rglob("*") if path.is_file() and ".git" not in path.parts]
    before = {path: path.read_bytes() for path in paths}
    shown = learnings("archive", *named, *words, "--dry-run", "--stage", cwd=memory.path)
    assert (shown.code, shown.err) == (0, "")
    assert {path: path.read_bytes() for path in paths} == before
    assert memory.git("diff", "--cached", "--name-only") == ""
    done = learnings("archive", *named, *words, "--stage", cwd=memory.path)
    assert shown.out == f"Dry run: nothing is written. Without --dry-run:\n{done.out}"


def test_an_entry_leaves_for_the_archive(memory: GitRepository) -> None:
    run = learnings(
        "archive", "when a TEST is  slow", "--reason", "CI profiles now", cwd=memory.path
    )
    path = archive_path()
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        f"Moved 1 entry from {FILE} to {path}:\n"
        "  When a test is slow\n"
        f"These files belong to the commit:\n  {path}\n  {FILE}\n"
        "Undo: learnings archive --restore 'When a test is slow'\n"
    )
    assert memory.read(FILE).decode() == MEMORY.replace(SLOW, "")
    assert archived(memory) == [("Dropped: CI profiles now", SLOW)]
    undo(memory, run.out)
    assert memory.read(FILE).decode() == MEMORY


def test_an_entry_named_like_an_option_comes_back(memory: GitRepository) -> None:
    text = "## --stage\n\nIt takes no value.\n"
    memory.write(FILE, text)
    names = ("archive", digest_of(read(text.encode()).entries[0]), "--reason", "x")
    undo(memory, learnings(*names, cwd=memory.path).out)
    assert memory.read(FILE).decode() == text


def test_several_entries_and_a_second_run_on_the_same_day(memory: GitRepository) -> None:
    words = ("When mocks lie", "When a build hangs")
    assert learnings("archive", *words, "--reason", "x", cwd=memory.path).code == 0
    assert learnings("archive", "When a test is slow", "--reason", "y", cwd=memory.path).code == 0
    assert [(heading, text.split("\n")[0]) for heading, text in archived(memory)] == [
        ("Dropped: x", "## When a build hangs"),
        ("Dropped: x", "## When mocks lie"),
        ("Dropped: y", "## When a test is slow"),
    ]
    assert memory.read(FILE) == b"# Learnings\n\n"
    again = learnings("archive", *words, "--reason", "x", cwd=memory.path)
    assert (again.code, again.err, len(archived(memory))) == (0, "", 3)
    assert again.out.startswith(f"Nothing left to do: archived and no longer in {FILE}:\n")


def test_a_restored_entry_is_restored_once(memory: GitRepository) -> None:
    names = ("When a test is slow", "When mocks lie")
    learnings("archive", *names, "--reason", "x", cwd=memory.path)
    memory.commit()
    left = memory.read(FILE).decode()
    run = learnings("archive", "--restore", names[0], cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        f"Put 1 entry back into {FILE}; the archive keeps them:\n"
        f"  {names[0]} (from {archive_path()}:9)\n"
        f"These files belong to the commit:\n  {FILE}\n"
    )
    assert memory.read(FILE).decode() == f"{left}\n{SLOW.rstrip()}\n"
    assert len(archived(memory)) == 2
    again = learnings("archive", "--restore", names[0], cwd=memory.path)
    assert (again.code, again.err) == (0, "")
    assert again.out == f"Nothing left to do: already in {FILE}:\n  {names[0]}\n"
    both = learnings("archive", "--restore", *names, "--stage", cwd=memory.path)
    assert (both.code, both.err) == (0, "")
    said = f"Nothing left to do: already in {FILE}:\n  {names[0]}\nPut 1 entry "
    assert both.out.startswith(said)
    assert memory.read(FILE).decode().count(names[0]) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "no entry named; name one that `learnings ages` lists"),
        (("--restore",), "no entry named; name one that `learnings archive --list` shows"),
        (("When a test is slow",), "no reason given; add --reason"),
        (("x", "--reason", " "), "no reason given; add --reason"),
        (("x", "--from", "HEAD"), "--from archives every entry that left since REV"),
        (("x", "--restore", "--reason", "y"), "--restore takes no reason"),
        (("When a test is slw", "--reason", "x"), 'did you mean "When a test is slow"?'),
        (
            ("zzz", "--reason", "x"),
            'there is no entry "zzz" in agents/learnings.md; `learnings ages`',
        ),
        (("--restore", "zzz"), 'there is no entry "zzz" in the archives of agents/learnings.md;'),
        (("--from", "nothing"), "nothing is not a commit in this repository"),
        (("When mocks lie", "--reason", "x", "--file", "none.md"), "none.md does not exist"),
        (("--list", "When mocks lie"), "--list takes only --file and --format"),
        (("--list", "--dry-run"), "--list takes only --file and --format"),
        (("When mocks lie", "--reason=no", "--format=json"), "--format needs --list"),
    ],
)
def test_what_is_refused(memory: GitRepository, words: tuple[str, ...], sentence: str) -> None:
    run = learnings("archive", *words, cwd=memory.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert sentence in run.err
    assert memory.git("status", "--porcelain") == ""


def test_names_that_several_entries_have(repository: GitRepository) -> None:
    text = "# L\n\n## [2026-03-01] Case\n\na\n\n## [2026-03-02] Case\n\nb\n\n## [2026-03-02] Case\n"
    repository.write(FILE, text)
    run = learnings("archive", "case", "--reason", "x", cwd=repository.path)
    assert run.code == 2
    assert run.err == (
        'learnings: "case" matches 3 entries; use one of "2026-03-01 case", "2026-03-02 case", '
        f'"2026-03-02 case #2" ({FILE}:3, {FILE}:7, {FILE}:11)\n'
    )
    run = learnings(
        "archive", "2026-03-01", "2026-03-02 case #2", "--reason", "x", cwd=repository.path
    )
    assert run.code == 0
    assert repository.read(FILE) == b"# L\n\n## [2026-03-02] Case\n\nb\n"
    repository.write("LEARNINGS.md", text)
    run = learnings("archive", "2026-03-02 case", "--reason", "x", cwd=repository.path)
    assert run.err == (
        "learnings: this entry is in LEARNINGS.md and in agents/learnings.md; name the "
        "file with --file\n"
    )
    words = ("2026-03-02 case", "--reason", "x", "--file", "LEARNINGS.md")
    run = learnings("archive", *words, cwd=repository.path)
    assert (run.code, repository.read(FILE).count(b"[2026-03-02]")) == (0, 1)
    assert run.out.endswith("--file LEARNINGS.md\n")
    undo(repository, run.out)


def test_older_versions_of_an_entry_can_be_named(memory: GitRepository) -> None:
    for text in ("Profile it.", "Profile it twice."):
        memory.write(FILE, MEMORY.replace("Profile it.", text))
        learnings("archive", "When a test is slow", "--reason", "x", cwd=memory.path)
    learnings("archive", "--restore", "When a test is slow", cwd=memory.path)
    assert b"twice" in memory.read(FILE)
    run = learnings("archive", "--restore", "when a test is slow #2", cwd=memory.path)
    assert run.code == 0
    assert memory.read(FILE).count(b"## When a test is slow") == 2


def test_rows_of_an_index_go_and_come_back(memory: GitRepository) -> None:
    memory.write("learnings.toml", f'indexed = ["{FILE}"]\n')
    titles = "/when a build hangs\n/when a test is slow\n/when mocks lie\n"
    rows = f"# Index\n\n## {FILE}\n\n{titles}\nEnd.\n"
    memory.write(INDEX, rows)
    run = learnings("archive", "When a test is slow", "--reason", "x", "--stage", cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    assert memory.read(INDEX).decode() == rows.replace("/when a test is slow\n", "")
    staged = ["Staged for the commit:", *(f"  {path}" for path in (archive_path(), FILE, INDEX))]
    assert run.out.splitlines()[2:6] == staged
    assert memory.git("diff", "--cached", "--name-only").split() == [archive_path(), FILE, INDEX]
    undo(memory, run.out)
    assert (memory.read(INDEX).decode(), memory.read(FILE).decode()) == (rows, MEMORY)


def test_the_index_block_of_a_file_follows(repository: GitRepository) -> None:
    row, entry = "| 2026-03-02 | Two |\n", "## [2026-03-02] Two\n\nb\n\n"
    rows = f"| Date | Learning |\n|---|---|\n{row}| 2026-03-01 | One |\n"
    block = f"<!-- INDEX:START -->\n{rows}<!-- INDEX:END -->\n\n"
    text = f"# L\n\n{block}{entry}## [2026-03-01] One\n\na\n"
    repository.write(FILE, text)
    repository.commit()
    run = learnings("archive", "2026-03-02", "--reason", "x", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert repository.read(FILE).decode() == text.replace(row, "").replace(entry, "")
    undo(repository, run.out)
    assert repository.read(FILE).decode() == text


def test_what_left_since_a_commit(memory: GitRepository) -> None:
    first = memory.head()
    memory.write(FILE, MEMORY.replace(SLOW, "").replace("hangs", "hangs again"))
    memory.commit()
    run = learnings("archive", "--from", "HEAD~1", cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        f"Archived 1 entry that left {FILE} since {first[:12]} in {archive_path()}:\n"
        "  When a test is slow\n"
        f"These files belong to the commit:\n  {archive_path()}\n"
    )
    assert archived(memory) == [(f"Dropped: left the file after {first[:12]}", SLOW)]
    again = learnings("archive", "--from", first, "--reason", "x", cwd=memory.path)
    assert again.out == (
        f"Nothing to archive: every entry that left {FILE} since {first[:12]} is in an archive\n"
    )
    assert learnings("archive", "--restore", "When a test is slow", cwd=memory.path).code == 0


def test_index_rows_of_what_has_left_go_and_no_others(repository: GitRepository) -> None:
    """The row that leads nowhere and the missing row of an entry were there before."""
    row, entry = "| 2026-03-02 | Two |\n", "## [2026-03-02] Two\n\nb\n\n"
    rows = f"| Date | Learning |\n|---|---|\n| 2026-03-03 | Gone |\n{row}| 2026-03-01 | One |\n"
    block = f"<!-- INDEX:START -->\n{rows}<!-- INDEX:END -->\n\n"
    text = f"# L\n\n{block}{entry}## [2026-03-01] One\n\na\n\n## [2026-02-28] Without row\n\nc\n"
    others = "# Others\n\n## When a test is slow\n\nProfile it first.\n\n## Rest\n\nd\n"
    index = "# Index\n\n## docs/lessons.md\n\nWhen a test is slow — profile\nRest — more\n"
    repository.write(FILE, text)
    repository.write("docs/lessons.md", others)
    repository.write(INDEX, index)
    repository.write("learnings.toml", 'indexed = ["docs/lessons.md"]\n')
    repository.commit()
    left = others.replace("## When a test is slow\n\nProfile it first.\n\n", "")
    repository.write(FILE, text.replace(entry, ""))
    repository.write("docs/lessons.md", left)
    run = learnings("archive", "--from", "HEAD", "--stage", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert repository.read(FILE).decode() == text.replace(entry, "").replace(row, "")
    assert repository.read("docs/lessons.md").decode() == left
    assert repository.read(INDEX).decode() == index.replace("When a test is slow — profile\n", "")
    changed = repository.git("diff", "--cached", "--name-only").split()
    archives = [archive_path("docs/lessons.md"), archive_path()]
    assert sorted(changed) == sorted([*archives, FILE, INDEX])
    repository.write(INDEX, index)  # as after a run that was killed
    again = learnings("archive", "--from", "HEAD", cwd=repository.path)
    assert again.code == 0
    assert again.out.startswith("Nothing to archive")
    assert repository.read(INDEX).decode() == index.replace("When a test is slow — profile\n", "")


def test_what_left_with_the_file_or_under_another_name(memory: GitRepository) -> None:
    first = memory.head()
    memory.rename(FILE, "docs/lessons.md")
    memory.write("docs/lessons.md", MEMORY.replace(SLOW, ""))
    memory.commit()
    assert learnings("archive", "--from", first, cwd=memory.path).code == 0
    assert archived(memory, archive_path("docs/lessons.md"))[0][1] == SLOW
    memory.remove("docs/lessons.md")
    run = learnings("archive", "--from", "HEAD", "--file", "docs/lessons.md", cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    assert len(archived(memory, archive_path("docs/lessons.md"))) == 3
    words = ("--restore", "When mocks lie", "--file", "docs/lessons.md")
    assert learnings("archive", *words, cwd=memory.path).code == 0
    assert memory.read("docs/lessons.md") == b"## When mocks lie\n\nUse real ones."


def test_archives_by_hand(memory: GitRepository) -> None:
    by_hand = (
        f"# Archive\n\n## Group: Tests\n\n{SLOW}---\n\n## Dropped: old\n\n## When it rains\n\nx\n"
    )
    memory.write("agents/archive/learnings-consolidated-2026-01-01.md", by_hand)
    memory.write(FILE, MEMORY.replace(SLOW, ""))
    assert learnings("archive", "--from", "HEAD", cwd=memory.path).out.startswith(
        "Nothing to archive"
    )
    run = learnings("archive", "--restore", "When it rains", "When a test is slow", cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    titles = [entry.title for entry in read(memory.read(FILE)).entries]
    assert titles[2:] == ["When it rains", "When a test is slow"]


LESSONS = "docs/lessons.md"


@pytest.mark.parametrize("is_committed", [True, False])
@pytest.mark.parametrize("link", ["", LESSONS, FILE])
@pytest.mark.parametrize("names", [[], ["agents/gotchas.md"], ["docs/learnings.md"]])
def test_a_renamed_file_keeps_its_archives(
    memory: GitRepository, names: list[str], link: str, *, is_committed: bool
) -> None:
    """A link to it can be at its new name before, or at its old name after."""
    archive = ("archive", "--reason", "old")
    learnings(*archive, "When mocks lie", cwd=memory.path)
    memory.write("docs/archive/others-consolidated-2026-01-01.md", "## When none is mine\n\nx\n")
    if link == LESSONS:
        (memory.path / LESSONS).symlink_to(os.path.relpath(FILE, Path(LESSONS).parent))
    memory.commit()
    former = FILE
    for name in (*names, LESSONS):
        (memory.path / name).unlink(missing_ok=True)
        memory.rename(former, name)
        former = name
        if name == LESSONS and link == FILE:
            (memory.path / FILE).symlink_to(os.path.relpath(LESSONS, Path(FILE).parent))
        if is_committed:
            memory.commit()
    learnings(*archive, "When a build hangs", cwd=memory.path)
    listed = learnings("archive", "--list", "--format", "json", cwd=memory.path).json["files"]
    titles = [entry["title"] for entry in listed[0]["entries"]]
    assert titles == ["When a build hangs", "When mocks lie"]
    assert learnings("archive", "--restore", *titles, cwd=memory.path).code == 0
    assert learnings("verify", "--base", "HEAD", cwd=memory.path).code == 0


def test_archives_belong_to_the_file_that_has_their_name_now(memory: GitRepository) -> None:
    learnings("archive", "When mocks lie", "--reason", "old", cwd=memory.path)
    memory.commit()
    memory.rename("agents", "docs")
    memory.rename("docs/learnings.md", LESSONS)
    listing = ("archive", "--list", "--file", LESSONS)
    assert "When mocks lie" in learnings(*listing, cwd=memory.path).out
    memory.write("docs/learnings.md", "## When a new file begins\n\nIt has the old name.\n")
    assert "0 archived" in learnings(*listing, cwd=memory.path).out
    assert "1 archived" in learnings(*listing[:3], "docs/learnings.md", cwd=memory.path).out


def test_an_ignored_archive_is_refused_unless_the_memory_is_ignored(memory: GitRepository) -> None:
    memory.write(".gitignore", "archive/\n")
    words = ("archive", "When mocks lie", "--reason", "x", "--file", FILE)
    run = learnings(*words, cwd=memory.path)
    assert (run.code, memory.read(FILE).decode()) == (2, MEMORY)
    assert f"git ignores {archive_path()} (.gitignore:1: archive/)" in run.err
    memory.git("rm", "--quiet", "--cached", "-r", "agents")
    memory.write(".gitignore", "agents/\n")
    memory.commit()
    assert learnings(*words, cwd=memory.path).code == 0
    assert learnings("archive", "--from", "HEAD", "--file", FILE, cwd=memory.path).code == 2


def test_outside_of_a_repository_and_below_it(memory: GitRepository, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    (plain / "agents").mkdir(parents=True)
    (plain / FILE).write_text(MEMORY)
    words = ("archive", "When mocks lie", "--reason", "x")
    run = learnings(*words, "--stage", cwd=plain)
    assert (run.code, "is not in a git repository; leave --stage out" in run.err) == (2, True)
    run = learnings(*words, cwd=plain)
    assert (run.code, "the commit" in run.out) == (0, False)
    assert learnings("archive", "--from", "HEAD", cwd=plain).code == 2
    run = learnings(*words, "--file", "learnings.md", cwd=memory.path / "agents")
    assert f"  {FILE}\n" in run.out
    bare = memory.clone(path=tmp_path / "clone").path / ".git"
    assert learnings("archive", "x", "--reason", "y", cwd=bare).code == 2


def test_shallow_and_untracked(memory: GitRepository) -> None:
    memory.write(FILE, MEMORY.replace(SLOW, ""))
    memory.commit()
    clone = memory.clone(1)
    words = ("archive", "When mocks lie", "--reason", "x")
    assert learnings(*words, cwd=clone.path).code == 0
    run = learnings("archive", "--from", "HEAD~1", cwd=clone.path)
    assert (run.code, run.err.count("\n")) == (2, 1)
    memory.remove(FILE)
    memory.commit()
    memory.write(FILE, MEMORY)
    assert learnings(*words, cwd=memory.path).code == 0
    run = learnings("archive", "--from", "HEAD", cwd=memory.path)
    assert (run.code, run.err) == (
        2,
        f"learnings: HEAD has no file {FILE}; name another commit, or the file with --file\n",
    )


# --- obstacles


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize(
    ("obstacle", "reason"),
    [
        ("a link out", "out of the repository"),
        ("protected", "is write-protected"),
        ("open fence", "ends inside an unclosed code block or comment"),
        ("a file for its folder", "(Not a directory)"),
    ],
)
def test_something_in_the_place_of_the_archive(
    memory: GitRepository, tmp_path: Path, obstacle: str, reason: str
) -> None:
    archive, outside = memory.path / archive_path(), tmp_path / "outside.md"
    outside.write_text("outside\n")
    if obstacle == "a file for its folder":
        archive.parent.write_text("x\n")
    else:
        archive.parent.mkdir()
        if obstacle == "a link out":
            archive.symlink_to(outside)
        else:
            archive.write_text("# Archive\n" + ("\n```\nopen\n" if "fence" in obstacle else ""))
            archive.chmod(0o444 if obstacle == "protected" else 0o644)
    run = learnings("archive", "When mocks lie", "--reason", "x", "--file", FILE, cwd=memory.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert reason in run.err
    assert (memory.read(FILE).decode(), outside.read_text()) == (MEMORY, "outside\n")


@pytest.mark.soak
def test_two_at_once_lose_nothing(memory: GitRepository) -> None:
    titles = [f"Case {number}" for number in range(6)]
    entries = [f"## {title}\n\nbody\n\n" for title in titles]
    memory.write(FILE, "# L\n\n" + "".join(entries))
    path = str(learnings.path)
    commands = [[path, "archive", title, "--reason", "x", "--file", FILE] for title in titles]
    runs = [subprocess.Popen(command, cwd=memory.path) for command in commands]
    assert {run.wait(timeout=60) for run in runs} <= {0, 2}
    held = [text for _, text in archived(memory)]
    text = memory.read(FILE).decode()
    assert [(entry in text) + held.count(entry) for entry in entries] == [1] * 6


# --- the list


def test_the_list_names_the_command_that_brings_an_entry_back(memory: GitRepository) -> None:
    learnings("archive", "When a test is slow", "--reason", "no use", cwd=memory.path)
    learnings("archive", "When mocks lie", "--reason", "wrong", cwd=memory.path)
    run = learnings("archive", "--list", cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    head, *lines = run.out.splitlines()
    today = date.today().isoformat()  # noqa: DTZ011  (that of the machine is meant)
    assert head == f"{FILE}: 2 archived entries"
    assert [line[:14] for line in (lines[0], lines[3])] == [f"  {today}  "] * 2
    assert [line.split()[2] for line in (lines[1], lines[4])] == ["wrong", "no"]
    words = shlex.split(lines[5].strip())
    assert words[-1] == "When a test is slow"
    assert learnings(*words[1:], cwd=memory.path).code == 0
    assert "## When a test is slow" in memory.read(FILE).decode()
    again = learnings("archive", "--list", cwd=memory.path).out.splitlines()
    assert [again[3].strip(), again[6].strip()] == [lines[2].strip(), "back in the file"]


def test_the_list_as_a_document(memory: GitRepository) -> None:
    learnings("archive", "When a test is slow", "--reason", "no use", cwd=memory.path)
    run = learnings("archive", "--list", "--format=json", cwd=memory.path)
    validate(run.json, "archive")
    ((row,),) = (file["entries"] for file in run.json["files"])
    assert row | {"digest": "", "archived": ""} == {
        "title": "When a test is slow",
        "timestamp": None,
        "identity": "when a test is slow",
        "digest": "",
        "archived": "",
        "part": "Dropped: no use",
        "path": archive_path(),
        "line": 9,
        "in_file": False,
        "restore": "learnings archive --restore 'When a test is slow'",
    }
    words = ["archive", "--restore", row["digest"]]
    assert learnings(*words, cwd=memory.path).code == 0


def test_of_several_files_each_command_names_its_own(memory: GitRepository) -> None:
    other = "tools/agents/learnings.md"
    memory.write(other, MEMORY)
    memory.write("tools/pyproject.toml", "[project]\nname = 'tools'\n")
    memory.commit()
    for file in (FILE, other):
        words = ("archive", "When mocks lie", "--reason", "wrong", "--file", file)
        assert learnings(*words, cwd=memory.path).code == 0
    folder = memory.path / "docs"
    folder.mkdir()
    rows = learnings("archive", "--list", cwd=folder).out.splitlines()
    commands = [shlex.split(row) for row in rows if row.startswith("    learnings ")]
    assert [words[-2:] for words in commands] == [
        ["--file", "../agents/learnings.md"],
        ["--file", "../tools/agents/learnings.md"],
    ]
    for command in commands:
        assert learnings(*command[1:], cwd=folder).code == 0
    assert "## When mocks lie" in memory.read(other).decode()


def test_a_list_without_an_archive_and_without_a_memory(repository: GitRepository) -> None:
    repository.write("README.md", "# Shop\n")
    repository.commit()
    run = learnings("archive", "--list", cwd=repository.path)
    assert (run.code, run.out) == (0, "")
    assert run.err.startswith("learnings: no learnings file found")
    file = repository.write(FILE, MEMORY)
    run = learnings("archive", "--list", cwd=repository.path)
    assert (run.code, run.out, run.err) == (0, f"{FILE}: 0 archived entries\n", "")
    learnings("archive", "When mocks lie", "--reason", "wrong", cwd=repository.path)
    file.unlink()
    lines = learnings("archive", "--list", "--file", FILE, cwd=repository.path).out.splitlines()
    assert lines[0] == f"{FILE}: 1 archived entry"
    assert lines[-1].endswith(f"--restore 'When mocks lie' --file {FILE}")


def test_a_folder_lists_the_files_of_its_archive(repository: GitRepository) -> None:
    folder = ".serena/memories"
    for name in ("clock", "locks"):
        repository.write(f"{folder}/{name}.md", f"# {name}\n\nLook at the {name} first.\n")
    repository.commit()
    batch = learnings("batch", "--freshness=0", "--keep-recent=0", cwd=repository.path).out
    shown = re.findall(r"<!-- (\S+): ", batch)[1]  # the file, as the batch names it
    learnings("archive", shown, "--reason", "wrong", cwd=repository.path)
    rows = learnings("archive", "--list", cwd=repository.path).out.splitlines()
    assert rows[0] == f"{folder}: 1 archived entry"
    assert rows[1].startswith("  ----------  locks (")
    assert rows[2] == f"    {folder}/archive/locks.md:1"
    assert learnings(*shlex.split(rows[3])[1:], cwd=repository.path).code == 0
    assert (repository.path / folder / "locks.md").exists()


@pytest.mark.soak
@pytest.mark.slow
@given(memory=memories(), chosen=st.sets(st.integers(0, 6), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_archive_then_restore_gives_the_file_back(
    repository: GitRepository, memory: Memory, chosen: set[int]
) -> None:
    document = read(memory.data)
    entries = [e for number, e in enumerate(document.entries) if number in chosen]
    if not entries or len(entries) == len(document.entries):
        return
    for path in (repository.path / "agents/archive").glob("*"):
        path.unlink()
    repository.write(FILE, memory.data)
    repository.commit()
    names = [entry.identity for entry in entries]
    words = ("--reason", "x", "--file", FILE)
    run = learnings("archive", *words, "--", *names, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    held = {original.data for original in originals_in(repository.read(archive_path()))}
    assert {original_of(entry) for entry in entries} <= held
    undo(repository, run.out)
    back = read(repository.read(FILE)).read_as(document.dialect).entries
    assert [original_of(e).rstrip() for e in back] == [
        original_of(e).rstrip() for e in document.entries
    ]


def test_a_restored_entry_keeps_the_keywords_of_its_row(memory: GitRepository) -> None:
    own = "/when a test is slow | profile, fixture\n"
    rows = f"# Index\n\n## {FILE}\n\n/when a build hangs | lock\n{own}/when mocks lie\n"
    memory.write(INDEX, rows)
    memory.commit()
    words = "When a test is slow"
    assert learnings("archive", words, "--reason", "gone", cwd=memory.path).code == 0
    run = learnings("archive", "--restore", words, cwd=memory.path)
    assert (memory.read(INDEX).decode(), "keywords" in run.err) == (rows, False)
    learnings("archive", words, "--reason", "gone", cwd=memory.path)
    memory.commit()
    run = learnings("archive", "--restore", words, cwd=memory.path)
    assert "/when a test is slow\n" in memory.read(INDEX).decode()
    assert "add those of `/when a test is slow` in agents/memory-index.md" in run.err
