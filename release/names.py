"""The places where files name our revision, version and address, as text -> text.

A revision is a tag `vX.Y.Z` or a full commit hash. Between releases all files name the last tag;
before the first tag they name a commit.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ADDRESS = "agent-learnings/learnings"
PACKAGE = "src/learnings/__init__.py"
CHANGELOG = "CHANGELOG.md"
PROJECT = "pyproject.toml"
PLUGIN = "agent-core/.claude-plugin/plugin.json"
# Tests take the revision from the package; the changelog records the past.
EXCEPT = ("tests/", "release/", CHANGELOG)

REVISION = re.compile(r"v\d+\.\d+\.\d+|[0-9a-f]{40}")
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
# `uses:`, requirements, raw files, pages of the repository, `rev` of a hook, and the constant of
# the package and of the plugin's scripts.
_NAMED = re.compile(
    rf"""
    (?P<before>
        {re.escape(ADDRESS)}
        (?: (?:/\.github/workflows/[\w.-]+)? @ | /(?:blob|raw|tree)/ | /(?=v\d|[0-9a-f]{{40}}/)
          | "? \s+ rev (?::\s | \s=\s") )
      | \bREVISION\ =\ "
    )
    (?P<revision> {REVISION.pattern}) \b
    """,
    flags=re.VERBOSE,
)
_SECTION = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>\S+))?\n", flags=re.MULTILINE)
_ADDRESS_TO_INSTALL = re.compile(
    rf'"(?:(?P<extra>learnings\[\w+\]) @ )?git\+https://github\.com/{ADDRESS}@'
    rf'(?:{REVISION.pattern})"'
)
_BLOCK = re.compile(r"^```sh\n.*?^```$", flags=re.DOTALL | re.MULTILINE)


class Section(NamedTuple):
    """A section of the changelog: its name, its date ("" for none) and its text."""

    name: str
    date: str
    text: str


def revisions(text: str) -> list[tuple[int, str]]:
    """Return our revisions in a text, each with its line (1-based)."""
    return [
        (text.count("\n", 0, match.start("revision")) + 1, match["revision"])
        for match in _NAMED.finditer(text)
    ]


def with_revision(text: str, revision: str) -> str:
    """Return a text with this revision in place of each of ours."""
    return _NAMED.sub(lambda match: match["before"] + revision, text)


def sections(changelog: str) -> list[Section]:
    """Return the sections of a changelog, in file order."""
    heads = [*_SECTION.finditer(changelog)]
    ends = [*(head.start() for head in heads[1:]), len(changelog)]
    return [
        Section(head["name"], head["date"] or "", changelog[head.end() : end])
        for head, end in zip(heads, ends, strict=True)
    ]


def released(changelog: str, version: str, date: str) -> str:
    """Return a changelog whose section Unreleased has become the section of a version."""
    return changelog.replace(
        "## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {date}\n", 1
    )


def from_the_index(page: str) -> str:
    """Return a page whose shell lines install from the package index instead of by address."""

    def by_name(match: re.Match[str]) -> str:
        return f'"{match["extra"]}"' if match["extra"] else "learnings"

    def block(match: re.Match[str]) -> str:
        lines = _ADDRESS_TO_INSTALL.sub(by_name, match[0])
        return lines.replace("uvx --from learnings learnings", "uvx learnings")

    return _BLOCK.sub(block, page)


def is_step(before: str, after: str) -> bool:
    """Return True if a version is the next patch, minor or major one after another."""
    major, minor, patch = map(int, before.split("."))
    steps = ((major, minor, patch + 1), (major, minor + 1, 0), (major + 1, 0, 0))
    return tuple(map(int, after.split("."))) in steps
