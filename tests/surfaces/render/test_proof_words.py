"""The words for losses and their remedies."""

from __future__ import annotations

import pytest

from learnings.app.verify.verification import Verification
from learnings.consolidation.proof.losses import FilePlace, Kind, Proof, Result
from learnings.core.findings.finding import CheckReport
from learnings.surfaces.cli.formats import renderer
from learnings.surfaces.render import job_summary, proof
from tests.surfaces.verdicts import inspected

NONE = CheckReport.of([], files=0)
PLACE = FilePlace("agents/learnings.md", 3)
LOST = Result(Kind.ENTRY, "When mocks lie", "when mocks lie", PLACE, PLACE, rev="HEAD")
COMMAND = "learnings archive --from HEAD --file agents/learnings.md --stage"
OTHERS = {
    "emptied": LOST._replace(detail="only its heading is left"),
    "its archive left out": LOST._replace(unstaged="agents/archive/a.md"),
    "a row": LOST._replace(kind=Kind.ROW),
}


def texts(loss: Result) -> list[str]:
    """Return the text of each format for a loss."""
    verification = Verification("1" * 40, None, "index", Proof((loss,)), changed=True)
    summary = job_summary.as_markdown(inspected(NONE, [], verification=verification))
    formats = (proof.as_text, renderer("proof", "json"), proof.as_github)
    return [summary, *(render(verification) for render in formats)]


def test_what_left_as_a_whole_can_be_archived() -> None:
    assert all(COMMAND in text for text in texts(LOST))


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_else_can(name: str) -> None:
    assert not any("learnings archive" in text for text in texts(OTHERS[name]))
