from __future__ import annotations

import pytest

from learnings.index.forms import read_index, read_plain_row


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("/when x | words", ("when x | words", "when x")),
        ("/when x", ("when x",)),
        ("/When X|y", ("when x|y", "when x")),
        ("/how x — y | z", ("how to x — y | z", "how to x — y")),
        ("Key — summary", ("key — summary", "key")),
        ("Key – a — b", ("key – a — b", "key – a", "key")),
    ],
)
def test_all_ways_to_read_a_row(text: str, keys: tuple[str, ...]) -> None:
    reading = read_plain_row(text)

    assert reading is not None
    assert (reading.keys, reading.plain, reading.fault) == (keys, True, None)


@pytest.mark.parametrize(
    "text",
    ["", "words", " /when x", "\t/when x", "/usr/bin/x", "a—b", "a - b", "/", "no dash-here"],
)
def test_what_is_not_a_row(text: str) -> None:
    assert read_plain_row(text) is None


@pytest.mark.parametrize(
    "text",
    ["- a — b", "* a — b", "1. a — b", "**a** — b", "> a — b", "| a — b", "__a__ — b", "— b — c"],
)
def test_what_is_a_row_only_if_a_heading_says_so(text: str) -> None:
    reading = read_plain_row(text)

    assert reading is not None
    assert not reading.plain


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("/what x | y", "/what is not an operator"),
        ("/whenever x", "/whenever is not an operator"),
        ("/when", "no trigger"),
        ("/when | words", "no trigger"),
        ("/how \t|", "no trigger"),
    ],
)
def test_rows_that_cannot_be_read(text: str, word: str) -> None:
    reading = read_plain_row(text)

    assert reading is not None
    assert reading.fault is not None
    assert word in reading.fault


def test_a_row_has_the_path_of_its_section() -> None:
    text = b"/when a\n\n# Index\n\n/when b\n\n## a.md\n\n/when c\n\n### deeper\n\n/when d\n"
    text += b"\n## Notes\n\n/when e\n\n# End\n\n/when f\n"

    assert [(row.reading.keys[0], row.path) for row in read_index(text).rows] == [
        ("when a", ""),
        ("when b", ""),
        ("when c", "a.md"),
        ("when d", "a.md"),
        ("when e", "Notes"),
        ("when f", ""),
    ]
