from __future__ import annotations

import pytest

from learnings.index.row_reading import index_key, operator_and_trigger, operator_row


@pytest.mark.parametrize(
    ("operator", "words", "heading"),
    [
        ("when", "writing mock tests", "When Writing  Mock Tests"),
        ("how", "encode paths", "How to Encode Paths"),
        ("how", "to encode paths", "How to encode paths"),
        ("when", "straße", "WHEN STRASSE"),
        ("", "Use `git -C`", "use `GIT -c`"),
    ],
)
def test_a_row_and_its_heading_have_one_key(operator: str, words: str, heading: str) -> None:
    assert index_key(words, operator=operator) == index_key(heading)


def test_rows_with_different_operators_have_different_keys() -> None:
    assert index_key("x", operator="when") != index_key("x", operator="how")
    assert index_key("`x`") != index_key("x")


@pytest.mark.parametrize("operator", ["when", "how", ""])
def test_no_words_have_no_key(operator: str) -> None:
    assert index_key(" \t", operator=operator) == ""


def test_an_unknown_operator_is_refused() -> None:
    with pytest.raises(KeyError):
        index_key("x", operator="what")


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("When Writing Tests", ("when", "Writing Tests")),
        ("HOW TO  Do It", ("how", "Do It")),
        ("How to", None),
        ("When", None),
        ("Whenever x", None),
        ("How it works", None),
    ],
)
def test_how_a_title_is_written_as_a_row(title: str, parts: tuple[str, str] | None) -> None:
    assert operator_and_trigger(title) == parts
    assert operator_row(title) == ("/" + " ".join(parts) if parts else None)
    if parts:
        assert index_key(parts[1], operator=parts[0]) == index_key(title)
