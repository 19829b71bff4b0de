"""The values that each kind takes, and paths relative to the folder they are written in."""

from __future__ import annotations

import pytest

from learnings.core.settings.types import (
    LARGEST_NUMBER,
    ItemError,
    choice,
    list_of,
    or_auto,
    path_inside,
    whole,
)


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        ("", "a.md", "a.md"),
        ("", "a/./b//c.md", "a/b/c.md"),
        ("pkg/x", "a.md", "pkg/x/a.md"),
        ("pkg/x", "../../docs/a.md", "docs/a.md"),
        ("", "ab:c.md", "ab:c.md"),
    ],
)
def test_a_path_starts_where_it_is_written(folder: str, path: str, expected: str) -> None:
    assert path_inside(path, folder) == expected
    for outside in ("../../../a.md", "../..", ".."):
        with pytest.raises(ValueError, match=r"\.\."):
            path_inside(outside, "pkg/x")


def test_the_item_that_is_wrong_is_named() -> None:
    kind = list_of(choice("a", "b"), "letters")
    assert kind.read(["a", "b"], "") == ("a", "b")
    with pytest.raises(ItemError) as caught:
        kind.read(["a", "c", "d"], "")
    assert caught.value.args == (1, "c")
    with pytest.raises(TypeError):
        kind.read("a", "")


def test_a_whole_number_is_one_and_within_its_bounds() -> None:
    kind = or_auto(whole(1, 6))
    assert kind.wants == '"auto" or a whole number from 1 to 6'
    assert whole(1).schema == {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER}
    assert [kind.read(value, "") for value in ("auto", 1, 6)] == [None, 1, 6]
    for value in (True, 1.0, "1", 0, 7, None):
        with pytest.raises(ValueError):  # noqa: PT011  (its text is not shown)
            whole(1, 6).read(value, "")
