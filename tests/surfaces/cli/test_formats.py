"""The formats of each command, and the modules that render them."""

from __future__ import annotations

import argparse
import re
import sys
from importlib import import_module

import pytest

from learnings.surfaces.cli.formats import (
    CONTENTS,
    FORMATS,
    add_format_option,
    default_of,
    function_of,
    renderer,
)
from learnings.surfaces.cli.options import (
    THRESHOLDS,
    add_history_options,
    add_threshold_options,
    history_options,
)
from learnings.surfaces.github.log import Content
from learnings.workspace.memory_file import HistoryOptions


def test_every_format_is_a_function_and_every_such_function_a_format() -> None:
    named = {one for formats in FORMATS.values() for one in formats.values()}
    modules = {one.partition(":")[0] for one in named}
    found = {
        f"{module}:{name}"
        for module in modules
        for name in vars(import_module(f"learnings.surfaces.render.{module}"))
        if re.search(r"(?:^|_)as_[a-z]+$", name)
    }
    assert found - named == {"ages:as_summary", "findings:trace_as_text"}
    for result, formats in FORMATS.items():
        assert all(callable(function_of(result, name)) for name in formats)


def test_a_runner_knows_the_content_of_every_format() -> None:
    formats = {name for formats in FORMATS.values() for name in formats}
    assert set(CONTENTS) == formats
    assert set(CONTENTS.values()) <= {content.value for content in Content}


@pytest.mark.parametrize("result", FORMATS)
def test_the_first_format_is_the_default(result: str) -> None:
    parser = argparse.ArgumentParser()
    add_format_option(parser, result)
    assert parser.parse_args([]).format == default_of(result)
    for name in FORMATS[result]:
        assert parser.parse_args(["--format", name]).format == name


def test_only_the_module_of_the_result_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"learnings.surfaces.render.{name}" for name in ("due", "ages", "findings", "sarif")]
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    renderer("due", "text")
    assert [name for name in names if name in sys.modules] == names[:1]


def parsed(*words: str) -> HistoryOptions:
    parser = argparse.ArgumentParser()
    add_history_options(parser)
    add_threshold_options(parser)
    return history_options(parser.parse_args(words))


def test_without_options_the_values_are_the_defaults() -> None:
    assert parsed() == HistoryOptions()


def test_history_options() -> None:
    options = parsed("--as-of", "2026-01-02", "--allow-shallow", "--at", "HEAD")
    assert options == HistoryOptions("2026-01-02", "HEAD", allow_shallow=True)


def test_every_threshold_is_an_option() -> None:
    words = [word for name in THRESHOLDS for word in (f"--{name}", "5")]
    assert parsed(*words).thresholds == dict.fromkeys(THRESHOLDS, 5)
