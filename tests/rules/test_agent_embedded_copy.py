from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.agent_cases import REMEMBER
from tests.rules.cases import run

RULE = "agent-embedded-copy"
START = "<!-- Source: agent-core/skills/remember/SKILL.md -->\n"
END = "<!-- End of source -->\n"
STEPS = REMEMBER[REMEMBER.index("## Step 1") : REMEMBER.index("## Step 2")]
ALL = REMEMBER[REMEMBER.index("## Step 1") :]


def positions(source: str) -> list[tuple[int, str]]:
    findings = run(RULE, source, path=".claude/agents/tidy.md", role=Role.AGENT)
    return [(finding.line, finding.message) for finding in findings]


@pytest.mark.parametrize(
    "text",
    [
        STEPS,
        ALL,
        STEPS.replace("\n\n", "\n"),
        STEPS.replace("## ", "#### "),
        STEPS.replace("\n", "  \n"),
        "\n\n" + STEPS,
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_same(text: str, newline: str) -> None:
    assert positions((START + text + END).replace("\n", newline)) == []


@pytest.mark.parametrize(
    ("text", "line", "wording"),
    [
        ("", 1, "the copy of "),
        (STEPS.replace("Read", "Take"), 4, 'line 8, which says "Read the entries of the batch."'),
        (ALL.replace("They stay.\n", ""), 15, 'line 19 continues with "They stay."'),
        ("Other.\n", 2, "this line is not in"),
    ],
)
def test_different(text: str, line: int, wording: str) -> None:
    ((at, message),) = positions(START + text + END)
    assert wording in message
    assert at == line


def test_several_copies_are_told_one_by_one() -> None:
    source = START + STEPS + END + "\n" + START + "Other.\n" + END
    assert [line for line, _ in positions(source)] == [source.count("\n") - 1]


def test_source_that_is_not_there() -> None:
    ((line, message),) = positions(
        f"x\n\n{START.replace('agent-core/skills/remember/SKILL', 'gone')}y\n{END}"
    )
    assert line == 3
    assert 'the source "gone.md" does not exist' in message


def test_end_that_is_missing() -> None:
    assert positions(START + "Other.\n") == []
    ((line, message),) = positions("`learnings due`\n" + START + "Other.\n")
    assert (line, "no end" in message) == (2, True)
    findings = positions("`learnings due`\n" + START + "Other.\n" + START + STEPS + END)
    assert [line for line, _ in findings] == [2]


@pytest.mark.parametrize(
    "source",
    [
        "<!-- Source: https://example.org/page -->\nx\n",
        f"```markdown\n{START}Other.\n{END}```\n",
        END,
    ],
)
def test_what_is_no_copy(source: str) -> None:
    assert positions(source) == []
