from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import FENCE, run

RULE = "agent-unknown-command"
FRONT = "---\nname: tidy\ndescription: Tidies.\n---\n"


def positions(source: str) -> list[tuple[int, int, str]]:
    findings = run(RULE, source, path=".claude/agents/tidy.md", role=Role.AGENT)
    return [
        (finding.line, finding.column, finding.message.partition(";")[0]) for finding in findings
    ]


def shell(*lines: str, language: str = "sh") -> str:
    return "\n".join((FENCE + language, *lines, FENCE, ""))


@pytest.mark.parametrize(
    "source",
    [
        "Run `learnings due --format json FILE`.\n",
        "`learnings COMMAND --whatever` and `learnings <command>`: placeholders\n",
        "`uvx --from git+https://x/y@v1 learnings due --exit-code`\n",
        "`if learnings due --exit-code; then learnings batch; fi`\n",
        "`learnings due`\n\n`--force`\n",
        "The learnings due today, learnings duo, are prose.\n",
        shell("learnings duo", language="python"),
    ],
)
def test_what_there_is(source: str) -> None:
    assert positions(source) == []


@pytest.mark.parametrize(
    ("source", "line", "column", "wording"),
    [
        ("Run `learnings duo`.\n", 1, 16, 'learnings has no command "duo"'),
        ("`learnings due -x`\n", 1, 16, 'learnings due has no option "-x"'),
        ("`learnings due` with `--force`\n", 1, 23, 'learnings due has no option "--force"'),
        ("A span that\nwraps: `git add x && learnings\nduo`\n", 3, 1, 'no command "duo"'),
        ("`learnings due`\n\n" + shell("learnings duo", language=""), 4, 11, '"duo"'),
        ("Run `learnings\r\nduo`.\r\n", 2, 1, '"duo"'),
    ],
)
def test_what_there_is_not(source: str, line: int, column: int, wording: str) -> None:
    ((*position, message),) = positions(source)
    assert position == [line, column]
    assert wording in message


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("`learnings duo`\n", "did you mean due?"),
        ("`learnings zzzzz`, `learnings due`\n", "see `learnings --help` for all"),
        ("`learnings due --form`\n", "did you mean --format?"),
        ("`learnings check --role agents`\n", "use one of learnings, target, index, agent, topic"),
    ],
)
def test_advice(source: str, advice: str) -> None:
    (finding,) = run(RULE, source, path=".claude/agents/tidy.md", role=Role.AGENT)
    assert finding.message.endswith(advice)
