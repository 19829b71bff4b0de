"""What a change of the memory lost, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.verify.verification import Verification
from learnings.core.text import counted, printable, short_commit
from learnings.surfaces.render.proof_words import advice, loss_message, notice_message

_COMPARED = {"index": "what is staged", "working-tree": "the working tree"}


def render(verification: Verification) -> str:
    """Return a line for each loss and notice, what to do, and a line that sums up."""
    return "".join(f"{line}\n" for line in _lines(verification))


def _lines(verification: Verification) -> Iterator[str]:
    proof = verification.proof
    for loss in proof.losses:
        yield f"{printable(loss.after.path)}:{loss.after.line}: error: {loss_message(loss)}"
    for notice in proof.notices:
        place = f"{printable(notice.after.path)}:{notice.after.line}"
        yield f"{place}: notice: {notice_message(notice)}"
    yield from advice(proof.losses)
    yield _summary(verification)


def _summary(verification: Verification) -> str:
    compared = f"commit {short_commit(verification.head)}" if verification.head else ""
    compared = compared or _COMPARED[verification.compared]
    since = f"{compared}, compared with commit {short_commit(verification.base)}"
    if not verification.changed:
        return f"Nothing of the memory has changed in {since}."
    proof = verification.proof
    if proof.losses:
        return f"{counted(len(proof.losses), 'loss', 'losses')} in {since}."
    entries = counted(proof.entries, "entry", "entries")
    return f"Nothing is lost in {since}: {entries} of changed files looked at."
