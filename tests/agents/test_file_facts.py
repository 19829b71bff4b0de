"""Which files of agents concern us: what they have in code, not the word."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.agents.file_facts import OUR_AGENTS, OUR_HOOKS, concerns_us, may_concern_us
from learnings.agents.instructions import read_instructions
from learnings.core.text import is_one_edit, split_lines
from learnings.surfaces.cli.commands import COMMANDS
from tests.agent_core.agent_files import AGENTS as AGENT_FILES
from tests.support.checkout import manifest


def is_ours(text: str) -> bool:
    programs = tuple(COMMANDS)
    instructions = read_instructions(split_lines(text))
    concerns = concerns_us(instructions, programs)
    assert may_concern_us(text.encode(), programs) or not concerns
    return concerns


def test_a_call_of_every_command() -> None:
    for command in COMMANDS:
        assert is_ours(f"Run `learnings {command} FILE`.\n"), command
        assert is_ours(f"```sh\nlearnings {command}\n```\n"), command
        assert is_ours(f"---\nallowed-tools: Bash(learnings {command}:*)\n---\n"), command


@pytest.mark.parametrize(
    "text",
    [
        "`learnings duo` is one letter away, `learnings chekc` two that changed places\n",
        "`python3 -m learnings check`, `.venv/bin/learnings check`\n",
        "```console\n$ learnings check\n```\n",
        "```sh\ncd x && learnings \\\n  check\n```\n",
        "`agent-core/bin/learning-ages.py FILE`, in any folder\n",
        "see `bin/learning-age.py`\n",
        "```yaml\n- id: memory-index\n```\n",
        "`pre-commit run agent-core --all-files`\n",
        "the hook `learnings-check`\n",
        "delegate to `remember-task`\n",
        '```json\n{"subagent_type": "memory-refactor"}\n```\n',
        "`learnings index` as a noun, and `learnings check` as a call\n",
        "`learnings add TEXT` and `learnings check`: half of the commands are ours\n",
    ],
)
def test_code_that_names_us(text: str) -> None:
    assert is_ours(text)


@pytest.mark.parametrize(
    "text",
    [
        "Append your learnings due today to the file. Check learnings, learnings check.\n",
        "`learnings.md`, `learnings/`, `docs/learnings index.md`, `LEARNINGS`\n",
        "```sh\ncat learnings.md\ngrep -r learnings docs\nmkdir -p learnings archive\n```\n",
        "```python\nlearnings = load()\nlearnings check\n```\n",
        "```\nlearnings due\n```\n",
        "Keep the `learnings index` and the `learnings archive`, write a `learnings report`.\n",
        "`/learnings check`, `/learnings:index`, `./learnings check`, `x-learnings check`\n",
        "`learnings add TEXT`, then `learnings list`, `learnings check`\n",
        "`npx learnings-cli check`, `bd learnings check`, `git learnings due`\n",
        "the `agent-core` folder, `@x/agent-core`, `packages/agent-core/src`, `memory-index.md`\n",
        "`/remember-task`, `my-remember-task`, `remember-task.md`, remember-task without code\n",
        "learnings-check and memory-curator in prose\n",
        "allowed-tools: Bash(learnings:*)\n",
        "`learnings`, `learnings --force`, `learnings <command>`, `learnings COMMAND`\n",
        "",
    ],
)
def test_the_word_alone_says_nothing(text: str) -> None:
    assert not is_ours(text)


def test_the_names_are_those_of_the_manifest_and_of_the_plugin() -> None:
    assert set(OUR_HOOKS) == set(manifest())
    assert {Path(path).stem for path in AGENT_FILES} == {*OUR_AGENTS}


def test_one_edit() -> None:
    words = ["due", "duee", "de", "dxe", "ude", "xdue", "dues"]
    words += ["use", "dxx", "eud", "", "d", "duexy", "rule"]
    assert [word for word in words if is_one_edit(word, "due")] == words[1:7]
