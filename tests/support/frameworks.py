"""The hooks as other repositories get them: pre-commit or prek clones, installs and runs them.

The frameworks fetch the address that the tests are installed from; git redirects it to the
checkout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from learnings.app.setup.hooks import HOOK_TYPES
from learnings.app.setup.origin import Origin
from tests.support.checkout import files
from tests.support.command import Completed, Program
from tests.support.guard import ROOT, guarded
from tests.support.repository import GitRepository, environment

CONFIG, PREK_CONFIG = ".pre-commit-config.yaml", "prek.toml"
NAMES = ("pre-commit", "prek")
REPOSITORY, REVISION = "https://github.com/ada.invalid/learnings", "5eed" * 10
RECORD = {"url": REPOSITORY, "vcs_info": {"vcs": "git", "commit_id": REVISION}}
"""What an installer notes: PEP 610."""
ORIGIN = Origin(REPOSITORY, REVISION)
# The tag of the test repository. `learnings init` writes the commit it is installed from, and no
# repository can be built to contain a given hash.
TAG = "v0.0.0"


def published(path: Path) -> GitRepository:
    """Create a repository with the contents of the checkout at the tag TAG."""
    with guarded.opened():  # for the list of files, and for GitPython, which runs git when imported
        repository = GitRepository(path)
        for name in files():
            target = repository.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
        repository.commit("All there is")
    repository.git("tag", TAG)
    return repository


def configuration(hooks: Sequence[str]) -> str:
    """Return a configuration with these hooks of ours and all hook types."""
    listed = "".join(f"  - id: {hook}\n" for hook in hooks)
    types = ", ".join(HOOK_TYPES)
    return (
        f"default_install_hook_types: [{types}]\n"
        f"repos:\n- repo: {REPOSITORY}\n  rev: {TAG}\n  hooks:\n{listed}"
    )


def point_to_tag(repository: GitRepository) -> None:
    """Make a configuration from `learnings init` use the tag TAG."""
    for name in (CONFIG, PREK_CONFIG):
        path = repository.path / name
        if path.exists():
            path.write_bytes(path.read_bytes().replace(REVISION.encode(), TAG.encode()))


@dataclass(frozen=True, slots=True)
class Framework:
    """pre-commit or prek; all tests share its hook environments below `store`."""

    name: str
    source: GitRepository
    store: Path

    @property
    def command(self) -> Program:
        """Return the installed command; skip the test if the framework is not installed."""
        command = Program(self.name)
        if not command.path.is_file():
            pytest.skip(f"{self.name} is not installed")
        return command

    @property
    def variables(self) -> dict[str, str]:
        """Return the variables for its store, our address and the installer's settings."""
        return {
            "PRE_COMMIT_HOME": str(self.store / self.name),
            "PREK_HOME": str(self.store / self.name),
            "HOME": os.environ["REAL_HOME"],  # pip's settings and cache may be there
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{self.source.path.resolve().as_uri()}.insteadOf",
            "GIT_CONFIG_VALUE_0": REPOSITORY,
        }

    def __call__(self, *arguments: str, cwd: Path) -> Completed:
        """Run it."""
        return self.command(*arguments, cwd=cwd, env=self.variables)

    def install(self, repository: GitRepository, *hooks: str) -> None:
        """Configure these hooks in a repository, install them and commit the configuration."""
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
        """Run git with its hooks; `before` are words before the command."""
        run = subprocess.run(
            [*before, "git", *arguments],
            cwd=repository.path,
            env=environment() | self.variables | dict(variables or {}),
            input=stdin,
            capture_output=True,
            timeout=300,
            check=False,
        )
        return Completed(run.returncode, run.stdout, run.stderr)
