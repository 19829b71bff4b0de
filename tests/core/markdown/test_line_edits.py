from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.markdown.line_edits import LineWriter, is_filler, without_filler
from learnings.core.markdown.links import rebased
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


OLD, NEW = "agents/learnings.md", "docs/decisions/cache.md"
CHANGED = {
    "See [the key](keys.md).": "See [the key](../../agents/keys.md).",
    "See [the key](./sub/keys.md#Old), [it](../docs/x.md)": (
        "See [the key](../../agents/sub/keys.md#Old), [it](../x.md)"
    ),
    "![shot](../docs/decisions/shot.png)": "![shot](shot.png)",
    "[folder](sub/) and [[keys.md#Old]]": "[folder](../../agents/sub/) and [[keys.md#Old]]",
    "[k]: <a b.md>": "[k]: <../../agents/a b.md>",
    '<a href="keys.md?x=1">k</a>': '<a href="../../agents/keys.md?x=1">k</a>',
    "[other](../../other/x.md)": "[other](../../../other/x.md)",
}
KEPT = (
    "[web](https://example.org/a.md), [mail](mailto:a@b.example), [drive](C:/a.md)",
    "[root](/docs/x.md), [here](#old), [shell]($HOME/x.md), [home](~/x.md)",
    "`[code](keys.md)` and no link (keys.md)",
)


def test_relative_links_are_changed_and_changed_back() -> None:
    for line, changed in CHANGED.items():
        assert rebased(line, OLD, NEW) == changed
        assert rebased(changed, NEW, OLD) == line.replace("(./", "(")
        assert rebased(line, OLD, "agents/other.md") == line
    assert [rebased(line, OLD, NEW) for line in KEPT] == [*KEPT]


def test_to_and_from_the_root() -> None:
    assert rebased("[a](docs/x.md)", "LEARNINGS.md", "docs/a.md") == "[a](x.md)"
    assert rebased("[a](x.md)", "docs/a.md", "LEARNINGS.md") == "[a](docs/x.md)"
    assert rebased("[a](../../x.md)", "docs/a.md", "LEARNINGS.md") == "[a](../x.md)"
