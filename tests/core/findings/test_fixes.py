"""Safe fixes: what they change, how they combine, what they refuse."""

from __future__ import annotations

import pytest

from learnings.core.errors import FixRefused
from learnings.core.findings.finding import Edit, Fix, apply, edited


def fix(*edits: tuple[int, str, str]) -> Fix:
    return Fix("does something", tuple(Edit(*edit) for edit in edits))


def applied(text: str, *fixes: Fix) -> str:
    return apply(text.encode(), fixes, path="a.md").decode()


@pytest.mark.parametrize(
    ("text", "edits", "after"),
    [
        ("##A\n", [(1, "##A\n", "## A\n")], "## A\n"),
        ("\ufeff##A\r\n", [(1, "\ufeff##A\r\n", "\ufeff## A\r\n")], "\ufeff## A\r\n"),
        ("a\nb", [(2, "b", "b\n")], "a\nb\n"),
        ("a\n##B", [(2, "##B", "## B"), (2, "##B", "##B\n")], "a\n## B\n"),
        ("a\n##B", [(2, "##B", "##B\n"), (2, "##B", "## B")], "a\n## B\n"),
        ("a\n##B", [(2, "##B", "## B"), (2, "##B", "## B")], "a\n## B"),
        ("##A\nb\n##C\n", [(3, "##C\n", "## C\n"), (1, "##A\n", "## A\n")], "## A\nb\n## C\n"),
        ("a\n", [(1, "a\n", "a\n")], "a\n"),
        ("a b\nc\n", [(2, "c\n", "c")], "a b\nc"),
        ("a\n", [], "a\n"),
    ],
)
def test_edits_are_made(text: str, edits: list[tuple[int, str, str]], after: str) -> None:
    assert applied(text, *(fix(edit) for edit in edits)) == after
    assert applied(text, fix(*edits)) == after


MORE = "this line would change in more than whitespace"


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ([(1, "x\n", " x\n")], "a.md:1: this line is not the line"),
        ([(3, "c", "c\n")], "a.md:3: this line is not the line"),
        ([(0, "a b\n", "a b \n")], "a.md:0: this line is not the line"),
        *(([(1, "a b\n", new)], f"a.md:1: {MORE}") for new in ("a c\n", "", "a\nb\n")),
        ([(2, "c\n", "c\n\n")], "a.md:2: this line would be joined or split"),
        ([(1, "a b\n", "a  b\n"), (1, "a b\n", "ab\n")], "conflicting fixes"),
    ],
)
def test_what_would_lose_something_is_refused(
    edits: list[tuple[int, str, str]], reason: str
) -> None:
    with pytest.raises(FixRefused, match=reason):
        applied("a b\nc\n", fix(*edits))


def test_bytes_that_are_no_text_stay() -> None:
    edit = fix((1, "##A\udcff\n", "## A\udcff\n"))
    assert apply(b"##A\xff\n\xfe", [edit], path="a.md") == b"## A\xff\n\xfe"


@pytest.mark.parametrize(
    ("lines", "edits", "after"),
    [
        (["a\n", "b\n"], [Edit(1, "a\n", "")], "b\n"),
        (["a\n", "b"], [Edit(2, "b", "b\nc\n")], "a\nb\nc\n"),
        (["a\n"], [Edit(1, "a\n", "top\na\n")], "top\na\n"),
        ([], [Edit(1, "", "a\n")], "a\n"),
    ],
)
def test_lines_come_and_go(lines: list[str], edits: list[Edit], after: str) -> None:
    assert "".join(edited(lines, edits, path="a.md")) == after


@pytest.mark.parametrize("edit", [Edit(1, "b\n", ""), Edit(3, "", "c\n"), Edit(0, "", "c\n")])
def test_an_edit_of_another_line_is_refused(edit: Edit) -> None:
    with pytest.raises(FixRefused, match="not the line"):
        edited(["a\n"], [edit], path="a.md")


def test_lines_are_restored_if_none_is_lost() -> None:
    def restored(*edits: tuple[int, str, str]) -> str:
        return applied("a\nb\nb\n", fix(*edits)._replace(restores=True))

    assert restored((1, "a\n", "b\na\n"), (2, "b\n", "")) == "b\na\nb\n"
    assert restored((3, "b\n", "")) == "a\nb\n"
    for new in ("", "c\n"):
        with pytest.raises(FixRefused, match=r"a.md:1: this line would be lost"):
            restored((1, "a\n", new))
