"""The built wheel, installed with each installer that documents name, into an empty home."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnings import __version__
from tests.support.built import packages
from tests.support.command import Completed, Program
from tests.support.repository import GitRepository

pytestmark = [pytest.mark.network, pytest.mark.slow]

MEMORY = "# Learnings\n\n## When a build hangs\n\nLook.\n\n## When a build hangs\n\nAgain.\n"
FINDING = "agents/learnings.md:7:1: error duplicate-entry "
BIN = "Scripts" if os.name == "nt" else "bin"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel; skips if its dependencies cannot be had."""
    folder = tmp_path_factory.mktemp("wheel")
    probe = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", folder, "stop-words"],
        capture_output=True,
        check=False,
    )
    if probe.returncode:  # pragma: no cover (where there is no network)
        pytest.skip("the package index cannot be reached")
    (path,) = packages(folder).glob("learnings-*.whl")
    return path


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write("agents/learnings.md", MEMORY)
    repository.commit("Memory")
    return repository


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home in which no installer has ever run; all of them write below it."""
    home = tmp_path / "home"
    home.mkdir()
    folders = {
        "HOME": "",
        "USERPROFILE": "",
        "LOCALAPPDATA": "local",
        "PIPX_HOME": "pipx",
        "PIPX_BIN_DIR": "bin",
        "PIPX_MAN_DIR": "man",
        "UV_CACHE_DIR": "uv-cache",
        "UV_TOOL_DIR": "uv-tools",
        "UV_TOOL_BIN_DIR": "bin",
        "XDG_BIN_HOME": "bin",
        "XDG_CACHE_HOME": "cache",
        "XDG_CONFIG_HOME": "config",
        "XDG_DATA_HOME": "data",
        "XDG_STATE_HOME": "state",
    }
    for name, folder in folders.items():
        monkeypatch.setenv(name, str(home / folder))
    # The Python that runs the tests: uv would fetch one of its own otherwise.
    monkeypatch.setenv("UV_PYTHON", sys.executable)
    monkeypatch.setenv("UV_PYTHON_DOWNLOADS", "never")
    monkeypatch.setenv("PIPX_DEFAULT_PYTHON", sys.executable)
    return home


def tool(name: str) -> Program:
    program = Program(name)
    if not program.path.is_file():  # pragma: no cover (the tests' environment has it)
        pytest.skip(f"{name} is not installed")
    return program


def expect_finding(done: Completed) -> None:
    assert (done.code, FINDING in done.out) == (1, True), done.out + done.err


def expect_installed(command: Path, memory: GitRepository) -> None:
    """Expect that a command runs by its bare path and reports findings."""
    words = [command.with_suffix(".exe") if os.name == "nt" else command]
    version = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.split()[-1] == __version__
    found = subprocess.run([*words, "check"], cwd=memory.path, capture_output=True, check=False)
    expect_finding(Completed(found.returncode, found.stdout, found.stderr))


def test_one_line_of_uvx_leads_to_a_finding(wheel: Path, memory: GitRepository, home: Path) -> None:
    done = tool("uvx")("--from", wheel, "learnings", "check", cwd=memory.path)
    expect_finding(done)
    assert not (home / "bin").exists()
    assert memory.git("status", "--porcelain") == ""


def test_uv_installs_it_as_a_tool(wheel: Path, memory: GitRepository, home: Path) -> None:
    done = tool("uv")("tool", "install", wheel, cwd=home)
    assert done.code == 0, done.err
    expect_installed(home / "bin" / "learnings", memory)
    assert (home / "bin").is_dir()


def test_pipx_installs_it(wheel: Path, memory: GitRepository, home: Path) -> None:
    done = tool("pipx")("install", wheel, cwd=home)
    assert done.code == 0, done.out + done.err
    expect_installed(home / "bin" / "learnings", memory)


def test_pip_installs_it_into_an_environment(
    wheel: Path, memory: GitRepository, home: Path
) -> None:
    subprocess.run([sys.executable, "-m", "venv", home / "env"], check=True)
    pip = [str(home / "env" / BIN / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expect_installed(home / "env" / BIN / "learnings", memory)
