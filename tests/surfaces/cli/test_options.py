"""The options that commands share, as values."""

from __future__ import annotations

import argparse

from learnings.app.consolidate.inputs import InputOptions
from learnings.surfaces.cli.options import (
    THRESHOLDS,
    add_history_options,
    add_threshold_options,
    history_options,
    input_options,
)
from learnings.surfaces.cli.reports import add_proposal_arguments
from learnings.workspace.memory_file import HistoryOptions


def parsed(*words: str) -> HistoryOptions:
    parser = argparse.ArgumentParser()
    add_history_options(parser)
    add_threshold_options(parser)
    return history_options(parser.parse_args(words))


def inputs(*words: str) -> InputOptions:
    parser = argparse.ArgumentParser()
    add_proposal_arguments(parser, "route")
    return input_options(parser.parse_args(words))


def test_without_options_the_values_are_the_defaults() -> None:
    assert parsed() == HistoryOptions()
    assert inputs() == InputOptions(targets=[])


def test_history_options() -> None:
    options = parsed("--as-of", "2026-01-02", "--allow-shallow", "--at", "HEAD")
    assert options == HistoryOptions("2026-01-02", "HEAD", allow_shallow=True)


def test_every_threshold_is_an_option() -> None:
    words = [word for name in THRESHOLDS for word in (f"--{name}", "5")]
    assert parsed(*words).thresholds == dict.fromkeys(THRESHOLDS, 5)


def test_input_options() -> None:
    options = inputs("a.md", "--targets", "b.md", "--targets", "c/*.md", "--all")
    assert options == InputOptions(["b.md", "c/*.md"], every_entry=True)
