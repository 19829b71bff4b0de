"""The formats of each command, and the modules that render them."""

from __future__ import annotations

import argparse
import re
import sys

import pytest

from learnings.surfaces.cli.formats import FORMATS, add_format_option, module_of, renderer
from learnings.surfaces.cli.options import (
    THRESHOLDS,
    add_history_options,
    add_threshold_options,
    history_options,
)
from learnings.workspace.memory_file import HistoryOptions

FUNCTION = re.compile(r"(?:^|_)as_[a-z]+$")


def test_every_format_has_a_function_and_every_such_function_is_one() -> None:
    wanted, found = set(), set()
    for result, formats in FORMATS.items():
        assert all(callable(renderer(result, name)) for name in formats)
        module, prefix = module_of(result)
        home = module.__name__.rpartition(".")[2]
        wanted |= {
            (home, f"{prefix}as_{name}") for name in formats if name not in ("json", "sarif")
        }
        found |= {(home, name) for name in vars(module) if FUNCTION.search(name)}
    assert found - wanted == {("ages", "as_summary"), ("findings", "trace_as_text")}
    assert wanted <= found


@pytest.mark.parametrize("result", FORMATS)
def test_the_first_format_is_the_default(result: str) -> None:
    parser = argparse.ArgumentParser()
    add_format_option(parser, result)
    assert parser.parse_args([]).format == FORMATS[result][0]
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
