"""The Dockerfile: CI builds it; here, the copied files suffice to install."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.checkout import files
from tests.support.guard import ROOT

TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COPIED = [
    name for line in re.findall(r"^COPY (.+) \S+$", TEXT, re.MULTILINE) for name in line.split()
]


@pytest.mark.soak
@pytest.mark.outside
def test_what_is_copied_suffices_to_install_all_of_it(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", reason="needs the build tools of `make dev`")
    source, present = tmp_path / "source", files()
    for path in present:
        if {path.as_posix(), path.parts[0]} & {*COPIED}:
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, source / path)
    words = ("-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, source)
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as built:
        modules = {name for name in built.namelist() if name.endswith(".py")}
    names = {path.as_posix() for path in present if path.suffix == ".py"}
    own = {name.removeprefix("src/") for name in names if name.startswith("src/")}
    assert modules == own | {f"learnings/{name}" for name in names if name.startswith("hooks/")}


@pytest.mark.outside
def test_what_is_copied_is_sent_to_the_builder_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert lines[0] == "*"
    assert sorted(line[1:] for line in lines if line.startswith("!")) == sorted(COPIED)
    tops = {path.parts[0] for path in files()}
    assert {*COPIED} <= tops


def test_it_installs_pinned_files_and_runs_unprivileged() -> None:
    assert re.findall(r"^FROM (\S+)$", TEXT, re.MULTILINE) == ["python:3.13-slim"]
    installs = [line.split() for line in TEXT.split("pip install")[1:]]
    assert [words[0] for words in installs] == ["--no-cache-dir"] * 2
    assert "--require-hashes" in installs[0]
    assert {"--no-index", "--no-deps", "--no-build-isolation"} <= {*installs[1]}
    steps = re.findall(r"^([A-Z]+) ", TEXT, re.MULTILINE)
    assert steps.index("USER") < steps.index("ENTRYPOINT")
    assert "safe.directory /repository" in TEXT
