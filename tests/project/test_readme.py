"""The README shows how to start, in order and in short; docs/ names all there is."""

from __future__ import annotations

import re

from learnings import REVISION
from learnings.surfaces.cli.commands import COMMANDS
from tests.support.checkout import manifest
from tests.support.guard import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
MARKS = (
    *("Coding agents write", "`learnings` finds", "you or an agent decide", "**entry**"),
    *("```markdown", "**consolidate**", "**due**", "**active"),  # before output uses these words
    *("\nuvx ", "\npipx install ", "$ learnings\n", "$ learnings check", "$ learnings due"),
    *("## Hooks", "```yaml", "## Continuous integration", "## Commands", "## Documentation"),
    *("\nmake demo", "\nmake test"),
)


def test_it_is_short_and_keeps_its_order() -> None:
    assert README.count("\n") < 120, "show in docs/ what is more than the first steps"
    positions = [README.index(mark) for mark in MARKS]
    assert positions == sorted(positions)


def test_every_hook_has_a_line_and_a_section() -> None:
    lines = set(re.findall(r"^ *- id: ([a-z-]+)  # \w", README, flags=re.MULTILINE))
    assert lines == {*manifest()}
    text = (ROOT / "docs/hooks.md").read_text(encoding="utf-8")
    assert {*manifest()} <= {*re.findall(r"(?m)^#+ `?([a-z-]+)`?$", text)}


def test_no_other_command_or_revision_is_promised() -> None:
    shown = re.findall(r"(?:`|^\s*(?:\$ )?)learnings ([a-z][a-z-]+)", README, flags=re.MULTILINE)
    assert {"check", "due"} <= set(shown) <= set(COMMANDS)
    assert re.findall(r"^\s*rev: (\S+)", README, flags=re.MULTILINE) == [REVISION]
