"""Build the repository of the story: real commits, independent of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from demo import story
from demo.story import Step

NAME = "parcels"
MARK = "learnings-demo"
CONFIGURATION = """\
[user]
\tname = Ida Holm
\temail = ida@parcels.example
[init]
\tdefaultBranch = main
[core]
\tautocrlf = false
[commit]
\tgpgSign = false
[gc]
\tauto = 0
[safe]
\tdirectory = *
"""
HOOK = """\
#!/bin/sh
# What pre-commit does elsewhere: hand the staged Markdown files to the hooks.
PATH="{scripts}:$PATH"
staged() {{ git diff --cached --name-only --diff-filter=ACMR -z -- '*.md'; }}
code=0
staged | xargs -0 learnings-check || code=1
staged | xargs -0 target-line-limit || code=1
exit $code
"""


class InTheWay(Exception):
    """The chosen folder holds something that is not an earlier demonstration."""


class Repository:
    """The repository at `path`, and beside it the only git configuration it uses."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._configuration = path.parent / "gitconfig"

    def environment(self, day: str = "", hour: int = 10) -> dict[str, str]:
        """Return the environment of every command, without this user's git and GitHub settings.

        With a `day`, commits get this day and hour.
        """
        own = ("GIT_", "GITHUB_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
        kept |= {"GIT_CONFIG_GLOBAL": str(self._configuration), "GIT_CONFIG_NOSYSTEM": "1"}
        kept |= {"GIT_EDITOR": "true", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"}
        date = f"{day}T{hour:02}:00:00 +0100"
        return kept | ({"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} if day else {})

    def git(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        """Run git and return what it printed; raises CalledProcessError."""
        run = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=self.environment() if env is None else env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        return run.stdout

    def read(self, path: str) -> str:
        """Return the text of a file, or ""."""
        file = self.path / path
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def write(self, path: str, text: str) -> None:
        """Write a file and the folders around it."""
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")

    def settle(self, moves: Sequence[tuple[str, str]], texts: Mapping[str, str]) -> None:
        """Move entries, as (title, file) pairs, from the memory to the end of decision files."""
        memory = self.read(story.MEMORY)
        for title, target in moves:
            topic = target.rpartition("/")[2].removesuffix(".md")
            kept = self.read(target) or f"# Decisions: {topic}\n"
            self.write(target, f"{kept}\n{texts[title]}")
            memory = memory.replace(f"\n{texts[title]}", "")
        self.write(story.MEMORY, memory)

    def drop(self, texts: Sequence[str]) -> None:
        """Remove entries from the memory, each given by its text."""
        memory = self.read(story.MEMORY)
        for text in texts:
            memory = memory.replace(text, "")
        self.write(story.MEMORY, memory)

    def create(self) -> None:
        """Make an empty repository; remove an earlier demonstration in the same folder.

        Raises InTheWay instead of removing anything else.
        """
        mark = self.path / ".git" / MARK
        if self.path.exists() and any(self.path.iterdir()):
            if not mark.is_file():
                raise InTheWay(f"{self.path} holds something else; name another folder")
            shutil.rmtree(self.path)
        self.path.mkdir(parents=True, exist_ok=True)
        self._configuration.write_text(CONFIGURATION, encoding="utf-8")
        self.git("init", "--quiet", "--template=", "--object-format=sha1", "--initial-branch=main")
        mark.write_text("made by demo/run.py, which removes it when it runs again\n", "utf-8")

    def install_hook(self, scripts: Path) -> None:
        """Install a plain pre-commit hook that runs the hooks in the folder `scripts`."""
        hook = self.path / ".git" / "hooks" / "pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(HOOK.format(scripts=scripts.as_posix()), encoding="utf-8", newline="\n")
        hook.chmod(0o755)


def build(path: Path) -> Repository:
    """Build the repository of the whole story at `path`; raises InTheWay."""
    repository = Repository(path)
    repository.create()
    texts = story.entries()
    repository.write(story.MEMORY, story.PREAMBLE)
    repository.write(story.INSTRUCTIONS, story.IMPORT)
    branch, day, hour = story.MAIN, "", 9
    for step in story.STORY:
        hour = hour + 1 if step.day == day else 10
        day = step.day
        if step.branch != branch:
            branch = step.branch
            _switch(repository, branch)
        _take(repository, step, texts, repository.environment(day, hour))
    return repository


def build_to_last_day(path: Path) -> Repository:
    """Build it with the lesson of the last day, as the demonstration leaves the branch main."""
    repository = build(path)
    env = repository.environment(story.LAST_DAY)
    _take(repository, story.LAST_STEP, story.entries(), env)
    return repository


def _switch(repository: Repository, branch: str) -> None:
    known = repository.git("branch", "--list", branch)
    repository.git("checkout", "--quiet", *([] if known else ["-b"]), branch)


def _take(
    repository: Repository, step: Step, texts: Mapping[str, str], env: Mapping[str, str]
) -> None:
    if step.merge:
        _merge(repository, step, env)
        return
    memory = repository.read(story.MEMORY)
    if step.work:
        # The service itself is of no interest here: each change of it is one line.
        repository.write(step.work, f"{repository.read(step.work)}# {step.message}\n")
    if step.learn:
        repository.write(story.MEMORY, f"{memory}\n{texts[step.learn]}")
    if step.reword:
        old, new = step.reword
        repository.write(story.MEMORY, memory.replace(f"## {old}\n", f"## {new}\n"))
    if step.supersede:
        text = texts[step.supersede]
        repository.write(story.MEMORY, memory.replace(text, f"{text}\n{story.SUPERSEDED}"))
    repository.settle(step.settle, texts)
    repository.git("add", "--all")
    repository.git("commit", "--quiet", f"--message={step.message}", env=env)


def _merge(repository: Repository, step: Step, env: Mapping[str, str]) -> None:
    """Merge a branch that appended at the same place as the main line: keep both entries."""
    attempt = ["merge", "--quiet", "--no-ff", f"--message={step.message}", step.merge]
    try:
        repository.git(*attempt, env=env)
    except subprocess.CalledProcessError:
        ours = repository.git("show", f":2:{story.MEMORY}")
        base = repository.git("show", f":1:{story.MEMORY}")
        theirs = repository.git("show", f":3:{story.MEMORY}")
        repository.write(story.MEMORY, ours + theirs.removeprefix(base))
        repository.git("add", "--all")
        repository.git("commit", "--quiet", "--no-edit", env=env)
