from __future__ import annotations

import pytest

from learnings.index.row_reading import index_key, operator_and_trigger, operator_row


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


def test_a_row_and_its_heading_have_one_key() -> None:
    for operator, words, heading in (
        ("when", "writing mock tests", "When Writing  Mock Tests"),
        ("how", "to encode paths", "How to encode paths"),
        ("when", "straße", "WHEN STRASSE"),
        ("", "Use `git -C`", "use `GIT -c`"),
    ):
        assert index_key(words, operator=operator) == index_key(heading)
        assert index_key(" \t", operator=operator) == ""
    assert index_key("x", operator="when") != index_key("x", operator="how")
    assert index_key("`x`") != index_key("x")
    with pytest.raises(KeyError):
        index_key("x", operator="what")
