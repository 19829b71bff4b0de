"""The numbers set in `.shaktra/settings.yml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from learnings.confidence.documents.fields import (
    DocumentProblem,
    UnreadableDocument,
    mapping_of,
    shown,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.yaml.nodes import YamlMapping, is_nothing, text_of

MEMORY_SECTION, INCIDENT_SECTION = "memory", "incident"
_LARGEST = 1_000_000  # entries or observations; chosen, far more than in any memory
_LONGEST = 30  # characters of a number
# A decimal number, also as 5e-1; Python would also accept underscores.
_NUMBER = lazy_pattern(r"[-+]?[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]{1,2})?")


class Number(NamedTuple):
    """A settable number: its place in the file, its range, and its reader.

    read raises ValueError or ArithmeticError for an invalid text.
    """

    section: str
    wants: str
    read: Callable[[str], Decimal | int]
    doc: str


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(text)
    return number


def _share(text: str) -> Decimal:
    number = _decimal(text)
    if not 0 <= number <= 1:
        raise ValueError(text)
    return number


def _step(text: str) -> Decimal:
    """Read a decrease, which some projects write with its sign: -0.08 is 0.08."""
    return _share(str(abs(_decimal(text))))


def _factor(text: str) -> Decimal:
    number = _decimal(text)
    if not 0 < number <= 100:
        raise ValueError(text)
    return number


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= _LARGEST:
        raise ValueError(text)
    return number


_SHARE, _COUNT = "a number from 0 to 1", "a whole number of at least 0"
NUMBERS: Mapping[str, Number] = {
    "confidence_start": Number(MEMORY_SECTION, _SHARE, _share, "confidence of a new entry"),
    "confidence_reinforce": Number(
        MEMORY_SECTION, _SHARE, _share, "amount added when an entry is reinforced"
    ),
    "confidence_weaken": Number(
        MEMORY_SECTION, _SHARE, _step, "amount subtracted when it is weakened"
    ),
    "confidence_contradict": Number(
        MEMORY_SECTION, _SHARE, _step, "amount subtracted when it is contradicted"
    ),
    "confidence_archive": Number(
        MEMORY_SECTION, _SHARE, _share, "threshold below which an entry is archived"
    ),
    "max_principles": Number(MEMORY_SECTION, _COUNT, _count, "maximum active principles"),
    "max_anti_patterns": Number(MEMORY_SECTION, _COUNT, _count, "maximum active anti-patterns"),
    "max_procedures": Number(MEMORY_SECTION, _COUNT, _count, "maximum active procedures"),
    "max_observations_per_story": Number(MEMORY_SECTION, _COUNT, _count, "maximum observations"),
    "briefing_confidence_threshold": Number(
        MEMORY_SECTION, _SHARE, _share, "threshold at which an entry is in briefings"
    ),
    "max_briefing_entries": Number(MEMORY_SECTION, _COUNT, _count, "maximum entries in a briefing"),
    "incident_confidence_multiplier": Number(
        INCIDENT_SECTION,
        "a number above 0",
        _factor,
        "factor for a new or reinforced entry in an incident",
    ),
}
"""The numbers by key; each is also a command option, with `-` for `_`."""


class SettingsFile(NamedTuple):
    """The numbers that a settings file sets, by key, and the problems of others."""

    numbers: Mapping[str, Decimal | int] = {}
    problems: tuple[DocumentProblem, ...] = ()


def read_settings(text: str) -> SettingsFile:
    """Return the numbers that a settings file sets.

    Other contents of the file are not ours. Raises UnreadableDocument.
    """
    root = mapping_of(text)
    numbers: dict[str, Decimal | int] = {}
    problems: list[DocumentProblem] = []
    for key, number in NUMBERS.items():
        section = root.get(number.section) if root is not None else None
        if section is not None and not is_nothing(section) and not isinstance(section, YamlMapping):
            wants = f"{number.section} takes keys with values, not {shown(section)}"
            raise UnreadableDocument(DocumentProblem(section.line, wants, number.section))
        node = section.get(key) if isinstance(section, YamlMapping) else None
        if node is None or is_nothing(node):
            continue
        # A quoted number counts, since it is unambiguous.
        value = parse_number(key, text_of(node))
        if value is None:
            message = f"{number.section}.{key} takes {number.wants}, not {shown(node)}"
            problems.append(DocumentProblem(node.line, message, key))
        else:
            numbers[key] = value
    return SettingsFile(numbers, tuple(problems))


def parse_number(key: str, text: str | None) -> Decimal | int | None:
    """Return the number of a key, or None for an invalid text."""
    if text is None or len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return None
    try:
        return NUMBERS[key].read(text)
    except (ValueError, InvalidOperation, OverflowError):
        return None
