"""Print the story, run the commands and count failed checks."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from demo.repository import Repository

WIDTH = 78
BOLD, DIM, GREEN, RED, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[0m"
SECONDS = 60


class Stage:
    """Runs commands in a repository, with learnings from the folder `scripts`."""

    def __init__(self, repository: Repository, scripts: Path) -> None:
        self.failures: list[str] = []
        self.checks = 0
        self._repository = repository
        self.scripts = scripts
        self._scenes = 0
        self._colour = wants_colour()

    def scene(self, title: str, text: str) -> None:
        """Begin a scene: a numbered heading and an introduction."""
        self._scenes += 1
        heading = f"{self._scenes}. {title}"
        print(f"\n{self._painted(BOLD, heading)}\n{self._painted(BOLD, '=' * len(heading))}")
        self.say(text)

    def say(self, text: str) -> None:
        """Print paragraphs, separated by blank lines, wrapped."""
        for paragraph in textwrap.dedent(text).strip().split("\n\n"):
            words = " ".join(paragraph.split())
            print(f"\n{textwrap.fill(words, WIDTH, break_on_hyphens=False)}", flush=True)

    def run(self, *words: str, day: str = "", first: int = 0, code: int = 0) -> str:
        """Run a command, show it and its output, and return the output.

        Errors appear in place. `first` limits the lines of output. A `code` other than 0 is shown.
        """
        print(f"\n{self._painted(BOLD, '$ ' + shlex.join(words))}", flush=True)
        done = self._execute(words, day)
        lines = done.stdout.splitlines()
        hidden = len(lines) - first if first else 0
        print("".join(f"{line}\n" for line in (lines[:first] if hidden > 0 else lines)), end="")
        if hidden > 0:
            print(self._painted(DIM, f"[{hidden} more lines]"))
        if done.returncode:
            print(self._painted(DIM, f"[exit code {done.returncode}]"))
        self.expect(done.returncode == code, f"{shlex.join(words)} ends with {code}")
        return done.stdout

    def show(self, text: str, *, first: int) -> None:
        """Print the first lines of a text, indented."""
        lines = text.splitlines()
        print("\n" + textwrap.indent("\n".join(lines[:first]), "  "))
        if len(lines) > first:
            print(self._painted(DIM, f"  [{len(lines) - first} more lines]"))

    def quietly(self, *words: str) -> str:
        """Run a command without showing it and return its output."""
        return self._execute(words, "").stdout

    def document(self, *words: str) -> Any:  # noqa: ANN401  (whatever the document is)
        """Run a command without showing it and return the JSON document that it prints."""
        return json.loads(self._execute((*words, "--format", "json"), "").stdout)

    def expect(self, is_so: bool, what: str) -> None:  # noqa: FBT001
        """Count a check; print a failed one immediately and at the end."""
        self.checks += 1
        if not is_so:
            self.failures.append(what)
            print(self._painted(RED, f"NOT AS IT SHOULD BE: {what}"))

    def close(self) -> int:
        """Print the result and return the exit code."""
        for failure in self.failures:
            print(f"failed: {failure}", file=sys.stderr)
        if self.failures:
            return 1
        done = f"All {self.checks} checks of this demonstration held."
        print(f"\n{self._painted(GREEN, done)}")
        return 0

    def _execute(self, words: tuple[str, ...], day: str) -> subprocess.CompletedProcess[str]:
        environment = self._repository.environment(day)
        search = os.pathsep.join((str(self.scripts), environment.get("PATH", "")))
        command = shutil.which(words[0], path=search)
        if command is None:
            raise FileNotFoundError(words[0])
        return subprocess.run(
            [command, *words[1:]],
            cwd=self._repository.path,
            env=environment | {"PATH": search},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
        )

    def _painted(self, colour: str, text: str) -> str:
        return f"{colour}{text}{PLAIN}" if self._colour else text


def wants_colour() -> bool:
    """Return True if the output is a terminal with colours, and the user wants them."""
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not dull
