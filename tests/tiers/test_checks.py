from __future__ import annotations

import pytest

from learnings.tiers.checks import findings_of
from learnings.tiers.tier_files import INDEX_LINES, THEME_WORDS
from tests.support.tier_stores import INDEX, after, raw_file, tier_files

UNITS = {
    f"u{number}.json": raw_file(f"u{number}", [(f"Check the coupon {number}", "", "", "checks")])
    for number in range(4)
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
    assert [rule for rule, _ in found(theme=("coupon 0", f"coupon 0{words}"))] == expected


def test_a_changed_raw_file_is_named() -> None:
    (finding,) = findings_of(tier_files(STORE), ["u1.json"])
    assert (finding.rule, finding.path.rpartition("/")[2]) == ("tiers-raw-changed", "u1.json")
