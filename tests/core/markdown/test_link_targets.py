"""Links of a text that moves to another folder lead to where they led."""

from __future__ import annotations

from learnings.core.markdown.links import rebased

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
        assert rebased(line, OLD, NEW) == changed
        assert rebased(changed, NEW, OLD) == line.replace("(./", "(")
        assert rebased(line, OLD, "agents/other.md") == line
    assert [rebased(line, OLD, NEW) for line in KEPT] == [*KEPT]


def test_to_and_from_the_root() -> None:
    assert rebased("[a](docs/x.md)", "LEARNINGS.md", "docs/a.md") == "[a](x.md)"
    assert rebased("[a](x.md)", "docs/a.md", "LEARNINGS.md") == "[a](docs/x.md)"
    assert rebased("[a](../../x.md)", "docs/a.md", "LEARNINGS.md") == "[a](../x.md)"
