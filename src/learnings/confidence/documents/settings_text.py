"""The numbers set in `.shaktra/settings.yml`."""

from __future__ import annotations

from collections.abc import Mapping
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
_LONGEST = 30  # characters of a number
# A decimal number, also as 5e-1; Python would also accept underscores.
_NUMBER = lazy_pattern(r"[-+]?[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]{1,2})?")


class Number(NamedTuple):
    """A settable number: its place in the file, its meaning, and its range.

    A step is a decrease, which some projects write with its sign: -0.08 is 0.08.
    """

    section: str
    doc: str
    wants: str = "a number from 0 to 1"
    low: Decimal = Decimal(0)
    high: int = 1
    is_whole: bool = False
    is_step: bool = False


def _count(doc: str) -> Number:
    # A million entries or observations: chosen, far more than in any memory.
    return Number(
        MEMORY_SECTION, doc, "a whole number of at least 0", high=1_000_000, is_whole=True
    )


_SMALLEST = Decimal("1e-200")  # smaller than any number of so many characters
NUMBERS: Mapping[str, Number] = {
    "confidence_start": Number(MEMORY_SECTION, "confidence of a new entry"),
    "confidence_reinforce": Number(MEMORY_SECTION, "amount added when an entry is reinforced"),
    "confidence_weaken": Number(
        MEMORY_SECTION, "amount subtracted when it is weakened", is_step=True
    ),
    "confidence_contradict": Number(
        MEMORY_SECTION, "amount subtracted when it is contradicted", is_step=True
    ),
    "confidence_archive": Number(MEMORY_SECTION, "threshold below which an entry is archived"),
    "max_principles": _count("maximum active principles"),
    "max_anti_patterns": _count("maximum active anti-patterns"),
    "max_procedures": _count("maximum active procedures"),
    "max_observations_per_story": _count("maximum observations"),
    "briefing_confidence_threshold": Number(
        MEMORY_SECTION, "threshold at which an entry is in briefings"
    ),
    "max_briefing_entries": _count("maximum entries in a briefing"),
    "incident_confidence_multiplier": Number(
        INCIDENT_SECTION,
        "factor for a new or reinforced entry in an incident",
        "a number above 0",
        _SMALLEST,
        100,
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
    wanted = NUMBERS[key]
    if text is None or len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return None
    try:
        number = abs(Decimal(text)) if wanted.is_step else Decimal(text)
    except InvalidOperation:
        return None
    is_form = text.lstrip("+-").isdigit() or not wanted.is_whole
    if not (is_form and wanted.low <= number <= wanted.high):
        return None
    return int(number) if wanted.is_whole else number
