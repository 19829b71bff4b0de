"""What a change of the memory lost as workflow commands, which GitHub shows as annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.app.verify.verification import Verification
from learnings.consolidation.proof.model import Loss, Notice
from learnings.core.text import counted
from learnings.surfaces.render.findings_github import MOST
from learnings.surfaces.render.proof_words import (
    archive_command,
    can_be_archived,
    loss_message,
    notice_message,
)
from learnings.surfaces.render.workflow_commands import command

_TITLE = "learnings verify"


def render(verification: Verification) -> str:
    """Return a command for each loss, then for each notice, and a line for those left out."""
    proof = verification.proof
    losses = [(loss, _with_command(loss)) for loss in proof.losses]
    notices = [(notice, notice_message(notice)) for notice in proof.notices]
    return "".join((*_commands("error", losses), *_commands("notice", notices)))


def _with_command(loss: Loss) -> str:
    message = loss_message(loss)
    if not can_be_archived(loss):
        return message
    return f"{message}; put it back, or run: {archive_command(loss)}"


def _commands(
    level: str, results: Sequence[tuple[Loss, str]] | Sequence[tuple[Notice, str]]
) -> Iterator[str]:
    for result, message in results[:MOST]:
        place = result.after
        yield command(level, message, file=place.path, line=place.line, title=_TITLE)
    rest = len(results) - MOST
    if rest > 0:
        yield f"and {counted(rest, f'more {level}')}, beyond what GitHub shows\n"
