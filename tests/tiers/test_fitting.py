"""The text of a theme: what fits into its budget, to the word."""

from __future__ import annotations

import pytest

from learnings.tiers.fitting import draft_of
from learnings.tiers.raw_files import FULL_WORDS, SHORT_WORDS, RawObservation, item_of
from learnings.tiers.tier_files import THEME_WORDS, draft_text, words_of


def finding(rule: str, description: str = "", unit: str = "u") -> RawObservation:
    return RawObservation(unit, f"{unit}.json", 1, rule, description, "", None)


def words(count: int, word: str = "w") -> str:
    return " ".join(f"{word}{number}" for number in range(count))


EMPTY = words_of(draft_text("T", [], ["u"]))


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_the_word_that_is_one_too_many(more: int, fits: bool) -> None:  # noqa: FBT001
    # Each item has a dash and a rule of 30 words; the last one fills the budget.
    count, left = divmod(THEME_WORDS - EMPTY, 31)
    findings = [finding(words(30, f"a{number}x")) for number in range(count - 1)]
    findings.append(finding(words(30, "b"), words(left + more, "c")))
    draft = draft_of("T", range(count), findings)
    assert draft.overflow == ()
    assert words_of(draft.text) == (THEME_WORDS if fits else THEME_WORDS - left)
    assert ("c0" in draft.text) is fits


@pytest.mark.parametrize(("more", "overflow"), [(0, ()), (1, (6,))])
def test_the_finding_that_is_one_word_too_long(more: int, overflow: tuple[int, ...]) -> None:
    count = THEME_WORDS - EMPTY
    findings = [finding(words(29, f"a{number}x")) for number in range(6)]
    findings.append(finding(words(count - 6 * 30 - 1 + more, "b")))
    draft = draft_of("T", range(7), findings)
    assert draft.overflow == overflow
    assert words_of(draft.text) <= THEME_WORDS


def test_those_that_were_there_have_the_first_claim() -> None:
    findings = [finding(words(39, f"a{number}x")) for number in range(7)]
    assert draft_of("T", range(7), findings).overflow == (5, 6)
    assert draft_of("T", range(7), findings, first=[5, 6]).overflow == (3, 4)


def test_findings_of_equal_text_are_one_item_with_all_work_units() -> None:
    findings = [finding("Freeze it", unit=unit) for unit in ("b", "a", "b")]
    text = draft_of("T", range(3), findings).text
    assert (text.count("Freeze it"), text.count("\n- ")) == (1, 3)


def test_the_texts_of_a_finding() -> None:
    assert item_of(finding("Freeze it", "It failed.")) == ("Freeze it. It failed.", "Freeze it")
    assert item_of(finding("Freeze it!", "It failed")) == ("Freeze it! It failed", "Freeze it!")
    assert item_of(finding("", "It failed, e.g. at night. Twice.")) == (
        "It failed, e.g. at night. Twice.",
        "It failed, e.g. at night.",
    )
    long = item_of(finding(words(SHORT_WORDS + 1), words(FULL_WORDS)))
    assert long.full == long.short == words(SHORT_WORDS) + " …"
    assert item_of(finding("\x1b[31m Freeze\u202e")).short == r"\x1b[31m Freeze\u202e"
