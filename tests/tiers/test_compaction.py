"""A compaction: which themes are written, what grows, what is kept, what a killed run leaves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from learnings.tiers.theme_files import THEME_WORDS, ThemeFile, is_theme_name, words_of
from learnings.tiers.tier_files import INDEX_LINES, TierIndex
from tests.support.tier_stores import INDEX, NOW, Files, after, compacted, raw_file, steps

CACHE = [
    ("Put the tenant into the cache key", "One customer saw the prices of another."),
    ("Put the locale into the cache key of a page", "German visitors got English pages."),
    ("Put the schema version into the cache key", "Old objects could not be read."),
]
CLOCK = [
    ("Freeze the clock in tests that expire", "The coupon test failed at midnight."),
    ("Never read the real clock in tests", "A test failed on the last day of a month."),
    ("Give tests a clock of their own", "Two tests failed when the summer time began."),
]
ALONE = ("Ask for a sample order", "The file had two headers.")
FIRST = {
    "a.json": raw_file("a", [CACHE[0], CLOCK[0]], "2026-03-01T00:00:00Z"),
    "b.json": raw_file("b", [CACHE[1], ALONE], "2026-03-02T00:00:00Z"),
    "c.json": raw_file("c", [CLOCK[1]], "2026-03-03T00:00:00Z"),
}
MORE = {
    "d.json": raw_file("d", [CACHE[2]], "2026-03-04T00:00:00Z"),
    "e.json": raw_file("e", [CLOCK[2]], "2026-03-05T00:00:00Z"),
    "f.json": raw_file("f", []),
}


def topic(number: int, *, members: int = 2, words: int = 3) -> list[tuple[str, str]]:
    """Return findings about one thing that no other topic has, what was seen in so many words."""
    seen = " ".join(f"seen{number}x{word}" for word in range(words - 1))
    return [
        (f"Alpha{number}word beta{number}word own{number}x{member}", f"{seen} in{member}")
        for member in range(members)
    ]


def names(files: Files) -> list[str]:
    return sorted(name[7:-3] for name in files if name.startswith("themes/"))


def theme(files: Files, name: str) -> ThemeFile:
    return ThemeFile(name, files[f"themes/{name}.md"])


def rows(files: Files) -> dict[str, str]:
    return {row.name: row.summary for row in TierIndex(files[INDEX]).rows}


def assert_sound(files: Files) -> None:
    """Every budget is kept, every theme has its row, and every name is one."""
    index = TierIndex(files[INDEX])
    assert len(index.content) <= INDEX_LINES
    assert sorted(rows(files)) == names(files)
    assert [name for name in names(files) if not is_theme_name(name)] == []
    assert [name for name in names(files) if theme(files, name).words > THEME_WORDS] == []


# --- what is written


def test_findings_that_are_alike_become_themes() -> None:
    files = after(FIRST)
    assert names(files) == ["cache-key", "test-failed"]
    assert_sound(files)
    assert theme(files, "cache-key").text.endswith(
        "- Put the tenant into the cache key. One customer saw the prices of another.\n"
        "- Put the locale into the cache key of a page. German visitors got English pages.\n"
        "\n## Related Work Units\n- a\n- b\n"
    )
    assert theme(files, "cache-key").is_draft
    assert "Put the tenant into the cache key" in rows(files)["cache-key"]
    assert [one.rule for one in compacted(FIRST).left] == [ALONE[0]]


def test_a_work_unit_can_be_in_several_themes() -> None:
    files = after(FIRST)
    assert [unit for unit, _ in theme(files, "test-failed").units] == ["a", "c"]


def test_raw_files_stay_as_they_are() -> None:
    files = after(FIRST)
    assert {name: files[name] for name in FIRST} == FIRST


def test_what_was_dismissed_gives_no_text_and_is_covered() -> None:
    dismissed = [(*finding, "dismissed:known") for finding in CACHE]
    files = after({"a.json": raw_file("a", dismissed), "b.json": raw_file("b", CACHE[:1])})
    assert names(files) == []
    assert TierIndex(files[INDEX]).processed == 2


def test_files_without_findings_leave_an_index_without_rows() -> None:
    files = after({f"{n}.json": raw_file(n, []) for n in "abc"})
    assert files[INDEX].decode() == (
        '---\nlastCompaction: "2026-04-07T12:00:00Z"\nrawFilesProcessed: 3\n---\n'
    )


def test_the_order_of_the_names_of_files_does_not_matter() -> None:
    renamed = {f"z{99 - number}.json": data for number, data in enumerate(FIRST.values())}
    assert {n: d for n, d in after(renamed).items() if n not in renamed} == {
        n: d for n, d in after(FIRST).items() if n not in FIRST
    }


# --- what grows, and what is kept


def test_a_theme_grows_in_its_place() -> None:
    files = after({**after(FIRST), **MORE}, NOW + timedelta(days=1))
    assert names(files) == ["cache-key", "test-failed"]
    assert [unit for unit, _ in theme(files, "cache-key").units] == ["a", "b", "d"]
    assert theme(files, "cache-key").items == 3
    assert theme(files, "cache-key").is_draft
    assert TierIndex(files[INDEX]).processed == 6
    assert_sound(files)


def test_what_somebody_has_written_stays() -> None:
    files = after(FIRST)
    text = "# Cache Key\n\nA key needs tenant and locale.\n\n## Related Work Units\n- b\n- a\n"
    own = f"Read first.\n{files[INDEX].decode()}".replace("test-failed** — ", "test-failed** — My ")
    files |= {"themes/cache-key.md": text.encode(), INDEX: own.encode()}
    grown = after({**files, **MORE}, NOW + timedelta(days=1))
    assert theme(grown, "cache-key").text == text.replace(
        "locale.\n",
        "locale.\n\n- Put the schema version into the cache key. Old objects could not be read.\n",
    ).replace("- b\n- a\n", "- a\n- b\n- d\n")
    assert rows(grown)["cache-key"] == rows(files)["cache-key"]
    assert rows(grown)["test-failed"] == rows(files)["test-failed"]
    assert "Read first." in grown[INDEX].decode()


def test_lines_of_an_index_that_are_no_rows_stay_in_their_order() -> None:
    own = "---\nrawFilesProcessed: 0\n---\nabove\n**old** — x → themes/old.md\nbelow\n"
    files = after({**FIRST, INDEX: own.encode(), "themes/old.md": b"# Old\n\ntext\n"})
    content = [line.partition(" —")[0] for _, line in TierIndex(files[INDEX]).content]
    assert content == ["above", "**old**", "**cache-key**", "**test-failed**", "below"]
    assert files["themes/old.md"] == b"# Old\n\ntext\n"


def test_a_theme_file_without_a_row_gets_one() -> None:
    files = after({**FIRST, "themes/old.md": b"# Old\n\n- Never do it.\n"})
    assert rows(files)["old"] == "Never do it."


def test_another_theme_of_the_name_gets_a_number() -> None:
    other = b"# Cache-Key!\n\nAbout bicycles.\n"
    files = after({**FIRST, "themes/cache-key.md": other, "themes/cache-key-2.md": other})
    assert names(files) == ["cache-key", "cache-key-2", "cache-key-3", "test-failed"]
    assert (files["themes/cache-key.md"], theme(files, "cache-key-3").title) == (
        other,
        "Cache Key 3",
    )
    assert_sound(files)


def test_the_name_of_a_row_without_a_file_is_not_given_again() -> None:
    row = b"**cache-key** \xe2\x80\x94 x \xe2\x86\x92 themes/cache-key.md\n"
    assert names(after({**FIRST, INDEX: row})) == ["cache-key-2", "test-failed"]


def test_the_same_theme_is_found_by_its_title() -> None:
    files = after({**FIRST, "themes/cache-key.md": b"# Cache Key\n"})
    assert names(files) == ["cache-key", "test-failed"]
    assert theme(files, "cache-key").items == 2


# --- budgets


@pytest.mark.parametrize(("topics", "themes"), [(19, 19), (20, 20), (21, 20), (45, 20)])
def test_the_smallest_themes_become_one_where_lines_are_short(topics: int, themes: int) -> None:
    store = {
        f"{n:02}.json": raw_file(f"u{n}", topic(n, members=3 if n < 10 else 2))
        for n in range(topics)
    }
    files = after(store)
    assert len(names(files)) == themes
    assert_sound(files)
    merged = [name for name in names(files) if "-and-" in name]
    assert bool(merged) is (topics > themes)
    if topics == INDEX_LINES + 1:
        assert [name for name in names(files) if "alpha3word" in name and name in merged] == []


def test_a_theme_beyond_the_last_line_joins_one_that_is_there() -> None:
    store = {f"{n:02}.json": raw_file(f"u{n}", topic(n)) for n in range(21)}
    files = after({**after(store), "zz.json": raw_file("zz", topic(77))}, NOW + timedelta(days=1))
    assert len(names(files)) == INDEX_LINES
    (home,) = [name for name in names(files) if "Alpha77word" in theme(files, name).text]
    assert "-and-" in home
    assert_sound(files)


def test_kept_lines_alone_can_be_too_many_and_stay() -> None:
    own = "".join(f"line {number}\n" for number in range(INDEX_LINES + 2))
    files = after({**FIRST, INDEX: own.encode()})
    content = [line for _, line in TierIndex(files[INDEX]).content]
    assert content == own.splitlines()
    assert names(files) == []


def test_what_has_no_room_becomes_a_theme_beside_it() -> None:
    long = [(f"{rule} {seen}", "") for rule, seen in topic(1, members=8, words=33)]
    store = {f"{n}.json": raw_file(f"u{n}", [finding]) for n, finding in enumerate(long)}
    files = after(store)
    assert len(names(files)) == 2
    assert sum(theme(files, name).items for name in names(files)) == 8
    assert_sound(files)


def test_a_description_goes_before_a_finding() -> None:
    store = {
        f"{n}.json": raw_file(f"u{n}", [finding])
        for n, finding in enumerate(topic(1, members=7, words=40))
    }
    files = after(store)
    (name,) = names(files)
    assert theme(files, name).items == 7
    assert 170 < theme(files, name).words <= THEME_WORDS


# --- a run that was killed


def many() -> dict[str, bytes]:
    """Return a store with more topics than lines, some larger than a theme can be."""
    return {
        f"{n:02}.json": raw_file(f"u{n}", topic(n, members=2 + n % 7, words=20 + n))
        for n in range(16)
    }


@pytest.mark.parametrize(
    "store",
    [
        pytest.param(FIRST, id="first"),
        pytest.param({**after(FIRST), **MORE}, id="more"),
        pytest.param(many(), id="many", marks=pytest.mark.slow),
    ],
)
def test_after_a_run_that_was_killed_the_next_one_ends_the_same(store: Files) -> None:
    states = steps(store)
    assert len(states) > 2
    different = [number for number, state in enumerate(states[:-1]) if after(state) != states[-1]]
    assert different == []


@pytest.mark.slow
def test_a_run_over_the_same_files_writes_the_same() -> None:
    files = after(many())
    assert after(files) == files
    assert compacted(files).themes == ()
    assert [name for name in names(files) if words_of(theme(files, name).text) > THEME_WORDS] == []
