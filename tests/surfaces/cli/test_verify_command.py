"""The command `learnings verify`, in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

FILE, TARGET, INDEX = "agents/learnings.md", "agents/decisions/ci.md", "agents/memory-index.md"
ARCHIVE = "agents/archive/learnings-consolidated-2026-03-02.md"
HANGS = "## When a build hangs\n\nLook at the lock file of the package manager first.\n\n"
SLOW = "## When a test is slow\n\nProfile the fixture before you touch the assertion itself.\n\n"
MOCKS = "## When mocks lie\n\nUse a real server on loopback, with faults that are injected.\n\n"
HEAD = "# Learnings\n\n"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, HEAD + HANGS + SLOW + MOCKS)
    repository.write(TARGET, "# CI\n\n## Builds\n\nThey run at night.\n")
    repository.commit()
    return repository


def drop(repository: GitRepository) -> None:
    repository.write(FILE, HEAD + HANGS + MOCKS)


ALTERED = SLOW.replace("before", "after")
CHANGES: dict[str, tuple[str, dict[str, str | None]]] = {
    "file deleted": ("no archive has it", {FILE: None}),
    "emptied": (
        "only its heading is left",
        {FILE: HEAD + HANGS + "## When a test is slow\n\n" + MOCKS},
    ),
    "altered copy": (
        f"{ARCHIVE}:3 has it, but not word for word",
        {FILE: HEAD + HANGS + MOCKS, ARCHIVE: f"# Archive\n\n{ALTERED}"},
    ),
    "archived at another level": (
        "",
        {FILE: HEAD + HANGS + MOCKS, ARCHIVE: f"# Archive\n\n## Group: Tests\n\n#{SLOW}"},
    ),
    "file renamed": ("", {FILE: None, "docs/learnings.md": HEAD + HANGS + SLOW + MOCKS}),
    "moved to another file": ("", {FILE: HEAD + HANGS + MOCKS, "docs/learnings.md": HEAD + SLOW}),
    "title reworded": (
        "",
        {FILE: HEAD + HANGS + SLOW.replace("a test is slow", "the suite takes long") + MOCKS},
    ),
    "dialect changed": (
        "",
        {FILE: (HEAD + HANGS + SLOW + MOCKS).replace("## When", "## [2026-03-01-120000] When")},
    ),
    "reordered, with other newlines": (
        "",
        {FILE: (HEAD + MOCKS + SLOW + HANGS).replace("\n", "\r\n")},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_loss_is_named_and_honest_work_passes(
    learnings: Command, memory: GitRepository, name: str
) -> None:
    reason, files = CHANGES[name]

    def verify(*words: str) -> None:
        done = learnings("verify", "--base", *words, cwd=memory.path)
        assert (done.code, done.err) == (int(bool(reason)), ""), done.out
        assert ('the entry "When a test is slow" is lost' in done.out) == bool(reason)
        assert reason in done.out

    for path, text in files.items():
        if text is None:
            (memory.path / path).unlink()
        else:
            memory.write(path, text)
    verify("HEAD")
    memory.git("add", "--all")
    verify("HEAD", "--staged")
    memory.commit()
    verify("HEAD~1", "--head", "HEAD")


def test_the_files_of_an_index_are_proved(learnings: Command, repository: GitRepository) -> None:
    rows = ["# Lessons\n\n", *(f"- [{n}](lessons/{n}.md)\n" for n in ("slow", "rest", "last"))]
    repository.write("docs/lessons.md", "".join(rows))
    repository.write("docs/lessons/slow.md", f"# Slow\n\n{SLOW}")
    repository.write("docs/lessons/rest.md", f"# Rest\n\n{HANGS}")
    repository.write("docs/lessons/last.md", f"# Last\n\n{MOCKS}")
    repository.commit()
    repository.write("docs/lessons.md", "".join(rows[:3]))
    run = learnings("verify", cwd=repository.path)
    assert (run.code, '" is lost' in run.out) == (0, False)
    repository.write("docs/lessons.md", "".join(rows))
    repository.write("docs/lessons/slow.md", "# Slow\n")
    run = learnings("verify", cwd=repository.path)
    assert run.code == 1
    assert 'the entry "When a test is slow" is lost' in run.out


LEFT = {
    "deleted": HEAD + HANGS + MOCKS,
    "emptied": HEAD + HANGS + "## When a test is slow\n\n" + MOCKS,
    "given the text of another": HEAD + HANGS + SLOW[:24] + MOCKS[18:] + MOCKS,
    "said in part by another": HEAD + HANGS + MOCKS.replace("injected.", "injected. Profile it."),
    "reset": HEAD,
}


@pytest.mark.parametrize("name", LEFT)
def test_the_printed_command_makes_a_refused_change_pass(
    learnings: Command, memory: GitRepository, name: str
) -> None:
    memory.write(FILE, LEFT[name])
    memory.git("add", "--all")
    refused = learnings("verify", "--staged", cwd=memory.path)
    assert refused.code == 1
    [command] = [line.split() for line in refused.out.splitlines() if "archive --from" in line]
    assert learnings(*command[1:], cwd=memory.path).code == 0
    passed = learnings("verify", "--staged", cwd=memory.path)
    assert (passed.code, "Nothing is lost" in passed.out) == (0, True), passed.out
    [archive] = memory.git("ls-files", "agents/archive").split()
    assert SLOW in memory.read(archive).decode()


def test_a_merged_entry_that_covers_enough_is_a_notice(
    learnings: Command, memory: GitRepository
) -> None:
    merged = "## Tests (consolidated)\n\n- A slow test: profile the fixture before touching it.\n"
    memory.write("learnings.toml", "coverage = 0.2\n")
    memory.commit()
    memory.write(FILE, HEAD + HANGS + MOCKS + merged)
    done = learnings("verify", "--base", "HEAD", cwd=memory.path)
    assert done.code == 0
    assert 'notice: the entry "When a test is slow" is in no archive; ' in done.out
    assert "agents/learnings.md:11 covers " in done.out
    assert "1 entry covered to " in done.out
    assert "not covered: " in done.out
    assert "No entry is lost in the working tree" in done.out
    assert "Nothing is lost" not in done.out
    memory.write("learnings.toml", "coverage = 0.9\n")
    assert learnings("verify", cwd=memory.path).code == 0, "the settings of the base count"
    memory.write(FILE, HEAD + HANGS + SLOW + MOCKS)
    memory.commit()
    memory.write(FILE, HEAD + HANGS + MOCKS + merged)
    done = learnings("verify", "--base", "HEAD", cwd=memory.path)
    assert done.code == 1
    assert "no archive has it, and agents/learnings.md:11 covers " in done.out


def test_a_loss_with_the_words_of_another_entry_lists_none(
    learnings: Command, repository: GitRepository
) -> None:
    words = "Text of {} with enough words to be known again later."
    texts = [f"\n## {title}\n\n{words.format(title)}\n" for title in ("a one", "b two", "c three")]
    repository.write(FILE, f"# Learnings\n{''.join(texts)}")
    repository.commit()
    repository.write(FILE, f"# Learnings\n{texts[0]}{texts[2]}")
    done = learnings("verify", cwd=repository.path)
    assert done.code == 1
    assert "covers 100 % of it, but does not say the same\n" in done.out


def test_an_entry_that_loses_most_of_its_words_is_a_notice(
    learnings: Command, memory: GitRepository
) -> None:
    more = "Measure first, with care. Then change one thing at a time and measure it once more.\n\n"
    memory.write(FILE, HEAD + HANGS + SLOW + more + MOCKS)
    memory.commit()
    short = "## When a test is slow\n\nMeasure first, with care.\n\n"
    memory.write(FILE, HEAD + HANGS + short + MOCKS)
    done = learnings("verify", "--base", "HEAD", cwd=memory.path)
    assert done.code == 0
    assert "lost at least half of its words" in done.out
    assert "Then change one thing at a time and measure it once more." in done.out


def test_a_row_that_no_longer_resolves_is_a_loss(learnings: Command, memory: GitRepository) -> None:
    rows = "Builds — when they run\nNone — was never there\n"
    memory.write(INDEX, f"# Index\n\n## {TARGET}\n\n{rows}")
    memory.commit()
    memory.write(TARGET, "# CI\n\n## Nights\n\nThey run at night.\n")
    done = learnings("verify", "--base", "HEAD", cwd=memory.path)
    assert done.code == 1
    assert f"{INDEX}:5: error: the row " in done.out
    assert "was never there" not in done.out


@pytest.mark.parametrize("setting", ['path = "docs/lessons.md"', 'exclude = ["agents/**"]'])
def test_a_change_of_the_settings_hides_no_loss(
    learnings: Command, memory: GitRepository, setting: str
) -> None:
    drop(memory)
    memory.write("learnings.toml", f"{setting}\n")
    done = learnings("verify", "--base", "HEAD", cwd=memory.path)
    assert (done.code, 'the entry "When a test is slow" is lost' in done.out) == (1, True)
    memory.git("checkout", "-q", "--", FILE)
    memory.commit()
    drop(memory)
    assert learnings("verify", "--base", "HEAD", cwd=memory.path).code == 0


def test_an_entry_that_vanishes_in_a_merge_is_found(
    learnings: Command, memory: GitRepository
) -> None:
    base = memory.git("rev-parse", "HEAD")
    memory.git("checkout", "-q", "-b", "other")
    memory.write(
        FILE, HEAD + HANGS + SLOW + MOCKS + "## When a branch adds\n\nIt may be lost so.\n"
    )
    memory.commit()
    memory.checkout("main")
    memory.write(FILE, HEAD + SLOW + HANGS + MOCKS)
    memory.commit()
    # No commit beside the base has lost what the base has.
    words = ("verify", "--base", "other", "--head", "HEAD", "--format", "json")
    (loss,) = learnings(*words, cwd=memory.path).json["losses"]
    assert (loss["title"], loss["commit"]) == ("When a branch adds", None)
    memory.git("merge", "-q", "-s", "ours", "--no-edit", "other")
    merge = memory.git("rev-parse", "HEAD")
    done = learnings("verify", "--base", base, "--head", "HEAD", cwd=memory.path)
    assert done.code == 1
    assert 'the entry "When a branch adds" is lost' in done.out
    parent = memory.git("rev-parse", "other")[:12]
    assert f"commit {merge[:12]} lost it, its parent {parent} has it" in done.out
    # What one side had removed before is not lost in the merge.
    memory.checkout("other")
    memory.write("README.md", "# Other\n")
    memory.commit()
    memory.checkout("main")
    drop(memory)
    base = memory.commit()
    memory.git("merge", "-q", "-s", "ours", "--no-edit", "other")
    done = learnings("verify", "--base", base, "--head", "HEAD", cwd=memory.path)
    assert (done.code, done.err) == (0, "")


def test_problems_are_one_sentence(
    learnings: Command, memory: GitRepository, nowhere: Path, tmp_path: Path
) -> None:
    memory.commit()
    shallow = memory.clone(depth=1, path=tmp_path / "shallow")
    unborn = GitRepository(tmp_path / "unborn")
    bare = GitRepository(tmp_path / "bare", bare=True)
    for arguments, cwd, said in (
        (["--base", "HEAD"], nowhere, f"{nowhere} is not in a git repository"),
        (["--base", "HEAD"], unborn.path, "the repository has no commits yet"),
        (["--base", "HEAD"], bare.path, ""),
        (["--base", "v9"], memory.path, "v9 is not a commit in this repository"),
        (["--base", "-x"], memory.path, ""),
        (["--base", "HEAD~1"], shallow.path, "HEAD~1 is not in this shallow clone"),
        (["--base", "HEAD", "--head", "HEAD", "--staged"], memory.path, ""),
        (["HEAD"], memory.path, ""),
        (["..HEAD"], memory.path, ""),
        (["HEAD..HEAD", "--staged"], memory.path, ""),
    ):
        done = learnings("verify", *arguments, cwd=cwd)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), (arguments, done.err)
        assert done.err.startswith(f"learnings: {said}")
        assert " age" not in done.err


def test_a_base_of_another_history_is_said(
    learnings: Command, memory: GitRepository, tmp_path: Path
) -> None:
    memory.git("checkout", "-q", "--orphan", "other")
    memory.write(FILE, HEAD + "## When it rains\n\nTake another way altogether, and an umbrella.\n")
    other = memory.commit()
    memory.checkout("main")
    done = learnings("verify", "--base", "other", cwd=memory.path)
    assert done.code == 1
    assert done.err.startswith(f"learnings: {other[:12]} has no commit in common with this history")
    assert learnings("verify", "--base", "other", "--quiet", cwd=memory.path).err == ""
    memory.branch("older")
    memory.write(FILE, HEAD + HANGS + SLOW)
    memory.commit()
    memory.checkout("main")
    memory.write(FILE, HEAD + SLOW + MOCKS)
    memory.commit()
    shallow = memory.clone(depth=1, path=tmp_path / "shallow")
    shallow.git("fetch", "-q", "--depth=1", "origin", "older:older")
    done = learnings("verify", "--base", "older", cwd=shallow.path)
    assert done.code == 1
    assert "this shallow clone lacks the commit where" in done.err


def test_alone_it_looks_at_what_was_just_done_and_names_the_command_that_archives_it(
    learnings: Command, memory: GitRepository
) -> None:
    assert learnings("verify", cwd=memory.path).code == 0
    drop(memory)
    assert learnings("verify", "--staged", cwd=memory.path).code == 0, "nothing is staged yet"
    assert learnings("verify", cwd=memory.path).code == 1
    memory.git("add", "--all")
    done = learnings("verify", "--staged", cwd=memory.path)
    command = "learnings archive --from HEAD --file agents/learnings.md --stage"
    assert (done.code, f"    {command}\n" in done.out) == (1, True)
    assert learnings(*command.split()[1:], cwd=memory.path).code == 0
    assert learnings("verify", "--staged", cwd=memory.path).code == 0


def test_a_range_names_each_commit_that_lost_an_entry(
    learnings: Command, memory: GitRepository
) -> None:
    base = memory.git("rev-parse", "HEAD")
    more = "## When a disk fills up\n\nDelete the oldest artifacts, and not the newest backup.\n\n"
    memory.write(FILE, HEAD + HANGS + SLOW + MOCKS + more)
    memory.commit()
    memory.write(FILE, HEAD + HANGS + SLOW + more)
    memory.commit()
    memory.write(FILE, HEAD + HANGS + SLOW + MOCKS)
    lost = memory.commit()  # the one before lost another that has come back
    done = learnings("verify", f"{base}..HEAD", "--format", "json", cwd=memory.path)
    assert done.code == 1
    losses = {loss["title"]: loss["commit"] for loss in done.json["losses"]}
    assert losses == {"When a disk fills up": lost}
    assert learnings("verify", "--base", base, "--head", "HEAD", cwd=memory.path).code == 0
    assert learnings("verify", f"{base}..", cwd=memory.path).code == 1


@pytest.mark.parametrize("name", ["agents/what-we-know.md", "agents/notes.txt"])
def test_a_memory_under_a_name_that_no_command_finds_is_told(
    learnings: Command, memory: GitRepository, name: str
) -> None:
    other = "docs/lessons.md"
    memory.write(other, "# Lessons\n\n## When a port is taken\n\nAsk the server for a free one.\n")
    memory.commit()
    memory.git("mv", FILE, name)
    done = learnings("verify", "--staged", cwd=memory.path)
    assert done.code == 0
    for title in ("When a build hangs", "When a test is slow", "When mocks lie"):
        assert f'the entry "{title}" is no longer an entry' in done.out
    assert f"`learnings init --memory {name}` takes it" in done.out
    assert learnings("init", "--memory", name, cwd=memory.path).code == 0
    assert "no longer an entry" not in learnings("verify", "--staged", cwd=memory.path).out
    memory.write(other, "# Lessons\n")
    assert learnings("verify", cwd=memory.path).code == 1


EDITS = {
    "a number": ("Timeout is 30 s", "Timeout is 90 s"),
    "a word": ("Use tabs", "Use spaces"),
    "more words": ("Use tabs", "Use tabs in Makefiles"),
    "struck out": ("Never push on Friday", "~~Never push on Friday~~"),
}


@pytest.mark.parametrize("form", ["- {}\n", "- **{}**\n", "## {}\n\n"])
@pytest.mark.parametrize("name", EDITS)
def test_an_entry_of_one_sentence_can_be_edited(
    learnings: Command, repository: GitRepository, name: str, form: str
) -> None:
    old, new = EDITS[name]
    entries = ["Run make before a push", "Port is 8080", "Ask Bob about billing", old]
    text = HEAD + "".join(map(form.format, entries))
    repository.write(FILE, text)
    repository.commit()
    repository.write(FILE, text.replace(old, new))
    done = learnings("verify", cwd=repository.path)
    assert (done.code, "lost at least" in done.out) == (0, False), done.out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Do not delete the lock", "Delete the lock"),
        ("wait 5 seconds and retry 30 times", "wait 30 seconds and retry 5 times"),
        ("only after", "after"),
        ("30 times", "many times"),
    ],
)
def test_a_section_that_turns_a_rule_around_covers_nothing(
    learnings: Command, repository: GitRepository, old: str, new: str
) -> None:
    text = (
        "When the index is rebuilt, stop the workers of both regions. Do not delete the lock. "
        "Before the second attempt wait 5 seconds and retry 30 times, with the log of the queue "
        "open beside it. Start the workers again only after the checksum of the new index is known "
        "to the service in front of it, and tell the people on call about it.\n"
    )
    repository.write(FILE, f"{HEAD}{HANGS}## Rebuilding\n\n{text}")
    repository.write(TARGET, "# CI\n")
    repository.commit()
    repository.write(FILE, HEAD + HANGS)
    assert old in text
    repository.write(TARGET, f"# CI\n\n## About rebuilding\n\n{text.replace(old, new)}")
    done = learnings("verify", cwd=repository.path)
    assert (done.code, f"{TARGET}:3 covers" in done.out) == (1, True), done.out
    repository.write(TARGET, f"# CI\n\n## About rebuilding\n\n{text}")
    assert learnings("verify", cwd=repository.path).code == 0


def test_a_commit_is_not_blamed_for_what_the_working_tree_lost(
    learnings: Command, memory: GitRepository
) -> None:
    memory.write("README.md", "# Readme\n")
    memory.commit()
    drop(memory)
    done = learnings("verify", "--base", "HEAD~1", cwd=memory.path)
    assert (done.code, "lost it" in done.out) == (1, False), done.out


def test_exchanged_texts_are_edits_whatever_an_archive_on_disk_has(
    learnings: Command, memory: GitRepository
) -> None:
    slow, mocks = (text.split("\n\n") for text in (SLOW, MOCKS))
    exchanged = f"{slow[0]}\n\n{mocks[1]}\n\n{mocks[0]}\n\n{slow[1]}\n\n"
    memory.write(FILE, HEAD + HANGS + exchanged)
    memory.git("add", "--all")
    memory.write(ARCHIVE, f"# Archive\n\n## Group: Tests\n\n{SLOW}")
    done = learnings("verify", "--staged", cwd=memory.path)
    assert (done.code, done.out.count("is reworded")) == (0, 2), done.out


def test_the_section_with_all_numbers_counts_before_one_with_more_words(
    learnings: Command, memory: GitRepository
) -> None:
    text = (
        "When the index is rebuilt, stop the workers of both regions and wait 30 seconds. Start "
        "them again when the checksum of the new index is known to the service in front of it, "
        "and tell the people on call about it with a link to the log of the queue.\n"
    )
    memory.write(FILE, f"{HEAD}{HANGS}## Rebuilding\n\n{text}")
    memory.commit()
    memory.write(FILE, HEAD + HANGS)
    other = text.replace("30 seconds", "90 seconds")
    shorter = text.replace(" with a link to the log of the queue", " with a link to the log")
    memory.write(TARGET, f"# CI\n\n## Rebuilding\n\n{other}")
    memory.write("agents/decisions/index.md", f"# Index\n\n## Rebuilding\n\n{shorter}")
    done = learnings("verify", cwd=memory.path)
    assert (done.code, "index.md:3 covers 9" in done.out) == (0, True), done.out
