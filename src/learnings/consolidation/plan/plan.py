"""A consolidation plan as a value: what is to become of which entries of a file."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from learnings.core.entries.digests import DIGEST_LENGTH, digest_of
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import read_item
from learnings.core.text import encode

MERGE, MOVE, DROP, KEEP, ESCALATE = "merge", "move to", "drop", "keep", "escalate"
"""What a step does; the words with which the heading of its section begins."""


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
        return self.action not in (KEEP, ESCALATE)

    @property
    def heading(self) -> str:
        """The action with its subject, as the plan writes them."""
        colon = ": " if self.subject.startswith(":") else ""  # one behind an action is left out
        return f"{self.action} {colon}{self.subject}".rstrip()


class Plan(NamedTuple):
    """The steps for one file, by its POSIX path from the root of the repository.

    result are lines about what `learnings apply` did with the plan, empty before. proposed is the
    fingerprint of the steps as they were proposed, empty where the plan names none.
    """

    file: str
    steps: tuple[PlanStep, ...]
    result: tuple[str, ...] = ()
    proposed: str = ""

    @property
    def fingerprint(self) -> str:
        """What the steps do, as a number of hexadecimal digits that changes with any of them."""
        steps = [
            (*step[:2], [m.digest for m in step.members], step.notes, step.text, step.is_draft)
            for step in self.steps
        ]
        return hashlib.sha256(encode(repr(steps))).hexdigest()[:DIGEST_LENGTH]

    @property
    def is_unedited(self) -> bool:
        """True if the steps are as they were proposed, so that nobody has judged them."""
        return self.proposed == self.fingerprint


class PlanProblem(NamedTuple):
    """Something that keeps a plan from being applied: a line of the plan, and what to do."""

    line: int
    message: str


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
