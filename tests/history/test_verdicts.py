"""Should consolidation start, what should take part, and since when has it been waiting.

The rules themselves are tested on values; here it is what commits and files make of them.
"""

from __future__ import annotations

import pytest

from tests.history.memory import FILE, Json, ages, body, configure, day, due, keep, memory, run
from tests.history.stories import tell
from tests.support.repository import GitRepository

ALL = "--keep-recent=0"


def summary(verdict: Json) -> str:
    """Verdict, size/staleness/batch (`*`: met), the batch, and the days it has waited since."""
    values = "/".join(f"{c['value']}{'*' * c['met']}" for c in verdict["conditions"][:3])
    parts = [verdict["verdict"] + "!" * verdict["escalated"], values]
    parts += ["".join(entry["title"] for entry in verdict["batch"]) or "-"]
    parts += [f"{name}:{verdict[f'{name}_since']}" for name in ("starved", "due")]
    return " ".join(part for part in parts if not part.endswith(":None"))


def since(name: str, number: int) -> str:
    return f"{name}:{day(number)}"


STORIES = {
    "a line too few": ("0 ABCDEF; 1..6; 7 ABCDEF *149", "not-due 149/7/3* ABC"),
    "large enough": ("0 ABCDEF; 1..6; 7 ABCDEF *150", f"due 150*/7/3* ABC {since('due', 7)}"),
    "a day too few": ("0 ABCDEFGHI; 20 ABCDEF; 21..33", "not-due 30/13/3* ABC"),
    "stale": ("0 ABCDEFGHI; 20 ABCDEF; 21..34", f"due 30/14*/3* ABC {since('due', 34)}"),
    "never consolidated, a day too few": (
        "0 .; 1..3; 4 ABC; 5 ABCDEF; 6..17",
        "not-due 30/13/3* ABC",
    ),
    "never consolidated, stale": (
        "0 .; 1..3; 4 ABC; 5 ABCDEF; 6..18",
        f"due 30/14*/3* ABC {since('due', 18)}",
    ),
    "an entry too few": ("0 AB *81; 1..14", f"starved 81/14*/2 AB {since('starved', 14)}"),
    "short enough to wait": ("0 AB *80; 1..30", "not-due 80/30*/2 AB"),
    "short, with a batch": ("0 ABCDEF; 1..20", f"due 30/20*/3* ABC {since('due', 14)}"),
    "starved only while it was long": (
        "0 AB *100; 1..15; 16 AB *60; 17..25; 26 AB *90; 27..28",
        f"due! 90/28*/2 AB {since('starved', 14)} {since('due', 26)}",
    ),
    "too young": ("0 ABC *150; 1..6", f"starved 150*/6/0 - {since('starved', 0)}"),
    "old enough": ("0 ABC *150; 1..7", f"due 150*/7/3* ABC {since('due', 7)}"),
    "no entry": ("0 () *200; 1..20", "not-due 200*/None/0 -"),
    "no entry any more": ("0 ABC; 1 () *200; 2..20", "not-due 200*/19*/0 -"),
    "uncommitted are the newest": (
        "0 ABCD; 1..14; now XABCDYZ",
        f"due 34/14*/4* ABCD {since('due', 14)}",
    ),
    "starved by staleness since the day it held": (
        "0 ABCDE *81; 1 AB *81; 2..18",
        f"starved 81/17*/2 AB {since('starved', 15)}",
    ),
    "short since entries left": (
        "0 ABCDEF *81; 1 ABC *81; 2..16; 17 AB *81; 18..19",
        f"starved 81/18*/2 AB {since('starved', 17)}",
    ),
    "not yet escalated": ("0 AB *160; 1..6", f"starved 160*/6/0 - {since('starved', 0)}"),
    "escalated": ("0 AB *160; 1..12", f"due! 160*/12/2 AB {since('starved', 0)} {since('due', 7)}"),
    "due since": ("0 ABCDEF; 1..20", f"due 30/20*/3* ABC {since('due', 14)}"),
    "due again since": (
        "0 ABCDEF; 1..20; 21 ABC; 22 ABC *160; 23..24; 25 ABC *149; 26 ABC *160; 27..28",
        f"due 160*/7/3* ABC {since('due', 26)}",
    ),
    "old entries that left do not count": (
        "0 Old *160; 1 New *160; 2 Newer *160; 3..8; 9 Newest *160; 10..12",
        f"starved 160*/3/0 - {since('starved', 0)}",
    ),
    "until the newest is old enough": (
        "0 Old *160; 1 New *160; 2 Newer *160; 3..8; 9 Newest *160; 10..16",
        f"due! 160*/7/1 Newest {since('starved', 0)} {since('due', 16)}",
    ),
    "a consolidation ends the wait": (
        "0 ABCDE *160; 1..9; 10 AB *155; 11..13",
        f"starved 155*/3/2 AB {since('starved', 10)}",
    ),
    "no wait below the size": ("0 AB *160; 1 AB *100; 2..5", "not-due 100/5/0 -"),
}


@pytest.mark.parametrize("name", STORIES)
def test_the_verdict(repository: GitRepository, name: str) -> None:
    story, expected = STORIES[name]
    tell(repository, story)
    assert summary(due(repository)) == expected


def test_a_last_line_that_is_not_ended_counts(repository: GitRepository) -> None:
    tell(repository, "0 ABCDEF; 1..6")
    keep(repository, 7, memory(*"ABCDEF", lines=149) + "x")
    assert due(repository)["verdict"] == "due"
    assert ages(repository)["lines"] == 150


@pytest.mark.parametrize("text", ["", "# L\n" + "\n" * 200])
def test_a_file_without_entries(repository: GitRepository, text: str) -> None:
    keep(repository, 0, text)
    tell(repository, "1..20")
    summary = run(repository, "ages", FILE, "--summary").out
    assert summary == "0 entries (0 ≥7 days, no prior consolidation)\n"
    assert due(repository)["forecast"] is None
    assert "not-due: the file has no entries\n" in run(repository, "due", FILE).out
    assert run(repository, "batch", FILE, "--format=json").json["entries"] == []


@pytest.mark.parametrize(
    ("old", "new", "options", "expected"),
    [
        ("ABCDEFGHIJ", "", (), "ABCDEFG"),
        ("ABCDE", "", (), "ABC"),
        ("ABCD", "XYZ", (), "ABCD"),
        ("ABCDEF", "XY", (), "ABCDE"),
        ("AB", "", (), "AB"),
        ("ABCDEF", "", (ALL,), "ABCDEF"),
        ("ABCDEF", "", ("--keep-recent=2",), "ABCD"),
        ("ABCDEF", "", ("--keep-recent=9",), "ABC"),
    ],
)
def test_the_newest_stay_but_not_at_the_cost_of_the_batch(
    repository: GitRepository, old: str, new: str, options: tuple[str, ...], expected: str
) -> None:
    steps = [f"{number} {old[: number + 1]}" for number in range(len(old))]
    tell(repository, "; ".join([*steps, "20..34", f"35 {old}{new}"]))
    assert summary(due(repository, *options)).split()[2] == expected


def test_the_newest_are_on_top_where_the_file_grows_there(repository: GitRepository) -> None:
    tell(repository, "0 A; 1 BA; 2 CBA; 3 DCBA; 4 EDCBA; 5 FEDCBA; 10..24")
    assert summary(due(repository, "--keep-recent=2")).split()[2] == "ABCD"


def test_stated_dates_say_what_is_newest(repository: GitRepository) -> None:
    stamps = {"D": "2025-01-04", "C": "2025-01-03", "B": "2025-01-02", "A": "2025-01-01"}
    text = "# L\n\n" + "".join(f"## [{s}-120000] {t}\n\n{body(t)}\n\n" for t, s in stamps.items())
    keep(repository, 20, text)
    tell(repository, "21..35")
    assert summary(due(repository, "--keep-recent=1")).split()[2] == "CBA"


def test_superseded_entries_take_part_and_are_marked(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDE", B=f"~~Superseded by E~~\n{body('B')}"))
    tell(repository, "1..14")
    said = due(repository, ALL)["batch"]
    document = run(repository, "batch", FILE, ALL, "--format=json").json
    assert len(said) == 5
    for entries in (ages(repository)["entries"], said, document["entries"]):
        assert [entry["title"] for entry in entries if entry["superseded"]] == ["B"]
    for words in (("due",), ("due", "--format=markdown"), ("batch",)):
        lines = run(repository, *words, FILE, ALL).out.splitlines()
        assert sum("superseded" in line for line in lines) == 1, words


def test_exit_code_and_switch(repository: GitRepository) -> None:
    tell(repository, "0 ABCDEF; 1..6")
    assert run(repository, "due", FILE, "--exit-code").code == 0
    tell(repository, "7 ABCDEF *150")
    assert run(repository, "due", FILE, "--exit-code").code == 1
    assert run(repository, "due", FILE).code == 0
    assert run(repository, "due", FILE, "--min-batch=9", "--exit-code").code == 0
    configure(repository, due=False)
    said = due(repository)
    assert (said["forecast"], said["switched_off"]) == (None, True)
    assert summary(said).startswith("not-due 150*/7")
    assert run(repository, "due", FILE, "--exit-code").code == 0


@pytest.mark.parametrize(("after", "verdict"), [(7, "due!"), (8, "starved"), (0, "due!")])
def test_when_it_escalates_can_be_set(repository: GitRepository, after: int, verdict: str) -> None:
    tell(repository, "0 AB *160; 1..7")
    said = summary(due(repository, f"--starved-escalates-after={after}"))
    assert said.split()[0] == verdict
    assert f" since {day(0)}" in run(repository, "due", FILE).out


def test_thresholds_from_the_configuration_and_from_the_command_line(
    repository: GitRepository,
) -> None:
    tell(repository, "0 ABCDEF; 1..6; 7 ABCDEF *60")
    configure(repository, size_trigger=60, min_batch=2, keep_recent=4)
    assert summary(due(repository)).startswith("due 60*/7/2* AB ")
    assert due(repository, "--size-trigger=61")["verdict"] == "not-due"


@pytest.mark.parametrize(
    ("titles", "count", "reason"),
    [
        ("", "0 entries", "no entry is old enough; the first will be in 1 active day"),
        ("A", "1 entry", "only 1 of the 3 entries that a batch needs is old enough"),
        ("AB", "2 entries", "only 2 of the 3 entries that a batch needs are old enough"),
    ],
)
def test_one_entry_is_one(repository: GitRepository, titles: str, count: str, reason: str) -> None:
    tell(repository, f"0 Old{titles} *200; 1 {titles}New *200; 2..9")
    for format_name in ("text", "markdown", "github"):
        words = ("due", FILE, "--freshness=9", ALL, f"--format={format_name}")
        assert reason in run(repository, *words).out
    said = run(repository, "due", FILE, "--freshness=9", ALL).out
    assert f" {count} of 9 or more active days " in said


@pytest.mark.parametrize(
    ("story", "options", "days", "because"),
    [
        ("0 ABC *50; 1 ABC *60; 2 ABC *70; 3 ABC *80; 4 ABC *90; 5 ABC *100", (), 5, "10.0 lines"),
        ("0 ABC *50; 1 ABC *51; 2..5", (), 9, "14 active days without"),
        ("0 ABC *100; 1 ABC *60; 2..5", (), 9, "14 active days without"),
        (  # the growth of the last 28 active days
            "0 ABCDEFG *31; 1 ABCDEF *60; 2..28; 29 ABCDEF *88",
            ("--staleness-trigger=1000",),
            62,
            "1.0 lines",
        ),
    ],
)
def test_the_forecast(
    repository: GitRepository, story: str, options: tuple[str, ...], days: int, because: str
) -> None:
    tell(repository, story)
    forecast = due(repository, *options)["forecast"]
    assert forecast["due_in_active_days"] == days
    assert because in forecast["because"]
    assert f"due in {days} active days: " in run(repository, "due", FILE, *options).out


def test_a_due_file_says_each_reason(repository: GitRepository) -> None:
    tell(repository, "0 ABC *160; 1..20")
    said = due(repository)["forecast"]
    assert said["due_in_active_days"] == 0
    assert all(reason in said["because"] for reason in ("160 lines", "20 active days without"))


def test_as_of_is_the_verdict_of_that_evening(repository: GitRepository) -> None:
    days = tell(repository, "0 ABCDEFGHI; 2 ABCDEF *90; 3..30")
    evenings = {int(number): commit for commit, number in days.items() if commit}
    for number in (2, 15, 16, 29):
        as_of_day = due(repository, "--as-of", day(number))
        assert as_of_day == due(repository, "--at", str(evenings[number]))
        assert as_of_day["conditions"][1]["value"] == number - 2


def test_the_batch_command_gives_the_text_of_the_batch(repository: GitRepository) -> None:
    tell(repository, "0 A; 1 AB; 2 ABC; 3 ABCD; 4 ABCDE; 5 ABCDEF; 6..20")
    document = run(repository, "batch", FILE, "--format=json").json
    assert document["verdict"] == "due"
    assert [entry["title"] for entry in document["entries"]] == [*"ABC"]
    first = document["entries"][0]
    assert first["text"].startswith(f"## A\n\n{body('A')}")
    assert (first["added"], first["active_days"], first["line"]) == (day(0), 20, 7)
    assert f"\n## A\n\n{body('A')}\n" in run(repository, "batch", FILE).out


def test_due_of_all_files(repository: GitRepository) -> None:
    tell(repository, "0 ABC; 1..6")
    repository.write("agents/learnings.md", memory(*"XYZ", lines=150))
    tell(repository, "7 .; 8..14")
    files = run(repository, "due", "--format=json").json["files"]
    verdicts = {file["file"]: file["verdict"] for file in files}
    assert verdicts == {FILE: "due", "agents/learnings.md": "due"}
