"""The README shows how to start, in order and in short; docs/ names all there is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from learnings import REVISION
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
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


def unnamed(page: str, names: Iterable[str], pattern: str) -> set[str]:
    """Return the names of which no code in a page has the pattern, with NAME for the name."""
    text = (ROOT / page).read_text(encoding="utf-8")
    pieces = re.findall(r"^```.*?^```|`[^`\n]+`", text, flags=re.DOTALL | re.MULTILINE)
    code = "\n".join(piece.strip("`") for piece in pieces)
    return {name for name in names if not re.search(f"(?m){pattern.replace('NAME', name)}", code)}


def test_it_is_short_and_keeps_its_order() -> None:
    assert README.count("\n") < 120, "show in docs/ what is more than the first steps"
    positions = [README.index(mark) for mark in MARKS]
    assert positions == sorted(positions)


def test_every_hook_has_a_line_and_a_section() -> None:
    lines = set(re.findall(r"^ *- id: ([a-z-]+)  # \w", README, flags=re.MULTILINE))
    assert lines == {*manifest()}
    text = (ROOT / "docs/hooks.md").read_text(encoding="utf-8")
    assert {*manifest()} <= {*re.findall(r"(?m)^#+ `?([a-z-]+)`?$", text)}


def test_every_command_and_setting_is_named() -> None:
    command = r"(?<![\w-])learnings NAME(?![\w-])"
    assert unnamed("docs/commands.md", COMMANDS, command) == set()
    settings = {*FILE_KEYS, *GENERAL_KEYS}
    assert unnamed("docs/configuration.md", settings, "^NAME(?: *=|$)") == set()


def test_no_other_command_or_revision_is_promised() -> None:
    shown = re.findall(r"(?:`|^\s*(?:\$ )?)learnings ([a-z][a-z-]+)", README, flags=re.MULTILINE)
    assert {"check", "due"} <= set(shown) <= set(COMMANDS)
    assert re.findall(r"^\s*rev: (\S+)", README, flags=re.MULTILINE) == [REVISION]
