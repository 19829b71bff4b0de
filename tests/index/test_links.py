from __future__ import annotations

import pytest

from learnings.core.markdown.blocks import blocks_of
from learnings.index.link_rows import is_link_index, link_rows
from learnings.index.links import (
    IndexedLinks,
    fixed_links,
    indexed_links,
    problems_of_links,
    with_links,
)

INDEX = "m/MEMORY.md"
FILES = {
    "m/builds.md": b"---\nname: Builds\ndescription: the lock of the package manager\n---\n",
    "m/clock.md": b"# Clock\n\nFreeze it.\n",
}


def rows(text: str) -> list[tuple[int, str, str, str]]:
    found = link_rows(INDEX, blocks_of(text.encode()))
    return [(row.line, row.title, row.target, row.hook) for row in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- [Builds](builds.md) — the lock", [(1, "Builds", "m/builds.md", "the lock")]),
        ("- **[Builds](./builds.md)**: the lock", [(1, "Builds", "m/builds.md", "the lock")]),
        ("| [Builds](builds.md) | the lock |", [(1, "Builds", "m/builds.md", "the lock")]),
        ("A | B\n-|-\n[a](a.md) | x", [(3, "a", "m/a.md", "x")]),
        ("- [a](a.md) · [b](b.md)", [(1, "a", "m/a.md", ""), (1, "b", "m/b.md", "")]),
        ("- [`x[0]` is no list](x.md#part)", [(1, "`x[0]` is no list", "m/x.md", "")]),
        ("- [a](<a b.md>) x", [(1, "a", "m/a b.md", "x")]),
        ("- [a](k_(v2).md 'title') — x", [(1, "a", "m/k_(v2).md", "x")]),
        ("- [A][b]: x\n\n[b]: b.md", [(1, "A", "m/b.md", "x")]),
        ("- [[builds]] — x", [(1, "builds", "m/builds.md", "x")]),
        ("- see [[builds]]", []),
        ("- <a href='a.md'>A</a> — x", [(1, "A", "m/a.md", "x")]),
        ("- [web](https://example.org/a.md)", []),
        ("- [out](../../a.md) [root](/a.md)", []),
        ("- [picture](a.png) ![shot](a.md)", []),
        ("- `[a](a.md)`", []),
        ("```\n- [a](a.md)\n```", []),
        ("<!-- [a](a.md) -->", []),
        ("## [a](a.md)", []),
    ],
)
def test_rows(line: str, expected: list[tuple[int, str, str, str]]) -> None:
    assert rows(f"{line}\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [a](a.md) — x\n", True),
        ("- [a](a.md)\n- text\n", True),
        ("- [a](a.md)\n- text\n- text\n", False),
        ("- [a](a.md)\n" * 5 + "- text\n" * 50, True),
        ("| file | what |\n|---|---|\n| [a](a.md) | x |\n", True),
        ("file | what\n---|---\n[a](a.md) | x\n", True),
        ("- [[a]]\n- [[b]]\n", True),
        ("- User\n  - [a](a.md)\n  - [b](b.md)\n- Build\n  - [c](c.md): x\n", True),
        ("- Use `x`.\n  - [why](a.md)\n- Run y.\n  - [why](b.md)\n", False),
        ("- [a](../docs/a.md)\n- text\n", True),
        ("See [a](a.md).\n", False),
        ("# Memory\n\n- text\n", False),
    ],
)
def test_what_is_an_index(text: str, expected: bool) -> None:
    blocks = blocks_of(text.encode())
    assert is_link_index("m/MEMORY.md", blocks.lines, blocks.outline) is expected


BOTH = "- [Builds](builds.md)\n- [Clock](clock.md)\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [Builds](builds.md) — lock of the manager\n- [Clock](clock.md)\n", []),
        ("- [Builds](./builds.md)\n- see `clock.md`\n", []),
        ("- [Builds](../m/builds.md)\n- see [[clock]]\n", []),
        ("- [Builds](builds.md) [x](../docs/other.md)\n- [[clock]]\n", []),
        ("- [Builds](builds.md)\n- [more](./)\n", [("missing-row", "m/clock.md", 1)]),
        (f"{BOTH}- [a](gone.md)\n- [b](gone.md)\n", [("missing-file", INDEX, 3)]),
        (f"{BOTH}- [a](../../gone.md) [b](/gone.md)\n", []),
        (f"{BOTH}- [a](~/x.md) [b]($HOME/x.md) [c](<{{name}}.md>) [d](topic/*.md)\n", []),
        ("- [Builds](builds.md)\n", [("missing-row", "m/clock.md", 1)]),
        (f"{BOTH}- [Again](builds.md)\n", [("duplicate-row", INDEX, 3)]),
        (BOTH.replace(")\n", ") — colours of dark buttons\n", 1), [("hook-differs", INDEX, 1)]),
        (BOTH.replace(")\n", ") — locks that stay in dark corners\n", 1), []),
        (BOTH.replace(")\n", ") — a few words\n", 1), []),
    ],
)
def test_rows_are_compared_with_files(text: str, expected: list[tuple[str, str, int]]) -> None:
    index = indexed_links(INDEX, text.encode(), FILES, {*FILES, "docs/other.md"}.__contains__)
    assert index is not None
    found = [(problem.kind, problem.path, problem.line) for problem in problems_of_links(index)]
    assert found == expected


def index_of(text: str, files: dict[str, bytes], *others: str) -> IndexedLinks:
    index = indexed_links(INDEX, text.encode(), files, {*files, *others}.__contains__)
    assert index is not None
    return index


def found(index: IndexedLinks) -> list[tuple[str, str]]:
    return [(problem.kind, problem.subject) for problem in problems_of_links(index)]


def added(text: str, files: dict[str, bytes]) -> str:
    """The index with rows for what has none; it has nothing to add then, and all is listed."""
    after = text
    for _ in range(2):
        index = index_of(after, files)
        once = fixed_links(index, after.encode(), add_missing=True, ignored=())
        assert after in (text, once.decode())
        after = once.decode()
    assert not {"missing-row", "missing-file"} & {kind for kind, _ in found(index_of(after, files))}
    return after


A = {"m/a.md": b"# A\n"}
NEW = {"m/two words.md": b"---\nname: Two\ndescription: what it says\n---\n"}


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("- [A](a.md) — x\n", "- [Two](two%20words.md) — what it says\n"),
        ("* [A](a.md): x\n", "* [Two](two%20words.md): what it says\n"),
        ("3. [A](a.md)\n", "4. [Two](two%20words.md) — what it says\n"),
        ("1. [A](a.md)\n1. [A](a.md)\n", "1. [Two](two%20words.md) — what it says\n"),
        ("- **[A](<a.md>)** - x\n", "- **[Two](<two words.md>)** - what it says\n"),
        ("- [x] [A](a.md)\n", "- [ ] [Two](two%20words.md) — what it says\n"),
        ("- [[a]] — x\n", "- [[two words]] — what it says\n"),
        ("| F | W |\n|-|-|\n| [A](a.md) | x |\n", "| [Two](two%20words.md) | what it says |\n"),
        ("F | W\n-|-\n[A](a.md) | x\n", "[Two](two%20words.md) | what it says\n"),
        (
            "| Date | Topic | File | About |\n|-|-|-|-|\n| 2026-01-01 | A | [a.md](a.md) | x |\n",
            "|  | Two | [two words.md](two%20words.md) | what it says |\n",
        ),
        (
            "<ul>\n<li><a href='a.md'>A</a> — x</li>\n",
            '<li><a href="two%20words.md">Two</a> — what it says</li>\n',
        ),
    ],
)
def test_new_rows_are_written_as_their_neighbours_are(text: str, row: str) -> None:
    assert added(text, A | NEW) == text + row


def test_a_new_row_does_not_part_an_item() -> None:
    text = "- [A](a.md) — a long\n  description\n  - more\n\nEnd.\n"
    row = "- [Two](two%20words.md) — what it says\n"
    assert added(text, A | NEW) == text.replace("\n\nEnd", f"\n{row}\nEnd")
    ruled = "- [A](a.md)\n---\nEnd.\n"
    assert added(ruled, A | NEW) == ruled.replace("---", f"{row}---")
    lazy = "- [A](a.md) — a `long\n`x` description`\n| and more\n"
    assert added(lazy, A | NEW) == lazy + row


@pytest.mark.parametrize("above", ["- [A](a.md)\n", "- [[a]]\n", "|F|W|\n|-|-|\n|[A](a.md)|x|\n"])
@pytest.mark.parametrize(
    "title",
    ["Code `x](y)` here", "a ] b", "a [ b", "a ` b", "a | b", "[x](y.md)", "end\\", "<a href='"],
)
def test_a_title_that_breaks_its_link_is_added_once(above: str, title: str) -> None:
    for name in ("b", "k_(v2)", "x#y", "p|q", "a&amp;b", "50%25"):
        matter = f"---\nname: {title}\ndescription: uses ` and [c](c.md) and | too\n---\n"
        added(above, {**A, f"m/{name}.md": matter.encode()})


def test_a_label_in_a_title_and_an_open_block_at_the_end() -> None:
    title = {**A, "m/b.md": b"# The [x] of it\n"}
    assert (
        added("- [A](a.md)\n\n[x]: a.md\n", title).splitlines()[1] == r"- [The \[x\] of it](b.md)"
    )
    added("- [A](a.md)\n```\nopen\n", title)
    added("<ul>\n<li><a href='a.md'>A</a> <!-- </li></ul>\n\n```\nopen\n", title)


def test_a_bar_in_a_title_ends_no_cell_though_the_hook_has_the_link_too() -> None:
    matter = b"---\nname: a | b\ndescription: see [b](b.md)\n---\n"
    after = added("|F|W|\n|-|-|\n|[A](a.md)|x|\n", {**A, "m/b.md": matter})
    assert after.splitlines()[-1].startswith(r"| [a \| b](b.md) |")


def test_a_byte_order_mark_stays_one() -> None:
    assert added("\ufeff- [A](a.md)\n", A | NEW).count("\ufeff") == 1


@pytest.mark.parametrize(
    ("row", "fixed"),
    [
        ("- [N](m/deep/n.md#part 'title')", "- [N](deep/n.md#part 'title')"),
        ("- [N](<old/n.md>)", "- [N](<deep/n.md>)"),
        ("- [N][n]\n\n[n]: n.md", "- [N][n]\n\n[n]: deep/n.md"),
        ("- <a href='n.md'>N</a>", "- <a href='deep/n.md'>N</a>"),
    ],
)
def test_paths_are_corrected_in_every_form(row: str, fixed: str) -> None:
    index = index_of(f"{row}\n", {"m/deep/n.md": b"# N\n"})
    after = fixed_links(index, f"{row}\n".encode(), add_missing=False, ignored=())
    assert after.decode() == f"{fixed}\n"


@pytest.mark.parametrize(
    "text",
    [
        "- [N](n.md)\n- [N](old/n.md)\n",  # two files of that name: which is left?
        "- [N](m/deep/n.md)\n- [N](old/n.md)\n",
    ],
)
def test_two_dead_rows_do_not_become_one_file(text: str) -> None:
    index = index_of(text, {"m/deep/n.md": b"# N\n"})
    after = fixed_links(index, text.encode(), add_missing=False, ignored=()).decode()
    assert after == text.replace("](m/deep", "](deep")


def test_a_dead_row_may_differ_from_its_file_in_case_and_hyphens() -> None:
    text = "- [N](My-Note.md)\n"
    index = index_of(text, {"m/my_note.md": b"# N\n"})
    after = fixed_links(index, text.encode(), add_missing=False, ignored=())
    assert after == b"- [N](my_note.md)\n"


def test_what_hubs_list_is_found() -> None:
    files = {
        "m/hub.md": b"# Hub\n\n- [B](b.md)\n- [Other](../docs/hub.md)\n- [Self](MEMORY.md)\n",
        "m/b.md": b"# B\n",
        "m/c.md": b"# C\n",
        "m/lost.md": b"# Lost\n",
    }
    text = b"- [A](a.md)\n- [Hub](hub.md)\n- [Gone hub](gone.md)\n"
    docs = {"docs/hub.md": b"- [C](../m/c.md)\n- [Back](../m/hub.md)\n"}
    exist = {*A, *files, *docs, INDEX}.__contains__
    index = indexed_links(INDEX, text, A | files, exist, read=docs.get)
    assert index is not None
    assert found(index) == [("missing-file", "m/gone.md"), ("missing-row", "m/lost.md")]


def test_a_link_to_a_folder_lists_what_is_in_it() -> None:
    files = A | {"m/hub.md": b"- [More](deep/)\n- [A](a.md)\n", "m/deep/b.md": b"# B\n"}
    files |= {"m/topics/c.md": b"# C\n", "m/topic/d.md": b"# D\n"}
    text = "- [A](a.md)\n- [Hub](hub.md)\n- [Topics](topics/)\n- [Web](https://x.org/m/topic/)\n"
    assert found(index_of(text, files)) == [("missing-row", "m/topic/d.md")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- [[a]]\n- [[gone]]\n",
            [("missing-file", "m/gone.md"), ("missing-row", "m/user_role.md")],
        ),
        ("- [[A]]\n- [[user-role|the user]]\n", []),
        ("- [[A]]\n- [[user_role]]\n- [[shot.png]]\n- [[#Top]]\n", []),
        ("- [[A]]\n- [[user_role]]\n- [[https://x.org/a]]\n", []),
        ("- [[a]]\n- [[The Role]]\n", []),
        ("- [[one]]\n- [[two]]\n- [A](a.md)\n- [u](user_role.md)\n", []),
        ("- [A](a.md)\n- see [[gone]] and [[user_role]]\n", []),
    ],
)
def test_names_in_double_brackets(text: str, expected: list[tuple[str, str]]) -> None:
    files = {**A, "m/user_role.md": b"---\nname: The role\n---\n"}
    assert found(index_of(text, files)) == expected


def test_a_name_in_double_brackets_may_be_that_of_any_file() -> None:
    text, elsewhere = b"- [[a]]\n- [[notes]]\n", {"**/notes.md": ["docs/notes.md"]}
    find = elsewhere.__getitem__
    index = indexed_links(INDEX, text, A, {*A, "docs/notes.md"}.__contains__, find=find)
    assert index is not None
    assert found(index) == []


def test_new_rows_do_not_make_other_names_in_double_brackets_dead() -> None:
    text = "- [[a]]\n- [[idea]]\n- [[other]]\n- [A](a.md)\n- [[third]]\n"
    after = added(text, A | NEW | {"m/b.md": b"# B\n", "m/c.md": b"# C\n", "m/d.md": b"# D\n"})
    assert after.startswith(f"{text[:-12]}- [Two](two%20words.md) — what it says\n")


@pytest.mark.parametrize(
    ("above", "gap"),
    [("", ""), ("# Memory\n", "\n"), ("# Memory\n\n", ""), ("---\nx: y\n---\n", "\n")],
)
def test_an_index_may_have_no_row_yet(above: str, gap: str) -> None:
    assert (
        added(above, A | NEW)
        == f"{above}{gap}- [A](a.md)\n- [Two](two%20words.md) — what it says\n"
    )
    assert indexed_links("m/README.md", above.encode(), A, A.__contains__) is None
    assert indexed_links(INDEX, f"{above}Text.\n".encode(), A, A.__contains__) is None


def test_rows_of_gone_files_leave_in_every_form() -> None:
    text = "- [A](a.md)\n- [B][b]\n  more\n- [[b]]\n- [A](a.md) and [B](b.md)\n\n[b]: <b.md>\n"
    after = with_links(INDEX, text.encode(), gone=["m/b.md"])
    assert after.decode() == "- [A](a.md)\n- [A](a.md) and [B](b.md)\n\n"
