from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.markdown.line_edits import LineWriter, is_filler, without_filler
from learnings.core.text import decode, encode

LINE_ENDS = st.sampled_from(("\n", "\r\n", "\r", ""))
TEXTS = st.lists(st.tuples(st.sampled_from(("\ufeff", "a", "---", "", " ")), LINE_ENDS)).map(
    lambda parts: "".join(f"{text}{end}" for text, end in parts)
)


@given(TEXTS)
def test_what_is_kept_stays_byte_for_byte(text: str) -> None:
    writer = LineWriter(text)
    writer.keep(writer.source)
    assert writer.to_bytes() == encode(text)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a", "a\nnew\n"),
        ("a\r\nb", "a\r\nb\r\nnew\r\n"),
        ("\ufeffa\n", "\ufeffa\nnew\n"),
        ("a\rb\r", "a\rb\rnew\r"),
        ("", "new\n"),
    ],
)
def test_added_lines_take_the_line_ends_of_the_file(text: str, after: str) -> None:
    writer = LineWriter(text)
    writer.keep(writer.source)
    writer.add(["new"])
    assert decode(writer.to_bytes()) == after


def test_one_blank_line_sets_apart() -> None:
    writer = LineWriter("a")
    writer.set_apart()
    writer.keep(writer.source)
    writer.set_apart()
    writer.set_apart()
    writer.add(["b"])
    assert writer.to_bytes() == b"a\n\nb\n"


def test_filler() -> None:
    fillers, texts = ["", " \t\n", "---\n", "  ___  \r\n"], ["--", "- a", "-*-", "# ---", "text"]
    assert [line for line in (*fillers, *texts) if is_filler(line)] == fillers
    assert without_filler(["---", "", "---"]) == ["---"]
    assert without_filler(["a", "---", "b", "", "---"]) == ["a", "---", "b"]
