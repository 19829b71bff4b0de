"""The keys that can be configured, and their defaults."""

from __future__ import annotations

import tomllib

import pytest

from learnings.core.findings.finding import Severity
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS, INDEX_FORMS, LEVELS, PRESETS
from learnings.core.settings.reader import settings_from
from learnings.core.settings.rule_ids import EXTRA_RULES
from learnings.core.settings.setting_values import OFF, KeyPath, Settings, SettingsSource
from learnings.core.settings.types import (
    LARGEST_NUMBER,
    ItemError,
    choice,
    list_of,
    or_auto,
    path_inside,
    whole,
)
from learnings.index.rows import FORMS
from learnings.rules import RULES
from learnings.workspace.config_file import key_lines


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
        "token-budget": "off",
        "split-min": 100,
        "split-max": 300,
        "index": ("agents/memory-index.md",),
        "indexed": ("agents/decisions/*.md",),
        "index-form": "rows",
        "extra-rules": (),
        "exclude": (),
        "baseline": ".learnings-baseline.json",
        "coverage": 0.90,
        "covered": 0.40,
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


@pytest.mark.parametrize(
    ("text", "keys", "line"),
    [
        ("a = 1", ("a",), 1),
        ("# a = 1\n\n a = 1", ("a",), 3),
        ("[t] # [u]\na = 1\n[u]\na = 1", ("u", "a"), 4),
        ("x = '''\na = 1\n'''\na = 1", ("a",), 4),
        ('x = """\n\\"""\na = 1 """\na = 1', ("a",), 4),
        ('x = """"\'"""""\n a = 1', ("a",), 2),
        ('x = "a = 1 # \\" \\\\"\na = 1', ("a",), 2),
        ("x = [ # [\n 'a = 1',\n ']',\n]\na = 1", ("a",), 5),
        ("x = [ # [\n 'a',\n\n 'b', ]", ("x", 1), 4),
        ("tool.learnings.a = 1", ("tool", "learnings", "a"), 1),
        ("[tool]\nlearnings.a = 1\nlearnings.b = 2", ("tool", "learnings", "b"), 3),
        ("[ tool . 'learnings' ]\n\"a\" = 1", ("tool", "learnings", "a"), 2),
        ('"\\u0061" = 1', ("a",), 1),
        ('x = ["""a"""", "["]\na = 1', ("a",), 2),
        ("x = ['''a'''', '[']\na = 1", ("a",), 2),
        ("'a\\u0062' = 1", ("a\\u0062",), 1),
        ('\'a.b\' = 1\n"x.y".z = "#" # \'\'\'\n[ "[f]" ]\n"q\\"" = 1', ("[f]", 'q"'), 4),
        (
            "[a.b]\nc = ''\n[[a.d]]\n\ne = [\"]\", \"}\"]\n[a.d.f]\ng = {h = '{'}",
            ("a", "d", 0, "f", "g", "h"),
            7,
        ),
        ("[[f]]\na = {}\n\n[[f]]\n# b\nb = [[1],\n[2, 3]]\nc = 1", ("f", 1, "c"), 8),
        ("x = [\n 1,\n 2,\n 3,\n]", ("x", 2), 4),
        ("t = {a = 1, b.c = {d = 2}}", ("t", "b", "c", "d"), 1),
        ("u = [\n {a = 1},\n {a = 1} ]", ("u", 1, "a"), 3),
        ("u = [\n {a = 1},\n {a = 1} ]", ("u", 1), 3),
        ("[[f]]\na = 1\n[[f]]\na = 2", ("f", 1, "a"), 4),
        ("[[f]]\n[f.t]\na = 1\n[[f]]\n[f.t]\na = 2", ("f", 1, "t", "a"), 6),
        ("[[f]]\n[[f.g]]\n[[f.g]]\na = 1\n[[f]]\n[[f.g]]\na = 1", ("f", 1, "g", 0, "a"), 7),
        ("d = 1979-05-27 07:32:00.5\nf = 1.5\na = 1", ("a",), 3),
    ],
)
def test_the_line_of_a_key(text: str, keys: KeyPath, line: int) -> None:
    tomllib.loads(text)
    assert key_lines(text)[keys] == line


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        ("", "a.md", "a.md"),
        ("", "a/./b//c.md", "a/b/c.md"),
        ("pkg/x", "a.md", "pkg/x/a.md"),
        ("pkg/x", "../../docs/a.md", "docs/a.md"),
        ("", "ab:c.md", "ab:c.md"),
    ],
)
def test_a_path_starts_where_it_is_written(folder: str, path: str, expected: str) -> None:
    assert path_inside(path, folder) == expected
    for outside in ("../../../a.md", "../..", ".."):
        with pytest.raises(ValueError, match=r"\.\."):
            path_inside(outside, "pkg/x")


def test_the_item_that_is_wrong_is_named() -> None:
    kind = list_of(choice("a", "b"), "letters")
    assert kind.read(["a", "b"], "") == ("a", "b")
    with pytest.raises(ItemError) as caught:
        kind.read(["a", "c", "d"], "")
    assert caught.value.args == (1, "c")
    with pytest.raises(TypeError):
        kind.read("a", "")


def test_a_whole_number_is_one_and_within_its_bounds() -> None:
    kind = or_auto(whole(1, 6))
    assert kind.wants == '"auto" or a whole number from 1 to 6'
    assert whole(1).schema == {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER}
    assert [kind.read(value, "") for value in ("auto", 1, 6)] == [None, 1, 6]
    for value in (True, 1.0, "1", 0, 7, None):
        with pytest.raises(ValueError):  # noqa: PT011  (its text is not shown)
            whole(1, 6).read(value, "")
