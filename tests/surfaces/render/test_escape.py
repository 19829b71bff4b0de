"""Foreign text in Markdown is shown and has no effect."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import printable, printable_lines
from learnings.surfaces.actions import (
    may_hold_commands,
    stopped,
    without_commands,
    workflow_command,
)
from learnings.surfaces.render import findings
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.writing import block, cell, comment, one_line, span

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
    assert one_line(text) == shown


@settings(deadline=None)
@given(ANY)
@example("a -->")
@example("\n\n# b")
def test_a_line_stays_within_its_heading(text: str) -> None:
    tokens = MARKDOWN.parse(f"before\n\n## {one_line(text)}\n\nafter\n")
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
    for shown in (printable(text), span(text), code, one_line(text)):
        assert not hidden & set(shown)
        shown.encode("utf-8")


TEXT = st.text(st.sampled_from("ab%:,=\r\n 0DA2C5\u2028é"), max_size=20)


def test_a_command() -> None:
    assert workflow_command("notice", "50 % done") == "::notice::50 %25 done\n"
    older = workflow_command("error", "a ##[group]b", file="##[x")
    assert older == "::error file=##\\x5bx::a ##\\x5bgroup]b\n"


class Read(NamedTuple):
    name: str
    properties: dict[str, str]
    message: str


def read(line: str) -> Read:
    """Parse a command as the runner does: split at the first `::` after the name, at `,` and `=`.

    It decodes the parts, `%25` last.
    """
    assert line.startswith("::")
    head, _, message = line[2:].partition("::")
    name, _, listed = head.partition(" ")
    pairs = [pair.partition("=") for pair in listed.split(",")] if listed else []
    return Read(name, {k: decoded(v, "%3A:%2C,") for k, _, v in pairs}, decoded(message, ""))


def decoded(text: str, more: str) -> str:
    codes = [("%0D", "\r"), ("%0A", "\n")]
    codes += [(more[at : at + 3], more[at + 3]) for at in range(0, len(more), 4)]
    for code, character in [*codes, ("%25", "%")]:
        text = text.replace(code, character)
    return text


@given(TEXT, TEXT, TEXT)
@example("%0A::error::x", "a,line=1", "a::b")
@example("%", "%25", "%2C")
def test_nothing_is_lost_and_nothing_gets_out(message: str, one: str, other: str) -> None:
    line = workflow_command("error", message, file=one, title=other)
    assert line.endswith("\n")
    assert len(line.splitlines()) == 1
    properties = {"file": printable(one), "title": printable(other)}
    assert read(line[:-1]) == Read("error", properties, printable_lines(message))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::a\n", "\\x3a:error::a\n"),
        ("a\n \t\u3000::error::b", "a\n \t\u3000\\x3a:error::b"),
        ("a\r::error::b", "a\r\\x3a:error::b"),
        ("a ##[error]b", "a ##\\x5berror]b"),
        ("a std::move b", "a std::move b"),
        (":: note", "\\x3a: note"),
        ("## [a] # [b]", "## [a] # [b]"),
    ],
)
def test_text_without_commands(text: str, shown: str) -> None:
    assert without_commands(text) == shown


def test_text_between_lines_that_stop_the_runner() -> None:
    first, second = stopped("a\n"), stopped("a")
    token = first.splitlines()[0].removeprefix("::stop-commands::")
    assert first == f"::stop-commands::{token}\na\n::{token}::\n"
    assert len(token) == 32
    assert token not in second
    assert second.splitlines()[1] == "a"
    assert [may_hold_commands(text) for text in ("a: b", "a::b", "##[")] == [False, True, True]


# --- findings


ERROR = Finding("a-rule", Severity.ERROR, "a,b:c%.md", 12, 3, "100 %: x", subject="## x")
NOTICE = Finding("b-rule", Severity.NOTICE, "a.md", 1, 1, "long")


def test_errors_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learnings.HOME", "https://example.org/learnings")
    assert findings.as_github(CheckReport.of([NOTICE, ERROR], files=3)) == (
        "::error file=a%2Cb%3Ac%25.md,line=12,col=3,title=a-rule::100 %25: x "
        f"({rule_link('a-rule')})\n"
        f"::notice file=a.md,line=1,col=1,title=b-rule::long ({rule_link('b-rule')})\n"
    )
    assert findings.as_github(CheckReport.of([], files=1, known=[ERROR])) == ""


@pytest.mark.parametrize(
    ("errors", "notices", "rest"),
    [
        (10, 10, []),
        (11, 10, ["and 1 more error, beyond what GitHub shows"]),
        (
            40,
            12,
            [
                "and 30 more errors, beyond what GitHub shows",
                "and 2 more notices, beyond what GitHub shows",
            ],
        ),
    ],
)
def test_what_github_would_drop_is_counted(errors: int, notices: int, rest: list[str]) -> None:
    many = [ERROR._replace(line=n + 1) for n in range(errors)]
    many += [NOTICE._replace(line=n + 1) for n in range(notices)]
    lines = findings.as_github(CheckReport.of(many, files=1)).splitlines()
    assert [line for line in lines if not line.startswith("::")] == rest
    levels = [read(line).name for line in lines if line.startswith("::")]
    assert levels == ["error"] * min(errors, 10) + ["notice"] * min(notices, 10)
