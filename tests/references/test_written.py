"""The paths and commands that a file names, with their places."""

from __future__ import annotations

from learnings.core.text import split_lines
from learnings.references.written import Reference, references_in


def read(text: str, path: str = "docs/notes.md") -> list[Reference]:
    return list(references_in(path, split_lines(text)))


def paths(text: str) -> list[str]:
    return [one.text for one in read(text) if one.tool is None]


def test_paths_stand_in_code_spans_and_relative_links() -> None:
    found = read('See `src/x.py` and [it](../a%20b.md#top "title").\n\n[ref]: c.md\n')
    assert [(one.line, one.column, one.written, one.paths) for one in found] == [
        (1, 6, "src/x.py", ("src/x.py", "docs/src/x.py")),
        (1, 25, "../a%20b.md#top", ("a b.md",)),
        (3, 8, "c.md", ("docs/c.md",)),
    ]


def test_what_stands_behind_a_path_is_no_part_of_it() -> None:
    found = read("`a/x.py:12` `a/y.py:3-9` `z.md#the-end` `t.py::test_it`, [f](b.md#L7)\n")
    assert [(one.text, one.line_number, one.anchor) for one in found] == [
        ("a/x.py", 12, None),
        ("a/y.py", 3, None),
        ("z.md", None, "the-end"),
        ("t.py", None, None),
        ("b.md", 7, None),
    ]


def test_what_is_elsewhere_is_left_out() -> None:
    elsewhere = "https://x.org/a.md", "/etc/x.conf", "~/x.md", "C:/x.md", "src/*.py", "<dir>/x.md"
    others = "../../x.md", "$HOME/x.md", "a|b/c", "word", "1.5"
    assert not [one for text in (*elsewhere, *others) for one in read(f"`{text}`\n") if one.paths]
    assert not paths("[a](https://x.org/a.md) [b](#top) [c](mailto:a@b.md) [d](//x.org/a.md)\n")


def test_code_blocks_are_examples() -> None:
    assert not read("```sh\ncat `src/x.py`\n```\n\n- item\n\n  ~~~\n  `src/x.py`\n  ~~~\n")
    hidden = references_in("x.md", ["`a/b.md`\n", "\n", "`a/c.md`\n"], hidden={1})
    assert [one.text for one in hidden] == ["a/c.md"]


def test_names_that_a_tool_runs() -> None:
    found = read("`make -s lint`, `npm run build`, `just test x`, `mytool --all`, `make`\n")
    named = [(one.tool, one.text, one.column) for one in found if one.tool is not None]
    assert named == [
        ("make", "lint", 10),
        ("npm run", "build", 26),
        ("just", "test", 40),
        ("", "mytool", 50),
        ("", "make", 66),
    ]


def test_words_of_a_command_and_an_import() -> None:
    run = "Run `python scripts/x.py --out 'build/out.txt'`.\n"
    assert paths(run) == ["scripts/x.py", "build/out.txt"]
    assert paths("`my dir/a b.md`\n")[0] == "my dir/a b.md"
    assert not read("`git show abc123:old/x.py`, `git log -- old/x.py`, `rm old/x.py`\n")
    (found,) = read("`@docs/x.md`\n")
    assert (found.text, found.column) == ("docs/x.md", 3)
