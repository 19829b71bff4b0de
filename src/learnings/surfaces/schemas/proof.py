"""Documents about a change of the memory, and about what left it: verify, diff, archive."""

from __future__ import annotations

from collections import Counter

from learnings.consolidation.proof.changes import KINDS
from learnings.core.entries.archives import archive_date
from learnings.core.entries.document import digest_of
from learnings.surfaces.render.proof import (
    archive_command,
    loss_message,
    notice_message,
    unseen_command,
    unseen_message,
)
from learnings.surfaces.schemas import fields as js

_PLACE = js.Record(path=js.TEXT("POSIX, from the root of the repository"), line=js.LINE)
_COVER = js.Record(
    path=js.TEXT(of="place.path"),
    line=js.LINE(of="place.line"),
    score=js.SHARE("Share of word pairs", of=lambda cover: round(cover.score, 3)),
)
_WORDS = js.Record(
    before=js.TEXT("Words that changed, with those around them"),
    after=js.TEXT("The words in their place"),
    matters=js.BOOL("A number, negation, path, name, sign or code changed"),
    is_addition=js.BOOL("Words came, and none had to go"),
)
_IDENTITY = js.TEXT.but(description="As `learnings ages` has it")
_LOSS = js.Record(
    kind=js.one_of("entry", "original", "row")(
        "An entry, an original in an archive, what a row of an index leads to"
    ),
    title=js.TEXT,
    identity=_IDENTITY,
    before=_PLACE("Where it stood"),
    after=_PLACE("Where it is missing; line 1 of a file that is gone"),
    commit=js.COMMIT.if_any(
        "The one that lost it; null where it is not committed yet, or not known"
    ),
    parent=js.COMMIT.if_any("If that is a merge, its parent that has it"),
    cover=_COVER.or_null("The section or entry that has most of it"),
    altered=_PLACE.or_null("Where an archive has it, but not word for word", of="copy"),
    unstaged=js.TEXT.if_any("An archive on disk that has it and is no part of what was looked at"),
    missing=js.each(js.TEXT)("The first of its sentences that this text lacks"),
    changes=js.each(_WORDS)("The words that differ at `altered`"),
    message=js.WORDS(of=loss_message),
    command=js.TEXT.if_any("What archives it", of=archive_command),
)
_NOTICE = js.Record(
    kind=js.one_of("covered", "shortened", "decision", "reworded", "hidden"),
    title=js.TEXT,
    identity=js.TEXT,
    before=_PLACE,
    after=_PLACE,
    cover=_COVER.or_null,
    missing=js.each(js.TEXT)(
        "Words that are not in the covering text, sentences that were lost, the decision with its "
        "date, or what hides the entry"
    ),
    originals=js.COUNT(
        "Of a merged entry that left, the number of its originals that are back, if all are"
    ),
    changes=js.each(_WORDS)("The words that differ"),
    matters=js.BOOL("One of them matters, or a third of the words changed"),
    message=js.WORDS(of=notice_message),
)
_UNSEEN = js.Record(
    path=js.TEXT,
    flag=js.one_of("assume-unchanged", "skip-worktree", "submodule"),
    repository=js.TEXT.or_null("The submodule that contains the file"),
    message=js.WORDS(of=unseen_message),
    command=js.TEXT("Removes the flag, or compares the file in its submodule", of=unseen_command),
)
_UNSEEN_FILES = js.each(_UNSEEN).but(description="Memory files that are not compared")
_SUMMARY = js.Record(
    entries=js.COUNT("Entries of changed files before", of="proof.entries"),
    losses=js.COUNT(of="proof.losses"),
    notices=js.COUNT(of="proof.notices"),
)
VERIFY = js.Head("verify/1", "verify").document(
    base=js.COMMIT,
    head=js.COMMIT.or_null(
        "The commit that was looked at; null for what is staged or in the working tree"
    ),
    compared=js.one_of("commit", "index", "working-tree"),
    losses=js.each(_LOSS)(of="proof.losses"),
    notices=js.each(_NOTICE)(of="proof.notices"),
    unseen=_UNSEEN_FILES,
    summary=_SUMMARY(of=js.itself),
)

_CHANGE = js.Record(
    kind=js.one_of(*KINDS),
    title=js.TEXT,
    identity=_IDENTITY,
    before=_PLACE.or_null("Where it stood; null if it came"),
    after=_PLACE.or_null("Where it is, or its text; null if it is nowhere"),
    words=js.each(_WORDS)("The words that changed"),
    reason=js.TEXT.if_any(
        "Why it was dropped, what it was moved to or merged into, what hides it, how it was lost"
    ),
)


def _as_key(kind: str) -> str:
    return kind.replace("-", "_")


DIFF = js.Head("diff/1", "diff").document(
    base=js.COMMIT,
    head=js.COMMIT.or_null("Null for the working tree"),
    compared=js.one_of("commit", "working-tree"),
    changes=js.each(_CHANGE)("By the place before, else after"),
    unseen=_UNSEEN_FILES,
    summary=js.counts(*map(_as_key, KINDS))(
        of=lambda one: Counter(_as_key(change.kind) for change in one.changes)
    ),
)

_ARCHIVED = js.Record(
    title=js.TEXT(of="found.entry.name"),
    timestamp=js.STAMP(of="found.entry.stamp"),
    identity=js.TEXT(of="found.entry.identity"),
    digest=js.TEXT.but(pattern="^[0-9a-f]{12}$")(of=lambda row: digest_of(row.found.entry)),
    archived=js.DAY.if_any(
        "From the name of the archive; null if that has no date.",
        of=lambda row: archive_date(row.found.path),
    ),
    part=js.TEXT.if_any(
        "The heading above it: `Dropped: REASON` or `Group: NAME`.", of="found.part"
    ),
    path=js.TEXT("The archive.", of="found.path"),
    line=js.LINE(of="found.line"),
    in_file=js.BOOL("It is in its file again.", of="is_back"),
    restore=js.TEXT("The command that brings it back, from the working directory."),
)
_ARCHIVED_FILE = js.Record(
    file=js.TEXT("The learnings file or memory folder that the entries left."),
    entries=js.each(_ARCHIVED)("The newest first."),
)
ARCHIVE = js.Head("archive/1", "archive --list").document(
    files=js.each(_ARCHIVED_FILE)(of=js.itself)
)
