"""Entries that left a file and came back: their dates, the gap, and what a revert ends."""

from __future__ import annotations

import pytest

from tests.history.memory import (
    FILE,
    Json,
    added,
    ages,
    basis,
    body,
    consolidation,
    count_every_removal,
    day,
    forget,
    keep,
    memory,
    run,
)
from tests.support.repository import GitRepository


def revert(repository: GitRepository, number: int, commit: str) -> str:
    """Revert a commit on a day with git's own message; return the new commit."""
    stamp = f"{day(number)}T12:00:00Z"
    stamps = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    main = ("-m", "1") if " " in repository.git("log", "-1", "--format=%p", commit).strip() else ()
    repository.git("revert", "--no-edit", *main, commit, env=stamps)
    return repository.git("rev-parse", "HEAD").strip()


def gaps(document: Json) -> dict[str, tuple[str | None, str | None]]:
    """The days on which each restored entry left and came back, by title."""
    entries = [entry for entry in document["entries"] if entry["gap"]]
    return {entry["title"]: (entry["gap"]["left"], entry["gap"]["back"]) for entry in entries}


def resurrected(repository: GitRepository) -> list[str]:
    done = run(repository, "check", "--history", "--rule=resurrected-entry", "--format=json", FILE)
    return [finding["message"] for finding in done.json["findings"]]


def test_the_gap_is_named(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    keep(repository, 3, memory("A"))
    keep(repository, 5, memory("A", "B"))
    document = ages(repository)
    assert basis(document) == {"A": "commit", "B": "restored"}
    assert gaps(document) == {"B": (day(3), day(5))}
    words = f"restored (left on {day(3)}, back on {day(5)})"
    assert f"Rests on: {words}" in run(repository, "ages", FILE).out
    assert words in run(repository, "ages", FILE, "--format=text").out
    # The days of its absence are past: only its first date counts, and it is not there between.
    assert added(ages(repository, f"--as-of={day(4)}")) == {"A": day(0)}
    forget(repository)
    keep(repository, 7, memory("A"))
    repository.write(FILE, memory("A", "B"))
    assert gaps(ages(repository)) == {"B": (day(7), None)}


@pytest.mark.parametrize(
    ("again", "born"),
    [
        ("Run make build.", 0),
        ("run `make build`", 0),
        ("Run just build.", 9),
        ("Build with the tool of the new team, as its page says.", 9),
        (body("B"), 9),
    ],
)
def test_a_title_is_no_entry(repository: GitRepository, again: str, born: int) -> None:
    keep(repository, 0, memory("Build", "C", Build="Run make build."))
    keep(repository, 3, memory("C"))
    keep(repository, 9, memory("Build", "C", Build=again))
    assert added(ages(repository))["Build"] == day(born)


def test_an_edited_entry_is_the_same_one(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    keep(repository, 3, memory("A"))
    keep(repository, 9, memory("A", "B", B=f"{body('B')} and a few words more"))
    assert added(ages(repository))["B"] == day(0)


def test_the_last_text_of_a_title_counts(repository: GitRepository) -> None:
    for number, text in enumerate(["B", "", "X", "", "B"]):
        titles = ("A", "Title") if text else ("A",)
        keep(repository, number, memory(*titles, Title=body(text)))
    document = ages(repository)
    assert added(document)["Title"] == day(0)
    assert gaps(document) == {"Title": (day(1), day(4))}


@pytest.mark.parametrize("gone", ["everything", "one"])
def test_what_came_back_since_the_last_run(repository: GitRepository, gone: str) -> None:
    keep(repository, 0, memory("A", "B"))
    if gone == "everything":
        repository.remove(FILE)
        repository.commit(date=day(2))
    keep(repository, 3, memory("A"))
    ages(repository)
    keep(repository, 4, memory("A", "New"))
    ages(repository)
    keep(repository, 5, memory("A", "B", "New"))
    expected = {"A": day(0), "B": day(0), "New": day(4)}
    assert added(ages(repository)) == expected
    forget(repository)
    assert added(ages(repository)) == expected


def test_a_revert_ends_a_consolidation(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    first = keep(repository, 1, memory("A", "B"))
    second = keep(repository, 2, memory("A"))
    assert consolidation(ages(repository)) == (second, 1)  # it is in the cache now
    undone = revert(repository, 3, second)
    assert consolidation(ages(repository)) == (first, 1)
    assert consolidation(ages(repository, f"--as-of={day(2)}")) == (second, 1)
    assert not resurrected(repository)
    replayed = run(repository, "due", "--replay", "--format=json", FILE).json["files"][0]
    assert [row["commit"] for row in replayed["consolidations"]] == [first]
    again = revert(repository, 4, undone)
    assert consolidation(ages(repository)) == (again, 1)


def test_a_reverted_merge(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    repository.branch("work")
    keep(repository, 1, memory("A"))
    repository.checkout("main")
    keep(repository, 2, memory("A", "B", "C", "D"))
    merge = repository.merge("work", date=day(3), resolve={FILE: memory("A", "D")})
    revert(repository, 4, merge)
    document = ages(repository)
    assert document["last_consolidation"] is None
    assert added(document) == {"A": day(0), "B": day(0), "C": day(0), "D": day(2)}
    assert not resurrected(repository)


def test_a_squashed_older_branch_takes_nothing_back(repository: GitRepository) -> None:
    """Its change can be the very opposite of the consolidation, with not a word added there."""
    keep(repository, 0, memory("A", "B", "C"))
    repository.branch("side")
    repository.checkout("main")
    removing = keep(repository, 1, memory("C"))
    repository.git("checkout", "--quiet", "side", "--", FILE)
    repository.commit(date=day(2), message="Squash side (#3)")
    document = ages(repository)
    assert consolidation(document) == (removing, 2)
    assert added(document) == dict.fromkeys("ABC", day(0))
    assert len(resurrected(repository)) == 2


@pytest.mark.parametrize("is_committed", [False, True])
def test_archive_and_restore(repository: GitRepository, is_committed: bool) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    assert run(repository, "archive", "B", "--reason=old", "--stage").code == 0
    repository.commit(date=day(2))
    assert run(repository, "archive", "--restore", "B", "--stage").code == 0
    if is_committed:
        repository.commit(date=day(4))
    document = ages(repository)
    assert added(document) == dict.fromkeys("ABC", day(0))
    assert gaps(document) == {"B": (day(2), day(4) if is_committed else None)}
    assert not resurrected(repository)


def test_an_older_branch_brings_archived_entries_back(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    repository.branch("side")
    keep(repository, 1, memory("A", "B", "C", "New"))
    repository.checkout("main")
    assert run(repository, "archive", "A", "B", "--reason=old", "--stage").code == 0
    repository.commit(date=day(2))
    repository.git("checkout", "--quiet", "side", "--", FILE)
    repository.commit(date=day(3), message="Squash side (#3)")
    assert len(resurrected(repository)) == 2


HIDDEN = {
    "fence": lambda text: text.replace("## B", "```\n## B"),
    "comment": lambda text: text.replace("## B", "<!--\n## B"),
    "level": lambda text: text.replace("## B", "### B").replace("## C", "### C"),
    "zero width space": lambda text: text.replace("## ", "\u200b## "),
    "byte order mark": lambda text: text.replace("## B", "\ufeff## B"),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_hiding_removes_nothing(repository: GitRepository, how: str) -> None:
    whole = memory("A", "B", "C")
    keep(repository, 0, whole)
    keep(repository, 1, HIDDEN[how](whole))
    assert ages(repository)["last_consolidation"] is None
    keep(repository, 2, whole)
    document = ages(repository)
    assert document["last_consolidation"] is None
    assert (added(document), gaps(document)) == (dict.fromkeys("ABC", day(0)), {})
    assert not resurrected(repository)


@pytest.mark.parametrize("how", HIDDEN)
def test_what_was_hidden_is_removed_with_its_text(repository: GitRepository, how: str) -> None:
    whole = memory("A", "B", "C", "D", "E")
    keep(repository, 0, whole)
    keep(repository, 1, HIDDEN[how](whole))
    keep(repository, 2, HIDDEN[how](whole).replace(body("A"), "Other words."))
    removing = keep(repository, 3, memory("A", "D", "E"))
    assert consolidation(ages(repository)) == (removing, 2)
    keep(repository, 4, whole)
    assert added(ages(repository)) == {"A": day(0), **dict.fromkeys("BCDE", day(0))}


def test_what_an_open_fence_hid_for_long_is_removed_with_its_text(
    repository: GitRepository,
) -> None:
    hidden = HIDDEN["fence"](memory("A", "B", "C", "D"))
    keep(repository, 0, memory("A", "B", "C", "D"))
    for number in range(1, 21):
        keep(repository, number, hidden.replace(body("A"), f"Other words of day {number}."))
    removing = keep(repository, 21, memory("A", "D"))
    assert consolidation(ages(repository)) == (removing, 2)


def test_subheadings_and_examples_were_never_entries(repository: GitRepository) -> None:
    example = f"{body('A')}\n\n```\n## X\n## Y\n```\n\n### Sub\n\nWords.\n"
    keep(repository, 0, memory("A", "B", A=example))
    keep(repository, 1, memory("A", "B"))
    assert ages(repository)["last_consolidation"] is None


@pytest.fixture(name="repository")
def every_removal_counts(repository: GitRepository) -> GitRepository:
    return count_every_removal(repository)


def test_hidden_when_the_file_went(repository: GitRepository) -> None:
    text = memory("A", "B")
    keep(repository, 0, text)
    keep(repository, 2, text.replace("## B", "```\n## B"))
    repository.git("rm", "-q", FILE)
    repository.commit(date=day(4))
    keep(repository, 6, text)
    assert added(ages(repository)) == {"A": day(0), "B": day(0)}
    assert gaps(ages(repository)) == dict.fromkeys("AB", (day(4), day(6)))


def test_shown_on_a_branch_only(repository: GitRepository) -> None:
    hidden = memory("A", "B", "C").replace("## C", "```\n## C")
    keep(repository, 0, hidden)
    main = repository.git("branch", "--show-current").strip()
    repository.git("checkout", "-q", "-b", "side")
    keep(repository, 1, memory("A", "B", "C"))
    keep(repository, 2, hidden)
    repository.git("checkout", "-q", main)
    repository.write("other.txt", "1\n")
    repository.commit(date=day(3))
    repository.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    gone = keep(repository, 5, memory("A"))
    assert consolidation(ages(repository)) == (gone, 2)
