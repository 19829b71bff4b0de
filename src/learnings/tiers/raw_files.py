"""Raw files: the observations of one work unit, as JSON, and their texts in a theme."""

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
# The id of a work unit that can stand in a theme and be looked up as a file: letters of any script,
# digits and `_`, inside it also blanks, dots, dashes, `#`, `:` and `+`. Not a path.
_UNIT = lazy_pattern(r"\w(?:[\w .#:+-]{0,98}[\w+])?")
# Numbers before rules: `P12: `, `R-3. `.
_RULE_NUMBER = lazy_pattern(r"\A[A-Z]{1,3}-?\d{1,4}(?:[:.)]\s+|\s+[–—-]\s+)")
# A rule that is only a number: `P34`.
_ONLY_RULE_NUMBER = lazy_pattern(r"\A[A-Z]{1,3}-?\d{1,4}\Z")


class RawObservation(NamedTuple):
    """An observation of a work unit: the proposed rule and a description, each one line or empty.

    unit is the id of the work unit, file the name of its raw file, number the 1-based position in
    it. disposition is the decision about it, as written; instant the time of its file, if readable.
    work_id is the id inside the file, which other tools may have written into themes.
    """

    unit: str
    file: str
    number: int
    rule: str
    description: str
    disposition: str
    instant: datetime | None
    work_id: str = ""

    @property
    def reference(self) -> str:
        """The name of the observation: its file and its number in it."""
        return printable(f"{self.file}#{self.number}")

    @property
    def text(self) -> str:
        """The rule, and on the next line the description."""
        return f"{self.rule}\n{self.description}"

    @property
    def is_dismissed(self) -> bool:
        """True if somebody decided that there is nothing to learn from it."""
        return self.disposition.casefold().startswith("dismissed")

    @property
    def is_promoted(self) -> bool:
        """True if somebody decided that it becomes a rule."""
        return self.disposition.casefold().startswith("promoted")


class RawFile(NamedTuple):
    """A valid raw file: its name, the names of the work unit, and its observations in order."""

    name: str
    unit: str
    work_id: str
    instant: datetime | None
    observations: tuple[RawObservation, ...]


class SkippedFile(NamedTuple):
    """A file that is not a valid raw file, with the reason for use in a sentence."""

    name: str
    reason: str


def read_raw_file(name: str, data: bytes) -> RawFile | SkippedFile:
    """Return the raw file of this name, or the reason to skip it; no input is an error."""
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
    work_id, instant = " ".join(str(value["workId"]).split()), instant_of(value["timestamp"])
    unit = unit_of(work_id, name)
    observations = tuple(_observations(findings, name, unit, instant))
    return RawFile(
        name, unit, work_id, instant, tuple(one._replace(work_id=work_id) for one in observations)
    )


def raw_files_in_order(files: Sequence[RawFile]) -> list[RawFile]:
    """Return raw files by their instant, files without an instant last."""
    latest = datetime.max.replace(tzinfo=UTC)
    return sorted(files, key=lambda file: (file.instant or latest, file.name))


def observations_of(files: Sequence[RawFile]) -> list[RawObservation]:
    """Return the observations of all files, oldest first, without dismissed ones."""
    return [
        observation
        for file in raw_files_in_order(files)
        for observation in file.observations
        if not observation.is_dismissed
    ]


def unit_of(work_id: str, name: str) -> str:
    """Return the name of a work unit: of its file, or the id inside if that cannot be shown.

    So whoever reads the name finds the file, and two files are two work units. Other tools may use
    an id as part of a path, so an id that leads elsewhere is not passed on.
    """
    for text in (name.removesuffix(SUFFIX), work_id):
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
            decided = _on_one_line(values.get("disposition"))
            yield RawObservation(unit, name, number, rule, description, decided, instant)


def _on_one_line(value: object) -> str:
    """Return a text on one line; empty for other values."""
    return " ".join(value.split()) if isinstance(value, str) else ""


SHORT_WORDS = 40
"""Maximum words of a short text; the longest rule of 64 real observations has 19."""
# A sentence with its end; `e.g.` and `i.e.` do not end one.
_SENTENCE = lazy_pattern(r".+?(?:[.!?](?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]`*_]*(?=\s|$)|[。！？]|$)")
_ENDS = tuple(".!?:;…。！？")


class ItemTexts(NamedTuple):
    """The two texts of an observation, equal if there is nothing to omit."""

    full: str
    short: str


def item_of(observation: RawObservation) -> ItemTexts:
    """Return the texts of an observation: the whole for a theme, and the rule for a list."""
    rule, description = printable(observation.rule), printable(observation.description)
    sentence = _SENTENCE.match(description)
    short = rule or (sentence[0] if sentence else description)
    words = short.split()
    if len(words) > SHORT_WORDS:
        short = " ".join(words[:SHORT_WORDS]) + " …"
    parts = [part for part in (rule, description) if part]
    ended = (part if part.endswith(_ENDS) else f"{part}." for part in parts[:-1])
    return ItemTexts(" ".join([*ended, *parts[-1:]]), short)
