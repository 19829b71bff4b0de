"""When each entry was added and what the last consolidation was, in one history after another."""

from __future__ import annotations

import pytest

from tests.history.memory import FILE, ages, count_every_removal, forget
from tests.history.oracle import bruteforce as oracle
from tests.history.stories import tell, told
from tests.support.repository import GitRepository

STORIES = {
    # -- headings and positions
    "reordered": ("0 ABC; 1 ABCD; 2 DCBA", "D1 C0 B0 A0"),
    "reworded": ("0 AB; 3 Another=AB", "Another0~ B0"),
    "reworded again and again": ("0 A; 1 One=A; 2 Two=A; 3 Three=A", "Three0~"),
    "old words back": ("0 AB; 1 Other=AB; 2 AB", "A0~ B0"),
    "swapped headings": ("0 AB; 1 A=BB=A", "A0 B0"),
    "uncommitted": ("0 AB; 1..2; now ANewB", "A0 New? B0"),
    "staged": ("0 AB; staged ANewB", "A0 New? B0"),
    "uncommitted rewording": ("0 AB; now Ay=ABC", "Ay0~ B0 C?"),
    "uncommitted removal": ("0 AB; now B", "B0"),
    "never committed": ("0 .; staged AB", "A? B?"),
    # -- names of the file
    "renamed twice": ("0 N.md AB; 1 N.md>x/n.md; 2 x/n.md>learnings.md", "A0 B0"),
    "renamed and edited": ("0 N.md ABCD; 1 N.md>learnings.md ABee=BDE", "A0 Bee0~ D0 E1 | 1:1"),
    "only the case": ("0 LEARNINGS.md A; 1 LEARNINGS.md>learnings.md", "A0"),
    "away for a while": ("0 AB; 1 -; 2 AC", "A0^ C2"),
    "reworded before and after the rename": (
        "0 N.md AB; 1 N.md One=AB; 2 N.md>learnings.md; 3 Two=AB",
        "Two0~ B0",
    ),
    "edited under the old name on a branch": (
        "0 N.md ABC; 1 work: N.md AC; 2 N.md ACD; 3 main: N.md>learnings.md; 4 <work ACD -N.md",
        "A0 C0 D2 | 1:1",
    ),
    "older name on a branch, renamed before": (
        "0 N.md AB; 2 work: N.md ABSame; 1 main: N.md>learnings.md; 4 ABSame; 5 <work ABSame -N.md",
        "A0 B0 Same2",
    ),
    "older name on a branch, renamed after": (
        "0 N.md AB; 2 work: N.md ABSame; 3 main: N.md>learnings.md; 4 ABSame; 5 <work ABSame -N.md",
        "A0 B0 Same2",
    ),
    "renamed here and extended there": (
        "0 o.md ABCD; 2 work: o.md ABCDE; 1 main: o.md>learnings.md; 3 <work",
        "A0 B0 C0 D0 E2",
    ),
    "renamed there and consolidated here": (
        "0 o.md ABCD; 2 work: o.md>learnings.md; 1 main: o.md ABC; 3 <work",
        "A0 B0 C0 | 1:1",
    ),
    "a merge that keeps every file of its first parent": (
        (
            "0 N.md AB; 0 before: .; 0 main: <before; 2 work: N.md ABLess; 3 main: -N.md; 4 ABLess;"
            "5 <!work -N.md"
        ),
        "A0 B0 Less2",
    ),
    # -- consolidations
    "never": ("0 A; 1 AB", "A0 B1"),
    "newest of several": ("0 ABCDE; 1 ABCD; 3 AB; 4 ABC; 5..6", "A0 B0 C0^ | 3:2"),
    "newest in the order of git": ("0 ABC; 5 AB; 3/9 A", "A0 | 3:1"),
    "rewordings do not count": ("0 ABCDE; 1 Ay=ABe=BCNew", "Ay0~ Be0~ C0 New1 | 1:2"),
    "to another file": ("0 AB; 1 B archive.md A", "B0 | 1:1"),
    "emptied": ("0 AB; 1 ()", "| 1:2"),
    "written again": ("0 AB; 1 A; 2 AB", "A0 B0^ | 1:1"),
    "another text under its title": ("0 AB; 1 A; 9 AB=X", "A0 B9 | 1:1"),
    "a deletion is none": ("0 ABC; 1 -; 2 A", "A0^"),
    "before a deletion": ("0 ABC; 1 AB; 2 -; 3 D", "D3 | 1:1"),
    "under an older name": (
        "0 one.md ABC; 1 one.md AB; 2 one.md>two.md; 3 two.md>learnings.md",
        "A0 B0 | 1:1",
    ),
    "in another file of an older name": (
        "0 one.md AB; 1 one.md>learnings.md; 2 one.md XYZ; 3 one.md X",
        "A0 B0",
    ),
    # -- merges
    "written on a branch": ("0 ABCD; 1 work: ABCDE; 2 main: .; 9 <work", "A0 B0 C0 D0 E1"),
    "written on both sides": (
        "0 ABCD; 2 work: ABCDWork; 1 main: MainABCD; 3 <work",
        "Main1 A0 B0 C0 D0 Work2",
    ),
    "the same on both sides": ("0 A; 1 work: ASame; 2 main: ASame; 3 <work ASame", "A0 Same1"),
    "consolidated on a branch": ("0 ABCD; 1 work: AB; 2 main: .; 3 <work", "A0 B0 | 1:2"),
    "a merge reworks it": ("0 ABCD; 1 work: ABC; 2 main: ABCDE; 3 <work ABCE", "A0 B0 C0 E2 | 1:1"),
    "consolidated on both sides": ("0 ABCD; 2 work: CD; 1 main: ABC; 3 <work C", "C0 | 2:2"),
    "a merge removes what both had": (
        "0 ABCD; 1 work: ABCDWork; 2 main: MainABCD; 3 <work ABCWork",
        "A0 B0 C0 Work1 | 3:1",
    ),
    "a merge removes what one had": (
        "0 ABCD; 1 work: ABCDWork; 2 main: MainABCD; 3 <work ABCD",
        "A0 B0 C0 D0",
    ),
    "a merge resurrects": (
        "0 ABCD; 2 work: ABCDE; 1 main: AB; 3 <work ABCDE",
        "A0 B0 C0 D0 E2 | 1:2",
    ),
    "a merge drops a branch": ("0 ABCD; 1 work: AB; 2 main: .; 3 <!work", "A0 B0 C0 D0 | 1:2"),
    "a merge writes": ("0 AB; 1 work: .; 2 main: .; 3 <work ABNew", "A0 B0 New3"),
    "a merge rewords": (
        "0 ABCD; 1 work: ABCDWork; 2 main: MainABCD; 3 <work MainABee=BCDWork",
        "Main2 A0 Bee0~ C0 D0 Work1",
    ),
    "reworded on a branch": (
        "0 ABCD; 1 work: ABee=BCD; 2 main: MainABCD; 3 <work",
        "Main2 A0 Bee0~ C0 D0",
    ),
    "reworded twice, a merge between": (
        "0 AB; 1 work: One=AB; 2 main: ZAB; 3 <work ZOne=AB; 4 ZTwo=AB",
        "Z2 Two0~ B0",
    ),
    "an octopus": (
        "0 ABCD; 1 work: BCD; 2 more=main: ABCDE; 3 main: .; 4 <work+more BCE",
        "B0 C0 E2 | 4:1",
    ),
    "an octopus that rewords, writes and takes out": (
        (
            "0 ABCD; 1 work: ABCDWork; 2 more=main: ABCDMore; 3 main: MainABCD;"
            "4 <work+more MainABWorks=WorkMores=MoreNew"
        ),
        "Main3 A0 B0 Works1~ Mores2~ New4 | 4:2",
    ),
    "merges that cross": (
        (
            "0 ABCD; 2 work: ABCWork; 1 main: MainABCD; 3 work: <main MainABCWork;"
            "4 main: <work~1 MainABCWork; 5 <work"
        ),
        "Main1 A0 B0 C0 Work2 | 2:1",
    ),
    "a clock that was wrong": (
        "0 A; 1/30 AB; 2 work: ABC; 3 main: ZAB; 4 <work ZABC",
        "Z3 A0 B1 C2",
    ),
    # -- moves between files
    "from a file": ("0 A notes.md MN; 1 AM notes.md N", "A0 M0<notes.md"),
    "from a text file": ("0 A docs/notes.txt MN; 1 AM docs/notes.txt N", "A0 M0<docs/notes.txt"),
    "from a file without a suffix": ("0 A d/NOTES MN; 1 AM d/NOTES N", "A0 M0<d/NOTES"),
    "from a rule of an editor": ("0 A notes.mdc MN; 1 AM notes.mdc N", "A0 M0<notes.mdc"),
    "not from code": ("0 A notes.py M; 1 AM -notes.py", "A0 M1"),
    "from two files": ("0 one.md A two.md B; 1 AB", "A0<one.md B0<two.md"),
    "over two files": (
        "0 A inbox.txt M; 1 inbox.txt () notes.md MN; 2 AM notes.md N",
        "A0 M0<notes.md",
    ),
    "reworded in the other file": ("0 A notes.md Em=MN; 1 notes.md MN; 2 AM notes.md N", "A0 M0~"),
    "copied by the commit that creates the file": (
        "0 notes.md ABN; 1 ABC; 2 ABCN",
        "A0<notes.md B0<notes.md C1 N2",
    ),
    "moved on a branch": (
        "0 A notes.md MN; 1 work: AM notes.md N; 2 main: ZA; 3 <work ZAM",
        "Z2 A0 M0<notes.md",
    ),
    "moved by a merge": (
        "0 A notes.md MN; 1 work: AWork; 2 main: MainA; 3 <work MainAWorkM notes.md N",
        "Main2 A0 Work1 M0<notes.md",
    ),
    "copied by a merge from the other branch": (
        "0 .; 1 work: notes.txt M; 2 main: .; 3 <work M",
        "M1<notes.txt",
    ),
    "both files renamed since": (
        "0 l.md A inbox.md MNO; 1 inbox.md>notes.md; 2 l.md AM notes.md NO; 3 l.md>learnings.md",
        "A0 M0<notes.md",
    ),
    "an uncommitted copy is new": ("0 A notes.md MN; now AM", "A0 M?"),
    "an uncommitted move": ("0 A notes.md MN; 1..2; now AMNew notes.md N", "A0 M0<notes.md New?"),
    "a staged move": ("0 A notes.md MN; 1..2; staged AMNew notes.md N", "A0 M0<notes.md New?"),
    "a staged rename": ("0 notes.md MN; staged notes.md>learnings.md", "M0<notes.md N0<notes.md"),
    "a staged copy": ("0 notes.md MN; staged MN", "M0<notes.md N0<notes.md"),
}


# It reads no work tree, and looks for moved entries in Markdown and text files alone.
BEYOND_THE_ORACLE = {
    *(name for name, (story, _) in STORIES.items() if "now " in story or "staged " in story),
    "from a file without a suffix",
    "from a rule of an editor",
}


@pytest.mark.parametrize("name", STORIES)
def test_ages_and_the_last_consolidation(repository: GitRepository, name: str) -> None:
    story, expected = STORIES[name]
    count_every_removal(repository)
    *before, last = story.split(";")
    days = tell(repository, ";".join(before))
    if (repository.path / FILE).exists():
        ages(repository)  # so that the next answer builds on what is remembered
    days |= tell(repository, last)
    assert told(ages(repository), days) == expected
    forget(repository)
    assert told(ages(repository), days) == expected


# Renamed on `main`; `work` rewrote it under its older name so that git sees no rename.
OLDER = "0 N.md ABCD; {} 2 work: N.md AWorkMoreLessNext; 1 main: N.md>learnings.md; 3 ABCDMain; {}"
# A merge before makes a difference to git: it keeps all of them when it looks for one name.
BEFORE = {"linear": "", "merge": "0 before: .; 0 main: <before;"}
OLDER_NAMES = {
    "nothing moved": ("4 <work ABMainWork -N.md", "A0 B0 Main3 Work2 | 2:3"),
    "nothing is older": ("4 <work MainWork -N.md", "Main3 Work2 | 2:3"),
    "the branch had it before": ("5 AMainWork; 6 <work AMainWork -N.md", "A0 Main3 Work2 | 5:3"),
    "and brings another": (
        "5 AMainWork; 6 <work AMainWorkMore -N.md",
        "A0 Main3 Work2 More2 | 5:3",
    ),
    "a consolidation taken back": ("4 <work ABCDMainExtra -N.md", "A0 B0 C0 D0 Main3 Extra4 | 2:3"),
    "a later run": ("4 <work AMainWork -N.md; 5 MainWork", "Main3 Work2 | 2:3"),
    "the merge rewords": ("4 <work MainWorks=Work -N.md", "Main3 Works2~ | 2:3"),
    "taken out of both": ("4 AWorkMoreLessBCDEFMain; 5 <work AMain -N.md", "A0 Main3 | 5:3"),
    "nothing asks for what was before": (
        "4 MainLessXYZ; 5 <work MainLessXYZWorkMost=More -N.md; 6 MainLessWorkMost=More",
        "Main3 Less2 Work2 Most2~ | 6:3",
    ),
    "the merge takes out more": (
        "4 WorkMoreLessNextXYZMain; 5 WorkMoreLessNextMain; 6 <work NextMain -N.md",
        "Next2 Main3 | 6:3",
    ),
    "a merge since an earlier run": (
        "4 MainLessXYZ; 5 MainLess; 6 <work MainLessWork -N.md",
        "Main3 Less2 Work2 | 5:3",
    ),
    "entries of main under the older name": (
        "4 work: <main N.md AMainWork -learnings.md; 5 main: ABCDNew; 6 <work AMainNewWork -N.md",
        "A0 Main3 New5 Work2 | 2:3",
    ),
}


@pytest.mark.parametrize("name", OLDER_NAMES)
@pytest.mark.parametrize("before", BEFORE)
def test_a_branch_that_knew_the_file_by_its_older_name(
    repository: GitRepository, name: str, before: str
) -> None:
    story, expected = OLDER_NAMES[name]
    *steps, last = OLDER.format(BEFORE[before], story).split(";")
    days = tell(repository, ";".join(steps))
    ages(repository)
    days |= tell(repository, last)
    assert told(ages(repository), days) == expected
    forget(repository)
    assert told(ages(repository), days) == expected


def test_a_merge_that_leaves_out_what_the_branch_wrote(repository: GitRepository) -> None:
    days = tell(repository, OLDER.format("", "4 <work ABCDMain -N.md"))
    assert told(ages(repository), days) == "A0 B0 C0 D0 Main3 | 2:3"


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in STORIES if name not in BEYOND_THE_ORACLE])
def test_the_oracle_says_the_same(repository: GitRepository, name: str) -> None:
    count_every_removal(repository)
    tell(repository, STORIES[name][0])
    slow = oracle.expected(repository.path, FILE, min_removed=1)
    values = oracle.compared(slow, ages(repository))
    assert [value for value in values if value.expected != value.reported] == []
