"""What is dead: it existed when its line was written, and is not there now."""

from __future__ import annotations

import pytest

from learnings.core.past import PastThing, Removal
from learnings.core.text import split_lines
from learnings.references.dead import DeadReference, EntryReferences, judge
from learnings.references.written import references_in

REMOVAL = Removal("1234567890abcdef1234567890abcdef12345678", "2026-03-02")


class Past:
    """A history that held some paths, with their successors, since the second 100."""

    def __init__(self, paths: dict[str, str | None], parts: dict[str, int] | None = None) -> None:
        self.paths = paths
        self.parts = parts or {}

    def beginning(self) -> int:
        return 0

    def find(self, path: str) -> PastThing | None:
        if path not in self.paths:
            return None
        successor = self.paths[path]
        return PastThing(100, REMOVAL, frozenset([successor] if successor else []))

    def ending_in(self, path: str) -> list[str]:
        return [other for other in self.paths if other.endswith(f"/{path}")]

    def _part(self, name: str) -> PastThing | None:
        return PastThing(self.parts[name], REMOVAL) if name in self.parts else None

    def line(self, path: str, number: int) -> PastThing | None:
        return self._part(f"{path}:{number}")

    def anchor(self, path: str, anchor: str) -> PastThing | None:
        return self._part(f"{path}#{anchor}")

    def definition(self, tool: str, name: str, folder: str) -> PastThing | None:
        return self._part(f"{folder}|{tool} {name}")


class Present:
    """A working tree with some files, each of ten lines and one heading."""

    def __init__(self, *files: str, elsewhere: str = "") -> None:
        self.files = files
        self.elsewhere = elsewhere

    def has(self, path: str) -> bool:
        return any(file == path or file.startswith(f"{path}/") for file in self.files)

    def ending_in(self, path: str) -> bool:
        return any(file.endswith(f"/{path}") for file in self.files)

    def may_be_elsewhere(self, path: str) -> bool:
        return path == self.elsewhere

    def line_count(self, path: str) -> int | None:
        return None if path.endswith(".png") else 10

    def has_anchor(self, path: str, anchor: str) -> bool:
        return f"{path}#{anchor}" == "a/y.md#top"

    def defines(self, tool: str, name: str, folder: str) -> bool:
        return f"{folder}|{tool} {name}" == "agents|make known"


def dead(
    text: str, past: Past, present: Present, path: str = "agents/notes.md", written: float = 200
) -> list[DeadReference]:
    references = references_in(path, split_lines(text))
    folder = path.rpartition("/")[0]
    return list(
        judge(
            references,
            folder,
            past,
            present,
            written_at=lambda lines: dict.fromkeys(lines, written),
        ).dead
    )


def names(text: str, past: Past, present: Present, written: float = 200) -> list[str]:
    return [one.reference.written for one in dead(text, past, present, written=written)]


OLD = Past({"src/old.py": None})


def test_what_existed_and_is_gone() -> None:
    (found,) = dead("See `src/old.py`.\n", OLD, Present())
    assert (found.path, found.is_path, found.removal) == ("src/old.py", True, REMOVAL)
    assert found.replacement is None


@pytest.mark.parametrize(
    "text",
    ["`src/never.py`", "`src/old.py` was removed", "```\n`src/old.py`\n```", "`x-src/old.py`"],
)
def test_what_is_no_finding(text: str) -> None:
    assert not dead(f"{text}\n", OLD, Present())


def test_what_is_there_is_alive() -> None:
    assert not names("`src/old.py`\n", OLD, Present("src/old.py"))
    assert not names("`src/old.py`\n", OLD, Present("agents/src/old.py"))
    assert not names("`src/old.py`\n", OLD, Present(elsewhere="src/old.py"))


def test_what_came_later_was_not_meant() -> None:
    assert not names("`src/old.py`\n", OLD, Present(), written=99)
    assert names("`src/old.py`\n", OLD, Present(), written=100) == ["src/old.py"]


def test_the_end_of_a_path_counts_if_there_was_only_one() -> None:
    past = Past({"src/a/parser.py": None, "src/b/other.py": None, "lib/b/other.py": None})
    assert names("`a/parser.py` `b/other.py`\n", past, Present()) == ["a/parser.py"]
    assert not names("`a/parser.py`\n", past, Present("web/a/parser.py"))


def test_a_name_alone_counts_if_nothing_else_is_called_so() -> None:
    past = Past({"src/blame_walk.py": None, "web/config.json": None, "web/readConfig.ts": None})
    text = "`blame_walk.py` `config.json` `readConfig.ts`\n"
    assert names(text, past, Present()) == ["blame_walk.py", "readConfig.ts"]
    assert names(text, past, Present("lib/blame_walk.py")) == ["readConfig.ts"]


@pytest.mark.parametrize(
    ("text", "replacement"),
    [
        ("`src/old.py:12`", "lib/new.py"),
        ("`./src/old.py`", "./lib/new.py"),
        ("[it](../src/old.py#L3)", "../lib/new.py"),
        ("[it](/src/old.py)", "/lib/new.py"),
        ("`../src/old.py`", "../lib/new.py"),
    ],
)
def test_a_successor_is_written_in_the_form_of_the_reference(text: str, replacement: str) -> None:
    past = Past({"src/old.py": "lib/new.py"})
    (found,) = dead(f"{text}\n", past, Present("lib/new.py", "src/x"))
    assert (found.successor, found.replacement) == ("lib/new.py", replacement)


def test_a_successor_keeps_the_place_that_a_short_path_starts_from() -> None:
    past = Past({"src/app/old.py": "src/core/new.py"})
    (found,) = dead("`app/old.py`\n", past, Present("src/core/new.py"))
    assert found.replacement == "core/new.py"


def test_a_folder_keeps_its_slash_and_a_link_its_encoding() -> None:
    past = Past({"src/old": "lib", "my docs/a.md": "my docs/b c.md"})
    present = Present("lib/x.py", "my docs/b c.md")
    found = dead("`src/old/` [a](../my%20docs/a.md)\n", past, present)
    assert [one.replacement for one in found] == ["lib/", "../my%20docs/b%20c.md"]


def test_a_successor_that_is_gone_is_none() -> None:
    (found,) = dead("`src/old.py`\n", Past({"src/old.py": "lib/new.py"}), Present())
    assert (found.successor, found.replacement) == (None, None)


def test_lines_headings_and_names_of_tools() -> None:
    parts = {"a/x.py:12": 100, "a/y.md#gone": 100, "agents|make lint": 100}
    text = (
        "`a/x.py:12` `a/x.py:9` `a/x.py:99` `a/y.md#gone` `a/y.md#top` `make lint` `make known`\n"
    )
    present = Present("a/x.py", "a/y.md")
    assert names(text, Past({}, parts), present) == ["a/x.py:12", "a/y.md#gone", "make lint"]
    assert not names(text, Past({}, parts), present, written=99)


def test_a_path_with_blanks_is_one_reference() -> None:
    past = Past({"my dir/a b.md": None, "x/dir/a": None, "y/b.md": None})
    assert names("`my dir/a b.md`\n", past, Present()) == ["my dir/a b.md"]


def test_what_an_entry_names_is_all_removed_only_without_successors() -> None:
    past = Past({"src/old.py": None, "src/a.py": "lib/a.py"})
    gone = tuple(dead("`src/old.py`\n", past, Present()))
    moved = tuple(dead("`src/a.py`\n", past, Present("lib/a.py")))
    assert EntryReferences(("a",), gone).are_all_removed
    assert not EntryReferences(("a", "b"), gone).are_all_dead
    assert EntryReferences(("a", "b"), gone + moved).are_all_dead
    assert not EntryReferences(("a", "b"), gone + moved).are_all_removed
    assert not EntryReferences().are_all_dead
