from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.markdown.links import (
    REFERENCE,
    as_target,
    links_in,
    rebased,
    with_targets,
    without_markup,
)

FORMS = {
    "[a](x.md)": ["inline x.md"],
    "[a](<two words.md>) [b](x.md 'title') [c](k_(v2).md)": [
        "inline two words.md",
        "inline x.md",
        "inline k_(v2).md",
    ],
    "![shot](x.png) [![i](i.png)](x.md)": ["inline x.png !", "inline x.md", "inline i.png !"],
    "[A][b], [b][] and [b]\n\n[b]: <b c.md> 'title'": [
        *["reference b c.md"] * 3,
        "definition b c.md",
    ],
    "[a](x\\_y.md) [b](x%20y.md) [c](a&amp;b.md#part)": [
        "inline x_y.md",
        "inline x y.md",
        "inline a&b.md part",
    ],
    "[[name]], [[name#Title|text]], ![[shot.png]]": [
        "wiki name",
        "wiki name Title",
        "wiki shot.png !",
    ],
    "| [[name\\|text]] | [a\\|b](x.md) |\n|---|---|": ["wiki name", "inline x.md"],
    "<a class=b href='x.md'>x</a>": ["href x.md"],
    '<p>\n<a href="x.md">x</a>\n</p>': ["href x.md"],
    "- a\n\n  [a](x.md) of an item\n> [b](y.md) of a quote": ["inline x.md", "inline y.md"],
    "[two\nlines](x.md) [one](\ny.md)": ["inline x.md", "inline y.md"],
    "[a [b](x.md) c](y.md)": ["inline x.md"],
    "A | B\n--|--\nx | [a](x.md)": ["inline x.md"],
}
NO_LINKS = (
    "`[a](x.md)`",
    "``[a](x.md) ` ``",
    "```\n[a](x.md)\n```",
    "- a\n\n  ~~~\n  [a](x.md)\n  ~~~",
    "    [a](x.md)",
    "<!-- [a](x.md) <a href='x.md'> -->",
    "a <!-- [a](x.md) --> b",
    r"\[a](x.md)",
    "[a] (x.md) [b](x y.md) [c](x.md",
    "[a](x\n\ny) [b] [c][d]",
    "[^1]: note",
    "---\nlink: '[a](x.md)'\n---",
)


def found(text: str) -> list[str]:
    links = links_in(text.splitlines(keepends=True))
    shown = ((one.form, one.path, one.anchor, "!" * one.is_image) for one in links)
    return [" ".join(filter(None, parts)) for parts in shown]


@pytest.mark.parametrize("text", FORMS)
def test_every_form_of_link(text: str) -> None:
    assert found(text) == FORMS[text]


@pytest.mark.parametrize("text", NO_LINKS[:-1])
def test_what_is_no_link(text: str) -> None:
    assert found(text) == []


def test_the_front_matter_has_no_links() -> None:
    lines = NO_LINKS[-1].splitlines(keepends=True)
    assert links_in(lines, front_matter=3) == ()


@pytest.mark.parametrize("text", FORMS)
def test_places_are_those_of_the_destinations(text: str) -> None:
    lines = text.splitlines(keepends=True)
    for link in links_in(lines):
        line, start, end = link.target
        assert lines[line - 1][start:end] == link.written
    targets = {link.target for link in links_in(lines)}
    changed = with_targets(lines, lambda _: "new")
    assert sum(line.count("new") for line in changed) == len(targets)
    assert with_targets(lines, lambda link: link.written) == lines


@given(st.text(st.sampled_from("ab ()<>[]\\%#\"'&é2F\x7f"), min_size=1))
def test_a_written_destination_is_read_back(path: str) -> None:
    for line in (f"[a]({as_target(path)})", f"[a](<{as_target(path, is_angled=True)}>)"):
        (link,) = (one for one in links_in([line]) if one.form != REFERENCE)
        assert (link.path, link.anchor) == (path, "")


def test_a_title_without_markup() -> None:
    assert without_markup("The `x` of [*one* link](x.md) in [two](y_(z).md)") == (
        "The x of one link in two"
    )
    assert without_markup("`[no](x.md)`") == "[no](x.md)"


OLD, NEW = "agents/learnings.md", "docs/decisions/cache.md"
CHANGED = {
    "See [the key](keys.md).": "See [the key](../../agents/keys.md).",
    "See [the key](./sub/keys.md#Old), [it](../docs/x.md)": (
        "See [the key](../../agents/sub/keys.md#Old), [it](../x.md)"
    ),
    "![shot](../docs/decisions/shot.png)": "![shot](shot.png)",
    "[folder](sub/) and [[keys.md#Old]]": "[folder](../../agents/sub/) and [[keys.md#Old]]",
    "[k]: <a b.md>": "[k]: <../../agents/a b.md>",
    '<a href="keys.md?x=1">k</a>': '<a href="../../agents/keys.md?x=1">k</a>',
    "[other](../../other/x.md)": "[other](../../../other/x.md)",
}
KEPT = (
    "[web](https://example.org/a.md), [mail](mailto:a@b.example), [drive](C:/a.md)",
    "[root](/docs/x.md), [here](#old), [shell]($HOME/x.md), [home](~/x.md)",
    "`[code](keys.md)` and no link (keys.md)",
)


def test_relative_links_are_changed_and_changed_back() -> None:
    for line, changed in CHANGED.items():
        assert rebased([line], OLD, NEW) == [changed]
        assert rebased([changed], NEW, OLD) == [line.replace("(./", "(")]
        assert rebased([line], OLD, "agents/other.md") == [line]
    assert rebased(KEPT, OLD, NEW) == [*KEPT]


def test_to_and_from_the_root() -> None:
    assert rebased(["[a](docs/x.md)"], "LEARNINGS.md", "docs/a.md") == ["[a](x.md)"]
    assert rebased(["[a](x.md)"], "docs/a.md", "LEARNINGS.md") == ["[a](docs/x.md)"]
    assert rebased(["[a](../../x.md)"], "docs/a.md", "LEARNINGS.md") == ["[a](../x.md)"]
