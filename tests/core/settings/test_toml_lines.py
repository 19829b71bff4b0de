"""The line of every key, whatever form a TOML text has."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@dataclass
class Writer:
    """Writes a TOML text and keeps the line of every key, as it goes."""

    text: str = ""
    lines: dict[KeyPath, int] = field(default_factory=dict)

    def add(self, text: str) -> None:
        self.text += text

    def mark(self, path: KeyPath) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)


BARE = ["a", "b-c", "3", "learnings"]
QUOTED = ["x.y", "é", 'q"', "#", "[f]", " "]
VALUES = [
    *("1", "1.5", "true", "1979-05-27 07:32:00", '"a = 1"', "'''\na = 1\n'''", "''''a'''''"),
    *('"""\n[a]\\"""\n"""', "[]", "{}", "[\n 1, # ]\n 2,\n]", '["[", "]", "{"]', '"\\\\"'),
]
PADDING = ["", "\n", "# a = '''\n", "   # [x]\n"]
LEAVES = st.sampled_from(VALUES)
KEYS = st.sampled_from(BARE + QUOTED)
INLINE = st.recursive(LEAVES, lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=5)
TABLES = st.dictionaries(KEYS, INLINE | st.lists(INLINE, max_size=2), max_size=3)
DOCUMENTS = st.tuples(
    TABLES,
    st.dictionaries(KEYS, TABLES | st.lists(TABLES, min_size=1, max_size=3), max_size=3),
    st.lists(st.sampled_from(PADDING), min_size=1, max_size=4),
)


def write_value(writer: Writer, path: KeyPath, value: object) -> None:
    if isinstance(value, str):
        writer.add(value)
    elif isinstance(value, list):
        writer.add("[")
        for index, item in enumerate(value):
            writer.add("\n")
            write_value(writer, (*path, index), item)
            writer.add(",")
        writer.add("]")
    elif isinstance(value, dict):
        writer.add("{")
        for index, (key, item) in enumerate(value.items()):
            writer.add(", " if index else "")
            write_pair(writer, (*path, key), item)
        writer.add("}")


def write_pair(writer: Writer, path: KeyPath, value: object) -> None:
    writer.mark(path)
    writer.add(f"{written(str(path[-1]))} = ")
    write_value(writer, path, value)


def write_table(writer: Writer, path: KeyPath, table: dict[str, object], padding: str) -> None:
    for key, value in table.items():
        writer.add(padding)
        write_pair(writer, (*path, key), value)
        writer.add("\n")


def written(key: str) -> str:
    return key if key in BARE else json.dumps(key)


def key_paths(value: object, path: KeyPath = ()) -> set[KeyPath]:
    if isinstance(value, dict):
        inner = [key_paths(item, (*path, key)) for key, item in value.items()]
        return {(*path, key) for key in value}.union(*inner)
    if isinstance(value, list):
        return set().union(*(key_paths(item, (*path, index)) for index, item in enumerate(value)))
    return set()


@given(DOCUMENTS)
def test_every_key_of_any_text_is_found_on_its_line(
    document: tuple[dict[str, object], dict[str, dict[str, object] | list[object]], list[str]],
) -> None:
    top, tables, padding = document
    writer = Writer()
    write_table(writer, (), top, padding[0])
    for position, (key, value) in enumerate(tables.items()):
        name = f"t{key}"
        for index, table in enumerate(value if isinstance(value, list) else [value]):
            writer.add(padding[position % len(padding)])
            writer.mark((name,))
            form = "[[{}]]\n" if isinstance(value, list) else "[ {} ] # x\n"
            writer.add(form.format(json.dumps(name)))
            path = (name, index) if isinstance(value, list) else (name,)
            assert isinstance(table, dict)
            write_table(writer, path, table, padding[-1])
    lines = {
        path: line for path, line in key_lines(writer.text).items() if isinstance(path[-1], str)
    }
    assert lines == writer.lines
    assert set(lines) == key_paths(tomllib.loads(writer.text))
