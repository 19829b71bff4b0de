"""The keys that can be configured, and their defaults."""

from __future__ import annotations

from learnings.core.index.forms import FORMS
from learnings.core.settings.reader import settings_from
from learnings.core.settings.schema import (
    EXTRA_RULES,
    FILE_KEYS,
    GENERAL_KEYS,
    INDEX_FORMS,
    PRESETS,
    Settings,
    Source,
)
from learnings.rules import RULES


def test_the_defaults_are_those_that_are_promised() -> None:
    assert settings_from({}, source=Source("learnings.toml")) == Settings()
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
        "consolidation-min-removed": 1,
        "targets": None,
        "line-limit": 400,
        "index": "agents/memory-index.md",
        "indexed": ("agents/decisions/*.md",),
        "index-form": "rows",
        "fuzzy-threshold": "off",
        "extra-rules": (),
        "baseline": ".learnings-baseline.json",
        "coverage": 0.40,
        "coverage-perhaps": 0.15,
        "ignore-revs-file": None,
        "ignore-authors": (),
    }


def test_a_preset_gives_values_that_its_keys_take() -> None:
    for preset in PRESETS.values():
        for name, value in preset.items():
            assert FILE_KEYS[name].kind.read(value, "") == value


def test_extra_rules_exist() -> None:
    assert set(EXTRA_RULES) <= {rule.ID for rule in RULES}


def test_every_form_of_an_index_can_be_chosen() -> None:
    assert INDEX_FORMS == FORMS
