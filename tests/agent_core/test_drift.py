"""The project's agent files cannot drift from the code: a change on either side is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from learnings.agents.front_matter import read_front_matter
from learnings.agents.instructions import Call, read_instructions
from learnings.agents.mentions import copies
from learnings.core.markdown.passages import passages
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS, Key
from learnings.surfaces.cli import arguments, commands
from tests.agent_core.agent_files import (
    AGENTS,
    SKILLS,
    copied,
    each_file,
    finding_lines,
    lines_of,
    replaced,
)
from tests.support.command import Command
from tests.support.repository import GitRepository

TASK, REMEMBER = "agent-core/agents/remember-task.md", "agent-core/skills/remember/SKILL.md"
# Its numbers are those of another format, which has no settings here yet.
WITHOUT_SETTINGS = {"agent-core/agents/memory-curator.md"}
DEFAULT = re.compile(r"\(default:? (\d+(?:\.\d+)?)")


class Use(NamedTuple):
    """A call of `learnings` in a file."""

    path: str
    lines: list[str]
    call: Call


@pytest.fixture
def plugin(tmp_path: Path) -> GitRepository:
    return copied(tmp_path / "plugin")


def uses(repository: GitRepository) -> Iterator[Use]:
    for path, lines in each_file(repository):
        for call in read_instructions(lines).calls:
            yield Use(path, lines, call)


def test_as_they_are(plugin: GitRepository) -> None:
    assert finding_lines(plugin) == set()
    done = Command("agent-core")(cwd=plugin.path)
    assert (done.code, done.out) == (0, "")
    assert len(AGENTS) > 2
    assert len(SKILLS) > 2
    for path in WITHOUT_SETTINGS:
        text = "".join(lines_of(plugin, path))
        assert not any(f"`{name}`" in text for name in (*FILE_KEYS, *GENERAL_KEYS))


def test_a_renamed_command_or_option_is_found_wherever_it_is_called(
    plugin: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [(use.path, use.call) for use in uses(plugin) if use.call.command]
    named = {(path, call.line, str(call.command), "") for path, call in calls}
    named |= {
        (path, option.line, str(call.command), option.name)
        for path, call in calls
        for option in call.options
    }
    assert len(named) > 40
    known = arguments.options_of
    for command, option in sorted({pair[2:] for pair in named}):

        def fewer(name: str, command: str = command, option: str = option) -> object:
            return {
                key: row for key, row in known(name).items() if (name, key) != (command, option)
            }

        if option:
            monkeypatch.setattr(arguments, "options_of", fewer)
        else:
            left = {name: says for name, says in commands.COMMANDS.items() if name != command}
            monkeypatch.setattr(commands, "COMMANDS", left)
        found = finding_lines(plugin)
        expected = {
            f"{path}:{line} agent-unknown-command"
            for path, line, *names in named
            if names == [command, option]
        }
        assert expected == found if not option else expected <= found, (command, option)
        monkeypatch.undo()


def test_every_default_in_the_texts_is_compared_with_its_setting(plugin: GitRepository) -> None:
    count = 0
    for path, lines in each_file(plugin):
        for line, text in enumerate(lines, start=1):
            if path in WITHOUT_SETTINGS:
                continue
            for stated in DEFAULT.finditer(text):
                number, column = stated[1], stated.start(1) + 1
                plugin.write(path, replaced(lines, line, column, number, f"9{number}"))
                assert f"{path}:{line} agent-default-number" in finding_lines(plugin, path)
                count += 1
        plugin.write(path, "".join(lines))
    assert count > 1


def test_a_default_that_changes_is_found(
    plugin: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("keep-recent", "line-limit"):
        keys: dict[str, Key] = FILE_KEYS if name in FILE_KEYS else GENERAL_KEYS
        monkeypatch.setitem(keys, name, keys[name]._replace(default=77))
        rules = {finding.partition(" ")[2] for finding in finding_lines(plugin)}
        assert rules == {"agent-default-number"}
        monkeypatch.undo()


def test_no_threshold_is_in_a_sentence_as_a_bare_number(plugin: GitRepository) -> None:
    settings = (*FILE_KEYS.values(), *GENERAL_KEYS.values())
    numbers = {key.default for key in settings if isinstance(key.default, int)} - {False, True}
    bare = re.compile(rf"\b({'|'.join(map(str, sorted(numbers)))}) (?:lines|days|active days)\b")
    numbers_found = [
        f"{path}:{passage.position(match.start())[0]} {match[0]}"
        for path, lines in each_file(plugin)
        for passage in passages(lines, read_front_matter(lines).last)
        if passage.language is None
        for match in bare.finditer(passage.text)
    ]
    assert numbers_found == []


@pytest.mark.soak
def test_every_line_of_a_step_of_remember_is_compared_with_its_copy(plugin: GitRepository) -> None:
    lines, task = lines_of(plugin, REMEMBER), lines_of(plugin, TASK)
    first = lines.index("### Step 1: Understand\n")
    last = lines.index("### Step 4a: Update discovery\n")
    last += next(n for n, line in enumerate(lines[last + 1 :], 1) if line.startswith("#"))
    assert {copy.path for copy in copies(task, read_front_matter(task).last)} == {REMEMBER}
    for number in range(first, last):
        if lines[number].strip():
            changed = f"{lines[number].rstrip()} Or not.\n"
            plugin.write(REMEMBER, "".join([*lines[:number], changed, *lines[number + 1 :]]))
            different = [
                finding
                for finding in finding_lines(plugin, TASK)
                if finding.endswith("agent-embedded-copy")
            ]
            assert len(different) == 1, f"{REMEMBER}:{number + 1}"
            copied_line = int(different[0].partition(" ")[0].removeprefix(f"{TASK}:"))
            assert task[copied_line - 1].lstrip("#") == lines[number].lstrip("#")


def test_a_file_that_is_renamed_is_missed_where_it_is_named(plugin: GitRepository) -> None:
    plugin.git("add", "--all")
    for path in sorted((*AGENTS, REMEMBER)):
        named = Path(path).parent.name if path in SKILLS else Path(path).stem
        new = path.replace(named, "renamed")
        plugin.rename(path, new)
        assert named in Command("agent-core")(cwd=plugin.path).out, path
        plugin.rename(new, path)
