"""What a change of the memory lost as JSON, document `learnings.verify/1`."""

from __future__ import annotations

from learnings.app.verify.verification import Verification
from learnings.consolidation.proof.model import Cover, Loss, Notice, Place
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.proof_words import (
    archive_command,
    can_be_archived,
    loss_message,
    notice_message,
)

SCHEMA = "learnings.verify/1"


def render(verification: Verification) -> str:
    """Return the document as text."""
    return json_document(document(verification))


def document(verification: Verification) -> dict[str, object]:
    """Return the document."""
    proof = verification.proof
    return {
        "schema": SCHEMA,
        "base": verification.base,
        "head": verification.head,
        "compared": verification.compared,
        "losses": [_loss(loss) for loss in proof.losses],
        "notices": [_notice(notice) for notice in proof.notices],
        "summary": {
            "entries": proof.entries,
            "losses": len(proof.losses),
            "notices": len(proof.notices),
        },
    }


def _loss(loss: Loss) -> dict[str, object]:
    return {
        "kind": loss.kind,
        "title": loss.title,
        "identity": loss.identity,
        "before": _place(loss.before),
        "after": _place(loss.after),
        "commit": loss.commit or None,
        "cover": _cover(loss.cover),
        "altered": _place(loss.altered) if loss.altered else None,
        "unstaged": loss.unstaged or None,
        "message": loss_message(loss),
        "command": archive_command(loss) if can_be_archived(loss) else None,
    }


def _notice(notice: Notice) -> dict[str, object]:
    return {
        "kind": notice.kind,
        "title": notice.title,
        "identity": notice.identity,
        "before": _place(notice.before),
        "after": _place(notice.after),
        "cover": _cover(notice.cover),
        "missing": list(notice.missing),
        "archived": _place(notice.archived) if notice.archived else None,
        "originals": notice.originals,
        "message": notice_message(notice),
    }


def _place(place: Place) -> dict[str, object]:
    return {"path": place.path, "line": place.line}


def _cover(cover: Cover | None) -> dict[str, object] | None:
    return cover and {**_place(cover.place), "score": round(cover.score, 3)}
