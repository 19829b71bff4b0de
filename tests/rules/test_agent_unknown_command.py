"""Commands and options of `learnings` in instructions."""

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
        "Run `learnings ages FILE --summary | head -1`.\n",
        "`learnings --version`, `learnings --help`, `learnings due --help`, `learnings due -h`\n",
        "`learnings COMMAND --whatever` and `learnings <command>`: placeholders\n",
        "`learnings due --format FORMAT`, `learnings check --format json|sarif`\n",
        "`learnings batch --size-trigger 200 --keep-recent=5`\n",
        "`uvx --from git+https://x/y@v1 learnings due --exit-code`\n",
        "`.venv/bin/learnings due && python3.12 -m learnings batch`\n",
        '`"${CLAUDE_PLUGIN_ROOT}/bin/learning-ages.py" FILE --summary`\n',
        "`if learnings due --exit-code; then learnings batch; fi`\n",
        "`learnings due` with `--exit-code`. Then `git commit` with `--no-verify`.\n",
        "`learnings due`; then nothing. `--force` is for others.\n",
        "`learnings due`\n\n`--force`\n",
        "Not ours: `grep learnings file`, `cat learnings.md`, `x-learnings y`\n",
        "Whether it is there: `command -v learnings`\n",
        "The learnings due today, learnings duo, are prose.\n",
        shell("learnings due \\", "    --format json", "# learnings duo", "echo x # learnings duo"),
        shell("$ learnings due", "learnings duo: output", language="console"),
        shell("learnings duo", language="python"),
        shell("learnings duo", language=""),
        "---\nname: tidy\nallowed-tools: Bash(learnings:*), Bash(learnings due:*)\n---\n",
        "`learnings fix --diff --add-missing --role index`\n",
    ],
)
def test_what_there_is(source: str) -> None:
    assert positions(source) == []


@pytest.mark.parametrize(
    ("source", "line", "column", "wording"),
    [
        ("Run `learnings duo`.\n", 1, 16, 'learnings has no command "duo"'),
        (f"{FRONT}\nRun `learnings use PLAN`,\n`learnings due`.\n", 6, 16, 'no command "use"'),
        ("`learnings due --froce`\n", 1, 16, 'learnings due has no option "--froce"'),
        ("`learnings due -x`\n", 1, 16, 'learnings due has no option "-x"'),
        ("`learnings --force`, `learnings due`\n", 1, 12, 'learnings has no option "--force"'),
        ("`learnings due --format yaml`\n", 1, 16, 'learnings due --format does not accept "yaml"'),
        ("`learnings due --format=yaml`\n", 1, 16, 'learnings due --format does not accept "yaml"'),
        ("`learnings due` with `--force`\n", 1, 23, 'learnings due has no option "--force"'),
        ("`learnings due` and\n`--force`\n", 2, 2, 'learnings due has no option "--force"'),
        ("`learning-ages.py FILE --short`\n", 1, 24, 'learnings ages has no option "--short"'),
        ("A span that\nwraps: `git add x && learnings\nduo`\n", 3, 1, 'no command "duo"'),
        ("- a\n  1. b:\n\n" + "     ```bash\n     learnings duo\n     ```\n", 5, 16, '"duo"'),
        (shell("x=1 learnings due \\", "  --froce"), 3, 3, '"--froce"'),
        (shell("$ learnings duo", language="console"), 2, 13, '"duo"'),
        ("`learnings due`\n\n" + shell("learnings duo", language=""), 4, 11, '"duo"'),
        ("---\nallowed-tools: Bash(learnings duo:*)\n---\n", 2, 31, '"duo"'),
        ("`uvx --from git+https://x/y@v1 learnings duo`\n", 1, 42, '"duo"'),
        ("Run `learnings\r\nduo`.\r\n", 2, 1, '"duo"'),
        ("| `learnings due` | `learnings duo` |\n", 1, 32, '"duo"'),
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
        ("`learnings due --froce`\n", "see `learnings due --help` for all"),
        ("`learnings due --form`\n", "did you mean --format?"),
        (
            "`learnings check --role agents`\n",
            "use one of learnings, target, index, agent, topic",
        ),
    ],
)
def test_advice(source: str, advice: str) -> None:
    (finding,) = run(RULE, source, path=".claude/agents/tidy.md", role=Role.AGENT)
    assert finding.message.endswith(advice)
