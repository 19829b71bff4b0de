from __future__ import annotations

from learnings.tiers.clusters import is_summary, summary_of
from learnings.tiers.raw_files import RawObservation


def finding(rule: str) -> RawObservation:
    return RawObservation("u", "u.json", 1, rule, "", "", None)


def test_our_own_summary_is_known_and_an_edited_one_is_not() -> None:
    one, other, third = (finding(f"{name} the coupon") for name in ("Check", "Cache", "Count"))
    text = summary_of([one, other, third])
    assert text == "3 findings: Check the coupon; Cache the coupon"
    assert is_summary(text, [third, other, one])
    assert is_summary(summary_of([one]), [other, one])
    assert not is_summary(text, [one, third])
    assert not is_summary(f"{text}, always", [one, other, third])
