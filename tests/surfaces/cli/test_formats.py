"""The formats of each command, and the modules that render them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from learnings.surfaces import render
from learnings.surfaces.cli.formats import FORMATS, add_format_option, renderer
from tests.support.cases import cases
from tests.support.guard import ROOT

KNOWN = {format_name for formats in FORMATS.values() for format_name in formats}


def test_every_format_of_every_result_has_a_renderer_and_every_renderer_is_one() -> None:
    folder = Path(str(render.__path__[0]))
    listed = {f"{result}_{name}" for result, formats in FORMATS.items() for name in formats}
    modules = {path.stem for path in folder.glob("[!_]*.py")}
    by_result = {stem for stem in modules if stem.rpartition("_")[0] in FORMATS}
    assert listed <= modules
    assert {stem for stem in by_result if stem.rpartition("_")[2] in KNOWN} == listed
    for result, formats in FORMATS.items():
        assert all(callable(renderer(result, name)) for name in formats)


@cases("result", FORMATS)
def test_the_first_format_is_the_default(result: str) -> None:
    parser = argparse.ArgumentParser()
    add_format_option(parser, result)
    assert parser.parse_args([]).format == FORMATS[result][0]
    for name in FORMATS[result]:
        assert parser.parse_args(["--format", name]).format == name


def test_only_the_renderer_asked_for_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"learnings.surfaces.render.due_{name}" for name in FORMATS["due"]]
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    renderer("due", "text")
    assert [name for name in names if name in sys.modules] == names[:1]


COMMANDS = {"findings": "check", "prechecks": "precheck", "routes": "route"}
COMMANDS |= {"curation": "memory curate", "statistics": "memory stats"}
COMMANDS |= {"briefing": "memory brief --story FILE"}
COMMANDS |= {"replay": "due --replay", "index": "index FILE", "proof": "verify --base REV"}
COMMANDS |= {f"tiers_{action}": f"tiers {action}" for action in ("compact", "promote", "status")}
COMMANDS |= {"fleet": "fleet scan NAME"}


def test_the_contract_lists_every_format() -> None:
    text = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    missing = []
    for result, formats in FORMATS.items():
        row = f"| `learnings {COMMANDS.get(result, result)} --format json` |"
        line = next((line for line in text.splitlines() if line.startswith(row)), "")
        others = [f"`{name}`" for name in formats if name != "json"]
        missing += [f"{row} {name}" for name in others if name not in line]
        missing += [] if f"{others[0]} (default)" in line else [f"{row} default"]
    assert missing == [], "complete the table at the top of docs/contracts.md"
