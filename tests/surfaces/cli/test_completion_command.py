"""`learnings completion`: the completions of a line, also in real shells."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from learnings.rules import RULES
from learnings.surfaces.cli.commands import COMMANDS, GENERAL_OPTIONS
from learnings.surfaces.cli.schema import NAMES
from tests.support.command import Command

SECONDS = 30


# --- what fits


@pytest.mark.slow
def test_completions(learnings: Command, tmp_path: Path) -> None:
    (tmp_path / "only-one.md").write_text("# One\n", encoding="utf-8")

    def words(line: str) -> list[str]:
        """Return the completions of a line as a shell asks for them."""
        found = tmp_path / "found"
        variables = {
            "_ARGCOMPLETE": "1",
            "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
            "_ARGCOMPLETE_IFS": "\n",
            "_ARGCOMPLETE_STDOUT_FILENAME": str(found),
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
        }
        run = learnings.process(cwd=tmp_path, env=variables)
        assert (run.code, run.out) == (0, "")
        return found.read_text(encoding="utf-8").splitlines()

    assert words("learnings ") == [*COMMANDS]
    assert words("learnings ch") == ["check"]
    assert {*GENERAL_OPTIONS} < {*words("learnings -")}
    assert words("learnings nothing x") == []
    assert words("learnings due --h") == ["--help"]  # without --hook, which is hidden
    assert words("learnings explain ")[: len(RULES)] == [rule.id for rule in RULES]
    assert "size-trigger" in words("learnings explain size")
    assert words("learnings check --rule=final-n") == ["--rule=final-newline"]
    assert words("learnings schema ") == [*NAMES]
    assert words("learnings notify --label x --dry-run g") == ["github", "gitlab"]
    assert words("learnings index only") == words("learnings check --at on") == ["only-one.md"]


def test_scripts(learnings: Command, nowhere: Path) -> None:
    for shell in START:
        run = learnings("completion", shell, cwd=nowhere)
        assert (run.code, run.err) == (0, "")
        assert "learnings" in run.out
    assert learnings("completion", "tcsh", cwd=nowhere).code == 2


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
