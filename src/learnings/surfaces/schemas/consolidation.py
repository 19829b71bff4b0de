"""Documents about a consolidation: groups, routes, precheck, and verify after it."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from learnings.surfaces.schemas.entries import EntryReference
from learnings.surfaces.schemas.record_fields import (
    Commit,
    Count,
    Day,
    Keywords,
    Line,
    Share,
    Stamp,
    Words,
    one_of,
)

Superseded = Annotated[bool, "Marked so by its author; never the entry that survives a merge."]


class GroupsEntry(EntryReference):
    superseded: Superseded


class GroupsMember(GroupsEntry):
    shared: Annotated[list[str], "Words that this member shares with others of the group."]


class SharedWord(TypedDict):
    word: str
    lines: list[Line]


class GroupsGroup(TypedDict):
    topic: Annotated[str, "A name in words of the members."]
    keywords: Annotated[list[str], "Words that say best what members share, strongest first."]
    score: Annotated[Share, "Mean similarity of the members."]
    members: Annotated[
        list[GroupsMember], Keywords(minItems=2, maxItems=8), "In the order of the file."
    ]
    why: Annotated[
        list[SharedWord], "Each keyword with the first line of every member that says it."
    ]


class UngroupedEntry(GroupsEntry):
    consolidated: Annotated[bool, "The product of an earlier consolidation."]


class NearEntry(GroupsEntry):
    score: Share


class EntryWithNeighbours(GroupsEntry):
    nearest: Annotated[
        list[NearEntry],
        Keywords(maxItems=5),
        "Nearest first; entries that have nothing in common are left out.",
    ]


class GroupsDocument(TypedDict):
    schema: Literal["learnings.groups/1"]
    file: str
    groups: Annotated[
        list[GroupsGroup],
        "Largest first, then most similar first; an entry is in one group at most.",
    ]
    ungrouped: Annotated[list[UngroupedEntry], "In the order of the file."]
    neighbours: Annotated[list[EntryWithNeighbours], "Every entry, in the order of the file."]


class RoutesTarget(TypedDict):
    path: str
    section: Annotated[str, "Title of the heading; empty for what stands above the first one."]
    line: Line
    score: Annotated[Share, "Falls with the rank; no measure of being right."]
    lines: Annotated[Count, "Lines of the file."]
    full: Annotated[bool, "Whether the file has reached `line-limit`."]
    why: list[str]


class RoutesEntry(EntryReference):
    superseded: bool
    targets: Annotated[
        list[RoutesTarget],
        Keywords(maxItems=5),
        "One for each file, with its best section; best first.",
    ]


class RoutesDocument(TypedDict):
    schema: Literal["learnings.routes/1"]
    file: str
    entries: Annotated[list[RoutesEntry], "The batch, oldest first, or all entries in file order."]


class PrecheckAgainst(TypedDict):
    entry: Annotated[str | None, "Title of the other entry."]
    timestamp: Stamp
    target: Annotated[str | None, "Path of the target file or archive."]
    section: Annotated[str | None, "Title of its heading."]
    line: Annotated[Line | None, "Of the other entry, the section or the statement."]
    commit: Annotated[str | None, "The consolidation that removed an entry which came back."]


class PrecheckFinding(TypedDict):
    check: Annotated[str, one_of("covered", "supersession", "redundancy", "dead-reference")]
    action: Annotated[
        str,
        one_of("drop", "add", "escalate", "look"),
        "A proposal; nothing is changed. add: text to the section; look: compare both places.",
    ]
    entry: Annotated[str, "Title of the entry."]
    timestamp: Stamp
    line: Line
    identity: str
    against: PrecheckAgainst
    score: Annotated[Share, "Share of words or word pairs that both sides have in common."]
    evidence: Annotated[list[str], Keywords(minItems=1)]
    text: Annotated[str, "What the section lacks of the entry, a list item a sentence; or empty."]
    path: NotRequired[Annotated[str, "The file of the entry, where each has one of its own."]]


class PrecheckDocument(TypedDict):
    schema: Literal["learnings.precheck/1"]
    file: str
    findings: Annotated[
        list[PrecheckFinding],
        "Covered, supersession, redundancy, dead-reference; an entry has one at most.",
    ]


class VerifyPlace(TypedDict):
    path: Annotated[str, "POSIX, from the root of the repository"]
    line: Line


class VerifyCover(TypedDict):
    path: str
    line: Line
    score: Annotated[Share, "Share of word pairs"]


class VerifyChange(TypedDict):
    before: Annotated[str, "Words that changed, with those around them"]
    after: Annotated[str, "The words in their place"]
    matters: Annotated[bool, "A number, negation, path, name, sign or code changed"]
    is_addition: Annotated[bool, "Words came, and none had to go"]


class VerifyLoss(TypedDict):
    kind: Annotated[
        str,
        one_of("entry", "original", "row"),
        "An entry, an original in an archive, what a row of an index leads to",
    ]
    title: str
    identity: Annotated[str, "As `learnings ages` has it"]
    before: Annotated[VerifyPlace, "Where it stood"]
    after: Annotated[VerifyPlace, "Where it is missing; line 1 of a file that is gone"]
    commit: Annotated[
        Commit | None, "The one that lost it; null where it is not committed yet, or not known"
    ]
    parent: Annotated[Commit | None, "If that is a merge, its parent that has it"]
    cover: Annotated[VerifyCover | None, "The section or entry that has most of it"]
    missing: Annotated[list[str], "The first of its sentences that this text lacks"]
    altered: Annotated[VerifyPlace | None, "Where an archive has it, but not word for word"]
    unstaged: Annotated[
        str | None, "An archive on disk that has it and is no part of what was looked at"
    ]
    changes: Annotated[list[VerifyChange], "The words that differ at `altered`"]
    message: Words
    command: Annotated[str | None, "What archives it"]


class VerifyNotice(TypedDict):
    kind: Annotated[str, one_of("covered", "shortened", "decision", "reworded", "hidden")]
    title: str
    identity: str
    before: VerifyPlace
    after: VerifyPlace
    cover: VerifyCover | None
    missing: Annotated[
        list[str],
        "Words that are not in the covering text, sentences that were lost, the decision with its "
        "date, or what hides the entry",
    ]
    changes: Annotated[list[VerifyChange], "The words that differ"]
    matters: Annotated[bool, "One of them matters, or a third of the words changed"]
    originals: Annotated[
        Count, "Of a merged entry that left, the number of its originals that are back, if all are"
    ]
    message: Words


class VerifySummary(TypedDict):
    entries: Annotated[Count, "Entries of changed files before"]
    losses: Count
    notices: Count


class UnseenFile(TypedDict):
    path: str
    flag: Annotated[str, one_of("assume-unchanged", "skip-worktree", "submodule")]
    repository: Annotated[str | None, "The submodule that contains the file"]
    message: Words
    command: Annotated[str, "Removes the flag, or compares the file in its submodule"]


class VerifyDocument(TypedDict):
    schema: Literal["learnings.verify/1"]
    base: Commit
    head: Annotated[
        Commit | None,
        "The commit that was looked at; null for what is staged or in the working tree",
    ]
    compared: Annotated[str, one_of("commit", "index", "working-tree")]
    losses: list[VerifyLoss]
    notices: list[VerifyNotice]
    unseen: Annotated[list[UnseenFile], "Memory files that are not compared"]
    summary: VerifySummary


class DiffChange(TypedDict):
    kind: Annotated[
        str,
        one_of(
            "added",
            "came-back",
            "reworded",
            "moved",
            "merged",
            "archived",
            "dropped",
            "hidden",
            "lost",
        ),
    ]
    title: str
    identity: Annotated[str, "As `learnings ages` has it"]
    before: Annotated[VerifyPlace | None, "Where it stood; null if it came"]
    after: Annotated[VerifyPlace | None, "Where it is, or its text; null if it is nowhere"]
    words: Annotated[list[VerifyChange], "The words that changed"]
    reason: Annotated[
        str | None,
        "Why it was dropped, what it was moved to or merged into, what hides it, how it was lost",
    ]


class DiffSummary(TypedDict):
    added: Count
    came_back: Count
    reworded: Count
    moved: Count
    merged: Count
    archived: Count
    dropped: Count
    hidden: Count
    lost: Count


class DiffDocument(TypedDict):
    schema: Literal["learnings.diff/1"]
    base: Commit
    head: Annotated[Commit | None, "Null for the working tree"]
    compared: Annotated[str, one_of("commit", "working-tree")]
    changes: Annotated[list[DiffChange], "By the place before, else after"]
    unseen: Annotated[list[UnseenFile], "Memory files that are not compared"]
    summary: DiffSummary


class ArchiveEntry(TypedDict):
    title: str
    timestamp: Stamp
    identity: str
    digest: Annotated[str, Keywords(pattern="^[0-9a-f]{12}$")]
    archived: Annotated[Day | None, "From the name of the archive; null if that has no date."]
    part: Annotated[str | None, "The heading above it: `Dropped: REASON` or `Group: NAME`."]
    path: Annotated[str, "The archive."]
    line: Line
    in_file: Annotated[bool, "It is in its file again."]
    restore: Annotated[str, "The command that brings it back, from the working directory."]


class ArchiveFile(TypedDict):
    file: Annotated[str, "The learnings file or memory folder that the entries left."]
    entries: Annotated[list[ArchiveEntry], "The newest first."]


class ArchiveDocument(TypedDict):
    schema: Literal["learnings.archive/1"]
    files: list[ArchiveFile]
