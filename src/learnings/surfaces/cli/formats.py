"""The output formats of commands, and the lookup of renderers by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TextIO, cast

from learnings.surfaces import render, schemas

if TYPE_CHECKING:
    from learnings.surfaces.actions import Content
    from learnings.surfaces.schemas.fields import Document


class Format(NamedTuple):
    """A format of a result: its name, what it is for a runner that reads it, and its renderer.

    The content is text, our commands, or a document. load() returns the renderer; only then is its
    module imported.
    """

    name: str
    content: Content
    load: Callable[[], Callable[..., str]]


TEXT = partial(Format, "text", "text")
MARKDOWN = partial(Format, "markdown", "text")
HTML = partial(Format, "html", "text")
GITHUB = partial(Format, "github", "commands")
JSON = partial(Format, "json", "document")
_ROWS: Sequence[tuple[str, Format]] = (
    ("ages", MARKDOWN(lambda: render.ages.as_markdown)),
    ("ages", TEXT(lambda: render.ages.as_text)),
    ("ages", JSON(lambda: schemas.entries.AGES)),
    ("archive", TEXT(lambda: render.outcomes.archive_as_text)),
    ("archive", JSON(lambda: schemas.proof.ARCHIVE)),
    ("batch", MARKDOWN(lambda: render.proposals.batch_as_markdown)),
    ("batch", JSON(lambda: schemas.entries.BATCH)),
    ("briefing", TEXT(lambda: render.memory.briefing_as_text)),
    ("briefing", JSON(lambda: schemas.forms.BRIEFING)),
    ("config-report", TEXT(lambda: render.config.as_text)),
    ("config-report", JSON(lambda: schemas.settings.CONFIG_REPORT)),
    ("curation", TEXT(lambda: render.memory.curation_as_text)),
    ("curation", JSON(lambda: schemas.forms.CURATION)),
    ("diff", TEXT(lambda: render.proof.diff_as_text)),
    ("diff", MARKDOWN(lambda: render.proof.diff_as_markdown)),
    ("diff", JSON(lambda: schemas.proof.DIFF)),
    ("doctor", TEXT(lambda: render.config.setup_as_text)),
    ("doctor", JSON(lambda: schemas.overviews.DOCTOR)),
    ("due", TEXT(lambda: render.due.as_text)),
    ("due", MARKDOWN(lambda: render.due.as_markdown)),
    ("due", JSON(lambda: schemas.entries.DUE_VERDICTS)),
    ("due", GITHUB(lambda: render.due.as_github)),
    ("due-brief", JSON(lambda: schemas.entries.DUE_BRIEF)),
    ("findings", TEXT(lambda: render.findings.as_text)),
    ("findings", JSON(lambda: schemas.checks.FINDINGS)),
    ("findings", MARKDOWN(lambda: render.findings.as_markdown)),
    ("findings", GITHUB(lambda: render.findings.as_github)),
    ("findings", Format("sarif", "document", lambda: render.exchange.as_sarif)),
    ("findings", Format("gitlab", "document", lambda: render.exchange.as_gitlab)),
    ("findings", Format("junit", "document", lambda: render.exchange.as_junit)),
    ("fleet", TEXT(lambda: render.fleet.as_text)),
    ("fleet", MARKDOWN(lambda: render.fleet.as_markdown)),
    ("fleet", JSON(lambda: schemas.overviews.FLEET)),
    ("fleet", HTML(lambda: render.fleet.as_html)),
    ("groups", TEXT(lambda: render.proposals.groups_as_text)),
    ("groups", JSON(lambda: schemas.proposals.GROUPS)),
    ("index", MARKDOWN(lambda: render.index.as_markdown)),
    ("index", JSON(lambda: schemas.checks.INDEX)),
    ("precheck", TEXT(lambda: render.proposals.precheck_as_text)),
    ("precheck", JSON(lambda: schemas.proposals.PRECHECK)),
    ("replay", TEXT(lambda: render.due.replay_as_text)),
    ("replay", MARKDOWN(lambda: render.due.replay_as_markdown)),
    ("replay", JSON(lambda: schemas.entries.REPLAY)),
    ("report", HTML(lambda: render.report.as_html)),
    ("report", JSON(lambda: schemas.overviews.REPORT)),
    ("routes", TEXT(lambda: render.proposals.routes_as_text)),
    ("routes", JSON(lambda: schemas.proposals.ROUTES)),
    ("rules", TEXT(lambda: render.rules.as_text)),
    ("rules", JSON(lambda: schemas.checks.RULES_DOCUMENT)),
    ("statistics", TEXT(lambda: render.memory.statistics_as_text)),
    ("statistics", JSON(lambda: schemas.forms.STATISTICS)),
    ("tiers-compact", TEXT(lambda: render.tiers.compact_as_text)),
    ("tiers-compact", JSON(lambda: schemas.forms.TIERS_COMPACT)),
    ("tiers-promote", TEXT(lambda: render.tiers.promote_as_text)),
    ("tiers-promote", JSON(lambda: schemas.forms.TIERS_PROMOTE)),
    ("tiers-status", TEXT(lambda: render.tiers.status_as_text)),
    ("tiers-status", JSON(lambda: schemas.forms.TIERS_STATUS)),
    ("verify", TEXT(lambda: render.proof.as_text)),
    ("verify", JSON(lambda: schemas.proof.VERIFY)),
    ("verify", GITHUB(lambda: render.proof.as_github)),
)
FORMATS: dict[str, dict[str, Format]] = {}
"""The formats of each result by name, the default first. A result has the name of its schema."""
for _result, _format in _ROWS:
    FORMATS.setdefault(_result, {})[_format.name] = _format


def content_of(format_name: str) -> Content:
    """Return the content of a format, which is the same for every result."""
    return next(one[format_name].content for one in FORMATS.values() if format_name in one)


def document_of(result: str) -> Document:
    """Return the JSON document of a result."""
    return cast("Document", FORMATS[result]["json"].load())


def renderer(result: str, format_name: str, out: TextIO | None = None) -> Callable[..., str]:
    """Return the function that renders a result in a format, with colours if `out` shows them."""
    render = FORMATS[result][format_name].load()
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
