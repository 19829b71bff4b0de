from __future__ import annotations

import pytest

from learnings.index.forms import FORMS, read_index
from tests.index.index_cases import BLOCK, FORMS_AS_TEXT, TABLE

FORMED = pytest.mark.parametrize("form", FORMS_AS_TEXT)


def test_there_is_an_example_of_each_form() -> None:
    assert set(FORMS_AS_TEXT) == set(FORMS)


@FORMED
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("top", ["", "\ufeff", "---\na: 1\n---\n"])
def test_the_rows_of_each_form(form: str, newline: str, top: str) -> None:
    data = (top + FORMS_AS_TEXT[form]).replace("\n", newline).encode()
    index = read_index(data, form=form, path="a.md")

    assert [(row.reading.keys[-1], row.path) for row in index.rows] == [
        ("when x" if form != TABLE else "/when x", "a.md"),
        ("key", "a.md"),
    ]
    assert "when x" in index.rows[0].reading.keys
    assert index.to_bytes() == data


@FORMED
@pytest.mark.parametrize("around", [("```\n", "```\n"), ("~~~\n", ""), ("<!-- \n", "-->\n")])
def test_code_and_comments_hold_no_rows(form: str, around: tuple[str, str]) -> None:
    rows = (
        FORMS_AS_TEXT[form]
        .replace("<!-- INDEX:START -->\n", "")
        .replace("<!-- INDEX:END -->\n", "")
    )
    text = f"## a.md\n\n{around[0]}{rows}{around[1]}"
    if form == BLOCK:
        text = f"<!-- INDEX:START -->\n{text}<!-- INDEX:END -->\n"

    assert not read_index(text.encode(), form=form, path="a.md").rows


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'none' is not a form .* rows, table"):
        read_index(b"", form="none")
