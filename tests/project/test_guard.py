"""The guard around the tests holds; without these it could fall and nobody would hear it."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.guard import ROOT, belongs, is_local, state_of, touches
from tests.support.repository import GitRepository

Refused = pytest.fail.Exception

in_a_checkout = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")


@in_a_checkout
@pytest.mark.parametrize("place", [ROOT, ROOT / "tests" / "project"])
def test_git_in_the_checkout_is_refused(place: Path) -> None:
    with pytest.raises(Refused, match="runs git in the checkout"):
        subprocess.run(["git", "status"], cwd=place, check=True)


@in_a_checkout
def test_git_led_to_the_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        subprocess.run(["git", "-C", str(ROOT), "status"], cwd=tmp_path, check=True)
    led = os.environ | {"GIT_DIR": str(ROOT / ".git")}
    with pytest.raises(Refused):
        subprocess.run(["git", "status"], cwd=tmp_path, env=led, check=True)


@in_a_checkout
@pytest.mark.outside
def test_marked_tests_may_ask_the_checkout() -> None:
    run = subprocess.run(["git", "rev-parse", "--git-dir"], cwd=ROOT, check=True)
    assert run.returncode == 0


def test_other_repositories_are_free(repository: GitRepository) -> None:
    assert not touches(ROOT, ["git", "status"], repository.path, None)
    assert not touches(ROOT, ["python", "x.py"], ROOT, None)
    assert not touches(ROOT, "git status", ROOT, None)
    assert belongs(repository.path, repository.path / "deep" / "down")


def test_every_way_to_a_repository_is_seen(repository: GitRepository, tmp_path: Path) -> None:
    root = repository.path
    assert touches(root, ["git", "status"], root, None)
    assert touches(root, [b"/usr/bin/git", b"status"], os.fsencode(root), None)
    assert touches(root, ["git", "-C", "repository", "-C", "deep", "status"], tmp_path, None)
    assert touches(root, ["git", "commit"], tmp_path, {"GIT_INDEX_FILE": f"{root}/.git/index"})
    assert not touches(root, ["git", "commit"], tmp_path, {"GIT_INDEX_FILE": "index"})


def test_connections_leave_only_to_this_machine() -> None:
    # An address that no machine has, should the guard fail.
    with socket.socket() as one, pytest.raises(Refused, match="opens a connection"):
        one.connect(("192.0.2.1", 9))
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())


@pytest.mark.parametrize(
    ("address", "local"),
    [
        (("127.0.0.1", 80), True),
        (("::1", 80, 0, 0), True),
        (("localhost", 80), True),
        ("/run/some.socket", True),
        (("192.0.2.1", 80), False),
        (("example.org", 443), False),
    ],
)
def test_local_addresses(address: object, local: bool) -> None:  # noqa: FBT001
    assert is_local(address) is local


def test_every_change_to_a_repository_is_seen(repository: GitRepository) -> None:
    states = [state_of(repository.path)]
    repository.commit()
    states.append(state_of(repository.path))
    repository.branch("other")
    states.append(state_of(repository.path))
    repository.write("a", "b")
    repository.git("add", "a")
    states.append(state_of(repository.path))
    repository.git("config", "user.name", "Somebody")
    states.append(state_of(repository.path))
    assert all(before != after for before, after in pairwise(states))
    assert state_of(repository.path / "nothing") == {}


def test_world_is_ours(tmp_path: Path) -> None:
    settings = subprocess.run(
        ["git", "config", "--list", "--show-origin"], cwd=tmp_path, check=True, capture_output=True
    ).stdout.decode()
    assert {line.split("\t")[0] for line in settings.splitlines()} == {
        f"file:{os.environ['GIT_CONFIG_GLOBAL']}"
    }
    assert Path.home() == Path(os.environ["HOME"])
    assert not ROOT.is_relative_to(Path.cwd())
    assert not Path.cwd().is_relative_to(ROOT)
    assert (time.timezone, time.daylight) == (0, 0)
    assert "GIT_DIR" not in os.environ


def test_global_configuration_is_the_tests_own(
    global_git_config: Path, repository: GitRepository
) -> None:
    repository.git("config", "--global", "color.ui", "always")
    assert "always" in global_git_config.read_text(encoding="utf-8")
