from __future__ import annotations

from itertools import product

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

HOOK = Command("agent-core")
FRONTS = (
    "---\nname: {name}\ndescription: Does one thing well.\n---\n",
    "---\nname: Other Name\ndescription: >-\n  Use it: when a test fails.\ncolor: teal\n---\n",
    "---\ndescription: Use it. Examples: <example>user: 'go' assistant: 'ok'</example>\n---\n",
    "---\nname: {name}\nargument-hint: [file] [--dry]\nallowed-tools: Bash(git add:*)\n---\n",
    "---\nname: {name}\ntools: *\nmodel: inherit\nx-vendor: [a, b\n---\n",
    "---\nname: {name}\nname: twice\nskills: [nowhere]\nversion: 1.0\n---\n",
    "---\nname: {name}\n\nnever closed\n",
    "\n---\nnot at the top\n---\n",
    "",
)
BODIES = (
    "# Reviewer\n\nRead @CHANGELOG.md and $ARGUMENTS, run `git diff --stat`, then speak.\n",
    "Append learnings to `docs/learnings.md`. Keep the `learnings index` short.\n",
    "After each session run `/learnings check`, then `learnings add TEXT` and `learnings list`.\n",
    "```bash\ncat learnings.md | tail -5\ngrep -rn learnings docs\nmkdir -p learnings/x\n```\n",
    "Run `${CLAUDE_PLUGIN_ROOT}/scripts/graph.sh`, `agent-core/bin/gone.sh` or `scripts/x.py`.\n",
    'Use the Task tool:\n\n```json\n{"subagent_type": "nobody", "prompt": "Due today"}\n```\n',
    "Hand over to the `database-expert` agent, or use the `brainstorming` skill.\n",
    "<!-- Source: agent-core/skills/gone/SKILL.md -->\nCopied text.\n<!-- End of source -->\n",
    "| key | is |\n|---|---|\n| `coverage` | *(default 80)* |\n| `size-trigger` | (default 3) |\n",
    "<<<<<<< an example\na\n=======\nb\n>>>>>>> other\n\n```markdown\nopen for ever\n",
    "The words due, check, index and batch are ours as well: learnings due, learnings batch.",
    "Ends without a newline; caf\ufffd was lost",
)


def test_nothing_is_said_of_them(repository: GitRepository) -> None:
    repository.write("plugins/tools/.claude-plugin/plugin.json", '{"name": "tools"}\n')
    for number, (front, body) in enumerate(product(FRONTS, BODIES)):
        name = f"helper-{number}"
        paths = (f"agents/{name}.md", f"commands/sub/{name}.md", f"skills/{name}/SKILL.md")
        text = front.replace("{name}", name) + body
        repository.write(f"plugins/tools/{paths[number % len(paths)]}", text)
    done = HOOK("--strict", cwd=repository.path)
    assert (done.code, done.out) == (0, "")
    assert Command("learnings")("baseline", cwd=repository.path).err.endswith("nothing to record\n")
    named = [path.as_posix() for path in (repository.path / "plugins").rglob("*.md")]
    assert Command("learnings")("check", "--strict", *named, cwd=repository.path).code == 0


@pytest.mark.parametrize(
    ("home", "name", "is_reported"),
    [
        ("plugins/tools", "remember-task", True),
        ("plugins/tools", "helpr", True),
        ("plugins/tools", "anybody", False),
        (".claude", "remember-task", False),
        (".claude", "helpr", True),
        (".claude", "anybody", False),
    ],
)
def test_a_name_in_a_sentence_may_come_from_elsewhere(
    repository: GitRepository, home: str, name: str, *, is_reported: bool
) -> None:
    repository.write("plugins/tools/.claude-plugin/plugin.json", '{"name": "tools"}\n')
    repository.write(f"{home}/agents/helper.md", "Help.\n")
    repository.write(f"{home}/skills/tidy/SKILL.md", f"`learnings due`, then the agent `{name}`.\n")
    assert ("agent-missing-file" in HOOK(cwd=repository.path).out) is is_reported


def test_a_file_that_cannot_be_read_stops_nothing(repository: GitRepository) -> None:
    repository.write(".claude/agents/huge.md", b"x" * 4_000_001)
    repository.write(".claude/agents/tidy.md", "`learnings duo`\n")
    done = HOOK(cwd=repository.path)
    assert done.out.startswith(".claude/agents/tidy.md:1:12: error agent-unknown-command")
