"""The losses of a change in each format: text, github, JSON (document `learnings.verify/1`)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from learnings.app.verify.verification import UnseenFile, Verification
from learnings.consolidation.proof.losses import Cover, FilePlace, Kind, Result
from learnings.consolidation.proof.wording import WordChange
from learnings.core.file_names import ARCHIVE_FOLDER
from learnings.core.findings.finding import quoted
from learnings.core.text import counted, printable, short_commit
from learnings.surfaces.render.json_document import fields_of
from learnings.surfaces.render.lines import joined_lines
from learnings.surfaces.render.workflow_commands import limited, workflow_command

if TYPE_CHECKING:
    from learnings.surfaces.schemas import consolidation as schemas
_MOST_WORDS = 12  # uncovered words on a line; chosen
_MOST_CHANGES = 3  # changes of words on a line; chosen
_TITLE = "learnings verify"
_LONGEST_START = 24  # characters that two wordings may share at the start; chosen


def loss_message(loss: Result) -> str:
    title = quoted(loss.title)
    where = f" (was on line {loss.before.line} of {printable(loss.before.path)})"
    if loss.kind == Kind.ROW:
        return f"the row {title} no longer leads anywhere: {printable(loss.detail) or 'no heading'}"
    if loss.kind == Kind.ORIGINAL:
        how = "was changed" if loss.copy else "is gone"
        words = f": {shown_changes(loss.changes)}" if loss.changes else ""
        return f"the archived entry {title} {how}, and no other archive has it word for word{words}"
    if loss.unstaged:
        reason = f": {loss.detail}" if loss.detail else ""
        return (
            f"the entry {title} leaves the file{where}, but its archive "
            f"{printable(loss.unstaged)} is not committed with it{reason}"
        )
    commit = f"; commit {short_commit(loss.commit)} lost it" if loss.commit else ""
    if loss.parent:
        commit += f", its parent {short_commit(loss.parent)} has it"
    return f"the entry {title} is lost{where}: {_loss_reason(loss)}{commit}"


def _loss_reason(loss: Result) -> str:
    if loss.copy:
        words = f": {shown_changes(loss.changes)}" if loss.changes else ""
        return f"{shown_place(loss.copy)} has it, but not word for word{words}"
    if loss.detail:
        return f"{printable(loss.detail)}, and its text is in no archive"
    if loss.cover is None:
        return "no archive has it, and no added text is similar"
    place, score = shown_place(loss.cover.place), percent(loss.cover.score)
    return f"no archive has it, and the most similar added text, {place}, covers {score} of it"


def notice_message(notice: Result) -> str:
    if notice.kind == Kind.COVERED:
        words = _covered(notice)
    elif notice.kind == Kind.RETYPED:
        words = f"is in {shown_place(notice.copy)}, with different punctuation or date"
    elif notice.kind == Kind.SHORTENED:
        sentences = " … ".join(map(printable, notice.missing))
        words = f"lost at least half of its words: {sentences or 'see the diff'}"
    elif notice.kind == Kind.REWORDED:
        words = f"is reworded: {shown_changes(notice.changes)}"
    elif notice.kind == Kind.DECISION:
        words = f"was {notice.missing[0]}, and that line is gone; the entry is open again"
    else:
        place = shown_place(notice.after)
        words = f"is no longer an entry: its text is in {printable(notice.missing[0])} ({place})"
    return f"the entry {quoted(notice.title)} {words}"


def _covered(notice: Result) -> str:
    place = shown_place(notice.cover.place if notice.cover else None)
    score = percent(notice.cover.score if notice.cover else 0)
    rest = len(notice.missing) - _MOST_WORDS
    shown = ", ".join(map(printable, notice.missing[:_MOST_WORDS]))
    words = f"{shown} and {counted(rest, 'more word')}" if rest > 0 else shown
    missing = f"; missing: {words}" if words else ""
    if notice.originals:
        return f"leaves, and its {counted(notice.originals, 'original')} are back{missing}"
    return f"is in no archive; {place} covers {score} of it{missing}"


def unseen_message(file: UnseenFile) -> str:
    if file.repository:
        return (
            f"this memory belongs to the repository {printable(file.repository)} inside this one, "
            f"so its changes are not compared; to compare them, run: {unseen_command(file)}"
        )
    return (
        f"git was told not to look at this file ({file.flag}), so its changes are not compared; "
        f"to undo it, run: {unseen_command(file)}"
    )


def unseen_command(file: UnseenFile) -> str:
    if file.repository:
        return f"cd {shlex.quote(printable(file.repository))} && learnings verify"
    return shlex.join(["git", "update-index", f"--no-{file.flag}", "--", printable(file.path)])


def unseen_documents(files: Sequence[UnseenFile]) -> list[schemas.UnseenFile]:
    return [
        fields_of(file, message=unseen_message(file), command=unseen_command(file))
        for file in files
    ]


def shown_changes(changes: Sequence[WordChange]) -> str:
    """Return the word changes of an entry on one line, important ones first."""
    first = [*sorted(changes, key=lambda change: not change.matters)][:_MOST_CHANGES]
    shown = "; ".join(_shown_change(change) for change in first)
    rest = len(changes) - len(first)
    return f"{shown}; and {counted(rest, 'more change')}" if rest > 0 else shown


def _shown_change(change: WordChange) -> str:
    """Return both wordings, with their common start shortened."""
    pairs = enumerate(zip(change.before, change.after, strict=False))
    common = next((n for n, (old, new) in pairs if old != new), len(change.before))
    start = max(0, min(common, len(change.before)) - _LONGEST_START)
    mark = "…" if start else ""
    return f"{quoted(mark + change.before[start:])} is now {quoted(mark + change.after[start:])}"


def shown_place(place: FilePlace | None) -> str:
    return f"{printable(place.path)}:{place.line}" if place else ""


def percent(score: float) -> str:
    """Return a share as text, rounded down so that a refused one never looks sufficient."""
    return f"{int(score * 100 + 1e-9)} %"


def advice(losses: Sequence[Result]) -> Iterator[str]:
    """Yield the advice on losses, with commands indented by four spaces."""
    unstaged = dict.fromkeys(loss.unstaged for loss in losses if loss.unstaged)
    if unstaged:
        yield "Commit the archive with it:"
        yield f"    {shlex.join(['git', 'add', '--', *map(printable, unstaged)])}"
    commands = archive_commands(losses)
    if commands:
        yield "Put the entries back, or archive them word for word and commit the archive:"
        yield from (f"    {command}" for command in commands)
    files = [loss for loss in losses if loss.entry and loss.entry.path and not loss.detail]
    if files:
        yield "Put the file back, or move it to the archive of its folder:"
        commands = [command for loss in files for command in _file_commands(loss)]
        yield from (f"    {command}" for command in dict.fromkeys(commands))
    emptied = [
        loss for loss in losses if loss.kind == Kind.ENTRY and loss.detail and not loss.unstaged
    ]
    originals = [loss for loss in losses if loss.kind == Kind.ORIGINAL]
    restored = dict.fromkeys((loss.rev, _real(loss)) for loss in (*emptied, *originals))
    if restored:
        yield "Look at the old text and put it back:"
        for rev, path in restored:
            name = printable(f"{rev or 'HEAD'}:{path}")
            yield f"    {shlex.join(['git', 'show', name])}"
    if any(loss.kind == Kind.ROW for loss in losses):
        yield "Correct the rows, or remove them:"
        yield "    learnings check --role index"


def _file_commands(loss: Result) -> Iterator[str]:
    """Yield the command that restores the file of an entry, and the one that archives it."""
    path, inner = _real(loss), loss.identity
    archived = f"{path[: -len(inner)]}{ARCHIVE_FOLDER}/{path.rpartition('/')[2]}"
    restore = ["git", "restore", f"--source={loss.rev or 'HEAD'}", "--staged", "--worktree", "--"]
    yield shlex.join([*restore, printable(path)])
    yield shlex.join(["mkdir", "-p", "--", printable(archived.rpartition("/")[0])])
    yield shlex.join(["git", "mv", "--", printable(path), printable(archived)])


def archive_commands(losses: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(filter(None, map(archive_command, losses))))


def archive_command(loss: Result) -> str:
    """Return the command that archives and stages the entries a file lost since a commit.

    It is empty unless the entry left completely and is in no archive on disk.
    """
    is_file = loss.entry is not None and loss.entry.path != ""
    if loss.kind != Kind.ENTRY or loss.unstaged or loss.detail or is_file:
        return ""
    words = ["learnings", "archive", "--from", loss.rev or "HEAD", "--file", _real(loss)]
    return shlex.join([*map(printable, words), "--stage"])


def _real(result: Result) -> str:
    return result.real or result.before.path


_COMPARED = {"index": "what is staged", "working-tree": "the working tree"}


@joined_lines
def as_text(verification: Verification) -> Iterator[str]:
    proof = verification.proof
    for loss in proof.losses:
        yield f"{shown_place(loss.after)}: error: {loss_message(loss)}"
    for notice in filter(_deserves_a_line, proof.notices):
        yield f"{shown_place(notice.after)}: notice: {notice_message(notice)}"
    reworded = sum(not _deserves_a_line(notice) for notice in proof.notices)
    if reworded:
        entries = counted(reworded, "entry", "entries")
        yield f"{entries} reworded; `learnings diff` shows the words."
    for file in verification.unseen:
        yield f"{printable(file.path)}:1: notice: {unseen_message(file)}"
    yield from advice(proof.losses)
    compared = f"commit {short_commit(verification.head)}" if verification.head else ""
    compared = compared or _COMPARED[verification.compared]
    since = f"{compared}, compared with commit {short_commit(verification.base)}"
    if not verification.changed:
        yield f"No {'other ' if verification.unseen else ''}memory file changed in {since}."
    elif proof.losses:
        yield f"{counted(len(proof.losses), 'loss', 'losses')} in {since}."
    else:
        entries = counted(proof.entries, "entry", "entries")
        yield f"Nothing is lost in {since}: {entries} of changed files checked."


def _deserves_a_line(notice: Result) -> bool:
    return notice.kind != Kind.REWORDED or notice.matters


def as_github(verification: Verification) -> str:
    proof = verification.proof
    losses = []
    for loss in proof.losses:
        command = archive_command(loss)
        instruction = f"; put it back, or run: {command}" if command else ""
        losses.append(_annotation("error", loss, f"{loss_message(loss)}{instruction}"))
    shown = filter(_deserves_a_line, proof.notices)
    notices = [_annotation("notice", one, notice_message(one)) for one in shown]
    notices += [
        workflow_command("notice", unseen_message(file), file=file.path, line=1, title=_TITLE)
        for file in verification.unseen
    ]
    return limited("error", losses) + limited("notice", notices)


def _annotation(level: str, result: Result, message: str) -> str:
    # A link is no file of the change, at which the platform would show it.
    path = _real(result) if result.after.path == result.before.path else result.after.path
    return workflow_command(level, message, file=path, line=result.after.line, title=_TITLE)


def document(verification: Verification) -> schemas.VerifyDocument:
    proof = verification.proof
    return {
        "schema": "learnings.verify/1",
        "base": verification.base,
        "head": verification.head,
        "compared": verification.compared,
        "losses": [
            _document_of(
                loss,
                commit=loss.commit or None,
                parent=loss.parent or None,
                cover=_cover_document(loss.cover),
                altered=fields_of(loss.copy) if loss.copy else None,
                unstaged=loss.unstaged or None,
                changes=[fields_of(change) for change in loss.changes],
                message=loss_message(loss),
                command=archive_command(loss) or None,
            )
            for loss in proof.losses
        ],
        "notices": [
            _document_of(
                notice,
                cover=_cover_document(notice.cover),
                missing=list(notice.missing),
                archived=fields_of(notice.copy) if notice.copy else None,
                originals=notice.originals,
                changes=[fields_of(change) for change in notice.changes],
                matters=notice.matters,
                message=notice_message(notice),
            )
            for notice in proof.notices
        ],
        "unseen": unseen_documents(verification.unseen),
        "summary": {
            "entries": proof.entries,
            "losses": len(proof.losses),
            "notices": len(proof.notices),
        },
    }


def _document_of(result: Result, **others: object) -> Any:  # noqa: ANN401  (as fields_of())
    places = {"before": fields_of(result.before), "after": fields_of(result.after)}
    names = {"kind": result.kind, "title": result.title, "identity": result.identity}
    return names | places | others


def _cover_document(cover: Cover | None) -> schemas.VerifyCover | None:
    return fields_of(cover.place, score=round(cover.score, 3)) if cover else None
