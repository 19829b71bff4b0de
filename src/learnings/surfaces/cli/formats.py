"""The output formats of commands, and the lookup of renderers by name."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TextIO

from learnings.surfaces.render.json_document import json_document

FORMATS = {
    "ages": ("markdown", "text", "json"),
    "archive": ("text", "json"),
    "batch": ("markdown", "json"),
    "briefing": ("text", "json"),
    "config": ("text", "json"),
    "curation": ("text", "json"),
    "doctor": ("text", "json"),
    "due": ("text", "markdown", "json", "github"),
    "due_brief": ("json",),
    "findings": ("text", "json", "markdown", "github", "sarif", "gitlab"),
    "fleet": ("text", "markdown", "json", "html"),
    "groups": ("text", "json"),
    "index": ("markdown", "json"),
    "memory_diff": ("text", "markdown", "json"),
    "precheck": ("text", "json"),
    "proof": ("text", "json", "github"),
    "replay": ("text", "markdown", "json"),
    "report": ("html", "json"),
    "route": ("text", "json"),
    "rules": ("text", "json"),
    "statistics": ("text", "json"),
    "tiers_compact": ("text", "json"),
    "tiers_promote": ("text", "json"),
    "tiers_status": ("text", "json"),
}
"""Formats of each result, the default first."""
SHARED_MODULES = {
    "archive": ("outcomes", "archive_"),
    "batch": ("proposals", "batch_"),
    "briefing": ("memory", "briefing_"),
    "curation": ("memory", "curation_"),
    "due_brief": ("due", "brief_"),
    "groups": ("proposals", "groups_"),
    "precheck": ("proposals", "precheck_"),
    "route": ("proposals", "route_"),
    "statistics": ("memory", "statistics_"),
    "tiers_compact": ("tiers", "compact_"),
    "tiers_promote": ("tiers", "promote_"),
    "tiers_status": ("tiers", "status_"),
}
"""Results that share a module of `render`, with the prefix of their functions.

Every other result has a module of its own name, with a function `as_FORMAT` for each format, and
`document` for JSON.
"""


def add_format_option(parser: argparse.ArgumentParser, result: str) -> None:
    """Add --format with the formats of a result."""
    default = FORMATS[result][0]
    parser.add_argument(
        "--format", choices=FORMATS[result], default=default, help=f"default: {default}"
    )


def module_of(result: str) -> tuple[ModuleType, str]:
    """Return the module of `render` for a result, imported now, and the prefix of its names."""
    name, prefix = SHARED_MODULES.get(result, (result, ""))
    return import_module(f"learnings.surfaces.render.{name}"), prefix


def renderer(result: str, format_name: str, out: TextIO | None = None) -> Callable[..., str]:
    """Return the function that renders a result in a format, with colours if `out` shows them."""
    module, prefix = module_of("sarif" if format_name == "sarif" else result)
    if format_name == "json":
        document = getattr(module, f"{prefix}document")
        return lambda *values, **options: json_document(document(*values, **options))
    render: Callable[..., str] = getattr(module, f"{prefix}as_{format_name}")
    kind = {"text": result, "markdown": "markdown"}.get(format_name)
    if out is None or kind is None or not wants_colour(out):
        return render
    return lambda *values, **options: coloured(render(*values, **options), kind, out)


def coloured(text: str, kind: str, out: TextIO) -> str:
    """Return text with the colours of its kind if `out` shows them."""
    if not wants_colour(out):
        return text
    from learnings.surfaces.render.highlight import highlighted  # noqa: PLC0415  (for terminals)

    return highlighted(text, kind)


def wants_colour(stream: TextIO) -> bool:
    """Return True if a stream shows colours: https://no-color.org, https://force-color.org."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    # Other Windows consoles print colour codes literally.
    names = ("WT_SESSION", "TERM", "TERM_PROGRAM", "ANSICON", "ConEmuANSI")
    return os.name != "nt" or any(os.environ.get(name) for name in names)
