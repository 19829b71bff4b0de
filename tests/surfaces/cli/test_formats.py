"""The formats of each command, and the modules that render them."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib import import_module
from types import FunctionType
from typing import get_args

import pytest

from learnings.surfaces.actions import Content
from learnings.surfaces.cli.arguments import (
    THRESHOLDS,
    declare,
    history_options,
)
from learnings.surfaces.cli.commands import (
    FORMATS,
    content_of,
)
from learnings.workspace.memory_file import HistoryOptions


def test_every_format_is_a_function_and_every_such_function_a_format() -> None:
    listed = [one.load() for formats in FORMATS.values() for one in formats.values()]
    modules = {render.__module__ for render in listed if isinstance(render, FunctionType)}
    found = {
        function
        for module in modules
        for name, function in vars(import_module(module)).items()
        if re.search(r"(?:^|_)as_[a-z]+$", name) and function.__module__ == module
    }
    assert {function.__name__ for function in found.difference(listed)} == {
        "as_summary",
        "trace_as_text",
    }
    assert all(callable(render) for render in listed)


def test_a_runner_knows_the_content_of_every_format() -> None:
    for name, one in [pair for formats in FORMATS.values() for pair in formats.items()]:
        assert (one.name, content_of(name)) == (name, one.content)
        assert one.content in get_args(Content)


@pytest.mark.parametrize("result", FORMATS)
def test_the_first_format_is_the_default(result: str) -> None:
    parser = argparse.ArgumentParser()
    declare(parser, f"+format {result}")
    assert parser.parse_args([]).format == next(iter(FORMATS[result]))
    for name in FORMATS[result]:
        assert parser.parse_args(["--format", name]).format == name


def test_only_the_module_of_the_format_is_imported() -> None:
    code = """
import sys
from learnings.surfaces.cli.commands import renderer
for result, name in [("due", "text"), ("findings", "junit"), ("ages", "json")]:
    renderer(result, name)
    print(*[n for n in sys.modules if n.startswith(("learnings.surfaces.render.",
        "learnings.surfaces.schemas.")) and n.rpartition(".")[2] in sys.argv[1:]])
"""
    words = ("due", "ages", "findings", "exchange", "entries", "proposals", "overviews")
    run = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    lines = run.stdout.splitlines()
    imported = [[name.rpartition(".")[2] for name in line.split()] for line in lines]
    findings = ["due", "findings", "exchange"]
    assert imported == [["due"], findings, [*findings, "entries"]]


def parsed(*words: str) -> HistoryOptions:
    parser = argparse.ArgumentParser()
    declare(parser, "+history\n+thresholds")
    return history_options(parser.parse_args(words))


def test_without_options_the_values_are_the_defaults() -> None:
    assert parsed() == HistoryOptions()


def test_history_options() -> None:
    options = parsed("--as-of", "2026-01-02", "--allow-shallow", "--at", "HEAD")
    assert options == HistoryOptions("2026-01-02", "HEAD", allow_shallow=True)


def test_every_threshold_is_an_option() -> None:
    words = [word for name in THRESHOLDS for word in (f"--{name}", "5")]
    assert parsed(*words).thresholds == dict.fromkeys(THRESHOLDS, 5)
