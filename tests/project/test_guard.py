"""The guard around the tests holds; without these it could fall and nobody would hear it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.support.guard import ROOT, belongs, is_local, state_of, touches
from tests.support.repository import GitRepository

Refused = pytest.fail.Exception

in_a_checkout = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")


@in_a_checkout
def test_git_in_the_checkout_is_refused(tmp_path: Path) -> None:
    led = os.environ | {"GIT_DIR": str(ROOT / ".git")}
    for words, cwd, env in (
        (["git", "status"], ROOT, None),
        (["git", "status"], ROOT / "tests" / "project", None),
        (["git", "-C", str(ROOT), "status"], tmp_path, None),
        (["git", "status"], tmp_path, led),
    ):
        with pytest.raises(Refused, match="runs git in the checkout"):
            subprocess.run(words, cwd=cwd, env=env, check=True)


def test_every_way_to_a_repository_is_seen(repository: GitRepository, tmp_path: Path) -> None:
    root = repository.path
    assert touches(root, ["git", "status"], root, None)
    assert touches(root, [b"/usr/bin/git", b"status"], os.fsencode(root), None)
    assert touches(root, ["git", "-C", "repository", "-C", "deep", "status"], tmp_path, None)
    assert touches(root, ["git", "commit"], tmp_path, {"GIT_INDEX_FILE": f"{root}/.git/index"})
    assert not touches(root, ["git", "commit"], tmp_path, {"GIT_INDEX_FILE": "index"})
    assert not touches(ROOT, ["git", "status"], root, None)
    assert not touches(ROOT, ["python", "x.py"], ROOT, None)
    assert not touches(ROOT, "git status", ROOT, None)
    assert belongs(root, root / "deep" / "down")


def test_connections_leave_only_to_this_machine() -> None:
    # An address that no machine has, should the guard fail.
    with socket.socket() as one, pytest.raises(Refused, match="opens a connection"):
        one.connect(("192.0.2.1", 9))
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
    local = [("127.0.0.1", 80), ("::1", 80, 0, 0), ("localhost", 80), "/run/some.socket"]
    foreign = [("192.0.2.1", 80), ("example.org", 443)]
    assert [is_local(address) for address in (*local, *foreign)] == [True] * 4 + [False] * 2


def test_every_change_to_a_repository_is_seen(repository: GitRepository) -> None:
    def write() -> None:
        repository.write("a", "b")
        repository.git("add", "a")

    before = state_of(repository.path)
    for change in (
        repository.commit,
        lambda: repository.branch("other"),
        write,
        lambda: repository.git("config", "user.name", "Somebody"),
    ):
        change()
        after = state_of(repository.path)
        assert after != before
        before = after
    assert state_of(repository.path / "nothing") == {}


def test_world_is_ours(tmp_path: Path, global_git_config: Path) -> None:
    settings = subprocess.run(
        ["git", "config", "--list", "--show-origin"], cwd=tmp_path, check=True, capture_output=True
    ).stdout.decode()
    assert {line.split("\t")[0] for line in settings.splitlines()} == {f"file:{global_git_config}"}
    assert Path.home() == Path(os.environ["HOME"])
    assert not ROOT.is_relative_to(Path.cwd())
    assert not Path.cwd().is_relative_to(ROOT)
    assert (time.timezone, time.daylight) == (0, 0)
    assert "GIT_DIR" not in os.environ


def test_a_new_thread_has_no_tracer() -> None:
    """Two threads that install one at the same time can fail: see pytest_sessionstart."""
    tracers: list[object] = []
    thread = threading.Thread(target=lambda: tracers.append(sys.gettrace()))
    thread.start()
    thread.join()
    assert tracers == [None]
