"""The keys that can be configured, and their defaults."""

from __future__ import annotations

from learnings.core.findings.finding import Severity
from learnings.core.settings.feature_tables import LEVELS
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS, INDEX_FORMS, PRESETS
from learnings.core.settings.reader import settings_from
from learnings.core.settings.rule_ids import EXTRA_RULES
from learnings.core.settings.setting_values import OFF, Settings, SettingsSource
from learnings.index.forms import FORMS
from learnings.rules import RULES


def test_the_defaults_are_those_that_are_promised() -> None:
    assert settings_from({}, source=SettingsSource("learnings.toml")) == Settings()
    shown = {name: key.default for name, key in (FILE_KEYS | GENERAL_KEYS).items()}
    assert shown == {
        "path": None,
        "dialect": "auto",
        "entry-level": None,
        "preamble-lines": None,
        "insert": "auto",
        "preset": "none",
        "title-prefixes": (),
        "title-max-words": "off",
        "title-min-content-words": 0,
        "due": True,
        "size-trigger": 150,
        "staleness-trigger": 14,
        "freshness": 7,
        "min-batch": 3,
        "keep-recent": 3,
        "soft-limit": 80,
        "starved-escalates-after": 7,
        "oversize": 3,
        "keep-days": 14,
        "consolidation-min-removed": 3,
        "targets": None,
        "line-limit": 400,
        "token-budget": 0,
        "split-min": 100,
        "split-max": 300,
        "index": ("agents/memory-index.md",),
        "indexed": ("agents/decisions/*.md",),
        "index-form": "rows",
        "fuzzy-threshold": "off",
        "extra-rules": (),
        "exclude": (),
        "baseline": ".learnings-baseline.json",
        "coverage": 0.40,
        "coverage-perhaps": 0.15,
        "eagerness": 0.5,
        "ignore-revs-file": None,
        "ignore-authors": (),
    }


def test_a_preset_gives_values_that_its_keys_take() -> None:
    for preset in PRESETS.values():
        for name, value in preset.items():
            assert FILE_KEYS[name].kind.read(value, "") == value


def test_keys_know_the_rules_levels_and_forms_there_are() -> None:
    assert set(EXTRA_RULES) <= {rule.id for rule in RULES}
    assert {*LEVELS} == {OFF, *(severity.value for severity in Severity)}
    assert tuple(FORMS) == INDEX_FORMS
