"""The keys of the settings; reader, `learnings config` and the JSON Schema use this table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from learnings.core.settings import types
from learnings.core.settings.rule_ids import EXTRA_RULES
from learnings.core.settings.setting_values import FileSettings, Settings

DIALECTS = (
    *("auto", "heading", "timestamped", "identified", "bullet"),
    *("table", "sections", "team-log", "paragraph"),
)
INDEX_FORMS = ("rows", "table", "block")
INSERTIONS = ("auto", "top", "bottom")
# Values of a preset for keys that are not set.
PRESETS: Mapping[str, Mapping[str, object]] = {
    "none": {},
    "when-how": {
        "title-prefixes": ("When ", "How to "),
        "title-max-words": 7,
        "title-min-content-words": 2,
    },
}


_NUMBER, _ONE_OR_MORE = types.whole(0), types.whole(1)


class Key(NamedTuple):
    name: str
    field: str
    kind: types.ValueType
    default: object
    doc: str


_FILE_ROWS: Mapping[str, tuple[types.ValueType, str]] = {
    "path": (types.PATH, "path of the learnings file"),
    "dialect": (types.choice(*DIALECTS), "format of the entries"),
    "entry-level": (types.or_auto(types.whole(1, 6)), "heading level of an entry"),
    "preamble-lines": (types.or_auto(_NUMBER), "lines at the top that are not part of any entry"),
    "insert": (types.choice(*INSERTIONS), "position of merged and restored entries"),
    "preset": (types.choice(*PRESETS), "defaults for the title keys"),
    "title-prefixes": (types.TEXTS, "allowed title prefixes; every title needs one"),
    "title-max-words": (
        types.or_off(_ONE_OR_MORE),
        "maximum words in a title, including its prefix",
    ),
    "title-min-content-words": (_NUMBER, "minimum words in a title after its prefix"),
    "due": (types.SWITCH, "let consolidation of this file become due"),
    "size-trigger": (_ONE_OR_MORE, "lines at which consolidation is due"),
    "staleness-trigger": (
        _ONE_OR_MORE,
        "active days since the last consolidation at which the next is due",
    ),
    "freshness": (_NUMBER, "active days before an entry can be consolidated"),
    "min-batch": (_ONE_OR_MORE, "minimum entries for a consolidation"),
    "keep-recent": (_NUMBER, "number of newest entries that stay in the file"),
    "soft-limit": (_ONE_OR_MORE, "lines above which `learnings check` reports a notice"),
    "oversize": (
        _ONE_OR_MORE,
        "multiple of the size trigger at which a file is due, however new its entries",
    ),
    "starved-escalates-after": (
        _NUMBER,
        "active days after which a batch that is too small becomes due",
    ),
    "keep-days": (_NUMBER, "active days during which a kept entry is in no batch"),
    "consolidation-min-removed": (
        _ONE_OR_MORE,
        "removed entries that make a commit a consolidation even without an archive",
    ),
}
_GENERAL_ROWS: Mapping[str, tuple[types.ValueType, str]] = {
    "targets": (types.GLOBS, "files that entries are moved to"),
    "line-limit": (_ONE_OR_MORE, "maximum lines of a target file"),
    "token-budget": (types.or_off(_ONE_OR_MORE), "maximum tokens a session may load"),
    "split-min": (_ONE_OR_MORE, "minimum lines for a section to get its own file"),
    "split-max": (_ONE_OR_MORE, "maximum lines of a new file, unless one section is longer"),
    "index": (types.PATHS, "path of the memory index, or a list of paths"),
    "indexed": (types.GLOBS, "files whose headings have rows in the index"),
    "index-form": (types.choice(*INDEX_FORMS), "format of the index"),
    "extra-rules": (
        types.list_of(
            types.choice(*EXTRA_RULES),
            "rules that are off by default (" + ", ".join(EXTRA_RULES) + ")",
        ),
        "rules to check in addition to the default ones",
    ),
    "exclude": (types.EXCLUSIONS, "files and folders that no check reads"),
    "baseline": (types.PATH, "path of the known findings, which do not fail a check"),
    "coverage": (types.SHARE, "share of an entry in one section at which it may leave the memory"),
    "covered": (
        types.SHARE,
        "share of an entry in a target section at which a pre-check proposes to drop it",
    ),
    "coverage-perhaps": (
        types.SHARE,
        "share of an entry in a target section at which a pre-check asks",
    ),
    "eagerness": (types.SHARE, "how readily `learnings` groups entries"),
    "ignore-revs-file": (types.PATH, "file that lists commits to ignore when dating entries"),
    "ignore-authors": (types.PATTERNS, "authors whose commits do not count as active days"),
}


def keys_of(
    owner: type[NamedTuple], rows: Mapping[str, tuple[types.ValueType, str]]
) -> dict[str, Key]:
    """Return a key for each row, by name; owner has the defaults of its fields."""
    defaults = owner._field_defaults
    fields = {name: name.replace("-", "_") for name in rows}
    return {
        name: Key(name, fields[name], kind, defaults[fields[name]], doc)
        for name, (kind, doc) in rows.items()
    }


FILE_KEYS = keys_of(FileSettings, _FILE_ROWS)
GENERAL_KEYS = keys_of(Settings, _GENERAL_ROWS)
