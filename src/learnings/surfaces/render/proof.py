"""A change of the memory: its losses, as text and workflow commands, and each entry of it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.app.verify.verification import UnseenFile, Verification
from learnings.consolidation.proof.changes import CAME_BACK, HIDDEN, KINDS, LOST, EntryChange
from learnings.consolidation.proof.comparison import EMPTIED
from learnings.consolidation.proof.results import DISPLACED, FilePlace, Kind, Result
from learnings.consolidation.proof.wording import WordChange
from learnings.core.findings.finding import quoted
from learnings.core.text import counted, printable, short_commit
from learnings.surfaces.actions import limited, workflow_command
from learnings.surfaces.render.writing import (
    Part,
    joined,
    joined_lines,
    line,
    list_below,
    markdown,
    span,
    text,
)

_MOST_WORDS = 12  # uncovered words on a line; chosen
_FEW_WORDS = 3  # that say more than the sentences with them; chosen
_MOST_SENTENCES = 2  # of a lost entry, on a line; chosen
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
    cover = loss.cover
    near = f"{shown_place(cover.place)} covers {percent(cover.score)} of it" if cover else ""
    reason = f"no archive has it, and {near or 'no other text is similar'}"
    if cover and not cover.uncovered:
        return f"{reason}, but does not say the same"
    if cover and (not loss.missing or len(cover.uncovered) <= _FEW_WORDS):
        return f"{reason}; not covered: {_listed(cover.uncovered)}"
    shown = ", ".join(map(quoted, loss.missing[:_MOST_SENTENCES]))
    rest = len(loss.missing) - _MOST_SENTENCES
    more = f" and {counted(rest, 'more sentence')}" if rest > 0 else ""
    return f"{reason}; missing: {shown}{more}" if shown else reason


def _listed(words: Sequence[str]) -> str:
    rest = len(words) - _MOST_WORDS
    shown = ", ".join(map(printable, words[:_MOST_WORDS]))
    return f"{shown} and {counted(rest, 'more word')}" if rest > 0 else shown


def notice_message(notice: Result) -> str:
    if notice.kind == Kind.COVERED:
        words = _covered(notice)
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
    missing = f"; not covered: {_listed(notice.missing)}" if notice.missing else ""
    if notice.originals:
        return f"leaves, and its {counted(notice.originals, 'original')} are back{missing}"
    place = shown_place(notice.cover.place if notice.cover else None)
    score = percent(notice.cover.score if notice.cover else 0)
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
    of_files = [loss for loss in losses if loss.entry and loss.entry.path and not loss.unstaged]
    files = [loss for loss in of_files if loss.detail in ("", EMPTIED)]
    if files:
        yield "Put the file back; to let it go, archive it then, with its row of the index:"
        commands = [command for loss in files for command in _file_commands(loss)]
        yield from (f"    {command}" for command in dict.fromkeys(commands))
    altered = [loss for loss in losses if loss.kind == Kind.ORIGINAL]
    altered += (loss for loss in of_files if loss not in files)
    altered += (loss for loss in losses if loss.detail.startswith(DISPLACED))
    if altered:
        yield "Look at the old text and put it back:"
        for rev, path in dict.fromkeys((loss.rev, _real(loss)) for loss in altered):
            name = printable(f"{rev or 'HEAD'}:{path}")
            yield f"    {shlex.join(['git', 'show', name])}"
    if any(loss.kind == Kind.ROW for loss in losses):
        yield "Correct the rows, or remove them:"
        yield "    learnings check --role index"


def _file_commands(loss: Result) -> Iterator[str]:
    """Yield the command that restores the file of an entry, and the one that archives it."""
    path, name = printable(_real(loss)), printable(loss.identity)
    restore = ["git", "restore", f"--source={loss.rev or 'HEAD'}", "--staged", "--worktree", "--"]
    yield shlex.join([*restore, f":(top,literal){path}"])
    folder, reason = path[: -len(name)].rstrip("/"), "no longer needed"
    archive = ["learnings", "archive", "--file", folder, "--reason", reason, "--stage", "--", name]
    yield shlex.join(archive)


def archive_commands(losses: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(filter(None, map(archive_command, losses))))


def archive_command(loss: Result) -> str:
    """Return the command that archives and stages the entries a file lost since a commit.

    It is empty for a file of a folder, for an entry that an archive on disk has, and for one that a
    merge lost to one like it.
    """
    is_file = loss.entry is not None and loss.entry.path != ""
    is_displaced = loss.detail.startswith(DISPLACED)  # for `archive` it is still there, reworded
    if loss.kind != Kind.ENTRY or loss.unstaged or is_file or is_displaced:
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
        covered = [notice for notice in proof.notices if notice.cover]
        yield from _covered_summary(covered)
        lacking = [one for one in proof.notices if one.cover or one.kind == Kind.SHORTENED]
        is_whole = not any(notice.missing for notice in lacking)
        entries = counted(proof.entries, "entry", "entries")
        subject = "Nothing" if is_whole else "No entry"
        yield f"{subject} is lost in {since}: {entries} of changed files checked."


def _covered_summary(covered: Sequence[Result]) -> Iterator[str]:
    if covered:
        score = percent(min(notice.cover.score for notice in covered if notice.cover))
        words = tuple(dict.fromkeys(word for notice in covered for word in notice.missing))
        missing = f"; not covered: {_listed(words)}" if words else ""
        at_least = "" if len(covered) == 1 else "at least "
        yield f"{counted(len(covered), 'entry', 'entries')} covered to {at_least}{score}{missing}."


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


# What a change does to entries of a kind, and the word before the place where they are now.
_EFFECTS = {
    "added": ("adds", ""),
    CAME_BACK: ("brings back", ""),
    "reworded": ("rewords", ""),
    "moved": ("moves", "to"),
    "merged": ("merges", "into"),
    "archived": ("archives", "in"),
    "dropped": ("drops", ""),
    HIDDEN: ("hides", "in"),
    LOST: ("loses", "altered in"),
}


def summary_sentence(changes: Sequence[EntryChange]) -> str:
    """Return the counts of a change, such as `Adds 2 entries, rewords 1`, as a sentence."""
    numbers = Counter(change.kind for change in changes)
    facts = [(_EFFECTS[kind][0], numbers[kind]) for kind in KINDS if numbers[kind]]
    if not facts:
        return "No entry changed."
    (verb, number), *others = facts
    first = f"{verb.capitalize()} {counted(number, 'entry', 'entries')}"
    return f"{', '.join([first, *(f'{verb} {number}' for verb, number in others)])}."


def change_words(change: EntryChange) -> str:
    """Return the outcome of an entry for the end of a line; empty for an added entry."""
    if change.words:
        return shown_changes(change.words)
    place = change.after if change.before and change.after != change.before else None
    where, reason = shown_place(place), printable(change.reason)
    preposition = _EFFECTS[change.kind][1]
    if change.kind == LOST:
        return reason or (f"{preposition} {where}" if where else "")
    if reason:
        return f"{preposition} {reason}{f' ({where})' if where else ''}".strip()
    return f"{preposition} {where}" if preposition and where else ""


def diff_as_text(difference: Verification) -> str:
    return text([[_places(difference), line(summary_sentence(difference.changes))]])


def diff_as_markdown(difference: Verification) -> str:
    """Return the same with the summary first, for readers of a comment."""
    return markdown("", [[line(summary_sentence(difference.changes)), _places(difference)]])


def _places(difference: Verification) -> Part:
    found = [*map(Found.of, difference.changes)]
    found += [Found(f"{one.path}:1", "", "", unseen_message(one)) for one in difference.unseen]
    return Part(
        lambda: [one.line for one in found], lambda: list_below("", (one.item for one in found))
    )


class Found(NamedTuple):
    """A change at a place of a file: its kind and title, if any, and what became of it."""

    place: str
    kind: str
    title: str
    outcome: str

    @classmethod
    def of(cls, change: EntryChange) -> Found:
        place = shown_place(change.before or change.after)
        return cls(place, change.kind.replace("-", " "), change.title, change_words(change))

    @property
    def line(self) -> str:
        return joined(": ", self.place, self.kind, self.title and quoted(self.title), self.outcome)

    @property
    def item(self) -> str:
        """An item of a list in Markdown."""
        what = f"**{self.kind}** {span(self.title)} at " if self.title else ""
        return f"{what}{span(self.place)}{self.outcome and f': {span(self.outcome)}'}"
