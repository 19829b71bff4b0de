"""A consolidation plan as a value: what becomes of which entries of a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from learnings.core.entries.digests import DIGEST_LENGTH, digest_of
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import read_item
from learnings.core.text import encode, shortened

MERGE, JOIN, MOVE, ADD, DROP = "merge", "merge into", "move to", "add to", "drop"
KEEP, ESCALATE = "keep", "escalate"
"""The actions of a step, as the heading of its section begins. JOIN adds a text to another entry of
the file; MOVE takes entries to a target file, ADD only a text that stands for them."""

NAME_LENGTH = 80
"""Characters of an entry's name in a plan. Issue: a bullet's whole paragraph was printed as its
name, 11,266 of 17,252 tokens of one plan; the digest alone names the entry."""


class PlanMember(NamedTuple):
    """An entry in a plan: its digest, and its identity in the spelling of the file, perhaps cut.

    notes are lines that explain the proposal, quote the first lines of the entry's text. line is
    that of the entry in the plan file, 1-based, 0 for a plan that was not read.
    """

    digest: str
    name: str
    notes: tuple[str, ...] = ()
    quote: tuple[str, ...] = ()
    line: int = 0


class PlanStep(NamedTuple):
    """An action and the entries that it is about.

    subject is the argument of the action: the name of the merged entry, the target as `FILE` or
    `FILE#HEADING`, or a reason. notes explain the step as a whole. text is inserted for the
    entries, lines separated by newlines, empty for none; is_draft is True until somebody edits it.
    line is where the step begins in the plan file, 1-based, 0 for a plan that was not read.
    """

    action: str
    subject: str
    members: tuple[PlanMember, ...]
    notes: tuple[str, ...] = ()
    text: str = ""
    is_draft: bool = False
    line: int = 0

    @property
    def leaves(self) -> bool:
        """True if the entries leave the file."""
        return self.action not in (KEEP, ESCALATE)

    @property
    def heading(self) -> str:
        """The action with its subject, as the heading of a section."""
        colon = ": " if self.subject.startswith(":") else ""  # readers skip one after the action
        return f"{self.action} {colon}{self.subject}".rstrip()

    @property
    def decision(self) -> str:
        """The action with its subject, as the line of an entry begins."""
        return self.heading.replace(MOVE, "move", 1) if self.action == MOVE else self.heading


class Plan(NamedTuple):
    """The steps for one file, by its POSIX path from the root of the repository.

    result holds what `learnings apply` did with the plan, a line each, and is empty before that.
    targets are lines that describe the target files. is_unedited is True for a plan that was read
    and whose steps are still those proposed.
    """

    file: str
    steps: tuple[PlanStep, ...]
    result: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    is_unedited: bool = False


def fingerprint(steps: Iterable[PlanStep]) -> str:
    """Return hexadecimal digits that change with any decision, text or note of the steps."""
    rows = []
    for step in steps:
        digests = [member.digest for member in step.members]
        row = (*step[:2], digests, step.notes, step.text, step.is_draft)
        notes = [member.notes for member in step.members]
        rows.append((*row, notes) if any(notes) else row)
    return hashlib.sha256(encode(repr(rows))).hexdigest()[:DIGEST_LENGTH]


class PlanProblem(NamedTuple):
    """Something that keeps a plan from being applied: a line of the plan, and what to do."""

    line: int
    message: str


def member_of(entry: Entry) -> PlanMember:
    """Return an entry as a member of a step."""
    return PlanMember(digest_of(entry), shortened(written_identity(entry), NAME_LENGTH))


def written_identity(entry: Entry) -> str:
    """Return the identity of an entry in the upper and lower case of the file."""
    title = entry.title if entry.level else read_item(entry.lines[0]).key_title
    written = " ".join(f"{entry.stamp or ''} {title}".split())
    return f"{written}{entry.identity.removeprefix(entry.key)}"


def identity_of(name: str) -> str:
    """Return the identity that a person or agent means by the name of a member."""
    return " ".join(name.casefold().split())
