from __future__ import annotations

from typing import Any

import pytest

from learnings.core.settings.keys import PRESETS
from tests.rules.cases import BOM, NEEDED, lines, run

RULE = "entry-title-form"
PRESET = NEEDED[RULE]


def test_the_cases_are_those_of_the_preset() -> None:
    keys = {name.replace("-", "_"): value for name, value in PRESETS["when-how"].items()}
    assert keys == PRESET


@pytest.mark.parametrize("title", ["x", "One two three four five six seven eight nine", "when x"])
def test_off_unless_configured(title: str) -> None:
    assert run(RULE, f"## {title}\n") == []


@pytest.mark.parametrize(
    "title",
    [
        *("When builds hang", "When one two three four five six", "When a build hangs ##"),
        *("", "...", "[2026-02-16-120000]"),
    ],
)
def test_as_wanted_or_another_matter(title: str) -> None:
    assert run(RULE, f"## {title}\n", **PRESET) == []


@pytest.mark.parametrize(
    ("title", "wording"),
    [
        ("Builds hang", 'does not begin with "When " or "How to "; retitle'),
        ("when builds hang", "(case matters)"),
        ("WHEN builds hang", "(case matters)"),
        ("Whenever builds hang", "does not begin with"),
        ("When", "does not begin with"),
        ("**When builds hang**", "does not begin with"),
        ("How to", "does not begin with"),
        ("When builds", 'has 1 word after "When ", fewer than 2'),
        ("When — builds", 'has 1 word after "When ", fewer than 2'),
        ("How to build", 'has 1 word after "How to ", fewer than 2'),
        ("When one two three four five six seven", "has 8 words, more than 7"),
        ("How to one two three four five six", "has 8 words, more than 7"),
        ("A title of more than seven words in all", '"How to " and has 9 words, more than 7'),
    ],
)
def test_otherwise(title: str, wording: str) -> None:
    (finding,) = run(RULE, f"# L\n\n## {title}\n", **PRESET)
    assert wording in finding.message
    assert (finding.line, finding.column) == (3, 1)


@pytest.mark.parametrize(
    ("settings", "title", "wording"),
    [
        ({"title_max_words": 2}, "One two three", "has 3 words, more than 2"),
        ({"title_max_words": 2}, "One two", None),
        ({"title_min_content_words": 2}, "One", "has 1 word, fewer than 2"),
        ({"title_min_content_words": 2}, "One two", None),
        ({"title_prefixes": ("Use", "Use only")}, "Use only", None),
        (
            {"title_prefixes": ("Use ", "Use only "), "title_min_content_words": 1},
            "Use only —",
            'has 0 words after "Use only "',
        ),
        ({"title_prefixes": ("Use ",)}, "Try it", 'does not begin with "Use ";'),
    ],
)
def test_each_setting_alone(settings: dict[str, Any], title: str, wording: str | None) -> None:
    findings = run(RULE, f"## {title}\n", **settings)
    assert len(findings) == (wording is not None)
    assert all(wording is None or wording in finding.message for finding in findings)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## When a b\r\n\r\n## Other title\r\n", [3]),
        (f"{BOM}## Other title\n", [1]),
        ("## When a b\n\n> ## Other\n", []),
        ("## [2026-02-16-120000] When a b\n\n## [2026-02-17-120000] Other\n", [3]),
    ],
)
def test_what_a_title_is(source: str, expected: list[int]) -> None:
    assert lines(RULE, source, **PRESET) == expected
