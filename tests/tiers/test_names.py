"""Names of themes: what is one, how it is made, what a second one is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.tiers.tier_files import LONGEST_NAME, free_theme_name, is_theme_name, theme_name_of


@pytest.mark.parametrize("name", ["a", "build-caching", "a1-2-b", "2fa"])
def test_a_name(name: str) -> None:
    assert is_theme_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "A",
        "a_b",
        "a b",
        "a--b",
        "-a",
        "a-",
        "..",
        "../a",
        "a/b",
        "a\\b",
        "/a",
        "a.md",
        "é",
        "a\n",
    ],
)
def test_no_name(name: str) -> None:
    assert not is_theme_name(name)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Build Caching", "build-caching"),
        ("list-form  Args", "list-form-args"),
        ("CLAUDE.md", "claude-md"),
        ("Größe café", "grosse-cafe"),
        ("../../etc/passwd", "etc-passwd"),
        ("Кэш", "theme"),
        ("", "theme"),
    ],
)
def test_the_name_of_a_title(title: str, name: str) -> None:
    assert theme_name_of(title) == name


@given(st.text())
def test_whatever_the_title_its_name_is_one(title: str) -> None:
    assert is_theme_name(theme_name_of(title))
    assert len(theme_name_of(title)) <= LONGEST_NAME


def test_another_theme_of_the_name_gets_a_number() -> None:
    assert free_theme_name("a", set()) == ("a", 1)
    assert free_theme_name("a", {"a"}) == ("a-2", 2)
    assert free_theme_name("a", {"a", "a-2", "a-4"}) == ("a-3", 3)
