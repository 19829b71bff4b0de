"""Files whose entries are partly in another dialect."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run

RULE = "dialect-mixed"
DATED = "- 2026-03-04 never retry\n- 2026-03-05: pin versions\n- **2026-03-06:** ask first\n"
PLAIN = "- one\n- two\n- three\n- four\n"
ONE = "## [2026-02-16-120000] One\n\ntext\n\n"
TWO = "## [2026-02-17-120000] Two\n\ntext\n\n"
A = "## When a\n\ntext\n\n"
B = "## When b\n\ntext\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"{ONE}{A}{TWO}{B}", [5]),
        (f"{ONE}{TWO}{A}{B}## When c\n\ntext\n", [9]),
        (f"{ONE}{A}{TWO}{B}".replace("\n", "\r\n"), [5]),
        (f"{FRONT}{ONE}{A}{TWO}{B}", [8]),
        (f"{BOM}{ONE}{A}{TWO}{B}", [5]),
        (f"## L-1: One\n\ntext\n\n{A}## L-2: Two\n\ntext\n\n{B}", [5]),
        (f"{ONE}{TWO}{A}", []),
        (f"{ONE}{TWO}{A}{B}", []),
        (f"{A}{B}{ONE}{TWO}", []),
        (f"{ONE}## .Part\n\ntext\n\n{TWO}{A}", []),
        (f"{ONE}## Empty\n\n---\n\n{TWO}{A}", []),
        (f"{ONE}{FENCE}\n{A}{FENCE}\n{TWO}{B}", []),
        (f"{ONE}<!--\n{A}-->\n{TWO}{B}", []),
        (f"{ONE}> ## When a\n\n{TWO}{B}", []),
    ],
)
def test_headings_without_a_stamp(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"# L\n\n{DATED}\n{A}{PLAIN}", [3]),
        (f"# L\n\n---\n\n{DATED}\n{A}{PLAIN}", [5]),
        (f"# L\n\n- **[2026-03-04-120000]** x\n{DATED}\n{A}{PLAIN}", [3]),
        (f"{A}{PLAIN}\n{B}{DATED}", [14]),
        (f"{A}{PLAIN}\n{B}{DATED}  goes on\n\n---\n", [14]),
        (f"{ONE}{TWO}{DATED}", [9]),
        (f"# L\n\n{DATED[:50]}\n{A}{PLAIN}", []),
        (f"{A}{PLAIN}\n{B}{DATED}\nThat was all.\n", []),
        (f"{A}{PLAIN}\n{B}{DATED}- none\n", []),
        (f"{A}{PLAIN}\n## When b\n\n{DATED}", []),
        (f"{A}- 2026-03-01 first\n{PLAIN}\n{B}{DATED}", []),
        (f"{A}{PLAIN}{DATED}\n{B}", []),
        (f"# L\n\n{DATED.replace(' never', ' When a: never')}\n{A}{PLAIN}", []),
        (f"# L\n\n- 2026-03-04 [x](#x)\n- 2026-03-05 y\n- 2026-03-06 z\n\n{A}{PLAIN}", []),
        (f"{A}{PLAIN}\n{B}{FENCE}\n{DATED}{FENCE}\n", []),
        (f"{A}{PLAIN}\n{B}> x\n\n<!--\n{DATED}-->\n", []),
        (f"{A}{PLAIN}\n{B}- 2026-13-04 x\n- 2026-00-04 y\n- 2026-031 z\n", []),
    ],
)
def test_dated_items_in_a_file_of_headings(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"# L\n\n{DATED}\n{A}{B}", [7]),
        (f"{A}{B}## When c\n\ntext\n\n{DATED}", []),
        (f"{A}{B}## When c\n\ntext\n\n## When d\n\ntext\n\n{DATED}", [1]),
        (f"## About\n\ntext\n\n## How\n\ntext\n\n## Lessons\n\n{DATED}", []),
        (f"## P\n\n{DATED}\n{A}{B}## Q\n\n{DATED}", [7]),
        (f"## P\n\n{DATED}\n## Notes\n\ntext\n\n## Links\n\ntext\n", []),
        (f"## P\n\n{DATED}\n## .Notes\n\ntext\n\n## .Links\n\ntext\n\n## Q\n\n{DATED}", []),
        (f"## P\n\ntext\n\n### Q\n\n{DATED}\n## R\n\ntext\n\n### S\n\n{DATED}", []),
        (f"# L\n\n{DATED}", []),
        (PLAIN, []),
    ],
)
def test_headings_in_a_file_of_items(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


MARKED = "## 2026-03-01: x\n\ntext\n\n## y (2026-03-02)\n\ntext\n\n"
PROSE = "## About\n\ntext\n\n## Tools\n\ntext\n\n## Upkeep\n\ntext\n\n## Links\n\ntext\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"{PROSE}## Lessons\n\n{DATED}", []),
        (f"## P\n\n{DATED}\n{PROSE}## Q\n\n{DATED}", []),
        (f"## P\n\n- **a**\n- **b**\n\n{PROSE}## Q\n\n- **c**\n- **d**\n", []),
        (f"## P\n\n{DATED}\n{MARKED}## Q\n\n{DATED}", [7]),
        (f"## P\n\n{DATED}\n## L-1: x\n\ntext\n\n## Q\n\n{DATED}", []),
        (f"{ONE}{TWO}## Format\n\ntext\n\n## Usage\n\ntext\n\n## About\n\ntext\n", []),
    ],
)
def test_prose_is_no_entry(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


COMMENTED = "## R\n\n<!-- y -->\n\n"
CATEGORIES = "## P\n\n### a\n\ntext\n\n### b\n\ntext\n\n## Q\n\n### c\n\ntext\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## O\n\n### z\n\ntext\n\n{A}{B}{CATEGORIES}## R\n\n### d\n\ntext\n", [7]),
        (f"{CATEGORIES}{A}{B}", []),
        (f"{A}{B}{CATEGORIES}## R\n\n### d\n\ntext\n", []),
        (CATEGORIES, []),
        (f"{CATEGORIES}{A}", []),
        (f"{CATEGORIES}{COMMENTED * 2}## S\n\n### d\n\ntext\n", []),
    ],
)
def test_headings_above_entries_at_level_three(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


GROUPS = "## P\n\n### a\n\ntext\n\n### b\n\ntext\n\n## Q\n\n### c\n\ntext\n\n### d\n\ntext\n\n"
FORM = GROUPS.replace("### c", "### a").replace("### d", "### B")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"{A}{B}{GROUPS}", [11]),
        (f"{A}{B}{GROUPS}".replace("## P\n", "## .P\n"), []),
        (f"{A}{B}{FORM}", []),
        (f"{A * 7}{GROUPS}", []),
        (f"{A * 6}{GROUPS}", [27]),
        (f"{A}{B}{GROUPS}".replace("### d\n\ntext", "### d"), []),
        (f"{A}{B}{GROUPS}".replace("## Q\n", "## Q\n\ntext\n"), []),
        (f"{A}### [2026-02-16-120000] x\n\n{B}### [2026-02-17-120000] y\n", [5]),
        (f"{A}### [2026-02-16] x\n\n{B}### [2026-02-17] y\n", []),
        (f"{A}### [2026-02-16-120000] x\n\n{B}", []),
    ],
)
def test_headings_below_entries_at_level_two(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


def test_one_finding_a_file_with_the_first_line() -> None:
    (finding,) = run(RULE, f"# L\n\n{DATED}\n{ONE}{A}{TWO}{B}{PLAIN}")
    assert finding.line == 3
    assert finding.message.startswith("3 list items begin with a date, but entries are headings (")
    (finding,) = run(RULE, f"{ONE}{A}{TWO}{B}")
    assert '2 headings have no timestamp, but other entries do (first: "## When a")' in (
        finding.message
    )


@pytest.mark.parametrize("source", ["", "# L\n", "text\n", f"{FENCE}\n{A}\n", "##\n" * 3])
def test_nothing_to_mix(source: str) -> None:
    assert run(RULE, source) == []


def test_tail_holds_no_entries() -> None:
    source = f"{A}{B}{GROUPS}"
    assert lines(RULE, source) == [11]
    assert lines(RULE, source.replace("## Q\n", "## Themes\n")) == []
