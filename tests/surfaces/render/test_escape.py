"""Foreign text in Markdown is shown and has no effect."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from learnings.core.text import printable
from learnings.surfaces.render.lines import block, cell, comment, line, span

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False, "html": True})
NASTY = st.text(
    st.sampled_from("`~|\\<>-!*_[]()#@&\n\r\t \u202e\u2066\u200b\u2028\u0085\x00\x1bab1$:/.")
)
UNSEEN = "\u3164\u115f\u1160\uffa0\u034f\ufe00\ufe0d\u2065\U000e0100"
ANY = NASTY | st.text(st.sampled_from(UNSEEN)) | st.text()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@team fixes #1", "`@team fixes #1`"),
        ("a `b` c", "``a `b` c``"),
        ("`b`", "`` `b` ``"),
        ("two\nlines", "`two lines`"),
        ("", "(nothing)"),
        ("\u202egnp.exe", "`\\u202egnp.exe`"),
        ("👩\u200d💻", "`👩\u200d💻`"),
        ("a\U000e0041", "`a\\U000e0041`"),
        ("a\U000e0141", "`a\\U000e0141`"),
        ("\ud800", "`\\ud800`"),
        ("a\u3164b\ufe01", "`a\\u3164b\\ufe01`"),
        ("❤\ufe0f", "`❤\ufe0f`"),
    ],
)
def test_a_span(text: str, shown: str) -> None:
    assert span(text) == shown


def test_a_bar_does_not_end_a_cell() -> None:
    assert cell("a|b") == "`a\\|b`"
    row = MARKDOWN.parse(f"| a | b |\n|---|---|\n| {cell('x | `y')} | z |\n")
    cells = [token.children for token in row if token.type == "inline"]
    assert [[part.content for part in content or ()] for content in cells[2:]] == [
        ["x | `y"],
        ["z"],
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("```\ncode\n```", "````markdown\n```\ncode\n```\n````"),
        ("~~~~~\n", "```markdown\n~~~~~\n```"),
        ("a\r\nb\rc", "```markdown\na\nb\nc\n```"),
        ("\tx", "```markdown\n\tx\n```"),
        ("a\x1b[31m", "```markdown\na\\x1b[31m\n```"),
    ],
)
def test_a_block(text: str, shown: str) -> None:
    assert block(text) == shown


@settings(deadline=None)
@given(ANY)
@example("`")
@example(" ` ")
def test_a_span_is_one_piece_of_code(text: str) -> None:
    shown = span(text)
    (paragraph,) = (t for t in MARKDOWN.parse(f"a {shown} b") if t.type == "inline")
    kinds = [part.type for part in paragraph.children or ()]
    if shown == "(nothing)":
        assert kinds == ["text"]
        return
    assert kinds == ["text", "code_inline", "text"]
    (code,) = (part.content for part in paragraph.children or () if part.type == "code_inline")
    assert code == printable(" ".join(text.split()))


@settings(deadline=None)
@given(ANY)
@example("```\n")
@example("\n\n`````")
def test_a_block_is_one_piece_of_code(text: str) -> None:
    tokens = MARKDOWN.parse(f"before\n\n{block(text)}\n\nafter\n")
    kinds = [token.type for token in tokens if token.nesting == 0]
    assert kinds == ["inline", "fence", "inline"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("When `x` *hangs*  twice", "When `x` *hangs*  twice"),
        ("two\r\nlines\rand\nmore", "two lines and more"),
        ("a\x1b[31m\u202eb\u2028", "a\\x1b[31m\\u202eb\\u2028"),
    ],
)
def test_a_line(text: str, shown: str) -> None:
    assert line(text) == shown


@settings(deadline=None)
@given(ANY)
@example("a -->")
@example("\n\n# b")
def test_a_line_stays_within_its_heading(text: str) -> None:
    tokens = MARKDOWN.parse(f"before\n\n## {line(text)}\n\nafter\n")
    kinds = [token.type for token in tokens if token.nesting >= 0]
    assert kinds == ["paragraph_open", "inline", "heading_open", "inline", *kinds[:2]]


@settings(deadline=None)
@given(st.recursive(ANY, lambda inner: st.dictionaries(ANY, inner, max_size=2), max_leaves=3))
@example("a --> <b>")
def test_a_comment_holds_its_value_and_ends_where_it_should(value: object) -> None:
    text = comment("learnings:x", value)
    lead, end = "<!-- learnings:x ", " -->"
    assert text.startswith(lead)
    assert text.index("-->") == len(text) - 3
    assert "--" not in text[len(lead) : -len(end)]
    assert json.loads(text[len(lead) : -len(end)]) == json.loads(json.dumps(value))


@settings(deadline=None)
@given(ANY)
def test_nothing_hides(text: str) -> None:
    hidden = set(UNSEEN + "\u202e\u2066\u200b\u2028\u0085\x00\x1b")
    code = block(text).replace("\n", "").replace("\t", "")
    for shown in (printable(text), span(text), code, line(text)):
        assert not hidden & set(shown)
        shown.encode("utf-8")
