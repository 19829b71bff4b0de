"""Rules that several work units have found, as text to put into the files of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.text import counted, printable
from learnings.tiers.promotion import Promotion


def render(proposal: tuple[str, Sequence[Promotion]] | None) -> str:
    """Return the sections and the lines to add, nothing where nothing is proposed."""
    if proposal is None or not proposal[1]:
        return ""
    return "".join(f"{printable(line)}\n" for line in _lines(*proposal))


def _lines(path: str, promotions: Sequence[Promotion]) -> Iterator[str]:
    yield f"{counted(len(promotions), 'rule')} of two or more work units, for {path}:"
    for promotion in promotions:
        yield from ("", f"## {promotion.title}", "", promotion.rule, "")
        for observation in promotion.observations:
            said = observation.description or observation.rule
            yield f"- {observation.unit}: {said}{_decision(observation.disposition)}"
    yield from ("", "For the memory that the agent always loads:", "")
    for promotion in promotions:
        yield f"{promotion.line}{' (promoted before)' if promotion.promoted else ''}"


def _decision(disposition: str) -> str:
    return f" [{disposition}]" if disposition else ""
