"""The JSON documents, each with a record that defines its JSON Schema.

At run time only `learnings schema` imports the records; renderers use them for type checking.
"""

from __future__ import annotations

from typing import NamedTuple


class JsonDocument(NamedTuple):
    """A document: the module of its record, the command that prints it, its key in FORMATS.

    A document without a command is a file described by title. `several` means one file or a list of
    such documents; `closed` means that there are no other fields.
    """

    module: str
    command: str = ""
    result: str = ""
    title: str = ""
    several: bool = False
    closed: bool = False


DOCUMENTS = {
    "ages": JsonDocument("entries", "ages FILE", "ages", several=True),
    "archive": JsonDocument("consolidation", "archive --list", "archive"),
    "baseline": JsonDocument(
        "check_documents", title="The file in which `learnings baseline` records findings"
    ),
    "batch": JsonDocument("entries", "batch FILE", "batch", several=True),
    "briefing": JsonDocument("form_documents", "memory brief --story FILE", "briefing"),
    "config": JsonDocument("settings", title="The configuration of learnings"),
    "config-report": JsonDocument("settings", "config", "config"),
    "curation": JsonDocument("form_documents", "memory curate", "curation"),
    "diff": JsonDocument("consolidation", "diff", "memory_diff"),
    "doctor": JsonDocument("overviews", "doctor", "doctor"),
    "due": JsonDocument("entries", "due", "due"),
    "due-brief": JsonDocument("entries", "due --brief", "due_brief"),
    "findings": JsonDocument("check_documents", "check", "findings"),
    "fleet": JsonDocument("overviews", "fleet scan .", "fleet"),
    "groups": JsonDocument("consolidation", "groups FILE", "groups", several=True),
    "index": JsonDocument("check_documents", "index FILE", "index"),
    "precheck": JsonDocument("consolidation", "precheck FILE", "precheck", several=True),
    "replay": JsonDocument("entries", "due --replay", "replay"),
    "report": JsonDocument("overviews", "report", "report"),
    "routes": JsonDocument("consolidation", "route FILE", "route", several=True),
    "rules": JsonDocument("check_documents", "rules", "rules"),
    "statistics": JsonDocument("form_documents", "memory stats", "statistics"),
    "tiers-compact": JsonDocument("form_documents", "tiers compact", "tiers_compact", closed=True),
    "tiers-promote": JsonDocument("form_documents", "tiers promote", "tiers_promote", closed=True),
    "tiers-status": JsonDocument("form_documents", "tiers status", "tiers_status", closed=True),
    "verify": JsonDocument("consolidation", "verify", "proof"),
}
"""Documents of `learnings schema`: all that commands print or keep in a file."""
