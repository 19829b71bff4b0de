"""The settings of the consolidation issue: what they take, and how they are refused."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.core.errors import BadSettings
from learnings.core.settings.feature_tables import ISSUE_KEYS, IssueSettings
from learnings.core.settings.reader import issue_settings, settings_from
from learnings.core.settings.setting_values import Settings, SettingsSource
from learnings.surfaces.schemas.record_fields import schema_of

SOURCE = SettingsSource("pyproject.toml")
SCHEMA = schema_of("config")
DEFAULTS = IssueSettings("learnings", "Consolidate {file}", (), (), None, "full")
WRONG: dict[str, list[object]] = {
    "label": ["", " ", "a,b", "x" * 51, "a\nb", 3, ["a"], "a\u2028"],
    "title": ["", " ", "x" * 201, "a\nb", 3],
    "labels": ["a", [""], ["a,b"], [3], {"a": 1}],
    "assignees": ["ada", ["@ada"], [""], ["a b"], ["ada[bot]x"], ["ada\n"]],
    "mention": ["", "a\nb", 3, ["@ada"], "\x1b"],
    "body": ["none", "", True],
}
RIGHT: dict[str, list[object]] = {
    "label": ["memory", "a b: c", "x" * 50],
    "title": ["Consolidate", "{file} is due"],
    "labels": [[], ["a", "b c"]],
    "assignees": [["ada", "co-pilot[bot]", "emu_user"]],
    "mention": ["cc @ada/team"],
    "body": ["full", "titles"],
}


def settings_with(table: object) -> Settings:
    return settings_from({"issue": table}, source=SOURCE)


def refusal(table: object) -> str:
    try:
        settings_with(table)
    except BadSettings as error:
        return str(error)
    return f"{table} is accepted"


def test_the_defaults() -> None:
    assert issue_settings(Settings()) == issue_settings(settings_with({})) == DEFAULTS
    assert DEFAULTS.title_for("a.md") == "Consolidate a.md"


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_refused_in_one_sentence(name: str) -> None:
    for value in WRONG[name]:
        sentence = refusal({name: value})
        assert sentence.startswith(f"pyproject.toml: {name} takes "), value
        assert sentence.isprintable(), value


@pytest.mark.parametrize(("name", "value"), [(n, v) for n in RIGHT for v in RIGHT[n]])
def test_a_right_value_is_accepted(name: str, value: object) -> None:
    settings = settings_with({name: value})
    setting = getattr(issue_settings(settings), name)
    assert setting == (tuple(value) if isinstance(value, list) else value)
    assert str(settings.origins[f"issue.{name}"]) == "pyproject.toml"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"lable": "x"}, "unknown key 'lable'; did you mean label?"),
        ({"size-trigger": 3}, "size-trigger applies to all files; move it out of this table"),
        ("x", "issue must be a table; write [...issue] above its keys"),
        ({"body": "title"}, "did you mean titles?"),
    ],
)
def test_a_table_that_is_wrong(table: object, sentence: str) -> None:
    assert sentence in refusal(table)


def test_the_command_line_wins() -> None:
    settings = settings_with({"label": "one", "title": "Ours"})
    chosen = issue_settings(settings, {"label": "two", "assignees": ["ada"]})
    assert chosen == DEFAULTS._replace(label="two", title="Ours", assignees=("ada",))
    with pytest.raises(BadSettings, match="command line: label takes"):
        issue_settings(settings, {"label": "a,b"})


def test_settings_with_an_issue_are_values() -> None:
    assert settings_with({"label": "a"}) == settings_with({"label": "a"})
    assert settings_with({"label": "a"}) != settings_with({"label": "b"})


# --- the JSON Schemas


VALUES = st.text(max_size=5) | st.integers(-1, 2) | st.booleans() | st.lists(st.text(max_size=4))


@settings(deadline=None)
@given(st.sampled_from([*ISSUE_KEYS]), VALUES)
def test_code_and_schema_judge_alike(name: str, value: object) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    try:
        settings_with({name: value})
    except BadSettings:
        is_accepted = False
    else:
        is_accepted = True
    assert is_accepted == validator.is_valid({"issue": {name: value}})
