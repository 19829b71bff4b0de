"""The keys of the settings; reader, `learnings config` and the JSON Schema follow from them."""

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
INDEX_FORMS = ("rows", "table", "block", "arrow")
INSERTIONS = ("auto", "top", "bottom")
# The values that a preset gives to keys that are not set themselves.
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
    "path": (types.PATH, "the learnings file"),
    "dialect": (types.choice(*DIALECTS), "how entries are written"),
    "entry-level": (types.or_auto(types.whole(1, 6)), "heading level of an entry"),
    "preamble-lines": (types.or_auto(_NUMBER), "lines at the top that hold no entry"),
    "insert": (types.choice(*INSERTIONS), "where merged and restored entries go"),
    "preset": (types.choice(*PRESETS), "values for the title keys that are not set"),
    "title-prefixes": (types.TEXTS, "beginnings of which each title has one"),
    "title-max-words": (
        types.or_off(_ONE_OR_MORE),
        "words that a title may have, its beginning included",
    ),
    "title-min-content-words": (_NUMBER, "words that a title has to have after its beginning"),
    "due": (types.SWITCH, "whether consolidation of the file can become due"),
    "size-trigger": (_ONE_OR_MORE, "lines from which consolidation is due"),
    "staleness-trigger": (
        _ONE_OR_MORE,
        "active days since the last consolidation from which one is due",
    ),
    "freshness": (_NUMBER, "active days from which an entry takes part"),
    "min-batch": (_ONE_OR_MORE, "entries that are worth a consolidation"),
    "keep-recent": (_NUMBER, "newest entries that stay in the file"),
    "soft-limit": (_ONE_OR_MORE, "lines above which a notice appears"),
    "oversize": (
        _ONE_OR_MORE,
        "times the size trigger from which a file is due whatever the ages of its entries",
    ),
    "starved-escalates-after": (
        _NUMBER,
        "active days after which a batch that is too small is due",
    ),
    "keep-days": (_NUMBER, "active days for which an entry that was kept is in no batch"),
    "consolidation-min-removed": (
        _ONE_OR_MORE,
        "removed entries that make a commit a consolidation, without an archive",
    ),
}
_GENERAL_ROWS: Mapping[str, tuple[types.ValueType, str]] = {
    "targets": (types.GLOBS, "files that learnings are routed to"),
    "line-limit": (_ONE_OR_MORE, "lines that a target file may have"),
    "token-budget": (_NUMBER, "tokens that a session may load, 0 for any number"),
    "split-min": (_ONE_OR_MORE, "lines from which sections get a file of their own"),
    "split-max": (_ONE_OR_MORE, "lines that a new file has at most, unless one section has more"),
    "index": (types.PATHS, "the memory index, or a list of them"),
    "indexed": (types.GLOBS, "files whose headings have a row in the index"),
    "index-form": (types.choice(*INDEX_FORMS), "how the index is written"),
    "fuzzy-threshold": (
        types.OFF_OR_RATIO,
        "similarity from which a row of the index is near a heading",
    ),
    "extra-rules": (
        types.list_of(
            types.choice(*EXTRA_RULES),
            "rules that are off by themselves (" + ", ".join(EXTRA_RULES) + ")",
        ),
        "rules to check as well",
    ),
    "exclude": (types.EXCLUSIONS, "files and folders that no check looks at"),
    "baseline": (types.PATH, "findings that are known and do not fail a check"),
    "coverage": (types.SHARE, "share of an entry from which a target section covers it"),
    "coverage-perhaps": (types.SHARE, "share of an entry from which a section perhaps covers it"),
    "eagerness": (types.SHARE, "how readily entries are proposed as a group"),
    "ignore-revs-file": (types.PATH, "list of commits whose rewriting makes nothing younger"),
    "ignore-authors": (types.PATTERNS, "authors whose commits make no active day"),
}


def keys_of(
    owner: type[NamedTuple], rows: Mapping[str, tuple[types.ValueType, str]]
) -> dict[str, Key]:
    """Return a key for each row, by name; owner is the value with the defaults of its fields."""
    defaults = owner._field_defaults
    fields = {name: name.replace("-", "_") for name in rows}
    return {
        name: Key(name, fields[name], kind, defaults[fields[name]], doc)
        for name, (kind, doc) in rows.items()
    }


FILE_KEYS = keys_of(FileSettings, _FILE_ROWS)
GENERAL_KEYS = keys_of(Settings, _GENERAL_ROWS)
