"""`learnings completion`: the candidates for the words up to the cursor, in real shells."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import time
from argparse import SUPPRESS
from pathlib import Path

import pytest

from learnings.rules import RULES
from learnings.surfaces.cli.commands import (
    COMMANDS,
    GENERAL_OPTIONS,
    arguments_of,
    choices_of,
    options_of,
)
from learnings.surfaces.cli.completion import SCRIPTS, completions
from learnings.surfaces.cli.schema import NAMES
from tests.support.command import Command

SECONDS = 30


def words(*line: str) -> list[str]:
    return [candidate.word for candidate in completions(line)]


# --- what fits


def test_every_command_with_what_it_does() -> None:
    assert {candidate.word: candidate.meaning for candidate in completions([""])} == COMMANDS
    assert words("ch") == ["check"]
    assert words("-") == [*GENERAL_OPTIONS]
    assert words("nothing") == []
    assert words("nothing", "") == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_that_is_shown_and_its_values(command: str) -> None:
    shown = [a for a in arguments_of(command) if a.option_strings and a.help != SUPPRESS]
    assert words(command, "-") == [argument.option_strings[-1] for argument in shown]
    hidden = {
        a.option_strings[-1]
        for a in arguments_of(command)
        if a.help == SUPPRESS and a.option_strings
    }
    assert hidden.isdisjoint(words(command, "-"))
    failures = []
    for argument in shown:
        name, choices = argument.option_strings[-1], [*choices_of(argument)]
        expected = {
            (name, ""): choices if argument.nargs != 0 else words(command, ""),
            (name, "=", ""): choices,
            (name, "="): choices,
            (f"{name}=",): [f"{name}={choice}" for choice in choices],
        }
        for line, values in expected.items():
            if (argument.nargs != 0 or "=" not in "".join(line)) and words(
                command, *line
            ) != values:
                failures.append((line, values, words(command, *line)))
    assert failures == []


def test_positional_values() -> None:
    explained = words("explain", "")
    assert explained[: len(RULES)] == [rule.id for rule in RULES]
    assert "size-trigger" in explained
    assert words("schema", "") == [*NAMES]
    assert words("notify", "--label", "x", "--dry-run", "g") == ["github", "gitlab"]
    assert words("notify", "github", "") == []
    assert words("completion", "") == [*SCRIPTS]
    assert words("completion", "bash", "") == []


def test_the_lines_of_each_shell(learnings: Command, nowhere: Path) -> None:
    line = ["--complete", "--", "check", "--rule", "final-n"]
    expected = {"bash": "final-newline", "zsh": "final-newline:", "fish": "final-newline\t"}
    for shell in SCRIPTS:
        run = learnings("completion", shell, cwd=nowhere)
        assert (run.code, run.out, run.err) == (0, SCRIPTS[shell], "")
        run = learnings("completion", shell, *line, cwd=nowhere)
        assert (run.code, run.out, run.err) == (0, f"{expected[shell]}\n", "")
        run = learnings("completion", shell, "--complete", cwd=nowhere)
        assert len(run.out.splitlines()) == len(COMMANDS)
    assert learnings("completion", "tcsh", cwd=nowhere).code == 2
    assert "--complete" in options_of("completion")
    assert "complete" not in learnings("completion", "--help", cwd=nowhere).out.split("usage")[0]


# --- shells


START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
# A session that opens a terminal is controlled by it, which fish asks for.
OPEN = 'exec <"$0" >"$0" 2>&1; exec "$@"'
SET_UP = {
    "bash": 'eval "$(learnings completion bash)"',
    "zsh": 'autoload -U compinit && compinit -D -u && eval "$(learnings completion zsh)"',
    "fish": "learnings completion fish | source",
}
TYPED = {
    "learnings completion \t\t": b"fish",
    "learnings chec\t": b"learnings check",
    "learnings check --form\t": b"check --format",
    "learnings check --format mark\t": b"--format markdown",
    "learnings check --format=mark\t": b"--format=markdown",
    "learnings explain duplicate-e\t": b"explain duplicate-entry",
    "learnings index only-o\t": b"index only-one.md",
}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals of this kind")
@pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(name, marks=pytest.mark.soak) for name in ("zsh", "fish"))]
)
def test_a_real_shell(shell: str, learnings: Command, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "only-one.md").write_text("# One\n", encoding="utf-8")
    failures = []
    terminal = Terminal(shell, learnings.path.parent, tmp_path)
    try:
        terminal.type(f"{SET_UP[shell]}; printf 'set%s\\n' -up\n")
        assert terminal.shows(b"set-up"), terminal.text
        for line, expected in TYPED.items():
            terminal.type(line)
            if not terminal.shows(expected):
                failures.append((line, terminal.text))
            terminal.type("\x15")  # takes the line back
    finally:
        terminal.close()
    assert failures == []


class Terminal:
    """An interactive shell, and its output since the last typed text."""

    def __init__(self, shell: str, scripts: Path, folder: Path) -> None:
        import pty  # noqa: PLC0415  (there is none on Windows)

        self.text = b""
        self._end, terminal = pty.openpty()
        path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
        self._process = subprocess.Popen(
            ["sh", "-c", OPEN, os.ttyname(terminal), *START[shell]],
            cwd=folder,
            env={**os.environ, "PATH": path, "TERM": "xterm", "HOME": str(folder)},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)

    def type(self, text: str) -> None:
        self.text = b""
        os.write(self._end, text.encode())

    def shows(self, expected: bytes) -> bool:
        """Return True once the text, without cursor movements, contains the expected text."""
        end = time.monotonic() + SECONDS
        while expected not in self.text and time.monotonic() < end:
            if select.select([self._end], [], [], 0.1)[0]:
                self.text += os.read(self._end, 65536)
        return expected in self.text

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._end)
