"""What agents make of `@path`, as measured with Claude Code: the same text, the same answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.agents.imports import DEAD, GLUED, Files, Import, imports_in

FILES = {
    "a.md",
    "b.md",
    "docs/a.md",
    "docs/my file.md",
    "docs/メモ.md",
    "x.json",
    "ida",
    "pkg/own.md",
}
SEEN = Files(FILES.__contains__, FILES.__contains__)


def imports(text: str, path: str = "CLAUDE.md", *, strict: bool = True) -> list[Import]:
    return [*imports_in(path, text.encode(), SEEN, strict=strict)]


@pytest.mark.parametrize(
    "text",
    [
        *("see @a.md x", "- @a.md", "1. @a.md", "# @a.md", "> @a.md", "- [ ] @a.md"),
        *("**@a.md**", "_@a.md_", "**see @a.md here**", "[@a.md](x)", "@a.md#top", "@./a.md"),
        *("| @a.md | b |", "see\u00a0@a.md x", "@a.md\\", "a\n    @a.md", "- a\n\n    @a.md"),
    ],
)
def test_loaded(text: str) -> None:
    assert [one.loads for one in imports(text)] == ["a.md"]


def test_names_of_files() -> None:
    text = "@docs/my\\ file.md @docs/メモ.md @x.json @ida @pkg/../b.md"
    expected = ["docs/my file.md", "docs/メモ.md", "x.json", "ida", "b.md"]
    assert [one.loads for one in imports(text)] == expected


@pytest.mark.parametrize(
    "written",
    [
        *(
            "@a.md:",
            "@a.md,",
            "@a.md.",
            "@a.md;",
            "@a.md!",
            "@a.md?",
            "@a.md…",
            "@a.md。",
            "@a.md)",
        ),
        *(
            "(@a.md)",
            "(@a.md",
            ":@a.md",
            "@a.md,b.md",
            "@a.mdを",
            "@a.md's",
            "@x.json,",
            "@a.md:12",
        ),
        "@docs/メモ.md、次",
    ],
)
def test_skipped_because_of_what_is_glued_to_it(written: str) -> None:
    (one,) = imports(f"See {written} there.")
    assert (one.loads, one.fault, one.written) == ("", GLUED, written)
    assert one.meant in ("a.md", "x.json", "docs/メモ.md")


@pytest.mark.parametrize(
    "text",
    [
        *("`@a.md`", "`@a.md", "``b `@c.md` @a.md``", "`b\n@gone.md`", "~~~\n@gone.md\n~~~"),
        *(
            "a\n\n    @gone.md",
            "<!-- @gone.md -->",
            "b <!-- @gone.md --> c",
            "---\na: @gone.md\n---\n",
        ),
        *('"@a.md"', "'@gone.md'", "<@gone.md>", "bob@gone.md", "@@a.md", "git@github.com:a/b.md"),
        *("https://x.org/@gone.md", "docs/@gone.md", "@~/gone.md", "@docs/*.md", "@docs/{a,b}.md"),
        *("@$HOME/gone.md", "[x]: @gone.md", "@", "@#top", "@ a.md"),
    ],
)
def test_none(text: str) -> None:
    assert imports(text) == []


@pytest.mark.parametrize(
    "text",
    ["@ida,", "@scope/pkg", "@types/node:", "@app.route", "@/etc/gone.md", "@path/to/file.md"],
)
def test_nobody_knows(text: str) -> None:
    assert [(one.loads, one.fault) for one in imports(text)] == [("", "")]


def test_dead_ones_and_the_file_at_the_root() -> None:
    (gone, root) = imports("# A\n\nSee @gone.md, then\n@docs/a.md\n", "pkg/CLAUDE.md")
    assert (gone.line, gone.column, gone.path, gone.fault, gone.meant) == (
        3,
        5,
        "gone.md",
        DEAD,
        "",
    )
    assert (root.line, root.column, root.fault, root.meant) == (4, 1, DEAD, "docs/a.md")


def test_the_target_of_a_link_counts_and_what_others_may_have() -> None:
    linked = SEEN._replace(real=lambda _: "pkg/own.md", may_be=lambda path: path == "secret.md")
    found = imports_in("CLAUDE.md", b"@own.md @a.md @secret.md", linked, strict=True)
    assert [(one.loads, one.fault) for one in found] == [("pkg/own.md", ""), ("a.md", ""), ("", "")]


def test_other_agents_may_find_more() -> None:
    text = "See @a.md, @docs/a.md: and (@own.md); not @gone.md!"
    loads = ["a.md", "docs/a.md", "pkg/own.md", ""]
    found = imports(text, "pkg/AGENTS.md", strict=False)
    assert [one.loads for one in found] == loads
    assert [one.fault for one in found] == ["", "", "", DEAD]


def test_much_of_the_same_takes_no_time() -> None:
    for text in ("@a/", "@a.md,", "`", "<!--", "[a]: ", "@a\\ ", "(@"):
        imports(text * 20_000)


@given(st.text(alphabet="@a.md/,:()` \n\\*_#<>[]!-\t~", max_size=60))
def test_any_text_is_read_and_each_import_is_at_its_place(text: str) -> None:
    lines = text.split("\n")
    for one in imports(text):
        assert lines[one.line - 1][one.column - 1 :].startswith("@" + one.path[:1])
        assert not (one.loads and one.fault)
