from __future__ import annotations

import pytest

from learnings.index.forms import read_arrow


@pytest.mark.parametrize(
    ("text", "keys", "path"),
    [
        ("**Name** — about it → x/y.md", ("name",), "x/y.md"),
        ("- **Name** — a → b → `x.md`", ("name",), "x.md"),
        ("**When a** — s → [x](x.md#when-a)", ("when a",), "x.md"),
    ],
)
def test_rows_with_an_arrow(text: str, keys: tuple[str, ...], path: str) -> None:
    reading = read_arrow(text)

    assert reading is not None
    assert (reading.keys, reading.path, reading.fault) == (keys, path, None)


@pytest.mark.parametrize(
    "text", ["**Name** — no arrow", "Name — s → x.md", "**Name** s → x.md", "→"]
)
def test_what_has_no_arrow_is_none(text: str) -> None:
    assert read_arrow(text) is None


@pytest.mark.parametrize(("text", "word"), [("**N** — s →", "path"), ("**** — s → x.md", "name")])
def test_rows_with_an_arrow_that_cannot_be_read(text: str, word: str) -> None:
    reading = read_arrow(text)

    assert reading is not None
    assert word in (reading.fault or "")
