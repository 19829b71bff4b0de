"""The output formats of commands, and the lookup of renderers by name."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TextIO

from learnings.surfaces.render.json_document import json_document

_SHARED = {
    "outcomes": ("archive",),
    "proposals": ("batch", "groups", "precheck", "route"),
    "memory": ("briefing", "curation", "statistics"),
    "due": ("due_brief",),
    "tiers": ("tiers_compact", "tiers_promote", "tiers_status"),
}
SHARED_MODULES = {result: module for module, results in _SHARED.items() for result in results}
"""Results that share a module of `render`, where their name precedes that of each function.

Every other result has a module of its own name, with a function `as_FORMAT` for each format, and
`document` for JSON.
"""
FORMATS = {
    **dict.fromkeys((*SHARED_MODULES, "config", "doctor", "rules"), ("text", "json")),
    "ages": ("markdown", "text", "json"),
    "batch": ("markdown", "json"),
    "due": ("text", "markdown", "json", "github"),
    "due_brief": ("json",),
    "findings": ("text", "json", "markdown", "github", "sarif", "gitlab"),
    "fleet": ("text", "markdown", "json", "html"),
    "index": ("markdown", "json"),
    "memory_diff": ("text", "markdown", "json"),
    "proof": ("text", "json", "github"),
    "replay": ("text", "markdown", "json"),
    "report": ("html", "json"),
}
"""Formats of each result, the default first."""


def add_format_option(parser: argparse.ArgumentParser, result: str) -> None:
    """Add --format with the formats of a result."""
    default = FORMATS[result][0]
    parser.add_argument(
        "--format", choices=FORMATS[result], default=default, help=f"default: {default}"
    )
    parser.add_argument(
        "--json", action="store_const", dest="format", const="json", help="short for --format=json"
    )


def module_of(result: str) -> tuple[ModuleType, str]:
    """Return the module of `render` for a result, imported now, and the prefix of its names."""
    name = SHARED_MODULES.get(result, result)
    prefix = f"{result}_" if result in SHARED_MODULES else ""
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
