"""The settings of learning tiers: what they take, and how they are refused."""

from __future__ import annotations

import jsonschema
import pytest

from learnings.core.errors import BadSettings
from learnings.core.settings.feature_tables import TierSettings
from learnings.core.settings.reader import settings_from, tier_settings
from learnings.core.settings.setting_values import Settings, SettingsSource
from learnings.surfaces.schemas.record_fields import schema_of

SCHEMA = schema_of("config")
SOURCE = SettingsSource("pyproject.toml")


def settings_with(table: object) -> Settings:
    return settings_from({"tiers": table}, source=SOURCE)


def test_the_defaults() -> None:
    expected = TierSettings(".specwright/learnings", strict_trigger=False, auto_compact=True)
    assert tier_settings(Settings()) == tier_settings(settings_with({})) == expected


def test_what_is_set() -> None:
    settings = settings_with({"path": "notes/raw", "strict-trigger": True, "auto-compact": False})
    assert tier_settings(settings) == ("notes/raw", True, False)
    assert str(settings.origins["tiers.path"]) == "pyproject.toml"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("x", "tiers must be a table; write [...tiers] above its keys"),
        ({"pathh": "x"}, "unknown key 'pathh'; did you mean path?"),
        ({"path": "../x"}, "path takes a path to a file inside the repository"),
        ({"path": "/etc"}, "path takes a path to a file inside the repository"),
        ({"path": r"a\b"}, "path takes a path to a file inside the repository"),
        ({"strict-trigger": 1}, "strict-trigger takes true or false, not 1"),
        ({"auto-compact": "no"}, "auto-compact takes true or false, not 'no'"),
    ],
)
def test_what_is_refused(table: object, problem: str) -> None:
    with pytest.raises(BadSettings) as error:
        settings_with(table)
    assert str(error.value).startswith("pyproject.toml: ")
    assert problem in str(error.value)


def test_the_schema_takes_what_the_code_takes() -> None:
    jsonschema.validate({"tiers": {"path": "a/b", "auto-compact": False}}, SCHEMA)
