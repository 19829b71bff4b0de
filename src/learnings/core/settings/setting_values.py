"""The settings as values with their defaults and origins; `keys` has a row for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from learnings.core.file_names import CONFIDENCE_FOLDER, TIER_FOLDER

KeyPath = tuple[str | int, ...]
"""The path of a key: names, and 0-based indexes of array elements."""


class SettingsSource(NamedTuple):
    """The source of settings: its name, the base folder of its paths, and the lines of its keys."""

    name: str
    folder: str = ""
    line_of: Callable[[KeyPath], int | None] = lambda _keys: None

    def location(self, keys: KeyPath) -> str:
        line = self.line_of(keys)
        return self.name if line is None else f"{self.name}:{line}"


class SettingOrigin(NamedTuple):
    """The place of one value, computed when printed."""

    source: SettingsSource
    keys: KeyPath

    def __str__(self) -> str:
        return self.source.location(self.keys)


OFF = "off"  # value of the table `rules` for a rule that does not run
_NOTHING_SET: Mapping[str, Any] = MappingProxyType({})


class FileSettings(NamedTuple):
    """The settings of a learnings file, in lines and active days; `None`: the file decides."""

    path: str | None = None
    dialect: str = "auto"
    entry_level: int | None = None
    preamble_lines: int | None = None
    insert: str = "auto"
    preset: str = "none"
    title_prefixes: tuple[str, ...] = ()
    title_max_words: int | str = "off"
    title_min_content_words: int = 0
    due: bool = True
    # The numbers from here to `soft_limit` come from the procedure that this project automates;
    # they were chosen there, not measured.
    size_trigger: int = 150
    staleness_trigger: int = 14
    freshness: int = 7
    min_batch: int = 3
    keep_recent: int = 3
    soft_limit: int = 80
    # A multiple of the size trigger. Files of 597, 795 and 2,052 lines without an old enough entry
    # were never due; chosen so that the shortest of them is.
    oversize: int = 3
    # As long as the freshness: by then the entries that were too new for the batch have joined it.
    starved_escalates_after: int = 7
    # As long as the staleness: the next consolidation judges kept entries again.
    keep_days: int = 14
    # The size of a batch. Over eight real histories 23 of 71 commits that removed entries removed
    # only one, mostly a line that had become false.
    consolidation_min_removed: int = 3
    origins: Mapping[str, SettingOrigin] = _NOTHING_SET


FILE_PLACEHOLDER = "{file}"
FULL, TITLES = "full", "titles"


class IssueSettings(NamedTuple):
    """The settings of the consolidation issue, with their defaults."""

    label: str = "learnings"
    title: str = f"Consolidate {FILE_PLACEHOLDER}"
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    mention: str | None = None
    body: str = FULL

    def title_for(self, file: str) -> str:
        return self.title.replace(FILE_PLACEHOLDER, file)


class ConfidenceOptions(NamedTuple):
    """The settings of a confidence memory; tag_categories is by casefolded tag."""

    path: str = CONFIDENCE_FOLDER
    one_reinforcement_per_story: bool = False
    discovery_tags: tuple[str, ...] = ()
    constraint_tags: tuple[str, ...] = ("constraint",)
    tag_categories: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class TierSettings(NamedTuple):
    """The settings of learning tiers; path is POSIX, from the root."""

    path: str = TIER_FOLDER
    strict_trigger: bool = False
    auto_compact: bool = True


class Settings(NamedTuple):
    """All settings; without `files` they are discovered, without `targets` the defaults apply."""

    file: FileSettings = FileSettings()
    files: tuple[FileSettings, ...] = ()
    targets: tuple[str, ...] | None = None
    line_limit: int = 400  # from the same procedure: the size at which it splits a target file
    token_budget: int | str = OFF
    # Also from there: fewer lines are not a topic, and more would soon be full again.
    split_min: int = 100
    split_max: int = 300
    # It hides a tuple method that nobody needs here.
    index: tuple[str, ...] = ("agents/memory-index.md",)  # type: ignore[assignment]
    indexed: tuple[str, ...] = ("agents/decisions/*.md",)
    index_form: str = "rows"
    extra_rules: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    baseline: str = ".learnings-baseline.json"
    # An entry that leaves for a section must be in it almost word for word; else it is archived.
    coverage: float = 0.90
    # Measured on made-up and on real redundancies: *Pre-checks* in benchmarks/README.md.
    covered: float = 0.40
    coverage_perhaps: float = 0.15
    eagerness: float = 0.5  # the levels of the measured recipe: *Groups* in benchmarks/README.md
    ignore_revs_file: str | None = None
    ignore_authors: tuple[str, ...] = ()
    issue: IssueSettings = IssueSettings()
    confidence: ConfidenceOptions = ConfidenceOptions()
    rules: Mapping[str, str] = _NOTHING_SET
    tiers: TierSettings = TierSettings()
    origins: Mapping[str, SettingOrigin] = _NOTHING_SET
