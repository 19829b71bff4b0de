"""The settings of a confidence memory: read, refused with file and line, and their JSON Schema."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.core.errors import BadSettings
from learnings.core.settings.feature_tables import ConfidenceOptions
from learnings.core.settings.reader import confidence_options, settings_from
from learnings.core.settings.setting_values import SettingsSource
from learnings.surfaces.schemas.record_fields import schema_of

SCHEMA = schema_of("config")


def options_with(table: object) -> ConfidenceOptions:
    source = SettingsSource(
        "learnings.toml", "", lambda keys: 3 if keys[-1:] != ("confidence",) else 2
    )
    return confidence_options(settings_from({"confidence": table}, source=source))


def test_the_defaults_hold_without_a_table() -> None:
    assert confidence_options(settings_from({}, source=SettingsSource("x"))) == ConfidenceOptions()
    assert ConfidenceOptions().path == ".shaktra"


def test_what_is_set_is_read() -> None:
    options = options_with(
        {
            "path": "docs/memory/",
            "one-reinforcement-per-story": True,
            "discovery-tags": ["pattern"],
            "tag-categories": {"Retry": ["reliability"]},
        }
    )
    assert options.path == "docs/memory"
    assert options.one_reinforcement_per_story
    assert (options.discovery_tags, options.constraint_tags) == (("pattern",), ("constraint",))
    assert dict(options.tag_categories) == {"retry": ("reliability",)}


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("x", "learnings.toml:2: confidence must be a table; write [...confidence] above its keys"),
        ({"path": "../x"}, "learnings.toml:3: path takes a path to a folder inside the"),
        ({"path": "/"}, "learnings.toml:3: path takes a path to a folder"),
        ({"pth": "x"}, "learnings.toml:3: unknown key 'pth'; did you mean path?"),
        ({"one-reinforcement-per-story": 1}, "learnings.toml:3: one-reinforcement-per-story takes"),
        ({"tag-categories": ["x"]}, "tag-categories takes a table of tags, each with a list"),
        ({"tag-categories": {"x": "y"}}, "tag-categories takes a table of tags"),
        ({"discovery-tags": [""]}, "discovery-tags takes a list of non-empty strings"),
    ],
)
def test_what_is_wrong_is_refused(table: object, sentence: str) -> None:
    with pytest.raises(BadSettings) as error:
        options_with(table)
    assert sentence in str(error.value)


LISTS = st.lists(st.text(max_size=4))
VALUES = st.text(max_size=5) | st.booleans() | LISTS | st.dictionaries(st.text(max_size=2), LISTS)


@settings(deadline=None)
@given(st.sampled_from(["discovery-tags", "one-reinforcement-per-story", "tag-categories"]), VALUES)
def test_code_and_schema_judge_alike(name: str, value: object) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    try:
        options_with({name: value})
    except BadSettings:
        is_accepted = False
    else:
        is_accepted = True
    assert is_accepted == validator.is_valid({"confidence": {name: value}})
