"""The three kinds of entries, and in what they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple

from learnings.confidence.matching import (
    Overlaps,
    anti_pattern_overlaps,
    principle_overlaps,
    procedure_overlaps,
    triggers_text,
)
from learnings.confidence.settings import ConfidenceSettings
from learnings.confidence.values import (
    ARCHIVED,
    SUPERSEDED,
    AntiPattern,
    AnyEntry,
    Observation,
    Principle,
    Procedure,
)


class Kind(NamedTuple, Generic[AnyEntry]):
    """One kind of entry.

    key is the key of the list in its file, prefix begins the ids, merged_status is the status of
    an entry that another one says as well. texts are the texts of an entry that an observation is
    compared with, uses the tags that it applies to; it can match nothing that shares neither. says
    is what two entries share that say the same. limit is how many are active at most.
    """

    key: str
    prefix: str
    merged_status: str
    overlaps: Callable[[AnyEntry, Observation, ConfidenceSettings], Overlaps]
    texts: Callable[[AnyEntry], Iterable[str]]
    uses: Callable[[AnyEntry], Iterable[str]]
    says: Callable[[AnyEntry], str]
    limit: Callable[[ConfidenceSettings], int]


def _principle_texts(principle: Principle) -> Iterable[str]:
    return (principle.text, *principle.guidance)


def _anti_pattern_texts(entry: AntiPattern) -> Iterable[str]:
    return (entry.failed_approach, entry.recommended_approach, triggers_text(entry))


def _procedure_texts(procedure: Procedure) -> Iterable[str]:
    return (procedure.text,)


def _no_uses(_entry: Principle | AntiPattern) -> Iterable[str]:
    return ()


def _applies_to(procedure: Procedure) -> Iterable[str]:
    return procedure.applies_to


def _guidance(principle: Principle) -> str:
    return "\n".join(principle.guidance)


def _remedy(entry: AntiPattern) -> str:
    """Return nothing without a remedy: triggers alone are shared by different failures."""
    if not entry.recommended_approach.strip():
        return ""
    return f"{entry.recommended_approach}\n{triggers_text(entry)}"


def _text(procedure: Procedure) -> str:
    return procedure.text


PRINCIPLES = Kind(
    "principles",
    "PR",
    SUPERSEDED,
    principle_overlaps,
    _principle_texts,
    _no_uses,
    _guidance,
    lambda settings: settings.max_principles,
)
ANTI_PATTERNS = Kind(
    "anti_patterns",
    "AP",
    ARCHIVED,
    anti_pattern_overlaps,
    _anti_pattern_texts,
    _no_uses,
    _remedy,
    lambda settings: settings.max_anti_patterns,
)
PROCEDURES = Kind(
    "procedures",
    "PC",
    ARCHIVED,
    procedure_overlaps,
    _procedure_texts,
    _applies_to,
    _text,
    lambda settings: settings.max_procedures,
)
