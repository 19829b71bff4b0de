"""The commands of `learnings`, their context and exit codes."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from learnings.core.errors import LearningsError, MissingConfigured, MissingFile
from learnings.core.text import printable
from learnings.workspace.clock import Clock
from learnings.workspace.workspace import Workspace

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
        from learnings.surfaces.cli.formats import renderer  # noqa: PLC0415  (as in note_line)

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


COMMANDS = {
    "ages": "Show the age of every entry in git-active days",
    "apply": "Apply a consolidation plan, archiving every entry it removes",
    "archive": "Move entries to the archive of their file, or restore them",
    "baseline": "Record today's findings so that only new ones fail",
    "batch": "Print the entries of the next consolidation with their text",
    "check": "Check memory files and print findings with their lines",
    "ci": "Run the CI job: check, judge, summarise, keep the issue",
    "completion": "Print the script that completes commands in bash, zsh or fish",
    "config": "Show the files found, how they are read, and the settings",
    "diff": "Show a change of the memory, entry by entry",
    "doctor": "Find missing parts of the set-up and the commands that add them",
    "due": "Report whether consolidation is due, and why",
    "explain": "Explain a rule or a setting, with an example",
    "fix": "Fix findings that need no decision",
    "fleet": "Compare the memories of many repositories, most overdue first",
    "groups": "List entries that overlap, with the words and lines they share",
    "index": "Print the headings of a file with their lines",
    "init": "Set up configuration, hooks and .gitignore in a repository",
    "lsp": "Show findings, ages and fixes in an editor, as a language server",
    "memory": "Manage a memory of scored entries",
    "merge-driver": "Merge a memory file by entry when git merges branches",
    "notify": "Keep an issue or a task open while consolidation is due",
    "plan": "Propose what to merge, drop and keep, as a file to edit",
    "precheck": "Find covered, superseded or redundant entries",
    "report": "Write a page about the memory, or a report on an applied plan",
    "resolve": "End earlier decisions about entries",
    "route": "Suggest target files for the entries",
    "rules": "List all rules with their severity and what they find",
    "schema": "Print the JSON Schema of a document that a command prints",
    "split": "Split a full target file by topic into new files",
    "tiers": "Compact raw files of work units into themes under an index",
    "verify": "Prove that a change lost no entry, or list the lost ones",
}
"""Each command is a module of its name in this folder (`-` as `_`); only the called one is
imported.
"""

STDIN = "-"
"""Standard input on a command line."""
OFFLINE = "--offline"
"""An option of all commands."""
GENERAL_OPTIONS = ("--help", "--version", OFFLINE)
"""Options of `learnings` without a command."""


def note_line(sentence: object, stream: TextIO) -> str:
    """Return a sentence for people as a line behind our name, coloured if a stream shows it."""
    from learnings.surfaces.cli.formats import coloured  # noqa: PLC0415  (most runs note nothing)

    return coloured(f"learnings: {printable(str(sentence))}\n", "problem", stream)


CLEAN, FINDINGS, WRONG, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130
"""No findings; findings or changes; usage, configuration or history; a bug; interrupted."""

MISSING_FILE_IS_ONE = ("ages",)
"""Commands whose contract is to exit with 1 for a missing or unreadable file."""


def code_of(error: LearningsError, command: str | None) -> int:
    """Return the exit code for an error in a command."""
    is_named = isinstance(error, MissingFile) and not isinstance(error, MissingConfigured)
    return FINDINGS if is_named and command in MISSING_FILE_IS_ONE else WRONG
