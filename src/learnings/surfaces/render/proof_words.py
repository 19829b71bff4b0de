"""The words for what was lost, and for what to look at, in every format."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from learnings.consolidation.proof.model import (
    COVERED,
    ENTRY,
    ORIGINAL,
    RETYPED,
    ROW,
    Cover,
    Loss,
    Notice,
)
from learnings.core.findings.finding import quoted
from learnings.core.text import counted, printable, short_commit

# Words that are uncovered, of which a line has room for so many; chosen.
_MOST_WORDS = 12


def loss_message(loss: Loss) -> str:
    """Return what was lost, on one line, ready to print."""
    title = quoted(loss.title)
    where = f" (line {loss.before.line} of {printable(loss.before.path)} before)"
    if loss.kind == ROW:
        return f"the row {title} leads nowhere any more: {printable(loss.detail) or 'no heading'}"
    if loss.kind == ORIGINAL:
        how = "is altered" if loss.altered else "is gone"
        return f"the archived entry {title} {how}, and is word for word in no other archive"
    if loss.unstaged:
        reason = f": {loss.detail}" if loss.detail else ""
        return (
            f"the entry {title} leaves{where}, but its archive {printable(loss.unstaged)} is not "
            f"committed with it{reason}"
        )
    return f"the entry {title} is lost{where}: {_reason(loss)}{_commit(loss)}"


def _reason(loss: Loss) -> str:
    if loss.altered:
        altered = f"{printable(loss.altered.path)}:{loss.altered.line}"
        return f"{altered} has it, but not word for word"
    if loss.detail:
        return f"{printable(loss.detail)}, and its text is in no archive"
    if loss.cover is None:
        return "no archive has it, and no text added since is like it"
    return f"no archive has it, and {_nearest(loss.cover)}"


def _nearest(cover: Cover) -> str:
    return f"the nearest added text, {_place(cover)}, covers {percent(cover.score)} of it"


def _commit(loss: Loss) -> str:
    return f"; commit {short_commit(loss.commit)} lost it" if loss.commit else ""


def notice_message(notice: Notice) -> str:
    """Return what to look at, on one line, ready to print."""
    title = quoted(notice.title)
    if notice.kind == RETYPED and notice.archived:
        place = f"{printable(notice.archived.path)}:{notice.archived.line}"
        return f"the entry {title} is in {place} in the same words, but not byte for byte"
    if notice.kind == COVERED:
        place, score = _place(notice.cover), percent(notice.cover.score if notice.cover else 0)
        words = _words(notice.missing)
        missing = f"; not there: {words}" if words else ""
        if notice.originals:
            back = counted(notice.originals, "original")
            return f"the entry {title} leaves, and its {back} are back{missing}"
        return f"the entry {title} is in no archive; {place} covers {score} of it{missing}"
    sentences = " … ".join(printable(sentence) for sentence in notice.missing)
    return f"the entry {title} has lost more than half of its words: {sentences or 'see the diff'}"


def _place(cover: Cover | None) -> str:
    return f"{printable(cover.place.path)}:{cover.place.line}" if cover else ""


def _words(words: Sequence[str]) -> str:
    rest = len(words) - _MOST_WORDS
    shown = ", ".join(map(printable, words[:_MOST_WORDS]))
    return f"{shown} and {counted(rest, 'more word')}" if rest > 0 else shown


def percent(score: float) -> str:
    """Return a share from 0 to 1 as text, rounded down: what is refused never looks enough."""
    return f"{int(score * 100 + 1e-9)} %"


def advice(losses: Sequence[Loss]) -> Iterator[str]:
    """Give the lines that say what to do about losses, commands behind four blanks."""
    unstaged = dict.fromkeys(loss.unstaged for loss in losses if loss.unstaged)
    if unstaged:
        yield "Commit the archive with it:"
        yield f"    {shlex.join(['git', 'add', '--', *map(printable, unstaged)])}"
    commands = archive_commands(losses)
    if commands:
        yield "Put the entries back, or archive them word for word and commit the archive:"
        yield from (f"    {command}" for command in commands)
    yield from _other_advice(losses)


def can_be_archived(loss: Loss) -> bool:
    """Return True for an entry that left as a whole and that no archive on disk has."""
    return loss.kind == ENTRY and not (loss.unstaged or loss.detail)


def archive_commands(losses: Sequence[Loss]) -> list[str]:
    """Return the commands that archive what was lost, each once."""
    return list(dict.fromkeys(archive_command(loss) for loss in losses if can_be_archived(loss)))


def archive_command(loss: Loss) -> str:
    """Return the command that archives what a file lost since a commit, and stages that."""
    words = ["learnings", "archive", "--from", loss.rev or "HEAD", "--file", loss.before.path]
    return shlex.join([*map(printable, words), "--stage"])


def _other_advice(losses: Sequence[Loss]) -> Iterator[str]:
    emptied = [loss for loss in losses if loss.kind == ENTRY and loss.detail and not loss.unstaged]
    originals = [loss for loss in losses if loss.kind == ORIGINAL]
    restored = dict.fromkeys((loss.rev, loss.before.path) for loss in (*emptied, *originals))
    if restored:
        yield "See what it was, and put the text back:"
        for rev, path in restored:
            name = printable(f"{rev or 'HEAD'}:{path}")
            yield f"    {shlex.join(['git', 'show', name])}"
    if any(loss.kind == ROW for loss in losses):
        yield "Correct the rows, or remove them:"
        yield "    learnings check --role index"
