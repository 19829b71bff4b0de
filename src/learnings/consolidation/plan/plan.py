"""A consolidation plan as a value: the decisions about the entries of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.core.entries.document import DIGEST_LENGTH, Entry, digest_of
from learnings.core.entries.titles import identity_key, read_item
from learnings.core.sha256 import sha256_of
from learnings.core.text import encode, shortened

MERGE, JOIN, MOVE, ADD, DROP = "merge", "merge into", "move to", "add to", "drop"
KEEP, ESCALATE = "keep", "escalate"
"""The actions of a step, as its section heading begins.

JOIN adds a text to another entry of the file; MOVE moves entries to a target file, ADD only a text
that represents them.
"""

APPLIED, SKIPPED, FILE, INDEX, DECIDED = "applied", "skipped", "file", "index", "decided"
"""The labels of the lines of a result, each followed by a colon.

The lines of APPLIED and SKIPPED end with the digests of their entries.
"""

NAME_LENGTH = 80
"""Most characters of an entry's name in a plan.

Issue: a bullet's whole paragraph was printed as its name, 11,266 of 17,252 tokens of one plan. The
digest alone identifies the entry.
"""

PLACE_HOLDER = "NAME"
"""Stands for the name of a group for which no title could be cut at a word."""


class PlanMember(NamedTuple):
    """An entry in a plan: its digest, and its identity in the file's spelling, perhaps cut.

    notes are lines that explain the proposal, quote the first lines of the entry's text. line is
    the entry's line in the plan file, 1-based, 0 for a plan that was not read.
    """

    digest: str
    name: str
    notes: tuple[str, ...] = ()
    quote: tuple[str, ...] = ()
    line: int = 0


class PlanStep(NamedTuple):
    """An action and its entries.

    subject is the argument of the action: the name of the merged entry, the target as `FILE` or
    `FILE#HEADING`, or a reason. notes explain the step. text is inserted for the entries, lines
    separated by newlines, empty if there is none; is_draft is True until somebody edits it. line is
    the first line of the step in the plan file, 1-based, 0 for a plan that was not read.

    resolve() divides the members into entries, which are in the file, and those that are done; it
    finds the entry that others join.
    """

    action: str
    subject: str
    members: tuple[PlanMember, ...]
    notes: tuple[str, ...] = ()
    text: str = ""
    is_draft: bool = False
    line: int = 0
    entries: tuple[Entry, ...] = ()
    done: tuple[PlanMember, ...] = ()
    joined: Entry | None = None

    @property
    def leaves(self) -> bool:
        """True if the entries leave the file."""
        return self.action not in (KEEP, ESCALATE)

    @property
    def is_merge(self) -> bool:
        """True if one text replaces the entries in their file."""
        return self.action in (MERGE, JOIN)

    @property
    def lacks(self) -> str:
        """The name of the part that a merge has still to get, `name` or `text`, or empty."""
        if self.is_merge and not self.text.strip():
            return "text"
        return "name" if self.is_merge and self.subject == PLACE_HOLDER else ""

    @property
    def heading(self) -> str:
        """The action with its subject, as in the heading of a section."""
        colon = ": " if self.subject.startswith(":") else ""  # readers skip one after the action
        return f"{self.action} {colon}{self.subject}".rstrip()


class Plan(NamedTuple):
    """The steps for one file, given by its POSIX path relative to the repository's root.

    result holds the outcome of `learnings apply`, one line each, and is empty before that.
    is_unedited is True for a plan that was read and whose steps are still the proposed ones.
    """

    file: str
    steps: tuple[PlanStep, ...]
    result: tuple[str, ...] = ()
    is_unedited: bool = False

    @property
    def skipped(self) -> dict[str, str]:
        """Why entries had to stay when the plan was applied, by digest."""
        rows = (line.rpartition(": ") for line in labelled(SKIPPED, self.result))
        return {digest: reason for reason, _, digests in rows for digest in digests.split()}

    @property
    def lines(self) -> dict[str, int]:
        """The lines of entries by digest, and of steps by heading, in the file that was read."""
        rows = [(step.heading, step.line) for step in reversed(self.steps)]
        rows += ((member.digest, member.line) for step in self.steps for member in step.members)
        return {key: line for key, line in rows if line}


class PlanProblem(NamedTuple):
    """A reason not to apply a plan: a line of the plan, and advice."""

    line: int
    message: str


def fingerprint(steps: Iterable[PlanStep]) -> str:
    """Return a hexadecimal digest that changes with any decision, text or note of the steps."""
    rows = [
        (s.action, s.subject, s.notes, s.text, s.is_draft, [(m.digest, m.notes) for m in s.members])
        for s in steps
    ]
    return sha256_of(encode(repr(rows)))[:DIGEST_LENGTH]


def labelled(word: str, result: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a result with a label, without it."""
    label = f"{word}: "
    return tuple(line.removeprefix(label) for line in result if line.startswith(label))


def kept(plan: Plan) -> Plan:
    """Return a plan that keeps all entries of another one."""
    members = tuple(member for step in plan.steps for member in step.members)
    return plan._replace(steps=(PlanStep(KEEP, "", members),) if members else ())


def member_of(entry: Entry) -> PlanMember:
    """Return an entry as a member of a step."""
    return PlanMember(digest_of(entry), shortened(written_identity(entry), NAME_LENGTH))


def written_identity(entry: Entry) -> str:
    """Return the identity of an entry in the upper and lower case of the file."""
    title = entry.title if entry.level else read_item(entry.lines[0]).key_title
    shown = title.replace("****", " ")  # a date in bold leaves its marks
    written = " ".join(f"{entry.stamp or ''} {shown}".split())
    return f"{written}{entry.identity.removeprefix(entry.key)}"


def identity_of(name: str) -> str:
    """Return the identity that a person or agent means by the name of an entry or a heading."""
    return identity_key(None, name)
