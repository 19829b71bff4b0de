"""Instructions as passages, and what is read off them, whatever they hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.agents.file_facts import OUR_AGENTS, OUR_HOOKS, concerns_us, may_concern_us
from learnings.agents.front_matter import read_front_matter
from learnings.agents.instructions import read_instructions
from learnings.agents.mentions import agent_references, copies, copy_difference, path_references
from learnings.core.markdown.passages import code_spans, lines_with_language, passages
from learnings.core.text import is_one_edit, split_lines
from learnings.surfaces.cli.commands import COMMANDS
from tests.agent_core.agent_files import AGENTS as AGENT_FILES
from tests.support.checkout import manifest

PIECES = [
    *("---\n", "name: x\n", "- ", "\n", "\r\n", "```sh\n", "```\n", "~~~~\n", "`", "``", " ", "|"),
    *("learnings ", "due ", "--format ", "json", "\\\n", "&& ", "$(", ")", "# ", ". ", "\ufeff"),
    *("<!-- Source: a.md -->\n", "<!-- End of source -->\n", "subagent_type: a", "skills: [a]\n"),
    *("${CLAUDE_PLUGIN_ROOT}/bin/a", "Bash(learnings due:*)", "`*(default 3)*", "\x00", "\udcff"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(TEXTS)
def test_nothing_is_refused_and_positions_are_in_the_file(text: str) -> None:
    lines = split_lines(text)
    front = read_front_matter(lines)
    assert 0 <= front.last <= len(lines)
    assert 1 <= front.line <= max(len(lines), 1)
    instructions = read_instructions(lines)
    assert instructions.front_matter == front.last
    positions = [(call.line, call.column) for call in instructions.calls]
    positions += [(path.line, path.column) for path in path_references(lines)]
    agents = agent_references(instructions.passages, front)
    positions += [(agent.line, agent.column) for agent in agents]
    for line, column in positions:
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
    for copy in copies(lines, front.last):
        assert lines[copy.first - 1].lstrip().startswith("<!-- Source")
        different = copy_difference(copy, lines, lines)
        assert different is None or copy.first <= different.line <= len(lines)
    texts = {
        passage.line + number: line
        for passage in passages(lines)
        for number, line in enumerate(passage.text.split("\n"))
    }
    stripped = {n: line for n, line, _ in lines_with_language(lines) if line.strip()}
    assert set(texts) == set(stripped)
    assert all(stripped[n].startswith(line) for n, line in texts.items())


def test_passages() -> None:
    text = "# A\nb `c\nd`\n- e\n  f\n\n1. g\n   ```sh\n   h \\\n   i\n   j\n   ```\n| k |\n| l |\n"
    assert [(part.line, part.text, part.language) for part in passages(split_lines(text))] == [
        (1, "# A\nb `c\nd`", None),
        (4, "- e\n  f", None),
        (7, "1. g", None),
        (9, "   h \\\n   i", "sh"),
        (11, "   j", "sh"),
        (13, "| k |", None),
        (14, "| l |", None),
    ]


def test_spans_and_sentences() -> None:
    for text, expected in (
        ("a `b` c", [(3, "b")]),
        ("`` b `c` ``", [(3, "b `c`")]),
        ("`a``b`", [(1, "a``b")]),
        ("`a", []),
        ("a\n`b\nc`", [(3, "b\nc")]),
    ):
        (passage,) = passages(split_lines(text))
        assert [tuple(span) for span in code_spans(passage)] == expected, text
    for text, sentence in (
        ("A b. C X d. E", "C X d. "),
        ("A b.c X d", "A b.c X d"),
        ("A `b. c` X d! E", "A `b. c` X d! "),
        ("(A.) X", "X"),
        ("A | X | b", " X |"),
    ):
        (passage,) = passages([text])
        start, end = passage.sentence(text.index("X"))
        assert text[start:end] == sentence


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
