"""The formats in which commands print their results, one module of the renderers for each."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

FORMATS = {
    "ages": ("markdown", "json"),
    "batch": ("markdown", "json"),
    "config": ("text", "json"),
    "due": ("text", "markdown", "json", "github"),
    "findings": ("text", "json", "markdown", "github", "sarif"),
    "groups": ("text", "json"),
    "index": ("markdown", "json"),
    "prechecks": ("text", "json"),
    "replay": ("text", "markdown", "json"),
    "routes": ("text", "json"),
    "rules": ("text", "json"),
}
"""The formats of each result, the default first; `RESULT_FORMAT` is the module that renders it."""


def add_format_option(parser: argparse.ArgumentParser, result: str) -> None:
    """Add --format with the formats of a result."""
    default = FORMATS[result][0]
    parser.add_argument(
        "--format", choices=FORMATS[result], default=default, help=f"default: {default}"
    )


def renderer(result: str, format_name: str) -> Callable[..., str]:
    """Return the function that renders a result; only its module is imported, to start fast."""
    module = import_module(f"learnings.surfaces.render.{result}_{format_name}")
    render: Callable[..., str] = module.render
    return render
