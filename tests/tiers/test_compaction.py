"""A compaction: which themes are written, what grows, what is kept, what a killed run leaves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from learnings.tiers.tier_files import (
    INDEX_LINES,
    THEME_WORDS,
    ThemeFile,
    TierIndex,
    is_theme_name,
    words_of,
)
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
    assert names(files) == ["cache-key", "clock-tests", "other"]
    assert_sound(files)
    assert theme(files, "cache-key").text.endswith(
        "- Put the tenant into the cache key. One customer saw the prices of another.\n"
        "- Put the locale into the cache key of a page. German visitors got English pages.\n"
        "\n## Related Work Units\n- a\n- b\n"
    )
    assert theme(files, "cache-key").is_draft
    assert rows(files)["cache-key"].startswith("2 findings: Put the tenant into the cache key; ")
    assert rows(files)["other"] == f"1 finding: {ALONE[0]}"
    assert compacted(FIRST).left == ()


def test_a_work_unit_can_be_in_several_themes() -> None:
    files = after(FIRST)
    assert [unit for unit, _ in theme(files, "clock-tests").units] == ["a", "c"]


def test_raw_files_stay_as_they_are() -> None:
    files = after(FIRST)
    assert {name: files[name] for name in FIRST} == FIRST


def test_what_was_dismissed_gives_no_text_and_is_covered() -> None:
    dismissed = [(*finding, "dismissed:known") for finding in CACHE]
    files = after({"a.json": raw_file("a", dismissed), "b.json": raw_file("b", CACHE[:1])})
    assert theme(files, "other").items == 1
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


# --- what is in no other theme


def alone(number: int, category: str = "", *, words: int = 3) -> tuple[str, str, str, str]:
    """Return a finding that is like no other."""
    rule = " ".join(f"single{number}x{word}" for word in range(words))
    return rule, "", "", category


def collected(*categories: str, words: int = 3) -> dict[str, bytes]:
    """Return a store of findings that are like no other, one for each category named."""
    return {
        f"{n:03}.json": raw_file(f"u{n}", [alone(n, category, words=words)])
        for n, category in enumerate(categories)
    }


def test_what_is_like_no_other_is_in_a_theme_of_its_category_or_the_others() -> None:
    store = collected("build", "Building", "build", "friction", "friction", "")
    files = after(store)
    assert {name: theme(files, name).items for name in names(files)} == {"build": 3, "other": 3}
    assert rows(files)["build"].startswith("3 findings: single0x0 single0x1 single0x2; ")
    assert not theme(files, "build").is_draft
    assert_sound(files)
    assert after(files) == files


def test_the_smallest_categories_join_the_others_where_lines_are_short() -> None:
    topics = {f"{n:02}.json": raw_file(f"t{n}", topic(n)) for n in range(INDEX_LINES - 2)}
    store = {**topics, **collected(*["build"] * 4, *["testing"] * 3, "")}
    files = after(store)
    assert len(names(files)) == INDEX_LINES
    assert theme(files, "build").items == 4
    assert theme(files, "other").items == 4
    assert_sound(files)


def test_the_others_have_several_themes_and_the_last_line_ends_them() -> None:
    files = after(collected(*[""] * 60, words=20))
    others = names(files)
    assert others[:3] == ["other", "other-2", "other-3"]
    assert sum(theme(files, name).items for name in others) == 60
    assert_sound(files)
    own = "".join(f"line {number}\n" for number in range(INDEX_LINES - 1)).encode()
    full = compacted({**collected(*[""] * 60, words=20), INDEX: own})
    assert [change.name for change in full.themes] == ["other"]
    assert len(full.left) == 60 - len(full.themes[0].added)


def test_what_a_later_finding_is_like_leaves_the_others() -> None:
    store = {"a.json": raw_file("a", [CACHE[0]]), "b.json": raw_file("b", [CLOCK[0], ALONE])}
    files = after(store)
    assert names(files) == ["other"]
    more = {**files, "d.json": MORE["d.json"]}
    assert names(after(more)) == ["cache-key", "other"]
    assert theme(after(more), "other").items == 2
    rest = {**more, "c.json": raw_file("c", [CLOCK[1], (ALONE[0], "It had no header.")])}
    last = after(rest)
    assert "other" not in names(last)
    assert_sound(last)
    assert [n for n, state in enumerate(steps(rest)[:-1]) if after(state) != last] == []


def test_a_collected_theme_that_somebody_wrote_keeps_what_it_says() -> None:
    files = after(collected("build", "build", "build"))
    text = theme(files, "build").text
    mark = next(line for line in text.splitlines() if line.startswith("<!--"))
    own = {**files, "themes/build.md": text.replace(f"{mark}\n", "").encode()}
    grown = after({**own, "x.json": raw_file("x", [alone(77, "build"), alone(78, "build")])})
    assert grown["themes/build.md"] == own["themes/build.md"]
    assert theme(grown, "other").items == 2


# --- names


@pytest.mark.parametrize(
    ("findings", "name"),
    [
        pytest.param(
            [
                ("Retry an error of the vendor", "Gemini gave up.", "", "api"),
                ("An error needs its cause", "The log of gemini had none.", "", "api"),
            ],
            "api-gemini",
            id="category",
        ),
        pytest.param(
            [
                ("Audit existing rules before adding new ones", "", "", "design"),
                ("Compress existing skills before adding content", "", "", "design"),
            ],
            "other",
            id="no noun",
        ),
        pytest.param(
            [
                ("Quote paths of fixtures", "A blank ended the paths early.", "", "wiring"),
                ("Log real paths of caches", "Two paths were one.", "", "security"),
                ("Print paths of reports", "Nobody found the paths.", "", "docs"),
            ],
            "other",
            id="neither",
        ),
        pytest.param(
            [
                ("Enabled shell injection is a defect", ""),
                ("Pass lists: enabled shell injection was found", ""),
            ],
            "shell-injection",
            id="phrase",
        ),
    ],
)
def test_a_theme_has_the_name_of_a_phrase_or_category(
    findings: list[tuple[str, ...]], name: str
) -> None:
    store = {f"{n}.json": raw_file(f"u{n}", [one]) for n, one in enumerate(findings)}
    assert names(after(store)) == [name]


# --- what grows, and what is kept


def test_a_theme_grows_in_its_place() -> None:
    files = after({**after(FIRST), **MORE}, NOW + timedelta(days=1))
    assert names(files) == ["cache-key", "clock-tests", "other"]
    assert [unit for unit, _ in theme(files, "cache-key").units] == ["a", "b", "d"]
    assert theme(files, "cache-key").items == 3
    assert theme(files, "cache-key").is_draft
    assert TierIndex(files[INDEX]).processed == 6
    assert_sound(files)


def test_what_somebody_has_written_stays() -> None:
    files = after(FIRST)
    text = "# Cache Key\n\nA key needs tenant and locale.\n\n## Related Work Units\n- b\n- a\n"
    own = f"Read first.\n{files[INDEX].decode()}".replace("clock-tests** — ", "clock-tests** — My ")
    files |= {"themes/cache-key.md": text.encode(), INDEX: own.encode()}
    grown = after({**files, **MORE}, NOW + timedelta(days=1))
    assert theme(grown, "cache-key").text == text.replace(
        "locale.\n",
        "locale.\n\n- Put the schema version into the cache key. Old objects could not be read.\n",
    ).replace("- b\n- a\n", "- a\n- b\n- d\n")
    assert rows(grown)["cache-key"] == rows(files)["cache-key"]
    assert rows(grown)["clock-tests"] == rows(files)["clock-tests"]
    assert "Read first." in grown[INDEX].decode()


def test_what_somebody_has_written_about_a_work_unit_is_not_in_another_theme() -> None:
    rule = "Use structural rewrites for protocols rather than word trimming"
    seen = " ".join(f"seen{number}" for number in range(60))
    store = {**FIRST, "r.json": raw_file("r", [("Rewrite protocols structurally", seen)])}
    own = f"# Budgets\n\n{rule}.\n\n## Related Work Units\n- r\n".encode()
    files = after({**store, "themes/budgets.md": own})
    assert files["themes/budgets.md"] == own
    assert theme(files, "other").items == 1


def test_lines_of_an_index_that_are_no_rows_stay_in_their_order() -> None:
    own = "---\nrawFilesProcessed: 0\n---\nabove\n**old** — x → themes/old.md\nbelow\n"
    files = after({**FIRST, INDEX: own.encode(), "themes/old.md": b"# Old\n\ntext\n"})
    content = [line.partition(" —")[0] for _, line in TierIndex(files[INDEX]).content]
    new = ["**old**", "**cache-key**", "**clock-tests**", "**other**"]
    assert content == ["above", *new, "below"]
    assert files["themes/old.md"] == b"# Old\n\ntext\n"


def test_a_theme_file_without_a_row_gets_one() -> None:
    files = after({**FIRST, "themes/old.md": b"# Old\n\n- Never do it.\n"})
    assert rows(files)["old"] == "Never do it."


def test_another_theme_of_the_name_gets_a_number() -> None:
    other = b"# Cache-Key!\n\nAbout bicycles.\n"
    files = after({**FIRST, "themes/cache-key.md": other, "themes/cache-key-2.md": other})
    assert names(files) == ["cache-key", "cache-key-2", "cache-key-3", "clock-tests", "other"]
    assert (files["themes/cache-key.md"], theme(files, "cache-key-3").title) == (
        other,
        "Cache Key 3",
    )
    assert_sound(files)


def test_the_name_of_a_row_without_a_file_is_not_given_again() -> None:
    row = b"**cache-key** \xe2\x80\x94 x \xe2\x86\x92 themes/cache-key.md\n"
    assert names(after({**FIRST, INDEX: row})) == ["cache-key-2", "clock-tests", "other"]


def test_the_same_theme_is_found_by_its_title() -> None:
    files = after({**FIRST, "themes/cache-key.md": b"# Cache Key\n"})
    assert names(files) == ["cache-key", "clock-tests", "other"]
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
        pytest.param(many(), id="many", marks=pytest.mark.soak),
    ],
)
def test_after_a_run_that_was_killed_the_next_one_ends_the_same(store: Files) -> None:
    states = steps(store)
    assert len(states) > 2
    different = [number for number, state in enumerate(states[:-1]) if after(state) != states[-1]]
    assert different == []


@pytest.mark.soak
def test_a_run_over_the_same_files_writes_the_same() -> None:
    files = after(many())
    assert after(files) == files
    assert compacted(files).themes == ()
    assert [name for name in names(files) if words_of(theme(files, name).text) > THEME_WORDS] == []
