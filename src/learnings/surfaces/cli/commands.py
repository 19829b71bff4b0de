"""The commands of `learnings`, their context and exit codes, and the formats of their results."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO, cast

from learnings.core.errors import LearningsError, MissingConfigured, MissingFile
from learnings.core.text import printable
from learnings.surfaces import render, schemas
from learnings.workspace.clock import Clock
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.surfaces.actions import Content
    from learnings.surfaces.schemas.fields import Document

if TYPE_CHECKING:
    from argparse import Namespace

    Args = Namespace
else:
    Args = None  # argparse is loaded while git works


class Context:
    """The context of one run: working directory, streams for results and notes, clock."""

    def __init__(self, folder: Path, *, out: TextIO, err: TextIO, clock: Clock) -> None:
        self.folder = folder
        self.out = out
        self._err = err
        self.clock = clock
        self._noted: set[str] = set()

    def note(self, *sentences: object, unless: bool = False) -> None:
        """Write each sentence to standard error, once in a run, unless the run is quiet."""
        for sentence in map(str, sentences):
            if not unless and sentence not in self._noted:
                self._noted.add(sentence)
                self.err.write(note_line(sentence, self.err))

    def show(self, result: str, format_name: str, value: object, **options: object) -> None:
        """Print a result in a format, with colours if the stream shows them."""
        self.out.write(renderer(result, format_name, self.out)(value, **options))

    def say(self, *lines: str) -> None:
        """Print lines; characters that a terminal would obey are escaped."""
        self.out.writelines(f"{printable(line)}\n" for line in lines)

    @property
    def err(self) -> TextIO:
        """The stream for notes: a log that gets both has them after the results so far."""
        self.out.flush()
        return self._err

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace around the working directory, opened on first use."""
        return Workspace.open(self.folder, clock=self.clock)


PURPOSES = {
    "look": {
        "ages": "Show the age of every entry in git-active days",
        "config": "Show the files found, how they are read, and the settings",
        "diff": "Show a change of the memory, entry by entry",
        "due": "Report whether consolidation is due, and why",
        "fleet": "Compare the memories of many repositories, most overdue first",
        "index": "Print the headings of a file with their lines",
        "report": "Write a page about the memory, or a report on an applied plan",
    },
    "check": {
        "baseline": "Record today's findings so that only new ones fail",
        "check": "Check memory files and print findings with their lines",
        "ci": "Run the CI job: check, judge, summarise, keep the issue",
        "explain": "Explain a rule or a setting, with an example",
        "fix": "Fix findings that need no decision",
        "rules": "List all rules with their severity and what they find",
        "verify": "Prove that a change lost no entry, or list the lost ones",
    },
    "consolidate": {
        "apply": "Apply a consolidation plan, archiving every entry it removes",
        "archive": "Move entries to the archive of their file, or restore them",
        "batch": "Print the entries of the next consolidation with their text",
        "groups": "List entries that overlap, with the words and lines they share",
        "notify": "Keep an issue or a task open while consolidation is due",
        "plan": "Propose what to merge, drop and keep, as a file to edit",
        "precheck": "Find covered, superseded or redundant entries",
        "resolve": "End earlier decisions about entries",
        "route": "Suggest target files for the entries",
        "split": "Split a full target file by topic into new files",
    },
    "other forms of memory": {
        "memory": "Manage a memory of scored entries",
        "tiers": "Compact raw files of work units into themes under an index",
    },
    "set up": {
        "completion": "Print the script that completes commands in bash, zsh or fish",
        "doctor": "Find missing parts of the set-up and the commands that add them",
        "init": "Set up configuration, hooks and .gitignore in a repository",
        "lsp": "Show findings, ages and fixes in an editor, as a language server",
        "merge-driver": "Merge a memory file by entry when git merges branches",
        "schema": "Print the JSON Schema of a document that a command prints",
    },
}
"""The commands by purpose, in the order of the help. Each command is a module of its name in this
folder (`-` as `_`); only the called one is imported.
"""
COMMANDS = dict(sorted(row for rows in PURPOSES.values() for row in rows.items()))

STDIN = "-"
"""Standard input on a command line."""
OFFLINE = "--offline"
"""An option of all commands."""
GENERAL_OPTIONS = ("--help", "--version", OFFLINE)
"""Options of `learnings` without a command."""


def note_line(sentence: object, stream: TextIO) -> str:
    """Return a sentence for people as a line behind our name, coloured if a stream shows it."""
    return coloured(f"learnings: {printable(str(sentence))}\n", "problem", stream)


CLEAN, FINDINGS, WRONG, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130
"""No findings; findings or changes; usage, configuration or history; a bug; interrupted."""

MISSING_FILE_IS_ONE = ("ages",)
"""Commands whose contract is to exit with 1 for a missing or unreadable file."""


def code_of(error: LearningsError, command: str | None) -> int:
    """Return the exit code for an error in a command."""
    is_named = isinstance(error, MissingFile) and not isinstance(error, MissingConfigured)
    return FINDINGS if is_named and command in MISSING_FILE_IS_ONE else WRONG


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
