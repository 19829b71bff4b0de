"""The built wheel, installed with each installer that documents name, into an empty home."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from learnings import HOME, __version__
from release.names import CLONE
from tests.project.built import packages
from tests.support import documents
from tests.support.command import Completed, Program
from tests.support.frameworks import CONFIG
from tests.support.repository import GitRepository

pytestmark = [pytest.mark.network, pytest.mark.soak]

BIN, EXE = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
# No installer has ever run in this home; all of them write below it.
FOLDERS = {
    "": ("HOME", "USERPROFILE"),
    "bin": ("PIPX_BIN_DIR", "UV_TOOL_BIN_DIR", "XDG_BIN_HOME"),
    "pipx": ("PIPX_HOME",),
    "man": ("PIPX_MAN_DIR",),
    "uv": ("UV_CACHE_DIR",),
    "tools": ("UV_TOOL_DIR",),
    "data": (
        "LOCALAPPDATA",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
    ),
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel; skips if its dependencies cannot be had."""
    folder = tmp_path_factory.mktemp("wheel")
    words = ("-m", "pip", "download", "--no-deps", "--dest", str(folder), "stop-words")
    probe = [sys.executable, *words]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("the package index cannot be reached")
    (path,) = packages(folder).glob("learnings-*.whl")
    return path


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    entries = "\n## When a build hangs\n\nLook.\n" * 2
    repository.write("agents/learnings.md", f"# Learnings\n{entries}")
    repository.commit("Memory")
    return repository


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    for folder, names in FOLDERS.items():
        for name in names:
            monkeypatch.setenv(name, str(home / folder))
    # The Python that runs the tests: uv would fetch one of its own otherwise.
    monkeypatch.setenv("UV_PYTHON", sys.executable)
    monkeypatch.setenv("UV_PYTHON_DOWNLOADS", "never")
    monkeypatch.setenv("PIPX_DEFAULT_PYTHON", sys.executable)
    return home


def tool(name: str) -> Program:
    program = Program(name)
    if not program.path.is_file():
        pytest.skip(f"{name} is not installed")
    return program


def expect_finding(done: Completed) -> None:
    finding = "agents/learnings.md:7:1: error duplicate-entry "
    assert (done.code, finding in done.out) == (1, True), done.out + done.err


def test_one_line_of_uvx_leads_to_a_finding(wheel: Path, memory: GitRepository, home: Path) -> None:
    expect_finding(tool("uvx")("--from", wheel, "learnings", "check", cwd=memory.path))
    assert not (home / "bin").exists()
    assert memory.git("status", "--porcelain") == ""


@pytest.mark.skipif(bool(HOME), reason="the documents name an address, not a clone")
def test_the_lines_of_the_documents_install_a_clone(
    published: GitRepository, memory: GitRepository, home: Path
) -> None:
    path = published.path.as_posix()
    lines = {line for block in documents.of("sh") for line in block.lines}
    lines = {line for line in lines if line.startswith(("uvx ", "pipx "))}
    # What is injected needs what is installed.
    for line in sorted(lines, key=lambda line: "inject" in line):
        program, *words = shlex.split(line.replace(CLONE, path), comments=True)
        done = tool(program)(*words, cwd=memory.path)
        assert done.code == 0, line + done.out + done.err
    assert {line.partition(" ")[0] for line in lines} == {"uvx", "pipx"}
    python = home / "pipx/venvs/learnings" / BIN / "python"
    subprocess.run([python, "-c", "import learnings, pygls, urllib3"], check=True)
    command = home / "bin" / f"learnings{EXE}"
    subprocess.run([command, "init"], cwd=memory.path, check=True, capture_output=True)
    (item,) = yaml.safe_load(memory.read(CONFIG))["repos"]
    assert (item["repo"], item["rev"]) == (path, published.head())


@pytest.mark.parametrize("installer", ["uv", "pipx", "pip"])
def test_it_is_installed(installer: str, wheel: Path, memory: GitRepository, home: Path) -> None:
    folder = home / "bin"
    if installer == "pip":
        folder = home / "env" / BIN
        subprocess.run([sys.executable, "-m", "venv", home / "env"], check=True)
        pip = (folder / "python", "-m", "pip", "install", "--quiet", wheel)
        subprocess.run(pip, check=True)
    else:
        words = ("tool", "install") if installer == "uv" else ("install",)
        done = tool(installer)(*words, wheel, cwd=home)
        assert done.code == 0, done.out + done.err
    command = folder / f"learnings{EXE}"
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.split()[-1] == __version__
    found = subprocess.run([command, "check"], cwd=memory.path, capture_output=True, check=False)
    expect_finding(Completed(found.returncode, found.stdout, found.stderr))
