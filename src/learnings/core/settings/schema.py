"""What can be configured: one table of keys, from which checks, reports and documents follow.

To add a key, add one line with `_key(...)` to `FileSettings` or `Settings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from learnings.core.settings.types import (
    GLOBS,
    OFF_OR_RATIO,
    PATH,
    PATTERNS,
    SHARE,
    SWITCH,
    TEXTS,
    Kind,
    choice,
    list_of,
    or_auto,
    or_off,
    whole,
)

KeyPath = tuple[str | int, ...]
DIALECTS = ("auto", "heading", "timestamped", "identified", "bullet")
INDEX_FORMS = ("rows", "table", "block", "arrow")
INSERTIONS = ("auto", "top", "bottom")
# What a preset says of keys that are not set themselves.
PRESETS: Mapping[str, Mapping[str, object]] = {
    "none": {},
    "when-how": {
        "title-prefixes": ("When ", "How to "),
        "title-max-words": 7,
        "title-min-content-words": 2,
    },
}
# Rules that are asked for by name only.
EXTRA_RULES = ("section-without-content",)
DEFAULT_INDEX = "agents/memory-index.md"
DEFAULT_INDEXED = ("agents/decisions/*.md",)
DEFAULT_BASELINE = ".learnings-baseline.json"


class Source(NamedTuple):
    """Where settings are written: a name for messages, the folder its paths start from, lines."""

    name: str
    folder: str = ""
    line_of: Callable[[KeyPath], int | None] = lambda _keys: None

    def place(self, keys: KeyPath) -> str:
        """`pyproject.toml:12` for the key at `keys`, or the name alone where there is no line."""
        line = self.line_of(keys)
        return self.name if line is None else f"{self.name}:{line}"


class Origin(NamedTuple):
    """Where one value was set; its text is looked up only when somebody reads it."""

    source: Source
    keys: KeyPath

    def __str__(self) -> str:
        return self.source.place(self.keys)


def _key(kind: Kind, doc: str, *, default: object) -> Any:  # noqa: ANN401  (stands for any value)
    return field(default=default, metadata={"kind": kind, "doc": doc})


def _origins() -> Any:  # noqa: ANN401
    return field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FileSettings:
    """What holds for one learnings file; lines are counted, days are git-active days.

    `entry_level` and `preamble_lines` are None where the file itself decides.
    """

    path: str | None = _key(PATH, "the learnings file", default=None)
    dialect: str = _key(choice(*DIALECTS), "how entries are written", default="auto")
    entry_level: int | None = _key(or_auto(whole(1, 6)), "heading level of an entry", default=None)
    preamble_lines: int | None = _key(
        or_auto(whole(0)), "lines at the top that hold no entry", default=None
    )
    insert: str = _key(
        choice(*INSERTIONS), "where new entries go; nothing uses it yet", default="auto"
    )
    preset: str = _key(
        choice(*PRESETS), "values for the title keys that are not set", default="none"
    )
    title_prefixes: tuple[str, ...] = _key(
        TEXTS, "beginnings of which each title has one", default=()
    )
    title_max_words: int | str = _key(
        or_off(whole(1)), "words that a title may have, its beginning included", default="off"
    )
    title_min_content_words: int = _key(
        whole(0), "words that a title has to have behind its beginning", default=0
    )
    due: bool = _key(SWITCH, "whether consolidation of the file can become due", default=True)
    size_trigger: int = _key(whole(1), "lines from which consolidation is due", default=150)
    staleness_trigger: int = _key(
        whole(1), "active days since the last consolidation from which one is due", default=14
    )
    freshness: int = _key(whole(0), "active days from which an entry takes part", default=7)
    min_batch: int = _key(whole(1), "entries that are worth a consolidation", default=3)
    keep_recent: int = _key(whole(0), "newest entries that stay in the file", default=3)
    soft_limit: int = _key(whole(1), "lines above which a notice appears", default=80)
    starved_escalates_after: int = _key(
        whole(0), "active days after which a batch that is too small is due", default=7
    )
    consolidation_min_removed: int = _key(
        whole(1), "removed entries that make a commit a consolidation", default=1
    )
    origins: Mapping[str, Origin] = _origins()


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings: `file` for any learnings file, `files` for those that are configured.

    No `files`: they are discovered. `targets` is None: the default targets. `issue` holds what is
    set about the consolidation issue, by key; settings_issue knows the rest. `origins` (here and
    in each FileSettings) says where a value was set; a key that is absent there has its default.
    """

    file: FileSettings = FileSettings()
    files: tuple[FileSettings, ...] = ()
    targets: tuple[str, ...] | None = _key(
        GLOBS, "files that learnings are routed to", default=None
    )
    line_limit: int = _key(whole(1), "lines that a target file may have", default=400)
    index: str = _key(PATH, "the memory index", default=DEFAULT_INDEX)
    indexed: tuple[str, ...] = _key(
        GLOBS, "files whose headings have a row in the index", default=DEFAULT_INDEXED
    )
    index_form: str = _key(choice(*INDEX_FORMS), "how the index is written", default="rows")
    fuzzy_threshold: float | str = _key(
        OFF_OR_RATIO, "likeness from which a row of the index is near a heading", default="off"
    )
    extra_rules: tuple[str, ...] = _key(
        list_of(
            choice(*EXTRA_RULES),
            "rules that are off by themselves (" + ", ".join(EXTRA_RULES) + ")",
        ),
        "rules to check as well",
        default=(),
    )
    baseline: str = _key(
        PATH, "findings that are known and do not fail a check", default=DEFAULT_BASELINE
    )
    coverage: float = _key(
        SHARE, "share of an entry from which a target section covers it", default=0.40
    )
    coverage_perhaps: float = _key(
        SHARE, "share of an entry from which a section perhaps covers it", default=0.15
    )
    ignore_revs_file: str | None = _key(PATH, "list of commits that blame skips", default=None)
    ignore_authors: tuple[str, ...] = _key(
        PATTERNS, "authors whose commits make no active day", default=()
    )
    issue: Mapping[str, object] = field(default_factory=dict, hash=False)
    origins: Mapping[str, Origin] = _origins()


class Key(NamedTuple):
    """One key as it is written in a file, with what it takes and what it means."""

    name: str
    field: str
    kind: Kind
    default: object
    doc: str


def keys_of(owner: type[Settings | FileSettings]) -> Iterator[Key]:
    """The keys of a dataclass of settings, in the order of its fields."""
    for each in fields(owner):
        if "kind" in each.metadata:
            kind, doc = each.metadata["kind"], each.metadata["doc"]
            yield Key(each.name.replace("_", "-"), each.name, kind, each.default, doc)


FILE_KEYS = {key.name: key for key in keys_of(FileSettings)}
GENERAL_KEYS = {key.name: key for key in keys_of(Settings)}
