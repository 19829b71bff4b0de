"""The keys of the settings; reader, `learnings config` and the JSON Schema use this table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.settings import types
from learnings.core.settings.rule_ids import EXTRA_RULES, RULE_IDS
from learnings.core.settings.setting_values import (
    FILE_PLACEHOLDER,
    FULL,
    OFF,
    TITLES,
    ConfidenceOptions,
    FileSettings,
    IssueSettings,
    Settings,
    TierSettings,
)

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


LEVELS = (OFF, "notice", "error")
RULE_KEYS = {
    name: Key(name, name, types.choice(*LEVELS), None, "severity of its findings")
    for name in RULE_IDS
}

# One line of limited length: not only whitespace, no control characters, no Unicode line or
# paragraph separator.
_ONE_LINE = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,%d}$"


def _text_matching(pattern: str, wants: str) -> types.ValueType:
    """Return the type of texts that a pattern matches as a whole; `wants` describes them."""
    inner = pattern.strip("^$")
    read = types.valid_if(lambda value: isinstance(value, str) and bool(re.fullmatch(inner, value)))
    return types.ValueType(wants, {"type": "string", "pattern": pattern}, read)


# GitHub allows 50 characters for a label and separates labels by commas.
_LABEL = _text_matching(
    r"^(?=.*\S)[^,\x00-\x1f\x7f-\x9f\u2028\u2029]{1,50}$",
    "a name of at most 50 characters without a comma",
)
# The login of a person or, with `[bot]` at the end, of an app.
_LOGIN = _text_matching(r"^[A-Za-z0-9_-]+(\[bot\])?$", "an account")
_ISSUE_ROWS = {
    "label": (_LABEL, "label that identifies the issue"),
    # GitHub allows 256 characters; the path for {file} needs some of them.
    "title": (
        _text_matching(_ONE_LINE % 200, "one line of at most 200 characters"),
        f"title of the issue; {FILE_PLACEHOLDER} stands for the path",
    ),
    "labels": (types.list_of(_LABEL, "names of labels"), "additional labels"),
    "assignees": (types.list_of(_LOGIN, "accounts"), "accounts to assign"),
    # Chosen: more than a line of mentions needs.
    "mention": (
        _text_matching(_ONE_LINE % 500, "one line of at most 500 characters"),
        "line in the issue that can mention people",
    ),
    "body": (types.choice(FULL, TITLES), "show entries with their text, or only their titles"),
}
ISSUE_KEYS = keys_of(IssueSettings, _ISSUE_ROWS)


def _read_categories(value: object, folder: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError
    if len(value) > types.MOST_ITEMS:
        raise types.TooManyItems(len(value))
    return MappingProxyType(
        {str(tag).casefold(): types.TEXTS.read(names, folder) for tag, names in value.items()}
    )


_TAG_CATEGORIES = types.ValueType(
    "a table of tags, each with a list of categories",
    {
        "type": "object",
        "additionalProperties": dict(types.TEXTS.schema),
        "maxProperties": types.MOST_ITEMS,
    },
    _read_categories,
)
_CONFIDENCE_ROWS = {
    "path": (types.FOLDER, "folder of the memory, its observations and `settings.yml`"),
    "one-reinforcement-per-story": (types.SWITCH, "let a story reinforce an entry at most once"),
    "discovery-tags": (types.TEXTS, "tags that make a discovery a candidate; empty: any tag"),
    "constraint-tags": (types.TEXTS, "tags that make an observation a candidate for a principle"),
    "tag-categories": (_TAG_CATEGORIES, "categories for each tag, in addition to its own name"),
}
CONFIDENCE_KEYS = keys_of(ConfidenceOptions, _CONFIDENCE_ROWS)


_TIER_ROWS = {
    "path": (types.PATH, "folder of the raw files"),
    "strict-trigger": (
        types.SWITCH,
        "make compaction due at five raw files in total if one is new",
    ),
    "auto-compact": (types.SWITCH, "let CI and the skill compact automatically when due"),
}
TIER_KEYS = keys_of(TierSettings, _TIER_ROWS)

FEATURE_KEYS = {
    "issue": ISSUE_KEYS,
    "confidence": CONFIDENCE_KEYS,
    "rules": RULE_KEYS,
    "tiers": TIER_KEYS,
}
