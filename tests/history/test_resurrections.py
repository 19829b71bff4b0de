"""Entries that a consolidation removed and that came back: what is one, and who did it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.memory import FILE, body, configure, day, keep, memory, run
from tests.support import resurrection
from tests.support.histories import name_at, random_history
from tests.support.repository import GitRepository

Findings = dict[str, tuple[str, str]]
"""Severity and message of each finding, by the title it is about."""


def findings(repository: GitRepository, *, file: str = FILE) -> Findings:
    """What the rule says of the memory file."""
    done = run(repository, "check", "--history", "--rule=resurrected-entry", "--format=json", file)
    assert done.code in (0, 1), done
    lines = repository.read(file).decode().splitlines()
    return {
        lines[finding["line"] - 1].removeprefix("## "): (finding["severity"], finding["message"])
        for finding in done.json["findings"]
    }


def words(removed: str, back: str, *, on: tuple[int, int], merge: bool = True) -> str:
    """How the message begins for two commits and their days."""
    what = "the merge" if merge else "commit"
    return (
        f"this entry was removed by the consolidation {removed[:12]} on {day(on[0])} and came back "
        f"with {what} {back[:12]} on {day(on[1])}; "
    )


@pytest.fixture
def forked(repository: GitRepository) -> GitRepository:
    """A memory of A, B, C and D, and `work` from there with E; main made one entry of A and B."""
    keep(repository, 0, memory("A", "B", "C", "D"))
    repository.branch("work")
    keep(repository, 2, memory("A", "B", "C", "D", "E"))
    repository.checkout("main")
    keep(repository, 1, memory("A and B", "C", "D"))
    return repository


def test_a_merge_that_keeps_both_sides(forked: GitRepository) -> None:
    removing = forked.head()
    both = memory("A and B", "A", "B", "C", "D", "E")
    merge = forked.merge("work", date=day(3), resolve={FILE: both})
    assert findings(forked) == {
        title: ("error", words(removing, merge, on=(1, 3)) + remedy)
        for title in "AB"
        for remedy in ["remove it again, or keep the parts of it that the new text lacks"]
    }
    assert run(forked, "check", "--history", FILE).code == 1
    assert run(forked, "check", FILE).code == 0


@pytest.mark.slow
def test_many_entries_that_one_merge_brought_back_are_one_line(forked: GitRepository) -> None:
    forked.checkout("work")
    titles = [f"T{number}" for number in range(7)]
    keep(forked, 2, memory("A", "B", *titles))
    forked.branch("late")
    keep(forked, 4, memory("A", "B", *titles, "New"))
    forked.checkout("work")
    removing = keep(forked, 3, memory("A", "B", "One for all"))
    both = memory("A", "B", "One for all", *titles, "New")
    merge = forked.merge("late", date=day(5), resolve={FILE: both})
    assert list(findings(forked)) == titles
    expected = (
        f"7 entries that were removed by the consolidation {removing[:12]} on {day(3)} came back "
        f'with the merge {merge[:12]} on {day(5)} ("T0", "T1", "T2" and 4 more); remove them '
        "again, or keep the parts of them that the new text lacks"
    )
    rule = "--rule=resurrected-entry"
    for output in ("text", "github", "markdown"):
        done = run(forked, "check", "--history", rule, f"--format={output}", FILE)
        assert done.out.count(merge[:12]) == 1, done
        assert expected in done.out
    forked.write(
        FILE,
        both.replace("## T0\n", "## T0 <!-- learnings: ignore[resurrected-entry] so it is -->\n"),
    )
    assert "6 entries" in run(forked, "check", "--history", rule, FILE).out
    run(forked, "baseline", "--history")
    assert run(forked, "check", "--history", rule, FILE).code == 0


def test_a_merge_that_is_done_right(forked: GitRepository) -> None:
    forked.merge("work", date=day(3), resolve={FILE: memory("A and B", "C", "D", "E")})
    assert findings(forked) == {}


def test_a_merge_that_takes_the_older_side_whole(forked: GitRepository) -> None:
    removing = forked.head()
    theirs = memory("A", "B", "C", "D", "E")
    merge = forked.merge("work", date=day(3), resolve={FILE: theirs})
    assert {title: message for title, (_, message) in findings(forked).items()} == {
        title: words(removing, merge, on=(1, 3))
        + "remove it again, or keep the parts of it that the new text lacks"
        for title in "AB"
    }


def test_a_merge_that_brings_one_of_two_back(forked: GitRepository) -> None:
    forked.merge("work", date=day(3), resolve={FILE: memory("A and B", "B", "C", "D", "E")})
    assert list(findings(forked)) == ["B"]


def test_a_branch_that_merges_main_and_lands_later(forked: GitRepository) -> None:
    removing = forked.head()
    forked.checkout("work")
    both = memory("A and B", "A", "B", "C", "D", "E")
    guilty = forked.merge("main", date=day(3), resolve={FILE: both})
    forked.checkout("main")
    forked.commit(date=day(4))
    forked.merge("work", date=day(5))
    assert findings(forked)["A"][1].startswith(words(removing, guilty, on=(1, 3)))


def test_later_merges_are_not_blamed_for_what_is_back(forked: GitRepository) -> None:
    removing = forked.head()
    forked.git("branch", "late")
    both = memory("A and B", "A", "B", "C", "D", "E")
    guilty = forked.merge("work", date=day(3), resolve={FILE: both})
    forked.checkout("late")
    forked.commit(date=day(4))
    forked.checkout("main")
    forked.merge("late", date=day(5))
    assert findings(forked)["A"][1].startswith(words(removing, guilty, on=(1, 3)))


def test_a_squashed_merge(forked: GitRepository) -> None:
    removing = forked.head()
    squashed = keep(forked, 3, memory("A and B", "A", "B", "C", "D", "E"))
    severity, message = findings(forked)["A"]
    assert severity == "error"
    assert message.startswith(words(removing, squashed, on=(1, 3), merge=False))


def test_a_consolidation_that_is_reverted(forked: GitRepository) -> None:
    removing = forked.head()
    forked.git("revert", "--no-edit", "--no-commit", "HEAD")
    back = forked.commit(date=day(3))
    advice = "remove it again unless that was on purpose"
    message = words(removing, back, on=(1, 3), merge=False) + advice
    assert findings(forked) == dict.fromkeys("AB", ("notice", message))
    assert run(forked, "check", "--history", FILE).code == 0


def test_an_entry_removed_and_brought_back_twice(forked: GitRepository) -> None:
    both = memory("A and B", "A", "B", "C", "D", "E")
    first = forked.head()
    forked.branch("older", "work")
    forked.commit(date=day(3))
    forked.checkout("main")
    merge = forked.merge("work", date=day(3), resolve={FILE: both})
    second = keep(forked, 4, memory("A and B", "B", "C", "D", "E"))
    again = forked.merge("older", date=day(5), resolve={FILE: both})
    messages = {title: message for title, (_, message) in findings(forked).items()}
    assert messages["A"].startswith(words(second, again, on=(4, 5)))
    assert messages["B"].startswith(words(first, merge, on=(1, 3)))


def test_the_newest_removal_is_the_last_one_whatever_the_clock_said(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory("A", "B"))
    keep(repository, 5, memory("B", "C"))
    keep(repository, 6, memory("A", "B", "C"))
    last = keep(repository, 1, memory("B", "C", "D"))
    back = keep(repository, 7, memory("A", "B", "C", "D"))
    message = findings(repository)["A"][1]
    assert message.startswith(words(last, back, on=(1, 7), merge=False))


def test_a_file_renamed_after_the_consolidation(forked: GitRepository) -> None:
    removing = forked.head()
    forked.rename(FILE, "agents/memory.md")
    forked.commit(date=day(2))
    both = memory("A and B", "A", "B", "C", "D", "E")
    merge = forked.merge("work", date=day(3), resolve={"agents/memory.md": both, FILE: None})
    messages = findings(forked, file="agents/memory.md")
    assert messages["A"][1].startswith(words(removing, merge, on=(1, 3)))


def test_a_file_renamed_by_the_merge(forked: GitRepository) -> None:
    removing = forked.head()
    both = memory("A and B", "A", "B", "C", "D", "E")
    merge = forked.merge("work", date=day(3), resolve={"agents/memory.md": both, FILE: None})
    messages = findings(forked, file="agents/memory.md")
    assert messages["A"][1].startswith(words(removing, merge, on=(1, 3)))


def test_a_reworded_heading_is_no_removal(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B", "C"))
    repository.branch("work")
    keep(repository, 1, memory("A", "B", "C", "D"))
    repository.checkout("main")
    keep(repository, 2, memory("Ay", "B", "C", Ay=body("A")))
    repository.merge("work", date=day(3), resolve={FILE: memory("A", "B", "C", "D")})
    assert findings(repository) == {}


def test_an_entry_edited_on_the_older_branch(forked: GitRepository) -> None:
    edited = f"{body('A')} and more"
    forked.merge("work", date=day(3), resolve={FILE: memory("A and B", "A", "C", A=edited)})
    assert list(findings(forked)) == ["A"]


def test_a_new_entry_of_the_same_name(forked: GitRepository) -> None:
    keep(forked, 3, memory("A and B", "A", "C", "D", A=body("quite another")))
    assert findings(forked) == {}


def test_a_new_entry_of_the_same_name_from_a_branch(repository: GitRepository) -> None:
    keep(repository, 0, memory("B"))
    repository.branch("work")
    keep(repository, 3, memory("B", "A", A=body("quite another")))
    repository.checkout("main")
    keep(repository, 1, memory("A", "B"))
    keep(repository, 2, memory("B"))
    text = memory("B", "A", A=body("quite another"))
    repository.merge("work", date=day(4), resolve={FILE: text})
    assert findings(repository) == {}


def test_an_entry_restored_from_an_archive(forked: GitRepository) -> None:
    forked.write("archive/old.md", memory("A", "B"))
    forked.commit(date=day(2))
    forked.write("archive/old.md", memory("B"))
    keep(forked, 3, memory("A and B", "A", "C", "D"))
    assert findings(forked) == {}
    keep(forked, 4, memory("A and B", "A", "B", "C", "D"))
    assert list(findings(forked)) == ["B"]


def test_a_file_emptied_and_restored(forked: GitRepository) -> None:
    whole = forked.read(FILE)
    keep(forked, 3, memory())
    keep(forked, 4, whole)
    assert findings(forked) == {}


def test_a_file_emptied_here_and_extended_there(forked: GitRepository) -> None:
    keep(forked, 3, memory())
    forked.merge("work", date=day(4), resolve={FILE: memory("C", "E")})
    assert list(findings(forked)) == ["C"]


def test_a_file_deleted_and_written_again(forked: GitRepository) -> None:
    whole = forked.read(FILE)
    forked.remove(FILE)
    forked.commit(date=day(3))
    keep(forked, 4, whole)
    assert findings(forked) == {}


@pytest.mark.parametrize("opening", ["```\n", "<!--\n"])
def test_entries_that_an_open_block_hid(forked: GitRepository, opening: str) -> None:
    whole = forked.read(FILE).decode()
    keep(forked, 3, whole.replace("## C", f"{opening}## C"))
    keep(forked, 4, whole)
    assert findings(forked) == {}


def test_line_ends_and_white_space_are_no_removal(forked: GitRepository) -> None:
    removing = forked.head()
    both = memory("A and B", "A", "B", "C", "D", "E").replace("\n", "\r\n")
    merge = forked.merge("work", date=day(3), resolve={FILE: both})
    assert findings(forked)["A"][1].startswith(words(removing, merge, on=(1, 3)))
    keep(forked, 4, both.replace("\r\n", "\n").replace("## C", "##   C"))
    assert findings(forked)["B"][1].startswith(words(removing, merge, on=(1, 3)))
    assert len(findings(forked)) == 2


def test_an_entry_that_is_back_in_the_working_tree(forked: GitRepository) -> None:
    forked.write(FILE, memory("A and B", "A", "C", "D"))
    severity, message = findings(forked)["A"]
    assert severity == "error"
    assert f"on {day(1)} and is back, uncommitted; " in message
    forked.write(FILE, memory("A", "C", "D"))
    assert findings(forked)["A"][0] == "notice"


def test_how_many_were_removed_makes_no_difference(forked: GitRepository) -> None:
    both = memory("A and B", "A", "B", "C", "D", "E")
    configure(forked, consolidation_min_removed=9)
    forked.merge("work", date=day(3), resolve={FILE: both})
    assert list(findings(forked)) == ["A", "B"]


def test_an_octopus_brings_back(forked: GitRepository) -> None:
    removing = forked.head()
    forked.branch("third", "main~1")
    forked.commit(date=day(2))
    forked.checkout("main")
    forked.write(FILE, memory("A and B", "A", "C", "D"))
    forked.git("add", FILE)
    tree = forked.git("write-tree")
    parents = [word for name in ("main", "work", "third") for word in ("-p", name)]
    stamps = {"GIT_AUTHOR_DATE": f"{day(4)}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day(4)}T12:00:00Z"}
    octopus = forked.git("commit-tree", tree, *parents, "-m", "Merge", env=stamps)
    forked.git("reset", "--quiet", "--hard", octopus)
    assert findings(forked)["A"][1].startswith(words(removing, octopus, on=(1, 4)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 24, 43, 50, 56])
def test_random_histories_agree_with_a_slow_count(tmp_path: Path, seed: int) -> None:
    random_history(tmp_path / "r", seed=seed, commits=50)
    repository = GitRepository(tmp_path / "r")
    file = name_at(set(repository.git("ls-files").splitlines()))
    assert file is not None
    expected = resurrection.returned(repository.path, file)
    assert expected
    done = run(repository, "check", "--history", "--rule=resurrected-entry", "--format=json", file)
    reported = [(finding["severity"], finding["message"]) for finding in done.json["findings"]]
    assert len(reported) == len(expected)
    for (severity, message), ways in zip(reported, expected.values(), strict=True):
        assert any(
            (severity == "error") == (way.by_merge or way.has_replacement)
            and way.removed_by[:12] in message
            and way.returned_by[:12] in message
            for way in ways
        )
