"""The tables of issue, tiers and confidence: what they take, refuse, and tell the JSON Schema."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.core.errors import BadSettings
from learnings.core.settings.reader import issue_settings, settings_from
from learnings.core.settings.setting_values import (
    ConfidenceOptions,
    IssueSettings,
    Settings,
    SettingsSource,
    TierSettings,
)
from learnings.surfaces.cli.schema import schema_of

SCHEMA = schema_of("config")
SOURCE = SettingsSource("a.toml", "", lambda keys: min(len(keys), 2) + 1)
DEFAULTS = IssueSettings("learnings", "Consolidate {file}", (), (), None, "full")
WRONG: dict[str, dict[str, list[object]]] = {
    "issue": {
        "label": ["", " ", "a,b", "x" * 51, "a\nb", 3, ["a"], "a\u2028"],
        "title": ["", " ", "x" * 201, "a\nb", 3],
        "labels": ["a", [""], ["a,b"], [3], {"a": 1}],
        "assignees": ["ada", ["@ada"], [""], ["a b"], ["ada[bot]x"], ["ada\n"]],
        "mention": ["", "a\nb", 3, ["@ada"], "\x1b"],
        "body": ["none", "", True],
    },
    "tiers": {"path": ["../x", "/etc", "a\\b"], "strict-trigger": [1], "auto-compact": ["no"]},
    "confidence": {
        "path": ["../x", "/"],
        "one-reinforcement-per-story": [1],
        "discovery-tags": [[""]],
        "tag-categories": [["x"], {"x": "y"}],
    },
}
RIGHT: dict[str, dict[str, list[object]]] = {
    "issue": {
        "label": ["memory", "a b: c", "x" * 50],
        "title": ["Consolidate", "x" * 200],
        "labels": [[], ["a", "b c"]],
        "assignees": [["ada", "co-pilot[bot]", "emu_user"]],
        "mention": ["cc @ada/team"],
        "body": ["full", "titles"],
    },
    "tiers": {"path": ["notes/raw"], "strict-trigger": [True], "auto-compact": [False]},
    "confidence": {"one-reinforcement-per-story": [True], "discovery-tags": [["pattern"]]},
}


def settings_with(table: str, values: object) -> Settings:
    return settings_from({table: values}, source=SOURCE)


def cases(table: dict[str, list[object]]) -> list[tuple[str, object]]:
    return [(name, value) for name, values in table.items() for value in values]


def refusal(table: str, values: object) -> str:
    """The sentence with which a table is refused, empty where it is accepted."""
    try:
        settings_with(table, values)
    except BadSettings as error:
        return str(error)
    return ""


def test_the_defaults_and_what_the_command_line_says() -> None:
    defaults = {
        "issue": DEFAULTS,
        "tiers": TierSettings(".specwright/learnings", strict_trigger=False, auto_compact=True),
        "confidence": ConfidenceOptions(),
    }
    for table, values in defaults.items():
        assert getattr(settings_with(table, {}), table) == values
    assert ConfidenceOptions().path == ".shaktra"
    assert DEFAULTS.title_for("a.md") == "Consolidate a.md"
    settings = settings_with("issue", {"label": "one", "title": "Ours"})
    chosen = issue_settings(settings, {"label": "two", "assignees": ["ada"]})
    assert chosen == DEFAULTS._replace(label="two", title="Ours", assignees=("ada",))
    with pytest.raises(BadSettings, match="command line: label takes"):
        issue_settings(settings, {"label": "a,b"})


@pytest.mark.parametrize("table", WRONG)
def test_values_are_taken_or_refused_in_their_line(table: str) -> None:
    for name, value in cases(WRONG[table]):
        sentence = refusal(table, {name: value})
        assert sentence.startswith(f"a.toml:3: {name} takes "), (name, value)
        assert sentence.isprintable(), (name, value)
    for name, value in cases(RIGHT[table]):
        settings = settings_with(table, {name: value})
        read = getattr(getattr(settings, table), name.replace("-", "_"))
        assert read == (tuple(value) if isinstance(value, list) else value)
        assert str(settings.origins[f"{table}.{name}"]) == "a.toml:3"
    assert f"a.toml:2: {table} must be a table" in refusal(table, "x")


def test_a_path_and_categories_are_normalized() -> None:
    table = {"path": "docs/memory/", "tag-categories": {"Retry": ["reliability"]}}
    options = settings_with("confidence", table).confidence
    assert options.path == "docs/memory"
    assert dict(options.tag_categories) == {"retry": ("reliability",)}


@pytest.mark.parametrize(
    ("table", "values", "sentence"),
    [
        ("issue", {"size-trigger": 3}, "size-trigger applies to all files"),
        ("issue", {"body": "title"}, "did you mean titles?"),
        ("tiers", {"pathh": "x"}, "a.toml:3: unknown key 'pathh'; did you mean path?"),
    ],
)
def test_a_key_that_is_wrong(table: str, values: object, sentence: str) -> None:
    assert sentence in refusal(table, values)


KEYS = [(table, name) for table, keys in WRONG.items() for name in keys if name != "path"]
LISTS = st.lists(st.text(max_size=4))
VALUES = st.one_of(
    *(st.text(max_size=5), st.integers(-1, 2), st.booleans(), LISTS),
    st.dictionaries(st.text(max_size=2), LISTS),
)


@settings(deadline=None)
@given(st.sampled_from(KEYS), VALUES)
def test_code_and_schema_judge_alike(key: tuple[str, str], value: object) -> None:
    table, name = key
    validator = jsonschema.Draft202012Validator(SCHEMA)
    is_accepted = not refusal(table, {name: value})
    assert is_accepted == validator.is_valid({table: {name: value}})
