"""A consolidation plan as a value: what is to become of which entries of a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.entries.titles import read_item
from learnings.core.markdown.line_edits import without_filler
from learnings.core.text import BOM, chomp, encode

MERGE, MOVE, DROP, KEEP = "merge", "move to", "drop", "keep"
"""What a step does; the words with which the heading of its section begins."""

DIGEST_LENGTH = 12
"""Hexadecimal digits of a digest: 48 bits, so that among the 2,000 entries of a large file two
agree by chance once in 140 million files."""


class PlanMember(NamedTuple):
    """An entry that a step is about: its identity in the spelling of the file, and its digest."""

    digest: str
    name: str


class PlanStep(NamedTuple):
    """One section of a plan: an action and the entries that it is about.

    subject is what stands behind the action in the heading: the name of what entries are merged
    into, the target as `FILE` or `FILE#HEADING`, the reason to drop or keep entries. notes are
    lines that explain and do nothing. text is what is to be inserted, lines separated by newlines,
    empty for none; is_draft says that nobody has edited it. line is that of the heading in the
    plan file, lines those of its members, all 1-based; 0 and none for a plan that was not read.
    """

    action: str
    subject: str
    members: tuple[PlanMember, ...]
    notes: tuple[str, ...] = ()
    text: str = ""
    is_draft: bool = False
    line: int = 0
    lines: tuple[int, ...] = ()

    @property
    def leaves(self) -> bool:
        """True if the entries leave the file."""
        return self.action != KEEP

    @property
    def heading(self) -> str:
        """The action with its subject, as the plan writes them."""
        colon = ": " if self.subject.startswith(":") else ""  # one behind an action is left out
        return f"{self.action} {colon}{self.subject}".rstrip()


class Plan(NamedTuple):
    """The steps for one file, by its POSIX path from the root of the repository.

    result are lines about what `learnings apply` did with the plan, empty before.
    """

    file: str
    steps: tuple[PlanStep, ...]
    result: tuple[str, ...] = ()


class PlanProblem(NamedTuple):
    """Something that keeps a plan from being applied: a line of the plan, and what to do."""

    line: int
    message: str


def digest_of(entry: Entry) -> str:
    """Return the digest of an entry."""
    return digest_of_lines(entry.lines)


def digest_of_lines(source: Iterable[str]) -> str:
    """Return the digest of an entry by its lines.

    Line ends, and blank lines and separators below the entry, do not count: they change when
    something is appended to the file, or checked out on another system.
    """
    lines = without_filler([chomp(line).removeprefix(BOM) for line in source])
    return hashlib.sha256(encode("\n".join(lines))).hexdigest()[:DIGEST_LENGTH]


def member_of(entry: Entry) -> PlanMember:
    """Return an entry as a member of a step."""
    return PlanMember(digest_of(entry), written_identity(entry))


def written_identity(entry: Entry) -> str:
    """Return the identity of an entry in the upper and lower case of the file."""
    title = entry.title if entry.level else read_item(entry.lines[0]).key_title
    written = " ".join(f"{entry.stamp or ''} {title}".split())
    return f"{written}{entry.identity.removeprefix(entry.key)}"


def identity_of(name: str) -> str:
    """Return the identity that a person or agent means by the name of a member."""
    return " ".join(name.casefold().split())
