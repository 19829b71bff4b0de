"""The JSON documents: a record with the types and meanings of its fields for each.

Renderers name the records for the type checker only; at run time `learnings schema` alone imports
them. The JSON Schema of a document follows from its record.
"""

from __future__ import annotations

from typing import NamedTuple


class Document(NamedTuple):
    """A document: the module with its record, the command that prints it, its key in FORMATS.

    One without a command is a file, and title says which. One that is several holds one file, or
    a list of such documents; one that is closed gains no fields.
    """

    module: str
    command: str = ""
    result: str = ""
    title: str = ""
    several: bool = False
    closed: bool = False


DOCUMENTS = {
    "ages": Document("entries", "ages FILE", "ages", several=True),
    "baseline": Document("checks", title="The file in which `learnings baseline` records findings"),
    "batch": Document("entries", "batch FILE", "batch", several=True),
    "briefing": Document("forms", "memory brief --story FILE", "briefing"),
    "config": Document("settings", title="The configuration of learnings"),
    "config-report": Document("settings", "config", "config"),
    "curation": Document("forms", "memory curate", "curation"),
    "due": Document("entries", "due", "due"),
    "findings": Document("checks", "check", "findings"),
    "fleet": Document("overviews", "fleet scan .", "fleet"),
    "groups": Document("consolidation", "groups FILE", "groups", several=True),
    "index": Document("checks", "index FILE", "index"),
    "precheck": Document("consolidation", "precheck FILE", "prechecks", several=True),
    "replay": Document("entries", "due --replay", "replay"),
    "report": Document("overviews", "report", "report"),
    "routes": Document("consolidation", "route FILE", "routes", several=True),
    "rules": Document("checks", "rules", "rules"),
    "statistics": Document("forms", "memory stats", "statistics"),
    "tiers-compact": Document("forms", "tiers compact", "tiers_compact", closed=True),
    "tiers-promote": Document("forms", "tiers promote", "tiers_promote", closed=True),
    "tiers-status": Document("forms", "tiers status", "tiers_status", closed=True),
    "verify": Document("consolidation", "verify --base HEAD", "proof"),
}
"""What `learnings schema` can print: each document that a command prints or keeps in a file."""
