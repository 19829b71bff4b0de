"""The line of every key, whatever form a TOML text has."""

from __future__ import annotations

import tomllib

import pytest

from learnings.core.settings.setting_values import KeyPath
from learnings.workspace.config_file import key_lines


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
