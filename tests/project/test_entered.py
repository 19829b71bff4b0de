"""What a check of one file runs through: few modules, and no rule that has nothing to look at.

A module is entered when one of its functions or class bodies runs. Hooks start hundreds of times a
day, and whoever follows a file through the check reads the modules that are entered.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MOST = 22
"""Modules outside rules/, half of the 44 that a check entered before the code was put in rooms."""

# Calls of functions and class bodies, by the module that they stand in; imports do not count.
PROGRAM = """
import json, sys
entered = set()

def note(frame, event, argument):
    if event == "call" and frame.f_code.co_name != "<module>":
        entered.add(frame.f_globals.get("__name__", ""))

sys.setprofile(note)
from learnings.surfaces.cli.main import main
code = main(sys.argv[1:])
sys.setprofile(None)
print(json.dumps([code, sorted(name for name in entered if name.startswith("learnings."))]))
"""


def entered(folder: Path, *words: str) -> set[str]:
    """Run a command that finds nothing in an interpreter of its own; what is entered."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    code, names = json.loads(run.stdout)
    assert (code, run.stderr) == (0, "")
    return set(names)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A repository with a learnings file in which nothing is wrong."""
    (tmp_path / ".git").mkdir()
    file = tmp_path / "agents" / "learnings.md"
    file.parent.mkdir()
    file.write_text(
        "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n\n"
        "## When a test is slow\n\nProfile it.\n",
        encoding="utf-8",
    )
    return tmp_path


def test_a_check_of_one_file_enters_few_modules(memory: Path) -> None:
    names = entered(memory, "check", "agents/learnings.md")
    outside = sorted(name for name in names if not name.startswith("learnings.rules"))
    assert "learnings.core.entries.document" in outside
    assert len(outside) <= MOST, "\n".join(outside)


def test_rules_that_have_nothing_to_look_at_are_not_entered(memory: Path) -> None:
    names = entered(memory, "check", "agents/learnings.md")
    rules = {name.rpartition(".")[2] for name in names if name.startswith("learnings.rules.")}
    assert {"conflict_marker", "duplicate_entry"} <= rules
    needless = ("index_", "agent_", "ignore", "unused_ignore", "date_mismatch", "resurrected_")
    assert sorted(rule for rule in rules if rule.startswith(needless)) == []
