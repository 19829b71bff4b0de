"""Short builders of confidence memories for tests."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from learnings.confidence.curation import curate
from learnings.confidence.values import (
    CONSISTENCY_CHECK,
    DISCOVERY,
    AntiPattern,
    Applied,
    ConfidenceSettings,
    Curation,
    Memory,
    Observation,
    Principle,
    Procedure,
    ScoredEntry,
    Story,
)

TODAY = "2026-04-02"
SETTINGS = ConfidenceSettings()
# Texts of five content words each; no two share a word.
POOL = "pooled connections survive database restarts"
CACHE = "stale cache headers confuse browsers"
QUEUE = "unbounded queue growth exhausts workers"


def observation(text: str = POOL, tags: str = "", **fields: object) -> Observation:
    """Return a discovery, or an observation of another `type`; blanks separate tags."""
    plain = Observation("OB-001", DISCOVERY, text, tuple(tags.split()))
    return plain._replace(**_any(fields))


def check(entry_id: str, relationship: str) -> Observation:
    fields = {"principle_id": entry_id, "relationship": relationship}
    return observation("checked against the briefing", type=CONSISTENCY_CHECK, **fields)


def story(number: int, *observations: Observation, **fields: object) -> Story:
    """Return a story; numbers are its order in time. Observations get their own numbers."""
    numbered = tuple(
        item._replace(id=f"OB-{place:03}", line=place) for place, item in enumerate(observations, 1)
    )
    name = f"ST-{number:03}"
    return Story(name, f"stories/{name}/.observations.yml", numbered)._replace(**_any(fields))


def principle(
    number: int = 1, confidence: str = "0.60", text: str = POOL, **fields: object
) -> Principle:
    return Principle(f"PR-{number:03}", text, Decimal(confidence), **_any(fields))


def anti_pattern(
    number: int = 1, confidence: str = "0.60", text: str = QUEUE, **fields: object
) -> AntiPattern:
    return AntiPattern(f"AP-{number:03}", text, Decimal(confidence), **_any(fields))


def procedure(
    number: int = 1, confidence: str = "0.60", text: str = CACHE, **fields: object
) -> Procedure:
    return Procedure(f"PC-{number:03}", text, Decimal(confidence), **_any(fields))


def memory(*entries: ScoredEntry) -> Memory:
    """Return a memory of entries of any kind."""
    return Memory(
        tuple(entry for entry in entries if isinstance(entry, Principle)),
        tuple(entry for entry in entries if isinstance(entry, AntiPattern)),
        tuple(entry for entry in entries if isinstance(entry, Procedure)),
    )


def curated(
    before: Memory,
    *stories: Story,
    applied: Iterable[Applied] = (),
    today: str = TODAY,
    **settings: object,
) -> Curation:
    """Return the memory that stories produce, with settings that differ from the defaults."""
    return curate(before, stories, settings_with(**settings), applied, today)


def settings_with(**settings: object) -> ConfidenceSettings:
    return SETTINGS._replace(**_any(settings))


def scores(curation: Curation) -> dict[str, tuple[str, str]]:
    """Return confidence and status of each entry by its id."""
    return {entry.id: (str(entry.confidence), entry.status) for entry in curation.memory.entries}


def _any(fields: dict[str, object]) -> dict[str, Any]:
    """Return fields whose types are unknown to a call."""
    return fields
