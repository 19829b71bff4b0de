"""Real merges by `merge=union`, which keeps the lines of both sides: found and separated."""

from __future__ import annotations

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")
FILE = "agents/learnings.md"
TOP = "# Runbook\n\nWhat each night has taught.\n"
OWNER = "**Owner**: platform\n**Severity**: two\n**Area**: billing\n**Status**: open\n"


def form(title: str, text: str) -> str:
    """Return an entry by a form, whose fields are the same for all of them."""
    return f"\n## {title}\n\n{OWNER}\n### What happened\n\n{text}\n"


def days(*numbers: int) -> str:
    return TOP + "".join(f"\n## 2026-05-0{day}\n\n- Done.\n" for day in numbers)


A, B = form("Alarm at two", "The disk was full."), form("Bank was closed", "Nobody had paid.")
OURS = form("Old key in the vault", "It had expired in June.")
THEIRS = form("Train of retries", "Each failed call was made again.")
LATER = form("Zone was missing", "Dates came without one.")


def union(repository: GitRepository, base: str, ours: str, theirs: str) -> None:
    """Begin a merge of two versions of the file by `merge=union`, and leave it uncommitted."""
    repository.write(".gitattributes", "agents/*.md merge=union\n")
    repository.write("CLAUDE.md", f"@{FILE}\n")
    repository.write(FILE, base)
    repository.commit()
    repository.branch("night")
    repository.write(FILE, theirs)
    repository.commit()
    repository.checkout("main")
    repository.write(FILE, ours)
    repository.commit()
    repository.git("merge", "--quiet", "--no-commit", "night")


def text_of(repository: GitRepository) -> str:
    return (repository.path / FILE).read_text()


def check(repository: GitRepository, *words: str) -> list[str]:
    """Return the messages about merges."""
    done = run(repository, "check", "--rule", "merge-damage", *words)
    assert done.code == 0, done
    return [line for line in done.out.splitlines() if "merge-damage" in line]


def run(repository: GitRepository, *words: str) -> Completed:
    return LEARNINGS(*words, cwd=repository.path)


APART = {
    "at the end": (TOP + A, TOP + A + OURS, TOP + A + THEIRS, TOP + A + OURS + THEIRS),
    "at the top": (TOP + A, TOP + OURS + A, TOP + THEIRS + A, TOP + OURS + THEIRS + A),
    "two on one side": (
        TOP + A, TOP + A + OURS + LATER, TOP + A + THEIRS, TOP + A + OURS + LATER + THEIRS,
    ),
    "Windows line ends": tuple(
        text.replace("\n", "\r\n")
        for text in (TOP + A, TOP + A + OURS, TOP + A + THEIRS, TOP + A + OURS + THEIRS)
    ),
    "days that had the same item": (days(1), days(1, 2), days(1, 3), days(1, 2, 3)),
    "one entry in two places": (
        TOP + A + B, TOP + LATER + A + B, TOP + A + B + LATER, TOP + LATER + A + B,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_a_union_is_found_and_taken_apart(name: str, repository: GitRepository) -> None:
    base, ours, theirs, expected = APART[name]
    expected = expected.replace("\r\n", "\n")
    union(repository, base, ours, theirs)
    merged = repository.read(FILE)
    (message,) = check(repository)
    assert "the current merge" in message
    repository.git("commit", "--quiet", "--message", "Merge")
    assert check(repository) == []  # the file alone does not tell, and git was not asked
    (message,) = check(repository, "--history")
    assert repository.head()[:12] in message
    assert run(repository, "fix", "--history").code == 1
    assert text_of(repository) == expected
    assert (b"\r\n" in merged) == (b"\r\n" in repository.read(FILE))
    assert check(repository, "--history") == []
    assert run(repository, "fix", "--history").code == 0


def test_in_a_linked_working_tree_it_is_taken_apart_before_the_merge_is_committed(
    repository: GitRepository,
) -> None:
    union(repository, *APART["at the end"][:3])
    repository.git("merge", "--abort")
    linked = repository.worktree(repository.path.parent / "linked")
    linked.git("merge", "--quiet", "--no-commit", "night")
    linked.write("unrelated.txt", "x")
    assert run(linked, "fix").out == f"Fixing {FILE}\n"
    assert text_of(linked) == APART["at the end"][3]
    linked.commit()
    assert check(linked, "--history") == []


def test_one_run_repairs_what_a_repair_uncovers(repository: GitRepository) -> None:
    def item(title: str, cause: str) -> str:
        return f"* **{title}** after {cause}\n  seen twice\n"

    kept, last = item("Old key", "June"), item("Cold cache", "a restart")
    base = TOP + kept + item("Full disk", "a dump") + last + item("Lost mail", "a move")
    union(
        repository, base,
        TOP + kept + item("Slow link", "a dump") + item("Wet cable", "rain") + last
        + item("Dead host", "a move"),
        TOP + kept + last + item("Late train", "a move"),
    )  # fmt: skip
    assert run(repository, "fix").code == 1
    once = text_of(repository)
    assert (run(repository, "fix").code, text_of(repository)) == (0, once)
    assert check(repository) == []


FENCED = form("Hung build", "It waits.") + "```\ncode\n``` for an hour\n"
OPEN = form("Dead disk", "It was old.") + "```\ncode\n```\n"


RULED = f"{TOP}{B}\n---\n"


@pytest.mark.parametrize(
    "versions",
    [(TOP, TOP + FENCED, TOP + OPEN), (RULED, f"{TOP}{A}\n---\n", f"{RULED}{A}\n---\n")],
)
def test_no_repair_is_tried_again_and_again(
    repository: GitRepository, versions: tuple[str, str, str]
) -> None:
    union(repository, *versions)
    run(repository, "fix")
    once = text_of(repository)
    assert run(repository, "fix") == Completed(0, b"", b"", b""), once
    assert text_of(repository) == once


def test_titles_and_the_other_line_are_named(repository: GitRepository) -> None:
    union(repository, *APART["one entry in two places"][:3])
    (message,) = check(repository)
    text = text_of(repository).splitlines()
    first, second = (n for n, line in enumerate(text, 1) if line == "## Zone was missing")
    assert f":{second}:1: " in message
    assert f'kept "Zone was missing" twice, here and on line {first}; remove one' in message


DECIDED = {
    "kept both versions": (
        TOP + A + B,
        TOP + A + B.replace("Nobody had paid.", "It was May."),
        TOP + A + B.replace("Nobody had paid.", "A strike."),
    ),
    "twice, once edited": (
        TOP + A + OURS + B,
        TOP + OURS + B + A,
        TOP + A.replace("full.", "full, again.") + OURS + B,
    ),
    "mixed the lines": (
        TOP + A + LATER,
        TOP + A.replace("full.", "full, again.") + OURS + LATER,
        TOP + THEIRS + LATER,
    ),
    "without its text": (
        f"{TOP}\n## Cold cache\n\nWarm it up.\n",
        f"{TOP}\n## Full disk\n\nEmpty it.\n\n## Cold cache\n\nWarm it up.\n",
        f"{TOP}\n## Slow link\n\nWait for it.\n\n## Lost mail\n\nSend it again.\n",
    ),
}


@pytest.mark.parametrize("words", DECIDED)
def test_what_has_to_be_decided_stays(words: str, repository: GitRepository) -> None:
    union(repository, *DECIDED[words])
    before = text_of(repository)
    assert [message for message in check(repository) if words in message], before
    repository.git("commit", "--quiet", "--message", "Merge")
    assert [message for message in check(repository, "--history") if words in message]
    assert run(repository, "fix", "--history").code == 0
    assert text_of(repository) == before


@pytest.mark.parametrize("later", ["a line was written", "an entry is back"])
def test_it_stays_where_somebody_has_edited_since(repository: GitRepository, later: str) -> None:
    union(repository, *APART["at the end"][:3])
    before = text_of(repository)
    if later == "a line was written":
        edited = before.replace("in June.", "in July.")
    else:
        repository.git("commit", "--quiet", "--message", "Merge")
        edited = before + THEIRS
    repository.write(FILE, edited)
    repository.commit()
    assert run(repository, "fix", "--history").code == 0
    assert text_of(repository) == edited


def test_a_copy_stays_if_the_other_was_edited_and_none_left_is_no_finding(
    repository: GitRepository,
) -> None:
    union(repository, *APART["one entry in two places"][:3])
    repository.git("commit", "--quiet", "--message", "Merge")
    repository.write(FILE, text_of(repository).replace("without one", "without a zone", 1))
    assert len(check(repository, "--history")) == 1
    assert run(repository, "fix", "--history").code == 0
    repository.write(FILE, TOP + OURS)
    assert check(repository, "--history") == []


def test_a_union_that_is_right_is_no_finding(repository: GitRepository) -> None:
    union(repository, TOP + A + B, TOP + B, TOP + A + B + THEIRS)
    assert check(repository) == []
    repository.git("commit", "--quiet", "--message", "Merge")
    assert check(repository, "--history") == []


def test_files_without_a_common_version(repository: GitRepository) -> None:
    union(repository, TOP, TOP, TOP + B)
    repository.git("merge", "--quit")
    repository.git("checkout", "--quiet", "--orphan", "other")
    repository.write(FILE, TOP + OURS)
    repository.commit()
    repository.branch("third")
    repository.git("rm", "--quiet", FILE)
    repository.commit()
    for branch in ("third", "night"):
        repository.git("merge", "--quiet", "--no-commit", "--allow-unrelated-histories", branch)
        assert check(repository) == []
        repository.git("reset", "--quiet", "--hard")


def test_a_repository_without_commits(repository: GitRepository) -> None:
    repository.write(FILE, TOP + A)
    repository.write(".git/MERGE_HEAD", "0" * 40)
    assert check(repository) == []


def test_a_baseline_keeps_what_only_history_tells(repository: GitRepository) -> None:
    union(repository, *APART["at the end"][:3])
    repository.git("commit", "--quiet", "--message", "Merge")
    assert run(repository, "baseline", "--history").code == 0
    before = repository.read(".learnings-baseline.json")
    run(repository, "baseline", "--prune")
    assert b"merge-damage" in before
    assert repository.read(".learnings-baseline.json") == before
