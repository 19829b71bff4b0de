"""Ways to commit and push in a test repository: our hook programs, the script, a framework.

Each returns the visible output and whether git continued.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

import yaml
from identify.identify import tags_from_path

from learnings.app.setup.hooks import is_own
from tests.support.checkout import manifest
from tests.support.command import Command, Completed
from tests.support.frameworks import CONFIG, Framework, point_to_tag
from tests.support.repository import GitRepository


class Outcome(NamedTuple):
    """The output, and whether the command succeeded."""

    passed: bool
    printed: str


@dataclass(frozen=True, slots=True)
class WithPrograms:
    """Runs our hook programs in this process, on the files that a framework would hand to them.

    Hooks of others are passed over.
    """

    repository: GitRepository

    def run(self, line: str) -> Outcome:
        """Run a line; `pre-commit install` has nothing to do here."""
        program, *words = shlex.split(line, comments=True)
        if ">>" in words:
            return _appended(line, self.repository)
        if program == "pre-commit":
            return Outcome(passed=True, printed="")
        if program == "git" and words[:2] == ["commit", "-m"]:
            return self.commit(words[2])
        if program == "git":
            return Outcome(passed=True, printed=self.repository.git(*words))
        return _outcome(Command(program)(*words, cwd=self.repository.path))

    def commit(self, message: str) -> Outcome:
        """Run the hooks on the staged files; commit if all pass."""
        changed = self.repository.git("diff", "--cached", "--name-only", "--diff-filter=d", "-z")
        outcome = self._hooks("pre-commit", changed.split("\0"))
        if outcome.passed:
            self.repository.commit(message, all=False)
        return outcome

    def push(self) -> Outcome:
        """Run the hooks on all files, as for a branch that is new on the other side."""
        return self._hooks("pre-push", self.repository.git("ls-files", "-z").split("\0"))

    def _hooks(self, stage: str, names: list[str]) -> Outcome:
        paths = [name for name in names if name]
        printed = []
        for hook in self._configured():
            if stage not in hook["stages"]:
                continue
            outcome = self._hook(hook, paths)
            printed.append(outcome.printed)
            if not outcome.passed:
                return Outcome(passed=False, printed="".join(printed))
        return Outcome(passed=True, printed="".join(printed))

    def _hook(self, hook: Mapping[str, Any], paths: list[str]) -> Outcome:
        types = set(hook.get("types", ["file"]))
        folder = self.repository.path
        files = [path for path in paths if types <= tags_from_path(str(folder / path))]
        if not files and not hook.get("always_run"):
            return Outcome(passed=True, printed="")
        given = files if hook.get("pass_filenames", True) else []
        words = [*shlex.split(hook["entry"])[1:], *hook.get("args", []), *given]
        return _outcome(Command(hook["entry"].split()[0])(*words, cwd=self.repository.path))

    def _configured(self) -> Iterator[dict[str, Any]]:
        config = yaml.safe_load(self.repository.read(CONFIG))
        for source in config["repos"]:
            if is_own(source):
                for hook in source["hooks"]:
                    yield manifest()[hook["id"]] | hook


@dataclass(frozen=True, slots=True)
class WithFramework(WithPrograms):
    """Commits and pushes with git, which calls the hooks that pre-commit has installed."""

    framework: Framework

    def run(self, line: str) -> Outcome:
        """Run a line, `pre-commit` in an environment of the tests."""
        program, *words = shlex.split(line, comments=True)
        if ">>" in words:
            return _appended(line, self.repository)
        if program == "pre-commit":
            return _outcome(self.framework(*words, cwd=self.repository.path))
        if program == "git":
            return _outcome(self.framework.git(self.repository, *words))
        outcome = _outcome(Command(program)(*words, cwd=self.repository.path))
        point_to_tag(self.repository)
        return outcome

    def commit(self, message: str) -> Outcome:
        return self.run(f"git commit --message {shlex.quote(message)}")

    def push(self) -> Outcome:
        """Push to an empty repository beside this one, with the hooks."""
        path = self.repository.path
        remote = GitRepository(path.with_name(f"{path.name}.git"), bare=True)
        return self.run(f"git push {shlex.quote(remote.path.as_posix())} HEAD")


def _appended(line: str, repository: GitRepository) -> Outcome:
    """Run a line that appends to a file, in the shell that git brings along."""
    done = subprocess.run(["sh", "-c", line], cwd=repository.path, capture_output=True, check=False)
    return Outcome(done.returncode == 0, (done.stdout + done.stderr).decode())


def _outcome(done: Completed) -> Outcome:
    return Outcome(done.code == 0, done.out + done.err)


def steps(printed: str) -> list[str]:
    """Return the command lines that `learnings init` prints below `next:`, in their order."""
    below = printed.splitlines()[printed.splitlines().index("next:") + 1 :]
    return [line.strip() for line in takewhile(lambda line: line.startswith("  "), below)]
