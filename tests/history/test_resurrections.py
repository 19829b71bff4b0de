"""Entries that a consolidation removed and that came back: what is one, and who did it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.history.memory import FILE, body, configure, day, keep, memory, run
from tests.history.oracle import resurrection
from tests.history.oracle.histories import name_at, random_history
from tests.history.stories import tell
from tests.support.repository import GitRepository

MESSAGE = re.compile(
    r"this entry was removed by the consolidation (\w{12}) on ([\d-]+) and "
    r"(?:is back, uncommitted|came back with (the merge|commit) (\w{12}) on ([\d-]+)); "
)
# `work` has E, and main made one entry of A and B.
FORK = "0 ABCD; 2 work: ABCDE; 1 main: BothCD;"


def findings(repository: GitRepository, days: dict[str | None, str]) -> str:
    """Each title with error (`!`) or notice (`?`), days of removal and return; `m`: by a merge."""
    command = ("check", "--history", "--rule=resurrected-entry", "--format=json", FILE)
    done = run(repository, *command)
    assert done.code in (0, 1), done
    lines = repository.read(FILE).decode().splitlines()
    numbers = {(commit or "")[:12]: number for commit, number in days.items()}
    parts = []
    for finding in done.json["findings"]:
        match = MESSAGE.match(finding["message"])
        assert match is not None, finding
        removed_by, removed_on, by, back_by, back_on = match.groups()
        removed, back = numbers[removed_by], numbers[back_by or ""]
        assert (removed_on, back_on) == (day(int(removed)), day(int(back)) if back_by else None)
        title = lines[finding["line"] - 1].removeprefix("## ")
        sign = {"error": "!", "notice": "?"}[finding["severity"]]
        parts.append(f"{title}{sign}{removed}>{back}{'m' if by == 'the merge' else ''}")
    return " ".join(parts)


STORIES = {
    "a merge keeps both sides": (f"{FORK} 3 <work BothABCDE", "A!1>3m B!1>3m"),
    "a merge done right": (f"{FORK} 3 <work BothCDE", ""),
    "a merge takes the older side": (f"{FORK} 3 <work ABCDE", "A!1>3m B!1>3m"),
    "a merge brings one back": (f"{FORK} 3 <work BothBCDE", "B!1>3m"),
    "the branch merged main": (
        f"{FORK} 3 work: <main BothABCDE; 4 main: .; 5 <work",
        "A!1>3m B!1>3m",
    ),
    "a later merge is not blamed": (
        f"{FORK} 4 late: .; 3 main: <work BothABCDE; 5 <late",
        "A!1>3m B!1>3m",
    ),
    "squashed": (f"{FORK} 3 BothABCDE", "A!1>3 B!1>3"),
    "reverted": (f"{FORK} 3 ABCD", "A?1>3 B?1>3"),
    "twice": (
        f"{FORK} 6 older=work: .; 3 main: <work BothABCDE; 4 BothBCDE; 5 <older BothABCDE",
        "A!4>5m B!1>3m",
    ),
    "the newest removal counts, whatever the clock said": (
        "0 AB; 5 BC; 6 ABC; 1 BCD; 7 ABCD",
        "A!1>7",
    ),
    "renamed after": (
        (
            "0 o.md ABCD; 2 work: o.md ABCDE; 1 main: o.md BothCD; 3 o.md>learnings.md;"
            "4 <work BothABCDE -o.md"
        ),
        "A!1>4m B!1>4m",
    ),
    "renamed by the merge": (
        "0 o.md ABCD; 2 work: o.md ABCDE; 1 main: o.md BothCD; 4 <work BothABCDE -o.md",
        "A!1>4m B!1>4m",
    ),
    "a rewording is no removal": ("0 ABC; 1 work: ABCD; 2 main: Ay=ABC; 3 <work ABCD", ""),
    "a new entry of the name": (f"{FORK} 3 BothA=XCD", ""),
    "a new entry of the name, from a branch": (
        "0 B; 3 work: BA=X; 1 main: AB; 2 B; 4 <work BA=X",
        "",
    ),
    "restored from an archive": (f"{FORK} 3 archive/o.md AB; 4 BothACD archive/o.md B", ""),
    "one restored, one not": (
        f"{FORK} 3 archive/o.md AB; 4 BothACD archive/o.md B; 5 BothABCD archive/o.md B",
        "B!1>5",
    ),
    "emptied and restored": (f"{FORK} 3 (); 4 BothCD", ""),
    "emptied here, extended there": (f"{FORK} 3 (); 4 <work CE", "C!3>4m"),
    "deleted and written again": (f"{FORK} 3 -; 4 BothCD", ""),
    "an octopus": (f"{FORK} 3 third=main~1: .; 4 main: <work+third BothACD", "A!1>4m"),
    "in the work tree": (f"{FORK} now BothACD", "A!1>now"),
    "in the work tree, as before": (f"{FORK} now ACD", "A?1>now"),
}


@pytest.mark.parametrize("name", STORIES)
def test_what_came_back_and_with_what(repository: GitRepository, name: str) -> None:
    story, expected = STORIES[name]
    assert findings(repository, tell(repository, story)) == expected


def test_only_errors_fail_a_check_with_history(repository: GitRepository) -> None:
    configure(repository, consolidation_min_removed=9)  # how many left makes no difference
    tell(repository, f"{FORK} 3 ABCD")
    assert run(repository, "check", "--history", FILE).code == 0
    tell(repository, "4 <work BothABCDE")
    assert run(repository, "check", "--history", FILE).code == 1
    assert run(repository, "check", FILE).code == 0


def test_many_entries_that_one_merge_brought_back_are_one_line(repository: GitRepository) -> None:
    days = tell(repository, "0 ABC; 2 work: ABSTUVWXY; 4 late: ABSTUVWXYNew; 3 work: ABOne")
    days |= tell(repository, "5 <late ABOneSTUVWXYNew")
    removing, merge = (commit for commit, number in days.items() if number in "35")
    expected = (
        f"7 entries that were removed by the consolidation {(removing or '')[:12]} on {day(3)} "
        f'came back with the merge {(merge or "")[:12]} on {day(5)} ("S", "T", "U" and 4 more); '
    )
    check = ("check", "--history", "--rule=resurrected-entry", FILE)
    for output in ("text", "github", "markdown"):
        assert run(repository, *check, f"--format={output}").out.count(expected) == 1
    ignored = "## S <!-- learnings: ignore[resurrected-entry] so it is -->\n"
    repository.write(FILE, repository.read(FILE).decode().replace("## S\n", ignored))
    assert "6 entries" in run(repository, *check).out
    run(repository, "baseline", "--history")
    assert run(repository, *check).code == 0


def test_an_entry_edited_on_the_older_branch(repository: GitRepository) -> None:
    days = tell(repository, FORK)
    edited = memory("Both", "A", "C", A=f"{body('A')} and more")
    days[repository.merge("work", date=day(3), resolve={FILE: edited})] = "3"
    assert findings(repository, days) == "A!1>3m"


@pytest.mark.parametrize("opening", ["```\n", "<!--\n"])
def test_entries_that_an_open_block_hid(repository: GitRepository, opening: str) -> None:
    days = tell(repository, FORK)
    whole = repository.read(FILE).decode()
    keep(repository, 3, whole.replace("## C", f"{opening}## C"))
    keep(repository, 4, whole)
    assert findings(repository, days) == ""


def test_line_ends_and_white_space_are_no_removal(repository: GitRepository) -> None:
    days = tell(repository, FORK)
    both = memory("Both", "A", "B", "C", "D", "E").replace("\n", "\r\n")
    days[repository.merge("work", date=day(3), resolve={FILE: both})] = "3"
    assert findings(repository, days) == "A!1>3m B!1>3m"
    keep(repository, 4, both.replace("\r\n", "\n").replace("## C", "##   C"))
    assert findings(repository, days) == "A!1>3m B!1>3m"


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [7, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (5, 11, 15, 19))]
)
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
