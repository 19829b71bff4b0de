from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitError, GitRepository

HOOK, LEARNINGS = Command("learnings-lossless"), Command("learnings")
FILE, TARGET = "agents/learnings.md", "agents/decisions/ci.md"
INDEX, ARCHIVE = "agents/memory-index.md", "agents/archive/learnings-consolidated-2026-03-02.md"
TOP = "# Learnings\n\n"
HANGS = "## When a build hangs\n\nLook at the lock file of the package manager first.\n\n"
SLOW = "## When a test is slow\n\nProfile the fixture before you touch the assertion itself.\n\n"
MOCKS = "## When mocks lie\n\nUse a real server on loopback, with faults that are injected.\n\n"
OLD = "## When a disk is full\n\nDelete the caches of the runners, and never the artefacts.\n\n"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository on `main`; `other` has added an entry, an archive, a heading, its row."""
    repository.write("learnings.toml", f'index = "{INDEX}"\n')
    repository.write(FILE, TOP + HANGS)
    repository.write(TARGET, "# CI\n\n## Builds\n\nThey run at night.\n")
    repository.write(INDEX, f"# Index\n\n## {TARGET}\n\nBuilds — when they run\n")
    repository.commit()
    repository.branch("other")
    repository.write(FILE, TOP + HANGS + SLOW)
    repository.write(ARCHIVE, f"# Archive\n\n## Group: Disks\n\n{OLD}")
    repository.write(TARGET, "# CI\n\n## Builds\n\nThey run at night.\n\n## Runners\n\nFour.\n")
    repository.write(INDEX, f"# Index\n\n## {TARGET}\n\nBuilds — when they run\nRunners — four\n")
    repository.commit()
    repository.checkout("main")
    repository.write("README.md", "# Readme\n")
    repository.commit()
    return repository


def replace(repository: GitRepository, path: str, old: str, new: str) -> None:
    text = repository.read(path).decode()
    assert old in text
    repository.write(path, text.replace(old, new))


Change = Callable[[GitRepository], None]
LOSSES: dict[str, tuple[Change, str]] = {
    "an entry is dropped": (
        lambda r: replace(r, FILE, SLOW, ""),
        'the entry "When a test is slow" is lost',
    ),
    "an entry is emptied": (
        lambda r: replace(r, FILE, SLOW, "## When a test is slow\n\n"),
        'the entry "When a test is slow" is lost',
    ),
    "an original is altered": (
        lambda r: replace(r, ARCHIVE, "artefacts", "caches"),
        'the archived entry "When a disk is full" was changed',
    ),
    "an archive is deleted": (
        lambda r: (r.path / ARCHIVE).unlink(),
        'the archived entry "When a disk is full" is gone',
    ),
    "a heading is renamed": (
        lambda r: replace(r, TARGET, "## Runners", "## Machines"),
        'the row "Runners — four" no longer leads anywhere',
    ),
}


def staged(repository: GitRepository) -> Completed:
    repository.git("add", "--all")
    return HOOK(cwd=repository.path)


def verified(repository: GitRepository, base: str, head: str = "HEAD") -> Completed:
    return LEARNINGS("verify", "--base", base, "--head", head, cwd=repository.path)


def in_a_commit(repository: GitRepository, change: Change) -> Completed:
    repository.checkout("other")
    change(repository)
    return staged(repository)


def in_the_working_tree(repository: GitRepository, change: Change) -> Completed:
    repository.checkout("other")
    change(repository)
    return LEARNINGS("verify", "--base", "HEAD", cwd=repository.path)


def in_a_merge(repository: GitRepository, change: Change) -> Completed:
    repository.git("merge", "-q", "--no-commit", "other")
    change(repository)
    return staged(repository)


def in_a_merge_of_a_range(repository: GitRepository, change: Change) -> Completed:
    base = repository.head()
    repository.git("merge", "-q", "--no-commit", "other")
    change(repository)
    repository.commit("Merge")
    repository.write("README.md", "# Read me\n")
    repository.commit()
    return verified(repository, base)


def in_an_octopus_merge(repository: GitRepository, change: Change) -> Completed:
    repository.branch("third", "main~1")
    repository.write("docs/page.md", "# Page\n")
    repository.commit()
    repository.checkout("main")
    repository.git("merge", "-q", "--no-commit", "third", "other")
    change(repository)
    return staged(repository)


def in_a_criss_cross_merge(repository: GitRepository, change: Change) -> Completed:
    first, second = repository.head("main"), repository.head("other")
    repository.merge(second)
    repository.checkout("other")
    repository.merge(first)
    replace(repository, FILE, HANGS, HANGS + MOCKS)
    repository.commit()
    repository.checkout("main")
    repository.write("README.md", "# Read me\n")
    repository.commit()
    assert len(repository.git("merge-base", "--all", "main", "other").split()) == 2
    repository.git("merge", "-q", "--no-commit", "other")
    change(repository)
    return staged(repository)


def in_a_squash_merge(repository: GitRepository, change: Change) -> Completed:
    """Compare with the squashed branch: it is no parent of the commit, so a hook cannot know it."""
    repository.git("merge", "-q", "--squash", "other")
    change(repository)
    repository.commit("Squash")
    return verified(repository, "other")


def in_a_cherry_pick(repository: GitRepository, change: Change) -> Completed:
    repository.branch("picked", "other")
    change(repository)
    repository.commit()
    repository.checkout("main")
    repository.merge("other")
    repository.git("cherry-pick", "--allow-empty", "picked")
    return verified(repository, "HEAD~1")


def in_a_revert(repository: GitRepository, change: Change) -> Completed:
    """Revert a commit with the opposite changes."""
    repository.checkout("other")
    change(repository)
    repository.commit()
    repository.git("revert", "--no-edit", "HEAD")
    repository.git("revert", "--no-edit", "HEAD")
    return verified(repository, "HEAD~1")


def in_a_rebase(repository: GitRepository, change: Change) -> Completed:
    """Lose the entry while the second of two commits is rebased."""
    repository.checkout("other")
    replace(repository, FILE, HANGS, HANGS + MOCKS)
    before = repository.commit()
    repository.git("rebase", "-q", "main")
    change(repository)
    repository.git("commit", "-qa", "--amend", "--no-edit", "--no-verify")
    return verified(repository, before)


def in_a_rebased_commit(repository: GitRepository, change: Change) -> Completed:
    repository.merge("other")
    repository.branch("topic", "other")
    change(repository)
    repository.commit()
    repository.git("rebase", "-q", "main")
    return verified(repository, "main")


PLACES: dict[str, Callable[[GitRepository, Change], Completed]] = {
    "a commit": in_a_commit,
    "the working tree": in_the_working_tree,
    "a merge": in_a_merge,
    "a merge of a range": in_a_merge_of_a_range,
    "an octopus merge": in_an_octopus_merge,
    "a criss-cross merge": in_a_criss_cross_merge,
    "a squash merge": in_a_squash_merge,
    "a cherry-pick": in_a_cherry_pick,
    "a revert": in_a_revert,
    "a rebase": in_a_rebase,
    "a rebased commit": in_a_rebased_commit,
}


def honest(repository: GitRepository) -> None:
    """Archive the entry; the text about it in the archive stays."""
    replace(repository, FILE, SLOW, "")
    replace(
        repository, ARCHIVE, "## Group: Disks\n\n", f"## Group: Tests\n\n{SLOW}## Group: Disks\n\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    [
        *("a commit", "a merge"),
        *(
            pytest.param(place, marks=pytest.mark.soak)
            for place in PLACES
            if place not in {"a commit", "a merge"}
        ),
    ],
)
def test_each_loss_is_found_there_and_honest_work_passes(memory: GitRepository, place: str) -> None:
    wrong = {}
    branches = {name: memory.head(name) for name in ("other", "main")}
    for name, (change, message) in {**LOSSES, "none": (honest, "")}.items():
        done = PLACES[place](memory, change)
        if (done.code, message in done.out) != (int(bool(message)), True):
            wrong[name] = done
        memory.git("reset", "-q", "--hard")
        for branch, commit in branches.items():
            memory.git("checkout", "-q", "-B", branch, commit)
        for branch in ("third", "picked", "topic"):
            memory.git("update-ref", "-d", f"refs/heads/{branch}")
    assert wrong == {}


@pytest.mark.slow
def test_what_the_other_side_lost_is_not_held_against_a_merge(memory: GitRepository) -> None:
    memory.merge("other")
    kept = memory.head()
    wrong = {}
    for name, (change, _) in LOSSES.items():
        memory.git("checkout", "-q", "-B", "careless", kept)
        change(memory)
        memory.commit()
        memory.git("checkout", "-q", "-B", "work", kept)
        memory.write("README.md", "# Read me\n")
        memory.commit()
        memory.git("merge", "-q", "--no-commit", "careless")
        done = staged(memory)
        if done.code:
            wrong[name] = done
        memory.git("merge", "--abort")
    assert wrong == {}


def test_a_merge_that_drops_nothing_but_an_archive_is_found(memory: GitRepository) -> None:
    base = memory.head()
    memory.branch("rescue")
    memory.write(ARCHIVE, f"# Archive\n\n## Dropped: long ago\n\n{OLD}")
    memory.commit()
    memory.checkout("main")
    memory.write("README.md", "# Read me\n")
    memory.commit()
    memory.merge("rescue", resolve={ARCHIVE: None})
    done = verified(memory, base)
    gone = 'the archived entry "When a disk is full" is gone'
    assert (done.code, gone in done.out) == (1, True), done.out


def test_an_edit_of_what_the_other_side_archived_is_not_to_be_dropped(
    memory: GitRepository,
) -> None:
    memory.merge("other")
    memory.git("checkout", "-q", "-B", "other")
    honest(memory)
    memory.commit()
    memory.checkout("main")
    replace(memory, FILE, "assertion itself.", "assertion itself. It reads the disk since May.")
    memory.commit()
    with pytest.raises(GitError):
        memory.git("merge", "-q", "--no-commit", "other")
    memory.write(FILE, TOP + HANGS)
    done = staged(memory)
    assert done.code == 1
    assert f"{ARCHIVE}:5 has it, but not word for word" in done.out


@pytest.mark.slow
def test_a_reverted_consolidation_brings_the_entries_back(
    memory: GitRepository, learnings: Command
) -> None:
    memory.checkout("other")
    replace(memory, FILE, SLOW, SLOW + MOCKS)
    memory.commit()
    merged = (
        "## Waiting (consolidated)\n\n**Consolidated from**: 2 entries (2026-03-01)\n\n"
        "- Ask what holds the machine up, and who profits.\n"
    )
    memory.write(FILE, TOP + MOCKS + merged)
    replace(memory, ARCHIVE, "# Archive\n", f"# Archive\n\n## Group: Waiting\n\n{HANGS}{SLOW}")
    assert staged(memory).code == 0
    memory.commit("Consolidate")
    memory.git("revert", "--no-edit", "HEAD")
    done = verified(memory, "HEAD~1")
    notice = 'the entry "Waiting (consolidated)" leaves, and its 2 originals are back'
    assert (done.code, notice in done.out) == (0, True), done.out
    words = "verify", "--base", "HEAD~1", "--head", "HEAD", "--format", "json"
    assert learnings(*words, cwd=memory.path).json["notices"][0]["originals"] == 2
    memory.git("revert", "--no-edit", "HEAD")
    assert verified(memory, "HEAD~1").code == 0
    memory.write(FILE, TOP + HANGS + MOCKS)
    done = staged(memory)
    assert (done.code, '"Waiting (consolidated)" is lost' in done.out) == (1, True)


def test_a_memory_that_is_one_entry_with_a_list_is_read_as_that(memory: GitRepository) -> None:
    memory.checkout("other")
    memory.write(FILE, f"{TOP}## Waiting (consolidated)\n\n- Ask who holds it up.\n- Wait.\n")
    replace(memory, ARCHIVE, "# Archive\n", f"# Archive\n\n## Group: Waiting\n\n{HANGS}{SLOW}")
    assert staged(memory).code == 0
    memory.commit("Consolidate")
    memory.git("revert", "--no-edit", "HEAD")
    done = verified(memory, "HEAD~1")
    assert (done.code, "its 2 originals are back" in done.out) == (0, True), done.out


def test_a_rebase_onto_a_consolidation_loses_nothing(memory: GitRepository) -> None:
    memory.merge("other")
    memory.branch("topic")
    replace(memory, FILE, HANGS, MOCKS + HANGS)
    before = memory.commit()
    memory.checkout("main")
    honest(memory)
    memory.commit()
    memory.checkout("topic")
    memory.git("rebase", "-q", "main")
    assert memory.read(FILE).decode() == TOP + MOCKS + HANGS
    done = verified(memory, before)
    assert (done.code, done.err) == (0, "")


def test_the_first_commit_can_be_amended_as_any_other(repository: GitRepository) -> None:
    repository.write(FILE, TOP + HANGS + SLOW)
    repository.commit()
    repository.write(FILE, TOP + HANGS)
    assert staged(repository).code == 1
    repository.write(FILE, TOP + SLOW + HANGS + MOCKS)
    assert staged(repository).code == 0
