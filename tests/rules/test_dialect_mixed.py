from __future__ import annotations

import pytest

from tests.rules.cases import FENCE, FRONT, lines, run

RULE = "dialect-mixed"
DATED = "- 2026-03-04 never retry\n- 2026-03-05: pin versions\n- **2026-03-06:** ask first\n"
PLAIN = "- one\n- two\n- three\n- four\n"
ONE = "## [2026-02-16-120000] One\n\ntext\n\n"
TWO = "## [2026-02-17-120000] Two\n\ntext\n\n"
A = "## When a\n\ntext\n\n"
B = "## When b\n\ntext\n\n"
PROSE = "## About\n\ntext\n\n## Tools\n\ntext\n\n## Upkeep\n\ntext\n\n## Links\n\ntext\n\n"
CATEGORIES = "## P\n\n### a\n\ntext\n\n### b\n\ntext\n\n## Q\n\n### c\n\ntext\n\n"
GROUPS = "## P\n\n### a\n\ntext\n\n### b\n\ntext\n\n## Q\n\n### c\n\ntext\n\n### d\n\ntext\n\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"{ONE}{A}{TWO}{B}", [5]),
        (f"{FRONT}{ONE}{A}{TWO}{B}", [8]),
        (f"{ONE}{TWO}{A}", []),
        (f"{ONE}## .Part\n\ntext\n\n{TWO}{A}", []),
        (f"{ONE}## Empty\n\n---\n\n{TWO}{A}", []),
        ("", []),
        ("# L\n", []),
        (f"{FENCE}\n{A}\n", []),
        (f"# L\n\n{DATED}\n{A}{PLAIN}", [3]),
        (f"{A}{PLAIN}\n{B}{DATED}", [14]),
        (f"# L\n\n{DATED[:50]}\n{A}{PLAIN}", []),
        (f"{A}{PLAIN}\n{B}{DATED}\nThat was all.\n", []),
        (f"{A}- 2026-03-01 first\n{PLAIN}\n{B}{DATED}", []),
        (f"# L\n\n- 2026-03-04 [x](#x)\n- 2026-03-05 y\n- 2026-03-06 z\n\n{A}{PLAIN}", []),
        (f"# L\n\n{DATED}\n{A}{B}", [7]),
        (f"## About\n\ntext\n\n## How\n\ntext\n\n## Lessons\n\n{DATED}", []),
        (f"## P\n\n{DATED}\n## .Notes\n\ntext\n\n## .Links\n\ntext\n\n## Q\n\n{DATED}", []),
        (f"{PROSE}## Lessons\n\n{DATED}", []),
        (f"## P\n\n- **a**\n- **b**\n\n{PROSE}## Q\n\n- **c**\n- **d**\n", []),
        (f"## P\n\n{DATED}\n## L-1: x\n\ntext\n\n## Q\n\n{DATED}", []),
        (f"## O\n\n### z\n\ntext\n\n{A}{B}{CATEGORIES}## R\n\n### d\n\ntext\n", [7]),
        (f"{A}{B}{CATEGORIES}## R\n\n### d\n\ntext\n", []),
        (f"{CATEGORIES}{A}", []),
        (f"{A}{B}{GROUPS}", [11]),
        (f"{A * 7}{GROUPS}", []),
        (f"{A}{B}{GROUPS}".replace("## Q\n", "## Q\n\ntext\n"), []),
    ],
)
def test_what_is_of_another_dialect(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


def test_one_finding_a_file_with_the_first_line() -> None:
    (finding,) = run(RULE, f"# L\n\n{DATED}\n{ONE}{A}{TWO}{B}{PLAIN}")
    assert finding.line == 3
    assert finding.message.startswith("3 list items begin with a date, but entries are headings (")
    (finding,) = run(RULE, f"{ONE}{A}{TWO}{B}")
    assert '2 headings have no timestamp, but other entries do (first: "## When a")' in (
        finding.message
    )


def test_tail_holds_no_entries() -> None:
    source = f"{A}{B}{GROUPS}"
    assert lines(RULE, source) == [11]
    assert lines(RULE, source.replace("## Q\n", "## Themes\n")) == []
