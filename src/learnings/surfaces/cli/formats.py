"""The output formats of commands, and the lookup of renderers by name."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TextIO

from learnings.surfaces.render.json_document import json_document

FORMATS: Mapping[str, Mapping[str, str]] = {
    "ages": {"markdown": "ages:as_markdown", "text": "ages:as_text", "json": "ages:document"},
    "archive": {"text": "outcomes:archive_as_text", "json": "outcomes:archive_document"},
    "batch": {"markdown": "proposals:batch_as_markdown", "json": "proposals:batch_document"},
    "briefing": {"text": "memory:briefing_as_text", "json": "memory:briefing_document"},
    "config": {"text": "config:as_text", "json": "config:document"},
    "curation": {"text": "memory:curation_as_text", "json": "memory:curation_document"},
    "doctor": {"text": "doctor:as_text", "json": "doctor:document"},
    "due": {
        "text": "due:as_text",
        "markdown": "due:as_markdown",
        "json": "due:document",
        "github": "due:as_github",
    },
    "due_brief": {"json": "due:due_brief_document"},
    "findings": {
        "text": "findings:as_text",
        "json": "findings:document",
        "markdown": "findings:as_markdown",
        "github": "findings:as_github",
        "sarif": "sarif:as_sarif",
        "gitlab": "findings:as_gitlab",
        "junit": "junit:as_junit",
    },
    "fleet": {
        "text": "fleet:as_text",
        "markdown": "fleet:as_markdown",
        "json": "fleet:document",
        "html": "fleet:as_html",
    },
    "groups": {"text": "proposals:groups_as_text", "json": "proposals:groups_document"},
    "index": {"markdown": "index:as_markdown", "json": "index:document"},
    "memory_diff": {
        "text": "memory_diff:as_text",
        "markdown": "memory_diff:as_markdown",
        "json": "memory_diff:document",
    },
    "precheck": {"text": "proposals:precheck_as_text", "json": "proposals:precheck_document"},
    "proof": {"text": "proof:as_text", "json": "proof:document", "github": "proof:as_github"},
    "replay": {
        "text": "replay:as_text",
        "markdown": "replay:as_markdown",
        "json": "replay:document",
    },
    "report": {"html": "report:as_html", "json": "report:document"},
    "route": {"text": "proposals:route_as_text", "json": "proposals:route_document"},
    "rules": {"text": "rules:as_text", "json": "rules:document"},
    "statistics": {"text": "memory:statistics_as_text", "json": "memory:statistics_document"},
    "tiers_compact": {
        "text": "tiers:tiers_compact_as_text",
        "json": "tiers:tiers_compact_document",
    },
    "tiers_promote": {
        "text": "tiers:tiers_promote_as_text",
        "json": "tiers:tiers_promote_document",
    },
    "tiers_status": {"text": "tiers:tiers_status_as_text", "json": "tiers:tiers_status_document"},
}
"""The formats of each result, the default first: a module of `render` and its function.

Only the module of the wanted format is imported. The function of `json` returns a document, those
of the others return text.
"""
CONTENTS = {
    **dict.fromkeys(("text", "markdown", "html"), "text"),
    "github": "commands",
    **dict.fromkeys(("json", "sarif", "gitlab", "junit"), "document"),
}
"""The content of each format for a runner that reads it: text, our commands, or a document."""


def default_of(result: str) -> str:
    return next(iter(FORMATS[result]))


def add_format_option(parser: argparse.ArgumentParser, result: str) -> None:
    """Add --format with the formats of a result."""
    default = default_of(result)
    parser.add_argument(
        "--format", choices=FORMATS[result], default=default, help=f"default: {default}"
    )
    parser.add_argument(
        "--json", action="store_const", dest="format", const="json", help="short for --format=json"
    )


def function_of(result: str, format_name: str) -> Callable[..., Any]:
    """Return the function of a format in FORMATS; its module is imported now."""
    module, _, name = FORMATS[result][format_name].partition(":")
    function: Callable[..., Any] = getattr(
        import_module(f"learnings.surfaces.render.{module}"), name
    )
    return function


def renderer(result: str, format_name: str, out: TextIO | None = None) -> Callable[..., str]:
    """Return the function that renders a result in a format, with colours if `out` shows them."""
    render = function_of(result, format_name)
    if format_name == "json":
        return lambda *values, **options: json_document(render(*values, **options))
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
