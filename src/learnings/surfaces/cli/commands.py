"""The commands of `learnings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learnings.core.agents.model import Commands

COMMANDS = {
    "ages": "age of every entry in git-active days",
    "apply": "a plan, carried out: what leaves the file is archived first",
    "archive": "entries, moved to the archive of their file or brought back",
    "baseline": "today's findings, recorded so that only new ones fail",
    "batch": "the entries that the next consolidation should take, with text",
    "check": "what is wrong in the memory files, each finding with its line",
    "ci": "what a CI job does: check, judge, summarise, keep the issue",
    "completion": "what bash, zsh or fish needs to complete commands and options",
    "config": "the files found, how they are read, and the settings in effect",
    "due": "whether consolidation is due, with the reasons",
    "explain": "what a rule finds, why that matters and how to fix it",
    "fix": "what needs no decision, fixed in the memory files",
    "fleet": "memories of many repositories in one table, most overdue first",
    "groups": "entries that overlap, with the words and lines they share",
    "index": "headings of a file with their lines, as a table of contents",
    "init": "configuration, hooks and .gitignore of a repository, set up",
    "memory": "observations, distilled to entries with a confidence",
    "merge-driver": "a memory file, merged by entry when git merges branches",
    "notify": "an issue or a task, kept open as long as consolidation is due",
    "plan": "what to merge, drop and keep, proposed as a file to edit",
    "precheck": "entries that are superseded, contradicted or redundant",
    "report": "a page that shows how the memory is, or what a plan has done",
    "route": "the target files that should receive the entries",
    "rules": "all rules, each with its severity and what it finds",
    "schema": "JSON Schema of a document that a command prints",
    "split": "a full target file, divided by topic into new files",
    "tiers": "raw files of work units, compacted to themes under an index",
    "verify": "proof that a change of the memory lost no entry, or what it lost",
}
"""Each command is a module of its name in this folder, `-` as `_`; only the one called for is
imported.
"""

GENERAL_OPTIONS = ("--help", "--version")
"""The options of `learnings` without a command."""


def command_table() -> Commands:
    """Return the commands with their options, with which agent files are compared."""
    from learnings.core.agents.model import Commands  # noqa: PLC0415  (few commands need it)
    from learnings.surfaces.cli.declared_options import options_of  # noqa: PLC0415  (for files of agents)

    return Commands(tuple(COMMANDS), options_of)
