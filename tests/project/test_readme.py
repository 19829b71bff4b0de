"""The README names what there is: hooks, commands, settings, with this version."""

from __future__ import annotations

import re
from functools import cache

import pytest

from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
from learnings.surfaces.cli.commands import COMMANDS
from tests.support.checkout import manifest, pyproject
from tests.support.guard import ROOT


@cache
def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


AFRESH = "write its tables anew with: python -m tests.support.documents"


def headings() -> list[str]:
    return [line.lstrip("# ").strip("`") for line in readme().splitlines() if line.startswith("#")]


def code() -> list[str]:
    """Return the pieces of the README that are set as code: fenced blocks and back quotes."""
    parts = re.findall(r"^```.*?^```|`[^`\n]+`", readme(), flags=re.DOTALL | re.MULTILINE)
    return [piece.strip("`") for piece in parts]


@pytest.mark.parametrize("hook", sorted(manifest()))
def test_every_hook_has_a_heading(hook: str) -> None:
    assert hook in headings()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_named(command: str) -> None:
    shown = re.compile(rf"(?<![\w-])learnings {command}(?![\w-])")
    named = any(shown.search(piece) for piece in code())
    assert named, f"the README does not name {command}; {AFRESH}"


@pytest.mark.parametrize("key", sorted({*FILE_KEYS, *GENERAL_KEYS}))
def test_every_setting_is_named(key: str) -> None:
    line = re.compile(rf"^{key} *=", flags=re.MULTILINE)
    named = any(piece == key or line.search(piece) for piece in code())
    assert named, f"the README does not name {key}; {AFRESH}"


def test_no_other_command_is_promised() -> None:
    shown = re.findall(r"(?:`|^\s*(?:\$ )?)learnings ([a-z][a-z-]+)", readme(), flags=re.MULTILINE)
    assert shown
    assert set(shown) <= set(COMMANDS)


def test_the_example_for_other_repositories_names_this_version() -> None:
    version = pyproject()["project"]["version"]
    assert re.findall(r"^\s*rev: (\S+)", readme(), flags=re.MULTILINE) == [f"v{version}"]
