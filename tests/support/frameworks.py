"""The hooks as other repositories get them: cloned and installed by pre-commit or prek, then run.

What the frameworks are told to fetch is our public address; git is told to find the checkout there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from learnings import REPOSITORY, REVISION
from learnings.app.setup.hook_table import HOOK_TYPES
from tests.support.checkout import files
from tests.support.command import Completed, Program
from tests.support.guard import ROOT, guarded
from tests.support.repository import GitRepository, environment

CONFIG, PREK_CONFIG = ".pre-commit-config.yaml", "prek.toml"
NAMES = ("pre-commit", "prek")
SECONDS = 300


# The tag of the made-up repository. `learnings init` writes the revision that is installed from,
# which may be a commit, and no repository can be made to have a commit of a given hash.
TAG = "v0.0.0"


def published(path: Path) -> GitRepository:
    """Make a repository that holds what the checkout holds now, at the tag TAG."""
    repository = GitRepository(path)
    with guarded.opened():
        present = files()
    for name in present:
        target = repository.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    repository.commit("All there is")
    repository.git("tag", TAG)
    return repository


def configuration(hooks: Sequence[str]) -> str:
    """Return a configuration that has these hooks of ours and all hook types."""
    listed = "".join(f"  - id: {hook}\n" for hook in hooks)
    types = ", ".join(HOOK_TYPES)
    return (
        f"default_install_hook_types: [{types}]\n"
        f"repos:\n- repo: {REPOSITORY}\n  rev: {TAG}\n  hooks:\n{listed}"
    )


def point_to_tag(repository: GitRepository) -> None:
    """Let a configuration that `learnings init` has written name the tag TAG."""
    for name in (CONFIG, PREK_CONFIG):
        path = repository.path / name
        if path.exists():
            path.write_bytes(path.read_bytes().replace(REVISION.encode(), TAG.encode()))


@dataclass(frozen=True, slots=True)
class Framework:
    """pre-commit or prek; its environments for hooks are below `store`, made once for all tests."""

    name: str
    source: GitRepository
    store: Path

    @property
    def command(self) -> Program:
        """The installed command; a test that asks for a framework that is not there is skipped."""
        command = Program(self.name)
        if not command.path.is_file():
            pytest.skip(f"{self.name} is not installed")
        return command

    @property
    def variables(self) -> dict[str, str]:
        """What it needs to find its store, our address and the installer's settings."""
        return {
            "PRE_COMMIT_HOME": str(self.store / self.name),
            "PREK_HOME": str(self.store / self.name),
            "HOME": os.environ["REAL_HOME"],  # the settings of pip may be there, and its cache is
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{self.source.path.resolve().as_uri()}.insteadOf",
            "GIT_CONFIG_VALUE_0": REPOSITORY,
        }

    def __call__(self, *arguments: str, cwd: Path) -> Completed:
        """Run it."""
        return self.command(*arguments, cwd=cwd, env=self.variables)

    def install(self, repository: GitRepository, *hooks: str) -> None:
        """Configure these hooks in a repository, install them and commit that."""
        repository.write(CONFIG, configuration(hooks))
        repository.commit("Configure hooks")
        done = self("install", "--install-hooks", cwd=repository.path)
        assert done.code == 0, done.out + done.err

    def git(
        self,
        repository: GitRepository,
        *arguments: str,
        stdin: bytes = b"",
        before: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> Completed:
        """Run git with its hooks; `before` are words in front of the command."""
        run = subprocess.run(
            [*before, "git", *arguments],
            cwd=repository.path,
            env=environment() | self.variables | dict(variables or {}),
            input=stdin,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return Completed(run.returncode, run.stdout, run.stderr)
