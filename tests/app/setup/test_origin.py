"""Where an installation came from, as installers note it, and what init does with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import learnings as package
from learnings.app.setup import origin
from learnings.app.setup.hooks import CHOSEN
from learnings.app.setup.origin import Origin, of_clone, pipx_command, without_credentials
from tests.project.built import packages
from tests.support.command import Command, Completed
from tests.support.frameworks import CONFIG, REPOSITORY, REVISION, Framework
from tests.support.repository import GitRepository

MEMORY = "# Learnings\n\n## When a build hangs\n\nLook.\n"
SECRETS = ("secret", "ada:", "token")


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write("agents/learnings.md", MEMORY)
    return repository


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    """Return a clone in a folder with blanks, with one commit."""
    clone = GitRepository(tmp_path / "it's a clone")
    clone.commit()
    return clone


def recorded(monkeypatch: pytest.MonkeyPatch, record: dict[str, Any]) -> None:
    monkeypatch.setattr(origin, "recorded", lambda: record)


def from_git(url: str) -> dict[str, Any]:
    return {"url": url, "vcs_info": {"vcs": "git", "commit_id": REVISION}}


def from_folder(path: Path) -> dict[str, Any]:
    return {"url": path.as_uri(), "dir_info": {"editable": True}}


def init(repository: GitRepository, *words: str) -> Completed:
    return Command("learnings")("init", *words, cwd=repository.path)


def item(repository: GitRepository) -> tuple[str, str]:
    """Return the address and the revision in the hook list."""
    (repo,) = yaml.safe_load(repository.read(CONFIG))["repos"]
    assert [hook["id"] for hook in repo["hooks"]] == [*CHOSEN]
    return repo["repo"], repo["rev"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://github.com/a/b.git", "https://github.com/a/b.git"),
        ("https://ada:secret@example.org:8443/b", "https://example.org:8443/b"),
        ("https://token@example.org/b", "https://example.org/b"),
        ("HTTP://ada:se@cret@example.org/b?private_token=secret#x", "HTTP://example.org/b"),
        ("ssh://git:secret@example.org:22/b", "ssh://git@example.org:22/b"),
        ("git@example.org:a/b.git", "git@example.org:a/b.git"),
        ("file:///srv/a%20b.git", "file:///srv/a%20b.git"),
        ("C:\\clones\\b", "C:\\clones\\b"),
    ],
)
def test_no_password_is_left_in_an_address(address: str, shown: str) -> None:
    assert without_credentials(address) == shown


@pytest.mark.parametrize(
    ("address", "name", "requirement", "is_local"),
    [
        ("https://github.com/ada.invalid/b.git/", "ada.invalid/b", None, False),
        ("ssh://git@ssh.github.com:443/ada.invalid/b", "ada.invalid/b", None, False),
        ("git@github.com:ada.invalid/b.git", "ada.invalid/b", "ssh://git@github.com/", False),
        ("https://notgithub.com/a/b", "", None, False),
        ("https://gitlab.com/github.com/b", "", None, False),
        ("host:/srv/b.git", "", "ssh://host/srv/b.git", False),
        ("file:///srv/b.git", "", None, True),
        ("/srv/a b", "", "file:///srv/a%20b", True),
    ],
)
def test_what_an_address_is_good_for(
    address: str, name: str, requirement: str | None, *, is_local: bool
) -> None:
    found = Origin(address, REVISION)
    assert (found.github_name, found.is_local) == (name, is_local)
    assert found.requirement().startswith(f"git+{requirement or address}")
    assert found.requirement("lsp") == f"learnings[lsp] @ {found.requirement()}"
    assert pipx_command(found) == f"pipx install {found.requirement()}"
    assert found.requirement().endswith(f"@{REVISION}")


@pytest.mark.skipif(os.name == "nt", reason="git has other paths there")
def test_a_clone_stands_for_its_remote_if_that_has_the_commit(
    clone: GitRepository, tmp_path: Path
) -> None:
    own = (clone.path.as_posix(), clone.head())
    assert of_clone(clone.path) == own
    clone.git("remote", "add", "origin", "https://ada:secret@example.org/b.git")
    assert of_clone(clone.path) == own, "nothing was pushed"
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert of_clone(clone.path) == ("https://example.org/b.git", clone.head())
    GitRepository(tmp_path / "upstream")
    shown = {
        "../upstream": (tmp_path / "upstream").as_posix(),
        str(tmp_path / "upstream"): (tmp_path / "upstream").as_posix(),
        "../gone": own[0],
        "hg::https://example.org/x": own[0],
        (file := (tmp_path / "upstream").as_uri()): file,
        "git@example.org:a/b.git": "git@example.org:a/b.git",
    }
    for remote, address in shown.items():
        clone.git("config", "remote.origin.url", remote)
        assert of_clone(clone.path) == (address, clone.head()), remote
    clone.commit()
    assert of_clone(clone.path) == (own[0], clone.head()), "the new commit was not pushed"
    (clone.path / "inner").mkdir()
    assert of_clone(clone.path / "inner") is None, "it is part of another repository"
    assert of_clone(GitRepository(tmp_path / "empty").path) is None


def test_what_an_installer_noted(clone: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(monkeypatch, from_git("https://ada:secret@example.org/b"))
    assert origin.origin() == ("https://example.org/b", REVISION)
    recorded(monkeypatch, from_folder(clone.path))
    assert origin.origin() == (clone.path.as_posix(), clone.head())
    for record in ({}, {"url": "file:///x.whl", "archive_info": {}}, from_folder(Path("/gone"))):
        recorded(monkeypatch, record)
        monkeypatch.setattr(package, "HOME", "")
        assert origin.origin() is None
        monkeypatch.setattr(package, "HOME", "https://example.org/learnings")
        assert origin.origin() == ("https://example.org/learnings", package.REVISION)


def test_hooks_come_from_there_and_no_secret_is_shown(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(monkeypatch, from_git("https://ada:secret@github.com/ada.invalid/b.git"))
    monkeypatch.setattr(package, "HOME", "https://github.com/Ada.invalid/b")
    done = init(memory, "--github", "--gitlab")
    assert done.code == 0, done.err
    assert item(memory) == ("https://github.com/ada.invalid/b.git", REVISION)
    uses = f"uses: ada.invalid/b/.github/workflows/learnings.yml@{REVISION}\n"
    assert uses in memory.read(".github/workflows/learnings.yml").decode()
    install = f"git+https://github.com/ada.invalid/b.git@{REVISION}"
    assert install in memory.read(".gitlab/learnings.yml").decode()
    config = memory.read(CONFIG).decode().replace("https://", "https://ada:secret@")
    memory.write(CONFIG, config.replace(REVISION, "v0.0.1"))
    shown = [done, init(memory), Command("learnings")("doctor", cwd=memory.path)]
    assert "run: pre-commit autoupdate\n" in shown[-1].out
    assert not [text for text in SECRETS for run in shown if text in run.out + run.err]


def test_a_clone_is_good_for_hooks_here_and_for_no_runner(
    memory: GitRepository, clone: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(monkeypatch, from_folder(clone.path))
    for word, first in (
        ("--github", "run `make home URL=https://github.com/"),
        ("--gitlab", "push it to a server, "),
    ):
        done = init(memory, word)
        assert (done.code, done.out) == (2, "")
        assert "nothing was written, because " in done.err
        assert f"run this again, or leave {word} out" in done.err
        assert f"came from {clone.path.as_posix()}; {first}" in done.err
        assert not (memory.path / CONFIG).exists()
    memory.write(".github/CODEOWNERS", "")
    done = init(memory)
    assert "learnings init --github" not in done.out
    assert item(memory) == (clone.path.as_posix(), clone.head())
    assert "which only this machine has" in done.err
    assert "which only this machine has" not in init(memory).err
    doctor = Command("learnings")("doctor", cwd=memory.path).out
    assert f"; no runner can install it from {clone.path.as_posix()}\n" in doctor
    assert f"version           yes  learnings {package.__version__} ({clone.head()[:12]})" in doctor


def test_without_an_origin_nothing_broken_is_written(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(monkeypatch, {})
    monkeypatch.setattr(package, "HOME", "")
    done = init(memory, "--github")
    assert (done.code, done.out) == (2, "")
    done = init(memory)
    assert (done.code, "learnings.toml: created\n" in done.out) == (0, True)
    assert not (memory.path / CONFIG).exists()
    assert f"{CONFIG} was not changed, because this installation does not know" in done.err
    assert "`repo: /path/to/clone`" in done.err
    assert "pre-commit install" not in done.out
    doctor = Command("learnings")("doctor", cwd=memory.path).out
    assert "runs learnings-check, and this installation does not know the address" in doctor
    listed = f"repos:\n- repo: /srv/b\n  rev: {REVISION}\n  hooks: [{{id: learnings-check}}]\n"
    memory.write(CONFIG, listed)
    assert "does not know" not in init(memory).err
    document = Command("learnings")("doctor", "--format", "json", cwd=memory.path).json
    assert document["revision"] is None
    (version,) = [found for found in document["items"] if found["name"] == "version"]
    assert version["state"] == "yes", "nothing is known that the list could differ from"


def test_a_job_over_ssh_says_that_it_needs_a_key(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(monkeypatch, from_git("ssh://git@example.org/b.git"))
    assert "the runner needs an SSH key" in init(memory, "--gitlab").err
    assert item(memory) == ("ssh://git@example.org/b.git", REVISION)


def test_a_copy_on_github_that_names_another_home_has_no_workflow_that_works(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for home in ("", "https://github.com/ada.invalid/other", "https://example.org/learnings"):
        monkeypatch.setattr(package, "HOME", home)
        done = init(memory, "--github")
        assert (done.code, "from a repository on GitHub that names itself" in done.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["folder", "git", "wheel"])
def test_what_pip_notes_is_what_init_writes(
    way: str, memory: GitRepository, published: GitRepository, tmp_path: Path
) -> None:
    target, source = tmp_path / "site", str(published.path)
    if way == "git":
        source = f"git+{published.path.as_uri()}@{published.head()}"
    elif way == "wheel":
        (wheel,) = packages(tmp_path).glob("*.whl")
        source = str(wheel)
    pip = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    command = [sys.executable, *pip, "--target", str(target), source]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    (record,) = target.glob("learnings-*.dist-info/direct_url.json")
    kinds = {"folder": "dir_info", "git": "vcs_info", "wheel": "archive_info"}
    assert kinds[way] in json.loads(record.read_text("utf-8"))
    words = [sys.executable, "-m", "learnings", "init"]
    env = {**os.environ, "PYTHONPATH": str(target)}
    done = subprocess.run(words, cwd=memory.path, env=env, capture_output=True, check=True)
    if way == "wheel" and not package.HOME:
        assert b"this installation does not know the address it came from" in done.stderr
        return
    expected = {
        "folder": (published.path.as_posix(), published.head()),
        "git": (published.path.as_uri(), published.head()),
        "wheel": (package.HOME, package.REVISION),
    }
    assert item(memory) == expected[way]


@pytest.mark.soak
@pytest.mark.network
def test_the_hooks_of_a_clone_refuse_a_broken_memory(
    memory: GitRepository,
    published: GitRepository,
    framework: Framework,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded(monkeypatch, from_folder(published.path))
    memory.write("CLAUDE.md", "@agents/learnings.md\n")
    assert init(memory).code == 0
    assert item(memory) == (published.path.as_posix(), published.head())
    memory.commit("Set up")
    done = framework("run", "--all-files", cwd=memory.path)
    assert done.code == 0, done.out + done.err
    memory.write("agents/learnings.md", MEMORY + MEMORY.partition("\n")[2])
    memory.commit("Repeat an entry")
    done = framework("run", "--all-files", cwd=memory.path)
    assert (done.code, "error duplicate-entry" in done.out) == (1, True)


def test_installers_are_told_apart_from_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert {*origin.recorded()} <= {"url", "dir_info", "vcs_info", "archive_info", "subdirectory"}
    assert REPOSITORY not in str(origin.recorded())
