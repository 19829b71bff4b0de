"""The names that files of tools define."""

from __future__ import annotations

from learnings.references.definitions import may_define_more, names_defined


def test_targets_of_make() -> None:
    text = b".PHONY: all\nA := 1\nB = c:d\nlint types: deps\n\techo a: b\nbuild::\nx: A=1\n"
    assert names_defined("make", text) == {".PHONY", "lint", "types", "build", "x"}
    assert not may_define_more("make", text)
    assert may_define_more("make", b"include more.mk\n")
    assert may_define_more("make", b"%.o: %.c\n")


def test_recipes_of_just() -> None:
    text = b"set shell := ['sh']\nalias b := build\n@build target='all': deps\n  x: y\n_hidden:\n"
    assert names_defined("just", text) == {"b", "build", "_hidden"}
    assert may_define_more("just", b"import 'more.just'\n")


def test_scripts_of_npm() -> None:
    assert names_defined("npm run", b'{"scripts": {"build": "x", "a:b": "y"}}') == {"build", "a:b"}
    for broken in (b"", b"{", b"[]", b'{"scripts": []}', b"\xff"):
        assert not names_defined("npm run", broken)


def test_programs_of_a_project() -> None:
    text = b'[project.scripts]\nmy-tool = "a:b"\n\n[tool.x]\nother = 1\n'
    assert names_defined("", text) == {"my-tool"}
    assert names_defined("", b'[tool.poetry.scripts]\n"x" = "a:b"') == {"x"}
