"""The text of a theme: what fits into its budget, to the word."""

from __future__ import annotations

import pytest

from learnings.tiers.checks import findings_of
from learnings.tiers.compaction import account_of
from learnings.tiers.raw_files import SHORT_WORDS, RawObservation, item_of, observations_of
from learnings.tiers.tier_files import INDEX_LINES, THEME_WORDS, draft_text, words_of
from tests.support.tier_stores import INDEX, Files, after, raw_file, tier_files


def finding(rule: str, description: str = "", unit: str = "u") -> RawObservation:
    return RawObservation(unit, f"{unit}.json", 1, rule, description, "", None)


def words(count: int, word: str = "w") -> str:
    return " ".join(f"{word}{number}" for number in range(count))


def coupons(last: int) -> dict[str, bytes]:
    """Return five similar findings; the description of the last has so many words.

    Five others are like none, so that the phrase of the five is not in most of all.
    """
    lengths = [30, 30, 30, 30, last]
    others = {"x.json": raw_file("x", [(words(3, f"x{n}y"), "") for n in range(5)])}
    return others | {
        f"{n}.json": raw_file(f"u{n}", [(f"Coupon code part{n}", words(count, "seen"))])
        for n, count in enumerate(lengths)
    }


def test_the_finding_that_is_one_word_too_long_waits_whole() -> None:
    room = THEME_WORDS - words_of(theme_of(coupons(20))) + 20
    full, over = theme_of(coupons(room)), theme_of(coupons(room + 1))
    assert (words_of(full), f"seen{room - 1}\n" in full) == (THEME_WORDS, True)
    assert all(f"part{n}. seen0" in over for n in range(4))
    assert "part4" not in over
    assert "4" in [one.unit for one in account_of(tier_files(after(coupons(room + 1)))).waiting]


def theme_of(files: Files) -> str:
    """Return the text of the only theme after a compaction."""
    (text,) = [data for name, data in after(files).items() if name.startswith("themes/")]
    return text.decode()


def test_a_theme_that_is_too_long_keeps_its_items_and_takes_no_more() -> None:
    files = coupons(60)
    observations = observations_of(tier_files(files).raw)
    items = [item_of(one).full for one in observations if one.unit != "x"]
    text = draft_text("coupon-code", "Coupon Code", items, list("01234"))
    assert words_of(text) > THEME_WORDS
    files = {**files, "themes/coupon-code.md": text.encode()}
    files["5.json"] = raw_file("u5", [("Coupon code part5", "")])
    assert after(files)["themes/coupon-code.md"] == text.encode()
    assert "5" in [one.unit for one in account_of(tier_files(after(files))).waiting]


def test_findings_of_equal_text_are_one_item_with_all_work_units() -> None:
    finding = ("Freeze the clock", "")
    files = {"b.json": raw_file("b", [finding] * 2), "a.json": raw_file("a", [finding])}
    text = theme_of(files)
    assert text.count("- Freeze the clock\n") == 1
    assert text.endswith("## Related Work Units\n- a\n- b\n")


def test_the_texts_of_a_finding() -> None:
    assert item_of(finding("Freeze it", "It failed.")) == ("Freeze it. It failed.", "Freeze it")
    assert item_of(finding("Freeze it!", "It failed")) == ("Freeze it! It failed", "Freeze it!")
    assert item_of(finding("", "It failed, e.g. at night. Twice.")) == (
        "It failed, e.g. at night. Twice.",
        "It failed, e.g. at night.",
    )
    long = item_of(finding(words(SHORT_WORDS + 1), words(99)))
    assert long.short == words(SHORT_WORDS) + " …"
    assert long.full == f"{words(SHORT_WORDS + 1)}. {words(99)}"
    assert item_of(finding("\x1b[31m Freeze\u202e")).short == r"\x1b[31m Freeze\u202e"


UNITS = {
    f"u{number}.json": raw_file(f"u{number}", [(f"Coupon code {number}",)]) for number in range(3)
}
STORE = after(UNITS)
(THEME,) = (name for name in STORE if name.startswith("themes/"))
NAME = THEME.removeprefix("themes/").removesuffix(".md")
ROW = next(line for line in STORE[INDEX].decode().splitlines() if line.startswith(f"**{NAME}**"))


def found(**changes: tuple[str, str]) -> list[tuple[str, int]]:
    """Return rule and line of the findings after replacements in the index or the theme."""
    files = dict(STORE)
    for name, (old, new) in changes.items():
        path = {"index": INDEX, "theme": THEME}[name]
        assert old.encode() in files[path]
        files[path] = files[path].replace(old.encode(), new.encode(), 1)
    return [(finding.rule, finding.line) for finding in findings_of(tier_files(files))]


def line_of(text: str, path: str = INDEX) -> int:
    return STORE[path].decode().splitlines().index(text) + 1


def test_a_compaction_is_sound() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (f"{ROW}\n**other** x themes/other.md", [("tiers-index-row", 1)]),
        (f"{ROW}\n{ROW}", [("tiers-index-row", 1)]),
        (f"{ROW}\n**other** — x → themes/{NAME}.md", [("tiers-index-row", 1)]),
        (f"{ROW}\n**gone** — x → themes/gone.md", [("tiers-missing-theme", 1)]),
        (f"{ROW}\n**Odd** — x → themes/Odd.md", [("tiers-theme-name", 1)]),
        ("", [("tiers-missing-row", 0)]),
    ],
)
def test_rows_of_the_index(row: str, expected: list[tuple[str, int]]) -> None:
    start = line_of(ROW)
    lines = [(rule, start + below if below else 1) for rule, below in expected]
    assert found(index=(ROW, row)) == lines


def test_work_units_of_a_theme_have_raw_files_and_are_listed_once() -> None:
    unknown = found(theme=("- u1\n", "- u9\n"))
    assert unknown == [("tiers-unknown-unit", line_of("- u1", THEME))]
    twice = found(theme=("- u2\n", "- u1\n"))
    assert twice == [("tiers-unknown-unit", line_of("- u2", THEME))]


@pytest.mark.parametrize(("more", "is_over"), [(0, False), (1, True)])
def test_budgets(more: int, *, is_over: bool) -> None:
    budget = [("tiers-index-budget", 0)] if is_over else []
    shown = len(tier_files(STORE).index_file.content)
    lines = "\n- more" * (INDEX_LINES - shown + more)
    assert [(rule, 0) for rule, _ in found(index=(ROW, ROW + lines))] == budget
    words = " more" * (THEME_WORDS - tier_files(STORE).themes[0].words + more)
    expected = ["tiers-theme-budget"] if is_over else []
    assert [rule for rule, _ in found(theme=("code 0", f"code 0{words}"))] == expected


def test_a_changed_raw_file_is_named() -> None:
    (finding,) = findings_of(tier_files(STORE), ["u1.json"])
    assert (finding.rule, finding.path.rpartition("/")[2]) == ("tiers-raw-changed", "u1.json")
