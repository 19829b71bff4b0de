"""What can be configured about a confidence memory; imported only where it is needed.

The numbers are not here: they belong to `settings.yml` in the folder of the memory, which other
tools read as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.file_names import CONFIDENCE_FOLDER
from learnings.core.settings.keys import Key
from learnings.core.settings.types import FOLDER, MOST_ITEMS, SWITCH, TEXTS, TooManyItems, ValueType


class ConfidenceOptions(NamedTuple):
    """The settings of a confidence memory, with their defaults.

    tag_categories maps a tag, casefolded, to categories beside the one of its own name.
    """

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
_ROWS = {
    "path": (FOLDER, "folder of the memory, its observations and its `settings.yml`"),
    "one-reinforcement-per-story": (SWITCH, "whether a story reinforces an entry once at most"),
    "discovery-tags": (TEXTS, "tags that make a discovery a candidate; none: any tag does"),
    "constraint-tags": (TEXTS, "tags that make an observation a candidate for a principle"),
    "tag-categories": (_TAG_CATEGORIES, "categories of tags beside those of their own names"),
}
CONFIDENCE_KEYS = {
    name: Key(
        name,
        name.replace("-", "_"),
        kind,
        ConfidenceOptions._field_defaults[name.replace("-", "_")],
        doc,
    )
    for name, (kind, doc) in _ROWS.items()
}
