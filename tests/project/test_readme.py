"""The README shows how to start, in order and in short; docs/ names all there is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from learnings import REVISION
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
from learnings.surfaces.cli.commands import COMMANDS
from tests.support.checkout import manifest
from tests.support.guard import ROOT

MOST_LINES = 120
AFRESH = "write its tables anew with: python -m tests.support.documents"


@cache
def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def readme() -> str:
    return text_of("README.md")


def headings(page: str) -> list[str]:
    lines = text_of(page).splitlines()
    return [line.lstrip("# ").strip("`") for line in lines if line.startswith("#")]


def code(page: str) -> list[str]:
    """Return the pieces of a page that are set as code: fenced blocks and back quotes."""
    pieces = re.findall(r"^```.*?^```|`[^`\n]+`", text_of(page), flags=re.DOTALL | re.MULTILINE)
    return [piece.strip("`") for piece in pieces]


def not_in_code(patterns: dict[str, str], page: str) -> set[str]:
    """Return the names of which no piece of code in a page has the pattern."""
    pieces = code(page)
    return {
        name
        for name, pattern in patterns.items()
        if not any(re.search(pattern, piece, flags=re.MULTILINE) for piece in pieces)
    }


def commands(names: Iterable[str]) -> dict[str, str]:
    return {name: rf"(?<![\w-])learnings {name}(?![\w-])" for name in names}


def test_it_is_short() -> None:
    lines = len(readme().splitlines())
    assert lines < MOST_LINES, "show in docs/ what is more than the first steps"


def test_it_keeps_its_order() -> None:
    marks = [
        "Coding agents write",
        "`learnings` finds",
        "you or an agent decide",
        "**entry**",
        "```markdown",
    ]
    marks += ["**consolidate**", "**due**", "**active"]  # before output uses these words
    marks += [
        "\nuvx ",
        "\npipx install ",
        "$ learnings\n",
        "$ learnings check",
        "$ learnings due",
        "## Hooks",
        "```yaml",
    ]
    marks += [
        "## Continuous integration",
        "## Commands",
        "## Documentation",
        "\nmake demo",
        "\nmake test",
    ]
    positions = [readme().index(mark) for mark in marks]
    assert positions == sorted(positions)


def test_every_hook_has_a_line_and_a_section() -> None:
    lines = set(re.findall(r"^ *- id: ([a-z-]+)  # \w", readme(), flags=re.MULTILINE))
    assert lines == {*manifest()}
    assert {*manifest()} <= {*headings("docs/hooks.md")}


def test_every_command_is_named() -> None:
    assert not_in_code(commands(COMMANDS), "docs/commands.md") == set(), AFRESH


def test_every_setting_is_named() -> None:
    patterns = {key: rf"^{key}(?: *=|$)" for key in {*FILE_KEYS, *GENERAL_KEYS}}
    assert not_in_code(patterns, "docs/configuration.md") == set(), AFRESH


def test_no_other_command_is_promised() -> None:
    shown = re.findall(r"(?:`|^\s*(?:\$ )?)learnings ([a-z][a-z-]+)", readme(), flags=re.MULTILINE)
    assert shown
    assert set(shown) <= set(COMMANDS)


def test_the_example_for_other_repositories_names_the_revision() -> None:
    assert re.findall(r"^\s*rev: (\S+)", readme(), flags=re.MULTILINE) == [REVISION]
