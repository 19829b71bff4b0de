"""The tables `rules`, `issue`, `confidence` and `tiers` of the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.file_names import CONFIDENCE_FOLDER, TIER_FOLDER
from learnings.core.settings.keys import Key, keys_of
from learnings.core.settings.rule_ids import RULE_IDS
from learnings.core.settings.setting_values import OFF
from learnings.core.settings.types import (
    FOLDER,
    MOST_ITEMS,
    PATH,
    SWITCH,
    TEXTS,
    TooManyItems,
    ValueType,
    choice,
    list_of,
    valid_if,
)

LEVELS = (OFF, "notice", "error")
RULE_KEYS = {
    name: Key(name, name, choice(*LEVELS), None, "severity of its findings") for name in RULE_IDS
}


FILE_PLACEHOLDER = "{file}"
FULL, TITLES = "full", "titles"
# One line of limited length: not only whitespace, no control characters, no Unicode line or
# paragraph separator.
_ONE_LINE = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,%d}$"


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


def _text_matching(pattern: str, wants: str) -> ValueType:
    """Return the type of texts that a pattern matches as a whole; `wants` describes them."""
    inner = pattern.strip("^$")
    read = valid_if(lambda value: isinstance(value, str) and bool(re.fullmatch(inner, value)))
    return ValueType(wants, {"type": "string", "pattern": pattern}, read)


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
    "labels": (list_of(_LABEL, "names of labels"), "additional labels"),
    "assignees": (list_of(_LOGIN, "accounts"), "accounts to assign"),
    # Chosen: more than a line of mentions needs.
    "mention": (
        _text_matching(_ONE_LINE % 500, "one line of at most 500 characters"),
        "line in the issue that can mention people",
    ),
    "body": (choice(FULL, TITLES), "show entries with their text, or only their titles"),
}
ISSUE_KEYS = keys_of(IssueSettings, _ISSUE_ROWS)


class ConfidenceOptions(NamedTuple):
    """The settings of a confidence memory; tag_categories is by casefolded tag."""

    path: str = CONFIDENCE_FOLDER
    one_reinforcement_per_story: bool = False
    discovery_tags: tuple[str, ...] = ()
    constraint_tags: tuple[str, ...] = ("constraint",)
    tag_categories: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def _read_categories(value: object, folder: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError
    if len(value) > MOST_ITEMS:
        raise TooManyItems(len(value))
    return MappingProxyType(
        {str(tag).casefold(): TEXTS.read(names, folder) for tag, names in value.items()}
    )


_TAG_CATEGORIES = ValueType(
    "a table of tags, each with a list of categories",
    {"type": "object", "additionalProperties": dict(TEXTS.schema), "maxProperties": MOST_ITEMS},
    _read_categories,
)
_CONFIDENCE_ROWS = {
    "path": (FOLDER, "folder of the memory, its observations and `settings.yml`"),
    "one-reinforcement-per-story": (SWITCH, "let a story reinforce an entry at most once"),
    "discovery-tags": (TEXTS, "tags that make a discovery a candidate; empty: any tag"),
    "constraint-tags": (TEXTS, "tags that make an observation a candidate for a principle"),
    "tag-categories": (_TAG_CATEGORIES, "categories for each tag, in addition to its own name"),
}
CONFIDENCE_KEYS = keys_of(ConfidenceOptions, _CONFIDENCE_ROWS)


class TierSettings(NamedTuple):
    """The settings of learning tiers; path is POSIX, from the root."""

    path: str = TIER_FOLDER
    strict_trigger: bool = False
    auto_compact: bool = True


_TIER_ROWS = {
    "path": (PATH, "folder of the raw files"),
    "strict-trigger": (SWITCH, "make compaction due at five raw files in total if one is new"),
    "auto-compact": (SWITCH, "let CI and the skill compact automatically when due"),
}
TIER_KEYS = keys_of(TierSettings, _TIER_ROWS)

FEATURE_KEYS = {
    "issue": ISSUE_KEYS,
    "confidence": CONFIDENCE_KEYS,
    "rules": RULE_KEYS,
    "tiers": TIER_KEYS,
}
