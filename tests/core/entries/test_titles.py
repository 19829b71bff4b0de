from __future__ import annotations

import pytest

from learnings.core.entries import titles


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("## When writing\n", "When writing"),
        ("##\tTabs  \r\n", "Tabs"),
        ("   ### Indented ###\n", "Indented"),
        ("## C# and F#\n", "C# and F#"),
        ("## ends in # ##  \n", "ends in #"),
        ("##\n", ""),
    ],
)
def test_heading_text(line: str, text: str) -> None:
    assert titles.heading_text(line) == text


@pytest.mark.parametrize(
    ("stamp", "stated"),
    [
        ("2026-02-16-120000", "2026-02-16T12:00:00"),
        ("2026-02-16", "2026-02-16"),
        ("2026-02-16 12:30", "2026-02-16T12:30:00"),
        ("2026-02-16T12:30:05", "2026-02-16T12:30:05"),
        ("2026-02", "2026-02"),
        ("2026-02-30", None),
        ("2026-13", None),
        ("2026-02-16-246000", None),
        ("2026-02-16-120000b", None),
        ("2026-02 12:30", None),
    ],
)
def test_stated_date(stamp: str, stated: str | None) -> None:
    assert titles.stated_date(stamp) == stated


@pytest.mark.parametrize(
    ("line", "stamp", "title", "stated"),
    [
        ("## [2026-02-16-120000] Hooks", "2026-02-16-120000", "Hooks", "2026-02-16T12:00:00"),
        ("## [2026-02-16b] Odd", "2026-02-16b", "Odd", None),
        ("## [LRN-20260206-001] correction", "LRN-20260206-001", "correction", "2026-02-06"),
        ("### [L-014] Title", "L-014", "Title", None),
        ("## [docs](x.md) are old", None, "[docs](x.md) are old", None),
        ("## [WIP] not an id", None, "[WIP] not an id", None),
        ("## 2026-02-01: dated title", None, "2026-02-01: dated title", "2026-02-01"),
        ("## Dated title (2026-02-01)", None, "Dated title (2026-02-01)", "2026-02-01"),
    ],
)
def test_heading(line: str, stamp: str | None, title: str, stated: str | None) -> None:
    first_line = titles.read_heading(line)

    assert (first_line.stamp, first_line.title, first_line.stated) == (stamp, title, stated)


@pytest.mark.parametrize(
    ("line", "stamp", "title"),
    [
        ("## [undated] Title", "undated", "Title"),
        ("## [docs](x.md) Title", None, "[docs](x.md) Title"),
        ("## L-014: Title", "L-014", "Title"),
        ("## No id: here", None, "No id: here"),
        ("## L-001 · Title", "L-001", "Title"),
        ("### [2026-02-16] L-014: Title", "L-014", "Title"),
        ("### [2026-02-16 12:30] [L-014] Title", "L-014", "Title"),
        ("### [2026-02-16] Title", "2026-02-16", "Title"),
        ("### [2026-02-16] [git] Title", "2026-02-16", "[git] Title"),
    ],
)
def test_heading_of_a_file_with_stamps(line: str, stamp: str | None, title: str) -> None:
    first_line = titles.read_heading(line, stamped=True, bare_ids=True)

    assert (first_line.stamp, first_line.title) == (stamp, title)


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("## L-014: Title (2026-02-16)", "2026-02-16"),
        ("## [L-014] 2026-02-16 Title", "2026-02-16"),
        ("## [LRN-20260206-001] Title (2026-02-16)", "2026-02-06"),
        ("### [2026-02-16] L-014: Title (2026-02-17)", "2026-02-16"),
        ("### [2026-02-16 12:30] L-014: Title", "2026-02-16T12:30:00"),
        ("## [2026-02-30] Title (2026-02-16)", None),
        ("## [undated] Title (2026-02-16)", "2026-02-16"),
    ],
)
def test_stated_date_of_a_heading_with_an_id(line: str, stated: str | None) -> None:
    assert titles.read_heading(line, stamped=True, bare_ids=True).stated == stated


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2026-02-16", ()),
        ("[2026-02-16] [git] #ci @work", ()),
        ("— · —", ()),
        ("🚀", ("🚀",)),
        ("[git] Rebase loses merges (2026-02-16)", ("Rebase", "loses", "merges")),
        ("[docs](x.md)", ("[docs](x.md)",)),
    ],
)
def test_own_words(text: str, words: tuple[str, ...]) -> None:
    assert titles.own_words(text) == words


@pytest.mark.parametrize(
    ("text", "is_dated"),
    [
        ("2026-02-16", False),
        ("Mon, 2026-02-16", False),
        ("[2026-02-16] [git]", False),
        ("2026-02-16: Locks", True),
        ("Session 3 (2026-02-16)", True),
        ("Locks of 2026-02-16 survive", False),
    ],
)
def test_dated_title(text: str, *, is_dated: bool) -> None:
    assert titles.is_dated_title(text) == is_dated


@pytest.mark.parametrize(
    ("line", "title", "stated", "key"),
    [
        ("- 2026-02-01: Never retry on 409. Ever.", "Never retry on 409.", "2026-02-01", None),
        ("* [2026-02] Use the pool", "Use the pool", "2026-02", None),
        ("- **2026-02-01 (x):** Cache keys", "Cache keys", "2026-02-01", "**(x):** Cache keys"),
        ("- Cache keys (2026-02-01)", "Cache keys", "2026-02-01", "Cache keys"),
        ("- 2026-03-04 — never retry", "never retry", "2026-03-04", "never retry"),
        ("1. **Bold lead:** and more", "Bold lead", None, "**Bold lead:** and more"),
        ("- 不要重试。真的。", "不要重试。", None, "不要重试。真的。"),
        ("- 2026-99-99 is no date", "2026-99-99 is no date", None, "2026-99-99 is no date"),
        ("-", "", None, ""),
    ],
)
def test_item(line: str, title: str, stated: str | None, key: str | None) -> None:
    first_line = titles.read_item(line)

    assert (first_line.title, first_line.stated) == (title, stated)
    if key is not None:
        assert first_line.key_title == key


def test_an_items_title_is_cut_at_80_characters() -> None:
    title = titles.read_item("- " + "word " * 40).title

    assert title == ("word " * 40)[: titles.TITLE_LENGTH]
