"""Workflow commands, read as the runner of GitHub Actions reads them."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import printable, printable_lines
from learnings.surfaces.render import findings
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.workflow_commands import (
    may_hold_commands,
    stopped,
    without_commands,
    workflow_command,
)

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


def test_errors_come_first() -> None:
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
