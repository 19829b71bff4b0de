"""The harness works: a few cases of each part, always the same ones. `make fuzz` tries more."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from learnings.surfaces.cli.commands import COMMANDS
from tests.fuzz import __main__ as harness
from tests.fuzz.api import ApiPart, GitLabPart
from tests.fuzz.crashes import CrashPart
from tests.fuzz.damage import DamagePart
from tests.fuzz.files import FilePart
from tests.fuzz.part import Part
from tests.fuzz.writers import BY_WAY_OF, WRITERS
from tests.support.guard import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has neither fork nor alarms"),
]
SEED = 1


def problems(part: Part, cases: int) -> list[str]:
    with part:
        return [problem for number in range(cases) for problem in part.case(number)]


def test_crashes(tmp_path: Path) -> None:
    part = CrashPart(tmp_path, SEED, writers=[WRITERS[-1]])
    assert problems(part, 4) == []
    assert part.counts["operations"] > 20


def test_files(tmp_path: Path) -> None:
    assert problems(FilePart(tmp_path, SEED), 4) == []


def test_damage(tmp_path: Path) -> None:
    assert problems(DamagePart(tmp_path, SEED), 4) == []


@pytest.mark.parametrize("kind", [ApiPart, GitLabPart])
def test_api(tmp_path: Path, kind: type[ApiPart]) -> None:
    part = kind(tmp_path, SEED)
    assert problems(part, 3) == []
    assert part.counts["faults"] > 3


def writes(path: Path, seen: set[Path]) -> bool:
    """Return True if a module of the surfaces has a way to the functions that write files."""
    seen.add(path)
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    for module, name in ((f"{node.module}", alias.name) for node in froms for alias in node.names):
        if module.startswith("learnings.store") and name.partition("_")[0] in {"write", "replace"}:
            return True
        folder = ROOT.joinpath("src", *module.split("."))
        for file in (folder.with_suffix(".py"), folder / f"{name}.py"):
            is_surface = module.startswith("learnings.surfaces") and file.exists()
            if is_surface and file not in seen and writes(file, seen):
                return True
    return False


@pytest.mark.soak
def test_every_command_that_writes_is_tried() -> None:
    tried = {word for writer in WRITERS for word in writer.words}
    folder = ROOT / "src" / "learnings" / "surfaces" / "cli"
    writing = {name for name in COMMANDS if writes(folder / f"{name.replace('-', '_')}.py", set())}
    assert writing >= {"fix", "check", "init", "baseline", "notify"}
    tried |= {name for name, other in BY_WAY_OF.items() if other in tried}
    assert writing - tried == set(), "each wants a line in tests/fuzz/writers.py"


class Failing(Part):
    """A part whose second case fails."""

    name = "failing"

    def case(self, number: int) -> list[str]:
        self.folder.mkdir(exist_ok=True)
        (self.folder / "file").write_text(str(number))
        self.counts["cases"] += 1
        return ["what is wrong"] if number == 1 else []


def test_a_failure_is_kept_with_the_command_that_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(harness, "PARTS", {"failing": Failing})
    monkeypatch.setattr(harness, "_be_hermetic", lambda _: None)
    left = ["--seed=7", "--left", str(tmp_path / "left")]
    assert harness.main(["--minutes=0.002", *left]) == 1
    out = capsys.readouterr().out
    command = "make fuzz FUZZ_SEED=7 FUZZ_ONLY=failing:1"
    assert out.startswith("seed 7\nfailing:1 failed")
    assert command in out
    kept = tmp_path / "left" / "failing-7-1"
    assert (kept / "problems.txt").read_text().startswith(f"{command}\n\nwhat is wrong\n")
    assert (kept / "case" / "file").read_text() == "1"
    assert harness.main(["--only=failing:1", *left]) == 1
    assert harness.main(["--only=failing:0", *left]) == 0
