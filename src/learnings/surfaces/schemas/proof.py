"""Documents about a change of the memory, and about what left it: verify, diff, archive."""

from __future__ import annotations

from collections import Counter

from learnings.consolidation.proof.changes import KINDS
from learnings.core.entries.document import digest_of
from learnings.core.file_names import archive_date
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
    before=js.TEXT("The changed words with their context"),
    after=js.TEXT("The new words"),
    matters=js.BOOL("A number, negation, path, name, sign or code changed"),
    is_addition=js.BOOL("Only words were added"),
)
_IDENTITY = js.TEXT.but(description="As in `learnings ages`")
_LOSS = js.Record(
    kind=js.one_of("entry", "original", "row")(
        "An entry, an original in an archive, or the target of an index row"
    ),
    title=js.TEXT,
    identity=_IDENTITY,
    before=_PLACE("Place in the older version"),
    after=_PLACE("Place where it is missing; line 1 if the file is gone"),
    commit=js.COMMIT.if_any("The commit that lost it; null if uncommitted or unknown"),
    parent=js.COMMIT.if_any("If that commit is a merge, the parent that has the entry"),
    cover=_COVER.or_null("The section or entry that covers most of it"),
    altered=_PLACE.or_null("Place in an archive that has it, but not word for word", of="copy"),
    unstaged=js.TEXT.if_any("An archive on disk that has it, outside of the compared version"),
    missing=js.each(js.TEXT)("Its first sentences that the covering text lacks"),
    changes=js.each(_WORDS)("The words that differ at `altered`"),
    message=js.WORDS(of=loss_message),
    command=js.TEXT.if_any("The command that archives it", of=archive_command),
)
_NOTICE = js.Record(
    kind=js.one_of("covered", "shortened", "decision", "reworded", "hidden"),
    title=js.TEXT,
    identity=js.TEXT,
    before=_PLACE,
    after=_PLACE,
    cover=_COVER.or_null,
    missing=js.each(js.TEXT)(
        "Words that the covering text lacks, lost sentences, the decision with its date, or the "
        "reason why the entry is hidden"
    ),
    originals=js.COUNT(
        "For a merged entry that left: the number of its originals, if all are back"
    ),
    changes=js.each(_WORDS)("The words that differ"),
    matters=js.BOOL("An important word changed, or a third of the words"),
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
    head=js.COMMIT.or_null("The newer commit; null for staged changes or the working tree"),
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
    before=_PLACE.or_null("Place before the change; null for a new entry"),
    after=_PLACE.or_null("Place of the entry or its text after the change; null if it has none"),
    words=js.each(_WORDS)("The words that changed"),
    reason=js.TEXT.if_any(
        "Reason, target or cause: why it was dropped, hidden or lost, or where it went"
    ),
)


def _as_key(kind: str) -> str:
    return kind.replace("-", "_")


DIFF = js.Head("diff/1", "diff").document(
    base=js.COMMIT,
    head=js.COMMIT.or_null("Null for the working tree"),
    compared=js.one_of("commit", "working-tree"),
    changes=js.each(_CHANGE)("Sorted by place before the change, else after it"),
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
    in_file=js.BOOL("True if the entry is in its file again.", of="is_back"),
    restore=js.TEXT("The command that restores it, for the working directory."),
)
_ARCHIVED_FILE = js.Record(
    file=js.TEXT("The learnings file or memory folder that the entries left."),
    entries=js.each(_ARCHIVED)("The newest first."),
)
ARCHIVE = js.Head("archive/1", "archive --list").document(
    files=js.each(_ARCHIVED_FILE)(of=js.itself)
)
