from __future__ import annotations

import pytest

from tests.rules.cases import run


def text(count: int) -> str:
    return "## A\n" + "text\n" * (count - 1)


@pytest.mark.parametrize(("count", "expected"), [(79, []), (80, []), (81, [81]), (149, [81])])
def test_over_the_soft_limit(count: int, expected: list[int]) -> None:
    findings = run("soft-limit", text(count))
    assert [finding.line for finding in findings] == expected
    assert all("soft limit of 80" in finding.message for finding in findings)


@pytest.mark.parametrize(("count", "wording"), [(149, "soft limit"), (150, "size trigger of 150")])
def test_second_text_from_the_size_trigger_on(count: int, wording: str) -> None:
    (finding,) = run("soft-limit", text(count))
    assert wording in finding.message
    assert finding.message.startswith(f"{count} lines")


def test_configured() -> None:
    assert run("soft-limit", text(10), soft_limit=10) == []
    assert len(run("soft-limit", text(11), soft_limit=10)) == 1
    (finding,) = run("soft-limit", text(11), soft_limit=10, size_trigger=11)
    assert "size trigger of 11" in finding.message
    assert run("soft-limit", text(80), size_trigger=50) == []


def test_size_trigger_is_not_mentioned_where_nothing_can_become_due() -> None:
    (finding,) = run("soft-limit", text(200), due=False)
    assert "soft limit" in finding.message


def test_unterminated_last_line_counts() -> None:
    assert len(run("soft-limit", text(80) + "x")) == 1
    assert run("soft-limit", text(79) + "x") == []
