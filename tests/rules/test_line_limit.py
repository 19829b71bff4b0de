from __future__ import annotations

from typing import Any

import pytest

from learnings.core.findings.finding import Finding, Severity
from learnings.core.roles import Role
from tests.rules.cases import run

ERROR, NOTICE = Severity.ERROR, Severity.NOTICE
RUN = "run `learnings split docs/decisions/a.md"


def check(source: str, path: str = "docs/decisions/a.md", **settings: Any) -> list[Finding]:  # noqa: ANN401  (any key)
    return run("line-limit", source, path=path, role=Role.TARGET, **settings)


@pytest.mark.parametrize(
    ("count", "severity", "line", "wording"),
    [
        (
            361,
            NOTICE,
            361,
            f"nearly full: 361 of at most 400 lines; to make room, {RUN} --room 40`",
        ),
        (399, NOTICE, 399, f"to make room, {RUN} --room 2`"),
        (400, NOTICE, 400, f"full: 400 lines are the limit; before you add text, {RUN}`"),
        (401, ERROR, 401, f"401 lines, 1 more than the limit of 400; {RUN}`"),
        (900, ERROR, 401, "500 more"),
    ],
)
def test_near_at_and_over(count: int, severity: Severity, line: int, wording: str) -> None:
    (finding,) = check("x\n" * count)
    assert (finding.severity, finding.line) == (severity, line)
    assert wording in finding.message


@pytest.mark.parametrize("count", [0, 1, 359, 360])
def test_room_left(count: int) -> None:
    assert check("x\n" * count) == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("x\r\n" * 400, 1),
        ("x\r\n" * 360, 0),
        ("x\n" * 360 + "x", 1),
        ("---\na: b\n---\n" + "x\n" * 358, 1),
        ("x\x0c\x85\u2028\n" * 360, 0),
    ],
)
def test_what_a_line_is(source: str, count: int) -> None:
    assert len(check(source)) == count


def test_the_command_can_be_copied_whatever_the_name() -> None:
    (finding,) = check("x\n" * 401, "docs/decisions/my notes.md")
    assert "`learnings split 'docs/decisions/my notes.md'`" in finding.message


@pytest.mark.parametrize("count", [361, 400, 401])
def test_a_file_that_agents_load_as_a_whole_is_not_to_be_split(count: int) -> None:
    for path, place in (
        ("pkg/CLAUDE.md", "`.claude/rules/NAME.md` with `paths:`"),
        (".claude/rules/a.md", "`.claude/rules/NAME.md` with `paths:`"),
        ("AGENTS.md", "the `AGENTS.md` of the folder"),
        ("GEMINI.md", "the `GEMINI.md` of the folder"),
        (".github/copilot-instructions.md", "`.github/instructions/NAME.instructions.md`"),
        (".cursor/rules/a.mdc", "`.cursor/rules/NAME.mdc`"),
        (".goosehints", "a document that this file names"),
    ):
        (finding,) = check("x\n" * count, path)
        assert place in finding.message
        assert "learnings split" not in finding.message
        assert (".claude/rules" in finding.message) is ("paths:" in place)


@pytest.mark.parametrize("path", ["CLAUDE.md", "AGENTS.md", "pkg/CLAUDE.md"])
def test_files_that_agents_load_anyway(path: str) -> None:
    (finding,) = check("x\n" * 401, path)
    assert finding.severity is NOTICE
    (finding,) = check("x\n" * 401, path, targets=["docs/*.md", "*.md", "*/*.md"])
    assert finding.severity is NOTICE
    (finding,) = check("x\n" * 401, path, targets=["docs/*.md", path])
    assert finding.severity is ERROR


def test_configured_limit() -> None:
    assert check("x\n" * 9, line_limit=10) == []
    assert [finding.severity for finding in check("x\n" * 10, line_limit=10)] == [NOTICE]
    assert [finding.severity for finding in check("x\n" * 11, line_limit=10)] == [ERROR]
    assert check("x\n" * 401, line_limit=1000) == []
