"""The formats in which commands print their results, one module of the renderers for each."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from typing import TextIO

FORMATS = {
    "ages": ("markdown", "json"),
    "batch": ("markdown", "json"),
    "briefing": ("text", "json"),
    "config": ("text", "json"),
    "curation": ("text", "json"),
    "due": ("text", "markdown", "json", "github"),
    "findings": ("text", "json", "markdown", "github", "sarif"),
    "fleet": ("text", "markdown", "json", "html"),
    "groups": ("text", "json"),
    "index": ("markdown", "json"),
    "prechecks": ("text", "json"),
    "proof": ("text", "json", "github"),
    "replay": ("text", "markdown", "json"),
    "report": ("html", "json"),
    "routes": ("text", "json"),
    "rules": ("text", "json"),
    "statistics": ("text", "json"),
    "tiers_compact": ("text", "json"),
    "tiers_promote": ("text", "json"),
    "tiers_status": ("text", "json"),
}
"""The formats of each result, the default first; `RESULT_FORMAT` is the module that renders it."""


def add_format_option(parser: argparse.ArgumentParser, result: str) -> None:
    """Add --format with the formats of a result."""
    default = FORMATS[result][0]
    parser.add_argument(
        "--format", choices=FORMATS[result], default=default, help=f"default: {default}"
    )


def renderer(result: str, format_name: str, out: TextIO | None = None) -> Callable[..., str]:
    """Return the function that renders a result; only its module is imported, to start fast.

    Where `out`, to which the text is written, is a terminal that shows colours, it has some.
    """
    module = import_module(f"learnings.surfaces.render.{result}_{format_name}")
    render: Callable[..., str] = module.render
    kind = {"text": result, "markdown": "markdown"}.get(format_name)
    if out is None or kind is None or not wants_colour(out):
        return render
    return lambda *values, **options: coloured(render(*values, **options), kind, out)


def coloured(text: str, kind: str, out: TextIO) -> str:
    """Return text of a kind that the highlighter knows, with colours if `out` shows them."""
    if not wants_colour(out):
        return text
    from learnings.surfaces.render.highlight import highlighted  # noqa: PLC0415  (for terminals)

    return highlighted(text, kind)


def wants_colour(stream: TextIO) -> bool:
    """Return True if text on a stream is to have colours: NO_COLOR, FORCE_COLOR, else a terminal.

    The variables hold where they are not empty, https://no-color.org and https://force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty() and _shows_codes()


def _shows_codes() -> bool:
    """Return False on Windows in a console that prints the codes of colours as they are."""
    names = ("WT_SESSION", "TERM", "TERM_PROGRAM", "ANSICON", "ConEmuANSI")
    return os.name != "nt" or any(os.environ.get(name) for name in names)
