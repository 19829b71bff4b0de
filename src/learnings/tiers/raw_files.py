"""Raw files: the observations of one work unit, as JSON, and the words they get in a theme."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from learnings.core.entries.document import excess_of
from learnings.core.instants import instant_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable

SUFFIX = ".json"
REQUIRED = ("workId", "timestamp", "findings")
# The id of a work unit as it may stand in a theme and be looked up as a file: letters of any
# script, digits and `_`, inside it also blanks, dots, dashes, `#`, `:` and `+`. No path.
_UNIT = lazy_pattern(r"\w(?:[\w .#:+-]{0,98}[\w+])?")
# What people put before a rule to number it: `P12: `, `R-3. `.
_RULE_NUMBER = lazy_pattern(r"\A[A-Z]{1,3}-?\d{1,4}(?:[:.)]\s+|\s+[–—-]\s+)")
# A rule that is a number and nothing else: `P34`.
_ONLY_RULE_NUMBER = lazy_pattern(r"\A[A-Z]{1,3}-?\d{1,4}\Z")


class RawObservation(NamedTuple):
    """What a work unit has found: the rule it proposes and what it saw, each on one line or empty.

    unit is the id of the work unit, file the name of its raw file, number the place in it from 1.
    disposition is what was decided about it, as written; instant when its file was written, if
    that can be read. category is as written, too.
    """

    unit: str
    file: str
    number: int
    rule: str
    description: str
    disposition: str
    instant: datetime | None
    category: str = ""

    @property
    def text(self) -> str:
        """The rule, and in the next line what was seen."""
        return f"{self.rule}\n{self.description}"

    @property
    def is_dismissed(self) -> bool:
        """True if it was decided that nothing is to be learned from it."""
        return self.disposition.casefold().startswith("dismissed")

    @property
    def is_promoted(self) -> bool:
        """True if it was decided that it becomes a rule."""
        return self.disposition.casefold().startswith("promoted")


class RawFile(NamedTuple):
    """A valid raw file: its name, the id of the work unit, and what that found, in its order."""

    name: str
    unit: str
    instant: datetime | None
    observations: tuple[RawObservation, ...]


class SkippedFile(NamedTuple):
    """A file that is no valid raw file, with the reason for the middle of a sentence."""

    name: str
    reason: str


def read_raw_file(name: str, data: bytes) -> RawFile | SkippedFile:
    """Return the raw file of this name, or why it is skipped; no input is an error."""
    excess = excess_of(data)
    if excess is not None:
        return SkippedFile(name, excess)
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return SkippedFile(name, "is not JSON")
    if not isinstance(value, dict):
        return SkippedFile(name, "is not a JSON object")
    missing = [key for key in REQUIRED if value.get(key) in (None, "")]
    if missing:
        return SkippedFile(name, f"lacks {', '.join(missing)}")
    findings = value["findings"]
    if not isinstance(findings, list):
        return SkippedFile(name, "has findings that are not a list")
    unit, instant = unit_of(value["workId"], name), instant_of(value["timestamp"])
    return RawFile(name, unit, instant, tuple(_observations(findings, name, unit, instant)))


def raw_files_in_order(files: Sequence[RawFile]) -> list[RawFile]:
    """Return raw files by the instant they were written, those without one last."""
    latest = datetime.max.replace(tzinfo=UTC)
    return sorted(files, key=lambda file: (file.instant or latest, file.name))


def observations_of(files: Sequence[RawFile]) -> list[RawObservation]:
    """Return what all files have found, the oldest first, without what was dismissed."""
    return [
        observation
        for file in raw_files_in_order(files)
        for observation in file.observations
        if not observation.is_dismissed
    ]


def unit_of(work_id: object, name: str) -> str:
    """Return the id of a work unit, or the name of its file where the id is none that can be shown.

    An id may become part of a path in the hands of others; one that leads elsewhere is not passed
    on.
    """
    for text in (str(work_id), name.removesuffix(SUFFIX)):
        unit = " ".join(text.split())
        if _UNIT.fullmatch(unit) and ".." not in unit:
            return unit
    return "unnamed"


def _observations(
    findings: Sequence[object], name: str, unit: str, instant: datetime | None
) -> Iterator[RawObservation]:
    for number, finding in enumerate(findings, start=1):
        values = finding if isinstance(finding, dict) else {"description": finding}
        rule = _RULE_NUMBER.sub("", _on_one_line(values.get("proposedRule")))
        rule = "" if _ONLY_RULE_NUMBER.fullmatch(rule) else rule
        description = _on_one_line(values.get("description"))
        if rule or description:
            decided, kind = (_on_one_line(values.get(key)) for key in ("disposition", "category"))
            yield RawObservation(unit, name, number, rule, description, decided, instant, kind)


def _on_one_line(value: object) -> str:
    """Return a text on one line; empty for what is not a text."""
    return " ".join(value.split()) if isinstance(value, str) else ""


FULL_WORDS, SHORT_WORDS = 60, 40
"""Words of an item in full, and of a short one: so that three in full fit a theme at the least. The
longest of 64 real observations have 57 words, the longest rules 19."""
# A sentence with its end; `e.g.` and `i.e.` end none.
_SENTENCE = lazy_pattern(r".+?(?:[.!?](?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]`*_]*(?=\s|$)|[。！？]|$)")
_ENDS = tuple(".!?:;…。！？")


class ItemTexts(NamedTuple):
    """The two texts of an observation; they are equal where there is nothing to leave out."""

    full: str
    short: str


def item_of(observation: RawObservation) -> ItemTexts:
    """Return the texts of an observation: its rule and what was seen, and the rule alone."""
    rule, description = printable(observation.rule), printable(observation.description)
    short = rule or _first_sentence(description)
    words = short.split()
    if len(words) > SHORT_WORDS:
        short = " ".join(words[:SHORT_WORDS]) + " …"
    parts = [part for part in (rule, description) if part]
    ended = (part if part.endswith(_ENDS) else f"{part}." for part in parts[:-1])
    full = " ".join([*ended, *parts[-1:]])
    return ItemTexts(full if len(full.split()) <= FULL_WORDS else short, short)


def _first_sentence(text: str) -> str:
    match = _SENTENCE.match(text)
    return match[0] if match else text
