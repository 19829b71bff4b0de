from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnings.store.files import LockTimeout, locked

HOLD = """
import sys, time
from pathlib import Path
from learnings.store.files import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(folder: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, folder], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"held"
    return process


def test_second_run_waits_and_then_fails(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        try:
            with (
                pytest.raises(LockTimeout, match="another `learnings` process"),
                locked(tmp_path, timeout=0.1),
            ):
                pytest.fail("two runs hold the lock")
        finally:
            process.kill()


def test_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.kill()
        process.wait()
        with locked(tmp_path, timeout=0.0):
            assert list(tmp_path.iterdir()) == []


def test_lock_is_free_after_use_and_after_failure(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path):
        raise KeyError
    with locked(tmp_path, timeout=0.0), pytest.raises(LockTimeout), locked(tmp_path, timeout=0.05):
        pytest.fail("the lock is not exclusive")


def test_folders_have_locks_of_their_own(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    with locked(tmp_path / "a"), locked(tmp_path / "b", timeout=0.0):
        pass


def test_missing_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), locked(tmp_path / "gone"):
        pytest.fail("there is nothing to lock")


@pytest.mark.skipif(os.name == "nt", reason="locks are made otherwise there")
def test_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: int) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr("fcntl.flock", failing)
    number = errno.ENOLCK
    with locked(tmp_path):
        number = errno.EIO
    with pytest.raises(OSError, match="no"), locked(tmp_path):
        pytest.fail("any other error is one")
