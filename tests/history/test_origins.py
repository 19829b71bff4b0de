"""When was an entry added, whatever happened to its file, its heading and its position."""

from __future__ import annotations

from collections.abc import Callable
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
    every_removal_counts,
    keep,
    live,
    memory,
    run,
)
from tests.history.stories import tell, told
from tests.support.repository import GitRepository

COMMITTED = {"A": "commit", "B": "commit"}


__all__ = ["every_removal_counts"]
CHANGES: dict[str, Callable[[str], str]] = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "trailing white space": lambda text: text.replace("\n", "  \n"),
    "indented headings": lambda text: text.replace("## ", "   ##    "),
    "closing hashes": lambda text: text.replace("## A\n", "## A ##\n").replace(
        "## B\n", "## B #\n"
    ),
    "byte order mark": lambda text: "\ufeff" + text,
    "no final newline": lambda text: text.rstrip("\n"),
    "front matter": lambda text: f"---\ntitle: x\n---\n{text}",
    "more blank lines": lambda text: text.replace("\n\n", "\n\n\n\n"),
    "fewer blank lines": lambda text: text.replace("\n\n", "\n"),
    "capitals": lambda text: text.replace("## A", "## a").replace("## B", "## b"),
}


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("committed", [True, False])
def test_another_spelling_keeps_the_age(
    repository: GitRepository, change: str, *, committed: bool
) -> None:
    keep(repository, 0, memory("A", "B"))
    live(repository, 1, 2)
    repository.write(FILE, CHANGES[change](memory("A", "B")))
    if committed:
        repository.commit(date=day(3))
    document = ages(repository)
    assert list(added(document).values()) == [day(0), day(0)]
    assert list(basis(document).values()) == ["commit", "commit"]
    assert document["last_consolidation"] is None


@pytest.mark.parametrize(("kept", "born"), [(6, 0), (5, 1)])
def test_a_rewording_that_changes_too_much_is_a_new_entry(
    repository: GitRepository, kept: int, born: int
) -> None:
    old = [f"old{number}" for number in range(10)]
    new = [*old[:kept], *(f"new{number}" for number in range(10 - kept))]
    keep(repository, 0, memory("A", A=" ".join(old)))
    keep(repository, 1, memory("B", B=" ".join(new)))
    document = ages(repository)
    assert added(document) == {"B": day(born)}
    assert basis(document) == {"B": "commit" if born else "renamed-heading"}
    assert (document["last_consolidation"] is None) == (born == 0)


def test_the_likest_bodies_are_paired(repository: GitRepository) -> None:
    words = body("A").split()
    nearly = " ".join([*words[:-2], "x", "y"])
    keep(repository, 0, memory("Exact", Exact=" ".join(words)))
    keep(repository, 1, memory("Exact", "Near", Exact=" ".join(words), Near=nearly))
    keep(repository, 2, memory("P", "Q", P=nearly, Q=" ".join(words)))
    document = ages(repository)
    assert added(document) == {"P": day(1), "Q": day(0)}
    assert document["last_consolidation"] is None


def test_a_new_stamp_on_an_old_entry_keeps_the_age(repository: GitRepository) -> None:
    text = "# L\n\n## [2025-01-01-120000] A\n\n" + body("A") + "\n\n## [2025-01-01-120001] B\n\nb\n"
    keep(repository, 0, text)
    keep(repository, 5, text.replace("[2025-01-01-120000]", "[2025-01-06-090000]"))
    document = ages(repository)
    assert added(document) == {"A": day(0), "B": day(0)}
    assert basis(document) == {"A": "renamed-heading", "B": "commit"}


def test_an_uncommitted_entry(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", "B"))
    live(repository, 1, 2)
    repository.write(FILE, memory("A", "New", "B"))
    for stage in (False, True):
        if stage:
            repository.git("add", FILE)
        entry = ages(repository)["entries"][1]
        assert (entry["title"], entry["basis"]) == ("New", "uncommitted")
        assert (entry["added"], entry["commit"], entry["active_days"]) == (None, None, 0)
    assert active_days(ages(repository)) == {"A": 2, "New": 0, "B": 2}
    report = run(repository, "ages", FILE).out
    assert report.endswith("## New\n- Age: 0 active days\n- Added: not committed yet\n")


def test_a_file_whose_deletion_is_staged_but_which_is_there(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    repository.git("rm", "--quiet", "--cached", FILE)
    assert added(ages(repository)) == {"A": day(0)}


def test_two_entries_under_one_heading(repository: GitRepository) -> None:
    twins = "# L\n\n## A\n\nfirst body here\n\n## A\n\nsecond text of another kind\n"
    keep(repository, 0, twins.partition("## A\n\nsecond")[0])
    keep(repository, 1, twins)
    entries = ages(repository)["entries"]
    assert [(e["identity"], e["added"]) for e in entries] == [("a", day(0)), ("a #2", day(1))]


def test_a_heading_in_a_fence_is_no_entry_until_it_leaves_it(repository: GitRepository) -> None:
    fenced = "# L\n\n## A\n\n```\n## B\n```\n"
    keep(repository, 0, fenced)
    assert added(ages(repository)) == {"A": day(0)}
    keep(repository, 1, fenced.replace("```\n", ""))
    assert set(added(ages(repository))) == {"A", "B"}


def test_a_linked_worktree(repository: GitRepository, tmp_path: Path) -> None:
    keep(repository, 0, memory("A"))
    live(repository, 1, 3)
    repository.git("reset", "--quiet", "--hard")
    tree = repository.worktree(tmp_path / "tree", branch="work")
    keep(tree, 4, memory("A", "B"))
    assert active_days(ages(repository)) == {"A": 3}
    assert active_days(ages(tree)) == {"A": 4, "B": 0}
    assert (repository.path / ".git" / "learnings").is_dir()
    assert not (tree.path / ".git").is_dir()


def test_a_repository_whose_git_folder_lies_elsewhere(
    repository: GitRepository, tmp_path: Path
) -> None:
    keep(repository, 0, memory("A"))
    repository.git("init", "--quiet", f"--separate-git-dir={tmp_path / 'elsewhere'}")
    assert added(ages(repository)) == {"A": day(0)}


def test_inside_a_submodule(repository: GitRepository, tmp_path: Path) -> None:
    keep(repository, 0, memory("A"))
    live(repository, 1, 3)
    above = GitRepository(tmp_path / "above")
    above.git("submodule", "--quiet", "add", repository.path.as_uri(), "inner module")
    above.commit(date=day(50))
    inside = ages(above.path / "inner module")
    repository.git("reset", "--quiet", "--hard")
    assert inside == ages(repository)


LIST = ".git-blame-ignore-revs"


@pytest.fixture
def rewritten(repository: GitRepository) -> str:
    """Make a second commit that rewrote the only entry, heading and body; return its hash."""
    keep(repository, 0, memory("A", A="some words"))
    return keep(repository, 1, memory("B", B="nothing in common"))


@pytest.mark.parametrize(
    "text",
    [
        "{0}",
        "{0:.8}\n",
        "{1}\n",
        "{0}\u00a0\n",
        "# why\r{0}\r",
        "\ufeff{0}\n",
        "  {0}  # why\r\n\r\n# done\r\n",
        "{0:.8}# why\n{0}\n{0:.8}\n",
    ],
)
def test_a_listed_revision_may_be_abbreviated_and_commented(
    repository: GitRepository, rewritten: str, text: str
) -> None:
    repository.write(LIST, text.format(rewritten, rewritten.upper()))
    repository.commit(date=day(2))
    for document in (ages(repository), ages(repository)):
        assert added(document) == {"B": day(0)}
        assert document["history"]["notes"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "where"),
    [
        (f"# none yet\n\n{'1' * 40}\n{{0}}", ":3: skipped, not a commit"),
        ("1234567\n{0:.9}\n", ":1: skipped, not a commit"),
        ("{0}\nHEAD\n", ":2: skipped, not a commit"),
        ("{0}\nnot a hash\n", ":2: skipped, not a commit"),
        ("{0}\n\x1b[31m\n", ":2: skipped, not a commit"),
        ("{0}\n{1}\n", ":2: skipped, not a commit"),
        (
            "{0}\n" + "12345\n" * 2,
            ":2: skipped, not a commit in this repository",
        ),
        ("{0}\n" + "12345\n" * 2, " (line 3 likewise)"),
        ("{0}\n" + "12345\n" * 9, " (lines 3, 4, 5 and others likewise)"),
    ],
)
def test_what_names_no_commit_is_passed_over_with_a_note(
    repository: GitRepository, rewritten: str, text: str, where: str
) -> None:
    tree = repository.git("rev-parse", "HEAD^{tree}").strip()
    repository.write(LIST, text.format(rewritten, tree))
    repository.commit(date=day(2))
    for document in (ages(repository), ages(repository)):
        assert added(document) == {"B": day(0)}
        (note,) = document["history"]["notes"]
        assert note.startswith(LIST)
        assert where.format(rewritten, tree) in note
    assert f"**Note:** {LIST}" in run(repository, "ages", FILE).out
    assert f"note       {LIST}" in run(repository, "due", FILE).out
    assert run(repository, "check", "--history", FILE).code == 0


def test_which_list_counts(repository: GitRepository, rewritten: str) -> None:
    assert added(ages(repository)) == {"B": day(1)}
    repository.write(LIST, f"{rewritten}\n")
    assert added(ages(repository)) == {"B": day(1)}  # not tracked
    repository.commit(date=day(2))
    (repository.path / "below").mkdir()
    assert added(ages(repository.path / "below", file=f"../{FILE}")) == {"B": day(0)}
    repository.remove(LIST)
    repository.write("notes/ignored", f"# reformatted\n\n{rewritten[:7]}  # all of it\nabcdef\n")
    configure(repository, ignore_revs_file="notes/ignored")
    document = ages(repository)
    assert added(document) == {"B": day(0)}
    assert document["history"]["notes"][0].startswith("notes/ignored:4: skipped, not")


def test_headings_without_bodies(repository: GitRepository) -> None:
    days = tell(repository, "0 .")
    for number, titles in enumerate(("ABCD", "DCBA", "DCBE"), start=1):
        text = "".join(f"## {title}\n" for title in titles)
        days[keep(repository, number, f"# L\n\n{text}")] = str(number)
    assert told(ages(repository), days) == "D1 C1 B1 E3 | 3:1"  # none is another one reworded
    days[keep(repository, 4, memory(*"DCBE"))] = "4"
    assert told(ages(repository), days) == "D1 C1 B1 E3 | 3:1"


def test_a_list_that_is_no_text(repository: GitRepository, rewritten: str) -> None:
    repository.write(LIST, rewritten.encode("utf-16"))
    repository.commit(date=day(2))
    document = ages(repository)
    assert added(document) == {"B": day(1)}
    (note,) = document["history"]["notes"]
    assert note.startswith(f"{LIST}:1: ")


def test_white_space_between_carriage_returns_makes_no_entry_younger(tmp_path: Path) -> None:
    """A line end is white space as well where git sees one line."""
    reworded = memory("A", "B").replace("## A\n", "## A by another name\n")
    versions = [memory("A"), memory("A", "B"), f"Preface.\n\n{memory('A', 'B')}", reworded]
    versions.append(reworded.replace("## B", "\n\n## B"))
    for change in range(len(versions) + 1):
        repository = GitRepository(tmp_path / str(change))
        for number, text in enumerate(versions):
            keep(repository, number, text if number < change else text.replace("\n", "\r"))
        document = ages(repository)
        assert added(document) == {"A by another name": day(0), "B": day(1)}, change


@pytest.mark.parametrize("first", ["L-014: NAMED", "L-014: Called"])
def test_a_dialect_that_a_new_entry_brings_about_makes_no_other_one_younger(
    repository: GitRepository, first: str
) -> None:
    """The second id makes them ids, so that the identity of the first entry is another one."""
    others = memory("A", "B", "C")
    named = f"## L-014: Named\n\n{body('Named')}\n\n"
    keep(repository, 0, others + named.replace("L-014: Named", first))
    keep(repository, 1, others + named)
    keep(repository, 2, others + named + "## L-015: Other\n")
    dates = added(ages(repository))
    assert (dates["Named"], dates["Other"]) == (day(0), day(2))
