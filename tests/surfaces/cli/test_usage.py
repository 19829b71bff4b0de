"""Words on the command line: options and files in any order, and the messages on wrong ones."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from textwrap import dedent

import pytest

from learnings.core.errors import UsageProblem
from learnings.rules import RULES
from learnings.surfaces.cli import main as cli
from learnings.surfaces.cli.arguments import command_with, declare, parser_for
from learnings.surfaces.cli.commands import COMMANDS, GENERAL_OPTIONS
from tests.support.command import Command
from tests.support.repository import GitRepository

MEMORY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
FILE, TARGET = "agents/learnings.md", "agents/decisions/a.md"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, MEMORY)
    repository.write(TARGET, "# Decisions\n\n## When a build hangs\n\nLook at the lock.\n")
    repository.commit()
    return repository


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return the command-line parser of a command."""
    parser = parser_for(prog=f"learnings {command}", description=None)
    command_with(parser, command)
    return parser


def example(action: argparse.Action) -> str:
    """Return a value that an option or argument takes."""
    if action.choices is not None:
        return str(next(iter(action.choices)))
    return "3" if action.type is int else "a.md"


def option_words(parser: argparse.ArgumentParser) -> Iterator[list[str]]:
    """Yield the words of each option, with a value if it takes one."""
    for action in parser._actions:
        if action.option_strings and action.dest != "help":
            values = [] if action.nargs == 0 else [example(action)]
            yield [action.option_strings[-1], *values]


def positional_words(parser: argparse.ArgumentParser) -> list[str]:
    words: list[str] = []
    for action in parser._actions:
        if not action.option_strings:
            words += [example(action)] * (2 if action.nargs == "*" else 1)
    return words


# --- order


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_may_stand_before_between_and_behind_the_files(command: str) -> None:
    words = positional_words(parser_of(command))
    failures = []
    for option in option_words(parser_of(command)):
        orders = [[*words[:at], *option, *words[at:]] for at in range(len(words) + 1)]
        values = [parser_of(command).parse_args(order) for order in orders]
        failures += [(o, v) for o, v in zip(orders, values, strict=True) if v != values[0]]
    assert failures == []


def test_a_pattern_without_quotes_is_noticed(memory: GitRepository, learnings: Command) -> None:
    """A shell expanded agents/decisions/*.md to two words, so the second one is FILE."""
    memory.write("agents/decisions/b.md", "# Decisions\n\n## When a test hangs\n\nLook.\n")
    expanded = ["--targets", TARGET, "agents/decisions/b.md"]
    run = learnings("route", "--all", *expanded, cwd=memory.path)
    assert run.code == 0
    assert run.err == (
        "learnings: agents/decisions/b.md is read as the learnings file; if you meant it as a "
        "target, quote the pattern of --targets\n"
    )
    assert learnings("route", "--all", FILE, "--targets", TARGET, cwd=memory.path).err == ""


def test_a_file_whose_name_begins_with_a_dash(memory: GitRepository, learnings: Command) -> None:
    memory.write("-odd.md", b"\xff, which is not UTF-8\n")
    run = learnings("check", "--strict", "--", "-odd.md", cwd=memory.path)
    assert (run.code, run.out[:12]) == (1, "-odd.md:1:1:")


# --- what was meant


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["notify", "githb"], "PLACE takes no 'githb'; did you mean github?"),
        (["check", "--rule", "soft-limt"], "unknown rule 'soft-limt'; did you mean soft-limit?"),
        (["index", "--depth=9", "a.md"], "--depth takes no '9'; it takes one of 1, 2, 3, 4, 5, 6"),
        (
            ["notify"],
            (
                "learnings notify needs PLACE, one of github, gitlab, file; "
                "see `learnings notify --help`"
            ),
        ),
        (["index"], "learnings index needs FILE; see `learnings index --help`"),
    ],
)
def test_a_wrong_word(
    words: list[str], message: str, memory: GitRepository, learnings: Command
) -> None:
    run = learnings(*words, cwd=memory.path)
    assert (run.code, run.out, run.err) == (2, "", f"learnings: {message}\n")


def test_every_name_with_its_last_letters_swapped_is_recognised(
    capsys: pytest.CaptureFixture[str],
) -> None:
    general = [name for name in (*COMMANDS, *GENERAL_OPTIONS) if len(name) > 2]
    failures = []
    for name in (*general, *(rule.id for rule in RULES)):
        wrong = name[:-2] + name[-1] + name[-2]
        if wrong == name:
            continue
        code = cli.main([wrong] if name in general else ["check", "--rule", wrong])
        message = capsys.readouterr().err
        if (code, message.endswith(f"; did you mean {name}?\n")) != (2, True):
            failures.append((name, message))
    assert failures == []


# --- help


def test_the_help_of_every_command_fits_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    wide = []
    for words in ([], *([command] for command in COMMANDS)):
        assert cli.main([*words, "--help"]) == 0
        wide += [(words, n) for n in capsys.readouterr().out.splitlines() if len(n) > 80]
    assert wide == []


def test_lines_in_columns_stay_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", "--help"]) == 0
    assert 'bash, in ~/.bashrc:                   eval "$(learnings' in capsys.readouterr().out


ODD = {
    ("ages", "--as-of="): "'' is not a date; write it as YYYY-MM-DD",
    ("due", "--as-of=--"): "-- is not a date; write it as YYYY-MM-DD",
    ("due", "--format=--"): "--format takes no '--'; it takes one of text, markdown, json, github",
    ("check", "--stdin-filename=--"): "--stdin-filename requires - as the only PATH",
    ("due", "--at="): "'' is not a commit in this repository; see git log",
    ("apply", ""): "the file name is empty; name a file",
    ("plan", "--all", "--output="): "the file name is empty; name a file",
    ("baseline", ""): "unrecognized arguments: ''; see `learnings baseline --help`",
}


def test_a_value_that_is_empty_or_two_dashes_leaves_no_gap_in_the_sentence(
    memory: GitRepository,
) -> None:
    learnings = Command("learnings")
    runs = {words: learnings(*words, cwd=memory.path) for words in ODD}
    last = {words: (run.code, run.err.splitlines()[-1]) for words, run in runs.items()}
    assert last == {words: (2, f"learnings: {sentence}") for words, sentence in ODD.items()}


def test_a_table_declares_arguments_of_each_kind() -> None:
    parser = parser_for(prog="learnings x")
    declare(
        parser,
        dedent("""
        action=scan|merge
        names=NAME...    names, of
                         any number
        --from rev=REV   an option with another name
        --rule RULE...   repeatable
        --room LINES:int  a number
        | --apply        do it
        | -n --dry-run   only print it
        --hook
        """),
    )
    words = ["merge", "a", "b", "--from=x", "--rule=y", "--rule=z", "--room=3", "-n", "--hook"]
    expected: dict[str, object] = {
        "action": "merge",
        "names": ["a", "b"],
        "rev": "x",
        "rule": ["y", "z"],
    }
    expected |= {"room": 3, "apply": False, "dry_run": True, "hook": True}
    assert vars(parser.parse_args(words)) == expected
    assert "names, of any number" in parser.format_help()
    assert "--hook" not in parser.format_help()
    with pytest.raises(UsageProblem):
        parser.parse_args(["scan", "--apply", "--dry-run"])
    with pytest.raises(UsageProblem):
        parser.parse_args(["other"])
