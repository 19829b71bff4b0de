from __future__ import annotations

import pytest

from tests.rules.cases import FENCE, lines, run


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"## A\n\n{FENCE}\ncode\n\n## B\n", [3]),
        (f"## A\n\n{FENCE}\ncode\n{FENCE} x\n", [3]),
        (f"## A\r\n\r\n{FENCE}\r\ncode\r\n", [3]),
        (f"## A\n\n{FENCE}sh\ncode\n{FENCE}\n", []),
        (f"## A\n\n- item\n  {FENCE}\n  code\n\n## B\n", []),
        (f"    {FENCE}\n\n## B\n", []),
    ],
)
def test_what_is_open_at_the_end(source: str, expected: list[int]) -> None:
    assert lines("unclosed-fence", source) == expected


OUTER = f"## A\n\n{FENCE}markdown\n## Example\n\n{FENCE}sh\nmake\n{FENCE}\n"
NESTED = (
    "the fence on line 3 contains another on line 6 and ends with it on line 8: "
    "open the outer one and close it here with four backticks"
)


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        (f"{OUTER}\nMore.\n{FENCE}\n\n## B\n", NESTED),
        (f"{OUTER}{FENCE}py\nx\n{FENCE}\n{FENCE}\n\n## B\n", NESTED),
        (f"{OUTER}{FENCE}\n".replace(FENCE, f"{FENCE}`"), NESTED.replace("four", "5")),
        (f"## A\n\n````\ncode\n{FENCE}\n", "line 5 is too short to close it: write ```` there"),
    ],
)
def test_advice_says_where_it_goes_wrong(source: str, advice: str) -> None:
    (finding,) = run("unclosed-fence", source)
    assert finding.message.rpartition("; ")[2].startswith(advice)


def test_four_backticks_around_a_fence_are_right() -> None:
    source = f"{OUTER}{FENCE}`\n\n## B\n".replace(f"{FENCE}markdown", f"{FENCE}`markdown")
    assert lines("unclosed-fence", source) == []


@pytest.mark.parametrize(
    ("source", "wording"),
    [
        (f"## A\n\n{FENCE}\n", "closed;"),
        (f"## A\n\n{FENCE}\ncode\n", "closed and hides 1 line below it;"),
        (f"## A\n{FENCE}\n## B\n### b\n## C\n", "3 lines below it, which look like 2 entries;"),
    ],
)
def test_message_counts_what_has_vanished(source: str, wording: str) -> None:
    (finding,) = run("unclosed-fence", source)
    assert wording in finding.message
