"""A compaction: which themes are written, what grows, what is kept, what a killed run leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

import pytest

from learnings.tiers.compaction import account_of
from learnings.tiers.placed import Placed
from learnings.tiers.raw_files import observations_of
from learnings.tiers.tier_files import INDEX_LINES, THEME_WORDS, ThemeFile, TierIndex, is_theme_name
from tests.support.tier_stores import (
    INDEX,
    NOW,
    Files,
    after,
    compacted,
    raw_file,
    steps,
    tier_files,
)

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


def store_of(work_units: Iterable[Sequence[object]], unit: str = "u") -> dict[str, bytes]:
    """Return a raw file for the findings of each work unit."""
    return {f"{unit}{n:02}.json": raw_file(f"{unit}{n}", one) for n, one in enumerate(work_units)}


def topic(number: int, *, members: int = 2, words: int = 3) -> list[tuple[str, ...]]:
    """Return findings about one thing that no other topic has, what was seen in so many words."""
    seen = " ".join(f"seen{number}x{word}" for word in range(words - 1))
    return [
        (f"Alpha{number}word beta{number}word own{number}x{member}", f"{seen} in{member}")
        for member in range(members)
    ]


def alone(*categories: str) -> dict[str, bytes]:
    """Return a store of findings that are like no other, one for each category named."""
    return store_of(
        [(f"Single{n}x0 single{n}x1 single{n}x2", "", "", category)]
        for n, category in enumerate(categories)
    )


def names(files: Files) -> list[str]:
    return sorted(name[7:-3] for name in files if name.startswith("themes/"))


def theme(files: Files, name: str) -> ThemeFile:
    return ThemeFile(name, files[f"themes/{name}.md"])


def items(files: Files) -> dict[str, int]:
    """Return the number of items of each theme, after checking budgets, rows and names."""
    index = TierIndex(files[INDEX])
    assert len(index.content) <= INDEX_LINES
    assert sorted(rows(files)) == names(files)
    assert [name for name in names(files) if not is_theme_name(name)] == []
    assert [name for name in names(files) if theme(files, name).words > THEME_WORDS] == []
    return {name: theme(files, name).items for name in names(files)}


def rows(files: Files) -> dict[str, str]:
    return {row.name: row.summary for row in TierIndex(files[INDEX]).rows}


def test_findings_that_are_alike_become_themes() -> None:
    files = after(FIRST)
    assert items(files) == {"cache-key": 2, "clock-tests": 2}
    assert theme(files, "cache-key").text.endswith(
        "- Put the tenant into the cache key. One customer saw the prices of another.\n"
        "- Put the locale into the cache key of a page. German visitors got English pages.\n"
        "\n## Related Work Units\n- a\n- b\n"
    )
    assert theme(files, "cache-key").is_draft
    assert [unit for unit, _ in theme(files, "clock-tests").units] == ["a", "c"]
    assert rows(files)["cache-key"].startswith("2 findings: Put the tenant into the cache key; ")
    assert [one.rule for one in compacted(FIRST).left] == [ALONE[0]]
    # Raw files stay, and the order of their names does not matter.
    assert {name: files[name] for name in FIRST} == FIRST
    renamed = after({f"z{99 - n}.json": data for n, data in enumerate(FIRST.values())})
    assert theme(renamed, "cache-key").body == theme(files, "cache-key").body
    assert renamed[INDEX] == files[INDEX]


def test_what_was_dismissed_gives_no_text_and_is_covered() -> None:
    dismissed = [(*finding, "dismissed:known") for finding in CACHE]
    files = after(store_of([dismissed, CACHE[:1]]))
    assert items(files) == {}
    assert TierIndex(files[INDEX]).processed == 2
    assert after(store_of([dismissed, [], []]))[INDEX].decode() == (
        '---\nlastCompaction: "2026-04-07T12:00:00Z"\nrawFilesProcessed: 3\n---\n'
    )


def test_what_is_like_no_other_waits_whatever_its_category() -> None:
    store = alone(*["build"] * 6, "friction", "other", "")
    assert items(after(store)) == {}
    assert len(compacted(store).left) == 9
    assert len(account_of(tier_files(after(store))).waiting) == 9
    # Lines of INDEX that are no rows can be too many, and stay.
    own = "".join(f"line {number}\n" for number in range(INDEX_LINES + 1))
    files = after({**FIRST, INDEX: own.encode()})
    assert [line for _, line in TierIndex(files[INDEX]).content] == own.splitlines()
    assert names(files) == []


def test_what_a_later_finding_is_like_no_longer_waits() -> None:
    files = after(store_of([[CACHE[0]], [CLOCK[0], ALONE]]))
    assert items(files) == {}
    rest = {**files, "d.json": MORE["d.json"], "c.json": raw_file("c", [CLOCK[1]])}
    last = after(rest)
    assert items(last) == {"cache-key": 2, "clock-tests": 2}
    assert [one.rule for one in account_of(tier_files(last)).waiting] == [ALONE[0]]
    assert [n for n, state in enumerate(steps(rest)[:-1]) if after(state) != last] == []


def test_a_phrase_of_most_findings_is_no_theme() -> None:
    said = "went wrong that day"
    subjects = [f"Sub{n}ject pro{n}cess {said}" for n in range(9)]
    alike = [[(f"{subjects[n]} {m}", "")] for n in range(9) for m in range(1 + (n < 2))]
    files = after(store_of(alike))
    assert theme(files, "sub1ject-pro1cess").items == 2
    assert names(files) == ["sub1ject-pro1cess"]
    assert items(after(store_of([[(f"{said} {n}", "")] for n in range(5)]))) == {}


def test_only_a_plan_changes_the_theme_of_the_rest() -> None:
    own = after(FIRST)["themes/cache-key.md"].replace(b"# Cache Key", b"# Other")
    files = after({**FIRST, "themes/other.md": own, "d.json": MORE["d.json"]})
    assert theme(files, "other").items == 2
    assert [one.rule for one in account_of(tier_files(files)).waiting] == [ALONE[0], CACHE[2][0]]


@pytest.mark.parametrize(
    ("name", "findings"),
    [
        (
            "",  # the category, and a word of all
            [
                ("Retry an error of the vendor", "Gemini gave up.", "", "api"),
                ("An error needs its cause", "The log of gemini had none.", "", "api"),
            ],
        ),
        (
            "",  # no noun
            [
                ("Audit existing rules before adding new ones", "", "", "design"),
                ("Compress existing skills before adding content", "", "", "design"),
            ],
        ),
        (
            "",  # neither
            [
                ("Quote paths of fixtures", "A blank ended the paths early.", "", "wiring"),
                ("Log real paths of caches", "Two paths were one.", "", "security"),
                ("Print paths of reports", "Nobody found the paths.", "", "docs"),
            ],
        ),
        (
            "shell-injection",  # a phrase
            [
                ("Enabled shell injection is a defect", ""),
                ("Pass lists: enabled shell injection was found", ""),
            ],
        ),
    ],
)
def test_a_theme_has_the_name_of_a_phrase_or_waits(
    name: str, findings: list[tuple[str, ...]]
) -> None:
    assert names(after(store_of([one] for one in findings))) == ([name] if name else [])


def test_a_theme_grows_in_its_place_and_what_somebody_has_written_stays() -> None:
    files = after(FIRST)
    grown = after({**files, **MORE}, NOW + timedelta(days=1))
    assert items(grown) == {"cache-key": 3, "clock-tests": 3}
    assert [unit for unit, _ in theme(grown, "cache-key").units] == ["a", "b", "d"]
    assert theme(grown, "cache-key").is_draft
    assert TierIndex(grown[INDEX]).processed == 6
    text = "# Cache Key\n\nA key needs tenant and locale.\n\n## Related Work Units\n- b\n- a\n"
    own = f"Read first.\n{files[INDEX].decode()}".replace("clock-tests** — ", "clock-tests** — My ")
    files |= {"themes/cache-key.md": text.encode(), INDEX: own.encode()}
    grown = after({**files, **MORE}, NOW + timedelta(days=1))
    assert theme(grown, "cache-key").text == text.replace(
        "locale.\n",
        "locale.\n\n<!-- added lines of d: work them into the text, then remove this line -->\n\n"
        "- Put the schema version into the cache key. Old objects could not be read.\n",
    ).replace("- b\n- a\n", "- a\n- b\n- d\n")
    assert rows(grown)["cache-key"] == rows(files)["cache-key"]
    assert rows(grown)["clock-tests"] == rows(files)["clock-tests"]
    assert "Read first." in grown[INDEX].decode()


def test_what_somebody_has_written_about_a_work_unit_is_not_in_another_theme() -> None:
    seen = " ".join(f"seen{number}" for number in range(60))
    store = {**FIRST, "r.json": raw_file("r", [("Rewrite protocols structurally", seen)])}
    rule = "Use structural rewrites for protocols rather than word trimming"
    own = f"# Budgets\n\n{rule}.\n\n## Related Work Units\n- r\n".encode()
    files = after({**store, "themes/budgets.md": own})
    assert files["themes/budgets.md"] == own
    assert [one.rule for one in account_of(tier_files(files)).waiting] == [ALONE[0]]


def test_lines_of_an_index_that_are_no_rows_stay_in_their_order() -> None:
    own = "---\nrawFilesProcessed: 0\n---\nabove\n**old** — x → themes/old.md\nbelow\n"
    themes = {"themes/old.md": b"# Old\n\ntext\n", "themes/bare.md": b"# B\n\n- Never do it.\n"}
    files = after({**FIRST, INDEX: own.encode(), **themes})
    content = [line.partition(" —")[0] for _, line in TierIndex(files[INDEX]).content]
    new = ["**old**", "**bare**", "**cache-key**", "**clock-tests**"]
    assert content == ["above", *new, "below"]
    assert {name: files[name] for name in themes} == themes
    assert rows(files)["bare"] == "Never do it."  # a theme without a row gets one


def test_another_theme_of_the_name_gets_a_number() -> None:
    other = b"# Cache-Key!\n\nAbout bicycles.\n"
    files = after({**FIRST, "themes/cache-key.md": other, "themes/cache-key-2.md": other})
    assert list(items(files)) == ["cache-key", "cache-key-2", "cache-key-3", "clock-tests"]
    assert files["themes/cache-key.md"] == other
    assert theme(files, "cache-key-3").title == "Cache Key 3"
    # The name of a row without a file is not given again; the same theme is found by its title.
    row = b"**cache-key** \xe2\x80\x94 x \xe2\x86\x92 themes/cache-key.md\n"
    assert names(after({**FIRST, INDEX: row})) == ["cache-key-2", "clock-tests"]
    same = items(after({**FIRST, "themes/cache-key.md": b"# Cache Key\n"}))
    assert same == {"cache-key": 2, "clock-tests": 2}


@pytest.mark.parametrize("topics", [INDEX_LINES, INDEX_LINES + 1, 45])
def test_the_smallest_themes_become_one_where_lines_are_short(topics: int) -> None:
    files = after(store_of(topic(n, members=3 if n < 10 else 2) for n in range(topics)))
    assert len(items(files)) == INDEX_LINES
    merged = [name for name in names(files) if "-and-" in name]
    assert bool(merged) is (topics > INDEX_LINES)
    if topics == INDEX_LINES + 1:
        assert [name for name in merged if "alpha3word" in name] == []
        late = {**files, "zz.json": raw_file("zz", topic(77))}
        joined = after(late, NOW + timedelta(days=1))
        assert len(items(joined)) == INDEX_LINES
        (home,) = (one for one in names(joined) if "Alpha77word" in theme(joined, one).text)
        assert "-and-" in home


def test_what_has_no_room_becomes_a_theme_beside_it_and_nothing_is_left_out() -> None:
    long = [[(f"{rule} {seen}", "")] for rule, seen in topic(1, members=8, words=33)]
    others = alone(*[""] * 9)
    counts = items(after({**others, **store_of(long, "t")}))
    (name, second) = counts
    assert (second, sum(counts.values())) == (f"{name}-2", 8)
    store = {**others, **store_of(([one] for one in topic(1, members=5, words=40)), "t")}
    files = after(store)
    (name,) = items(files)
    (alone_one,) = [one for one in compacted(store).left if one.unit.startswith("t")]
    assert theme(files, name).items == 4
    assert all(f"seen1x38 in{n}" in theme(files, name).text for n in range(4))
    assert alone_one.description.endswith("in4")  # one is no theme


def test_a_finding_that_has_no_room_in_what_somebody_wrote_waits_whole() -> None:
    files = after(FIRST)
    text = f"# Cache Key\n\n{'word ' * 195}\n\n## Related Work Units\n- a\n- b\n"
    files |= {"themes/cache-key.md": text.encode(), **MORE}
    assert theme(after(files), "cache-key").text == text
    assert CACHE[2][0] in [one.rule for one in compacted(files).left]
    files["themes/cache-key.md"] = text.replace("word word ", "", 10).encode()
    assert " ".join([f"{CACHE[2][0]}.", CACHE[2][1]]) in theme(after(files), "cache-key").text


def test_what_a_text_covers_stays_covered_whatever_lines_are_added() -> None:
    """An added line of a work unit says nothing about what the text says about it."""
    own = "# Coupons\n\nFreeze clocks where coupons expire; sample orders.\n\n"
    own += "## Related Work Units\n- a\n"
    said = [("Freeze the clocks where coupons expire", "x"), ALONE]
    store = {
        "a.json": raw_file("a", said),
        "b.json": raw_file("b", [("Freeze clocks in tests of coupons that expire", "y")]),
        "themes/coupons.md": own.encode(),
    }
    # The author has read a, but not b.
    assert [one.unit for one in account_of(tier_files(store)).waiting] == ["b"]
    placed = Placed(observations_of(tier_files(store).raw), tier_files(store).themes)
    assert placed.words == {0: "coupons", 1: "coupons"}
    for lines in (["Always log coupons"], ["Always log coupons", "Never log keys"]):
        more = [(line, "") for line in lines]
        texts = ThemeFile("coupons", own.encode()).with_items(lines, ["a", "b"])
        end = {
            **store,
            "a.json": raw_file(
                "a", [("Freeze the clocks where coupons expire", "x"), ALONE, *more]
            ),
            "themes/coupons.md": texts.encode(),
        }
        assert [one.unit for one in account_of(tier_files(end)).waiting] == ["b"]
        # Who removes the mark says that the text covers the added lines, too.
        rewritten = "".join(
            line for line in texts.splitlines(keepends=True) if "added lines" not in line
        )
        end["themes/coupons.md"] = rewritten.encode()
        assert account_of(tier_files(end)).waiting == ()


def many() -> dict[str, bytes]:
    """Return a store with more topics than lines, some larger than a theme can be."""
    return store_of(topic(n, members=2 + n % 7, words=20 + n) for n in range(16))


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
    assert [n for n, state in enumerate(states) if after(state) != states[-1]] == []
    assert compacted(states[-1]).themes == ()
    assert items(states[-1])
