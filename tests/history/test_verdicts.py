"""Should consolidation start, what should take part, and since when has it been waiting."""

from __future__ import annotations

import pytest

from tests.history.memory import (
    FILE,
    Json,
    ages,
    body,
    configure,
    day,
    due,
    keep,
    live,
    memory,
    run,
)
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow


def value(verdict: Json, name: str) -> tuple[int | None, int | None, bool]:
    """Value, distance and whether it is met, of the condition of a name."""
    (condition,) = [c for c in verdict["conditions"] if c["name"] == name]
    return condition["value"], condition.get("distance"), condition["met"]


def batch(verdict: Json) -> str:
    """The titles of the batch, which are single letters."""
    return "".join(entry["title"] for entry in verdict["batch"])


def on_main(repository: GitRepository, first: int, last: int) -> None:
    live(repository, first, last)
    repository.git("reset", "--quiet", "--hard")


@pytest.fixture
def seven(repository: GitRepository) -> GitRepository:
    """A memory whose entries A to F are 7 active days old."""
    keep(repository, 0, memory(*"ABCDEF"))
    on_main(repository, 1, 6)
    return repository


@pytest.mark.parametrize(
    ("lines", "verdict", "distance"), [(149, "not-due", 1), (150, "due", 0), (151, "due", 0)]
)
def test_the_size(seven: GitRepository, lines: int, verdict: str, distance: int) -> None:
    keep(seven, 7, memory(*"ABCDEF", lines=lines))
    assert len(seven.read(FILE).split(b"\n")) - 1 == lines
    said = due(seven)
    assert said["verdict"] == verdict
    assert value(said, "size") == (lines, distance, distance == 0)
    assert value(said, "staleness") == (7, 7, False)


def test_a_last_line_that_is_not_ended_counts(seven: GitRepository) -> None:
    keep(seven, 7, memory(*"ABCDEF", lines=149) + "x")
    assert due(seven)["verdict"] == "due"
    assert ages(seven)["lines"] == 150


@pytest.mark.parametrize(("days", "verdict"), [(13, "not-due"), (14, "due"), (15, "due")])
def test_the_days_since_the_last_consolidation(
    repository: GitRepository, days: int, verdict: str
) -> None:
    keep(repository, 0, memory(*"ABCDEFGHI"))
    keep(repository, 20, memory(*"ABCDEF"))
    live(repository, 21, 20 + days)
    repository.git("reset", "--quiet", "--hard")
    said = due(repository)
    assert said["verdict"] == verdict
    assert value(said, "staleness") == (days, max(0, 14 - days), days >= 14)
    assert said["conditions"][1]["known"] is True


@pytest.mark.parametrize(("days", "verdict"), [(13, "not-due"), (14, "due"), (15, "due")])
def test_never_consolidated_counts_from_the_oldest_entry(
    repository: GitRepository, days: int, verdict: str
) -> None:
    repository.commit(date=day(0))
    on_main(repository, 1, 3)
    keep(repository, 4, memory(*"ABC"))
    keep(repository, 5, memory(*"ABCDEF"))
    on_main(repository, 6, 4 + days)
    said = due(repository)
    assert said["verdict"] == verdict
    assert value(said, "staleness") == (days, max(0, 14 - days), days >= 14)
    assert said["conditions"][1]["known"] is False
    assert "never consolidated" in run(repository, "due", FILE).out


@pytest.mark.parametrize(
    ("titles", "verdict"), [("AB", "starved"), ("ABC", "due"), ("ABCD", "due")]
)
def test_the_smallest_batch(repository: GitRepository, titles: str, verdict: str) -> None:
    keep(repository, 0, memory(*titles))
    on_main(repository, 1, 14)
    said = due(repository, "--keep-recent=0")
    assert said["verdict"] == verdict
    assert value(said, "batch") == (len(titles), max(0, 3 - len(titles)), len(titles) >= 3)
    assert batch(said) == titles


@pytest.mark.parametrize(("days", "fresh"), [(6, 0), (7, 3), (8, 3)])
def test_the_age_from_which_an_entry_takes_part(
    repository: GitRepository, days: int, fresh: int
) -> None:
    keep(repository, 0, memory(*"ABC", lines=150))
    on_main(repository, 1, days)
    document = ages(repository)
    assert document["fresh"] == {"at_least": 7, "count": fresh}
    said = due(repository)
    assert len(said["batch"]) == fresh
    assert said["verdict"] == ("due" if fresh else "starved")
    assert f"({fresh} ≥7 days" in run(repository, "ages", FILE, "--summary").out


def test_without_entries(repository: GitRepository) -> None:
    keep(repository, 0, "# Learnings\n\nNone so far.\n")
    on_main(repository, 1, 20)
    assert ages(repository)["entries"] == []
    assert run(repository, "ages", FILE, "--summary").out == (
        "0 entries (0 ≥7 days, no prior consolidation)\n"
    )
    said = due(repository)
    assert (said["verdict"], said["batch"]) == ("not-due", [])
    assert value(said, "staleness") == (None, None, False)
    assert run(repository, "batch", FILE, "--format=json").json["entries"] == []


@pytest.mark.parametrize("text", ["", "\n" * 200, "# L\n" + "\n" * 200])
def test_a_file_without_entries_is_not_due(repository: GitRepository, text: str) -> None:
    keep(repository, 0, text)
    on_main(repository, 1, 20)
    said = due(repository)
    assert (said["verdict"], said["batch"], said["forecast"]) == ("not-due", [], None)
    assert "not-due: the file has no entries\n" in run(repository, "due", FILE).out


def test_nor_is_one_that_lost_its_entries_long_ago(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABC"))
    keep(repository, 1, memory(lines=200))
    on_main(repository, 2, 20)
    said = due(repository)
    assert (said["verdict"], said["forecast"]) == ("not-due", None)
    assert value(said, "staleness") == (19, 0, True)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("ABCDEFGHIJ", "", "ABCDEFG"),
        ("ABCDEF", "", "ABC"),
        ("ABCDE", "", "ABC"),
        ("ABCD", "", "ABC"),
        ("ABCD", "XYZ", "ABCD"),
        ("ABCDE", "X", "ABC"),
        ("ABCDEF", "XY", "ABCDE"),
        ("AB", "", "AB"),
    ],
)
def test_the_newest_stay_but_not_at_the_cost_of_the_batch(
    repository: GitRepository, old: str, new: str, expected: str
) -> None:
    for number in range(len(old)):
        keep(repository, number, memory(*old[: number + 1]))
    on_main(repository, 20, 34)
    keep(repository, 35, memory(*old, *new))
    assert batch(due(repository)) == expected


@pytest.mark.parametrize("option", ["--keep-recent=0", "--keep-recent=2", "--keep-recent=9"])
def test_how_many_stay_can_be_set(repository: GitRepository, option: str) -> None:
    for number in range(6):
        keep(repository, number, memory(*"ABCDEF"[: number + 1]))
    on_main(repository, 10, 24)
    expected = {"--keep-recent=0": "ABCDEF", "--keep-recent=2": "ABCD", "--keep-recent=9": "ABC"}
    assert batch(due(repository, option)) == expected[option]


def test_the_newest_are_on_top_where_the_file_grows_there(repository: GitRepository) -> None:
    for number in range(6):
        keep(repository, number, memory(*reversed("ABCDEF"[: number + 1])))
    on_main(repository, 10, 24)
    assert batch(due(repository, "--keep-recent=2")) == "ABCD"


def test_stated_dates_say_what_is_newest(repository: GitRepository) -> None:
    stamps = {"D": "2025-01-04", "C": "2025-01-03", "B": "2025-01-02", "A": "2025-01-01"}
    text = "# L\n\n" + "".join(f"## [{s}-120000] {t}\n\n{body(t)}\n\n" for t, s in stamps.items())
    keep(repository, 20, text)
    on_main(repository, 21, 35)
    assert batch(due(repository, "--keep-recent=1")) == "CBA"


def test_superseded_entries_take_part_and_are_marked(repository: GitRepository) -> None:
    gone = f"~~Superseded by E~~\n{body('B')}"
    keep(repository, 0, memory(*"ABCDE", B=gone))
    on_main(repository, 1, 14)
    said = due(repository, "--keep-recent=0")
    assert batch(said) == "ABCDE"
    document = run(repository, "batch", FILE, "--keep-recent=0", "--format=json").json
    for entries in (ages(repository)["entries"], said["batch"], document["entries"]):
        assert [entry["title"] for entry in entries if entry["superseded"]] == ["B"]
    for words in (("due",), ("due", "--format=markdown"), ("batch",)):
        lines = run(repository, *words, FILE, "--keep-recent=0").out.splitlines()
        assert sum("superseded" in line for line in lines) == 1, words


def test_uncommitted_entries_are_the_newest(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCD"))
    on_main(repository, 1, 14)
    repository.write(FILE, memory("X", *"ABCD", "Y", "Z"))
    assert batch(due(repository)) == "ABCD"


def test_switched_off(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDEF", lines=300))
    on_main(repository, 1, 20)
    assert due(repository)["verdict"] == "due"
    configure(repository, due=False)
    said = due(repository)
    assert (said["verdict"], said["forecast"], said["switched_off"]) == ("not-due", None, True)
    assert value(said, "size") == (300, 0, True)
    assert run(repository, "due", FILE, "--exit-code").code == 0


@pytest.mark.parametrize("option", ["--exit-code", None])
def test_the_exit_code(seven: GitRepository, option: str | None) -> None:
    options = [option] if option else []
    assert run(seven, "due", FILE, *options).code == 0
    keep(seven, 7, memory(*"ABCDEF", lines=150))
    assert run(seven, "due", FILE, *options).code == len(options)
    assert run(seven, "due", FILE, "--min-batch=9", *options).code == 0


def test_starved_and_its_escalation(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"AB"))
    keep(repository, 3, memory(*"AB", lines=160))
    on_main(repository, 4, 20)
    commits = repository.git("rev-list", "--reverse", "HEAD").split()
    days = [0, *range(3, 21)]
    said = {
        number: due(repository, "--at", commit)
        for number, commit in zip(days, commits, strict=True)
        if number in {0, 3, 8, 9, 10, 11}
    }
    verdicts = {number: (v["verdict"], v["starved_since"]) for number, v in said.items()}
    assert verdicts == {
        0: ("not-due", None),
        3: ("starved", day(3)),
        8: ("starved", day(3)),
        9: ("starved", day(3)),
        10: ("due", day(3)),
        11: ("due", day(3)),
    }
    assert [number for number, v in said.items() if v["escalated"]] == [10, 11]
    assert {number: batch(v) for number, v in said.items() if v["batch"]} == {
        9: "AB",
        10: "AB",
        11: "AB",
    }
    assert run(repository, "due", FILE, "--exit-code").code == 1
    assert "escalated" in run(repository, "due", FILE).out


@pytest.mark.parametrize(("after", "verdict"), [(6, "due"), (7, "due"), (8, "starved"), (0, "due")])
def test_when_it_escalates_can_be_set(repository: GitRepository, after: int, verdict: str) -> None:
    keep(repository, 0, memory(*"AB", lines=160))
    on_main(repository, 1, 7)
    said = due(repository, f"--starved-escalates-after={after}")
    assert (said["verdict"], said["escalated"]) == (verdict, verdict == "due")


def test_starved_by_staleness_begins_on_the_day_it_held(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDE"))
    keep(repository, 1, memory(*"AB"))
    on_main(repository, 2, 18)
    said = due(repository)
    assert (said["verdict"], said["starved_since"]) == ("starved", day(15))
    assert value(said, "staleness") == (17, 0, True)


def test_what_left_since_the_consolidation_was_no_shortage_until_then(
    repository: GitRepository,
) -> None:
    keep(repository, 0, memory(*"ABCDEF"))
    keep(repository, 1, memory(*"ABC"))
    on_main(repository, 2, 16)
    assert due(repository)["verdict"] == "due"
    keep(repository, 17, memory(*"AB"))
    on_main(repository, 18, 19)
    said = due(repository)
    assert (said["verdict"], said["starved_since"]) == ("starved", day(17))


def test_due_since_the_day_it_became_due(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDEF"))
    on_main(repository, 1, 20)
    assert due(repository)["due_since"] == day(14)
    keep(repository, 21, memory(*"ABC"))
    said = due(repository)
    assert (said["verdict"], said["due_since"]) == ("not-due", None)
    keep(repository, 22, memory(*"ABC", lines=160))
    on_main(repository, 23, 24)
    keep(repository, 25, memory(*"ABC", lines=149))
    keep(repository, 26, memory(*"ABC", lines=160))
    on_main(repository, 27, 28)
    assert due(repository)["due_since"] == day(26)


def test_due_since_it_escalated(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"AB", lines=160))
    on_main(repository, 1, 12)
    said = due(repository)
    assert (said["escalated"], said["due_since"]) == (True, day(7))


def test_nothing_is_due_without_an_entry_that_is_old_enough(repository: GitRepository) -> None:
    keep(repository, 0, memory("Old", lines=160))
    keep(repository, 1, memory("New", lines=160))
    keep(repository, 2, memory("Newer", lines=160))
    on_main(repository, 3, 8)
    keep(repository, 9, memory("Newest", lines=160))
    on_main(repository, 10, 12)
    said = due(repository)
    assert (said["verdict"], said["escalated"], said["batch"]) == ("starved", False, [])
    assert said["forecast"]["due_in_active_days"] == 4
    assert run(repository, "due", FILE, "--exit-code").code == 0
    words = "no entry is old enough; the first will be in 4 active days"
    assert words in run(repository, "due", FILE).out
    assert words in run(repository, "due", FILE, "--format=markdown").out
    assert words in run(repository, "due", FILE, "--format=github").out
    on_main(repository, 13, 16)
    said = due(repository)
    assert (said["verdict"], said["escalated"], batch(said)) == ("due", True, "Newest")


def test_a_consolidation_ends_the_wait(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDE", lines=160))
    on_main(repository, 1, 9)
    assert due(repository, "--keep-recent=0")["verdict"] == "due"
    keep(repository, 10, memory(*"AB", lines=155))
    on_main(repository, 11, 13)
    said = due(repository)
    assert (said["verdict"], said["starved_since"]) == ("starved", day(10))


def test_a_file_that_shrank_below_the_size_waits_no_more(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"AB", lines=160))
    keep(repository, 1, memory(*"AB", lines=100))
    on_main(repository, 2, 5)
    said = due(repository)
    assert (said["verdict"], said["starved_since"]) == ("not-due", None)


def test_starved_is_told_in_words(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"AB", lines=160))
    on_main(repository, 1, 3)
    said = run(repository, "due", FILE).out
    assert said.startswith("learnings.md: starved: ")
    assert f"since {day(0)}" in said


@pytest.mark.parametrize(
    ("titles", "count", "reason"),
    [
        ("", "0 entries", "no entry is old enough; the first will be in 1 active day"),
        ("A", "1 entry", "only 1 of the 3 entries that a batch needs is old enough"),
        ("AB", "2 entries", "only 2 of the 3 entries that a batch needs are old enough"),
    ],
)
def test_one_entry_is_one(repository: GitRepository, titles: str, count: str, reason: str) -> None:
    keep(repository, 0, memory("Old", *titles, lines=200))
    keep(repository, 1, memory(*titles, "New", lines=200))
    live(repository, 2, 9)
    repository.git("reset", "--quiet", "--hard")
    said = run(repository, "due", FILE, "--freshness=9", "--keep-recent=0").out
    assert reason in said
    assert f" {count} of 9 or more active days " in said


def test_the_forecast_by_growth(repository: GitRepository) -> None:
    for number in range(6):
        keep(repository, number, memory(*"ABC", lines=50 + 10 * number))
    forecast = due(repository)["forecast"]
    assert forecast["due_in_active_days"] == 5
    assert "10.0 lines" in forecast["because"]
    assert "due in 5 active days" in run(repository, "due", FILE).out


def test_the_forecast_by_staleness(repository: GitRepository) -> None:
    for number in range(6):
        keep(repository, number, memory(*"ABC", lines=50 + number))
    assert due(repository)["forecast"]["due_in_active_days"] == 14 - 5


def test_growth_is_that_of_the_last_28_active_days(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDEFG", lines=31))
    keep(repository, 1, memory(*"ABCDEF", lines=60))
    on_main(repository, 2, 28)
    keep(repository, 29, memory(*"ABCDEF", lines=88))
    said = due(repository, "--staleness-trigger=1000")
    assert said["forecast"]["due_in_active_days"] == 150 - 88


@pytest.mark.parametrize("lines", [100, 60])
def test_a_file_that_does_not_grow_gets_stale(repository: GitRepository, lines: int) -> None:
    keep(repository, 0, memory(*"ABC", lines=100))
    keep(repository, 1, memory(*"ABC", lines=lines))
    on_main(repository, 2, 5)
    assert due(repository)["forecast"]["due_in_active_days"] == 14 - 5
    words = "due in 9 active days: 14 active days without a consolidation by then"
    assert words in run(repository, "due", FILE).out


def test_thresholds_from_the_configuration_and_from_the_command_line(
    seven: GitRepository,
) -> None:
    keep(seven, 7, memory(*"ABCDEF", lines=60))
    configure(seven, size_trigger=60, min_batch=2, keep_recent=4)
    said = due(seven)
    assert (said["verdict"], batch(said)) == ("due", "AB")
    assert due(seven, "--size-trigger=61")["verdict"] == "not-due"


def test_as_of_is_the_verdict_of_that_evening(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDEFGHI"))
    keep(repository, 2, memory(*"ABCDEF", lines=90))
    on_main(repository, 3, 30)
    commits = repository.git("rev-list", "--reverse", "HEAD").split()[1:]
    evenings = dict(zip(range(2, 31), commits, strict=True))
    for number in (2, 15, 16, 29):
        as_of_day = due(repository, "--as-of", day(number))
        assert as_of_day == due(repository, "--at", evenings[number])
        assert value(as_of_day, "staleness")[0] == number - 2


def test_the_batch_command_gives_the_text_of_the_batch(repository: GitRepository) -> None:
    for number in range(6):
        keep(repository, number, memory(*"ABCDEF"[: number + 1]))
    on_main(repository, 6, 20)
    document = run(repository, "batch", FILE, "--format=json").json
    assert document["verdict"] == "due"
    assert [e["title"] for e in document["entries"]] == list(batch(due(repository))) == [*"ABC"]
    first = document["entries"][0]
    assert first["text"].startswith(f"## A\n\n{body('A')}")
    assert (first["added"], first["active_days"], first["line"]) == (day(0), 20, 7)
    assert f"\n## A\n\n{body('A')}\n" in run(repository, "batch", FILE).out


def test_due_of_all_files(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", memory(*"XYZ", lines=150))
    keep(repository, 0, memory(*"ABC"))
    on_main(repository, 1, 7)
    files = run(repository, "due", "--format=json").json["files"]
    verdicts = {file["file"]: file["verdict"] for file in files}
    assert verdicts == {FILE: "not-due", "agents/learnings.md": "due"}
