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
    judged = judge(
        references, folder, past, present, written_at=lambda lines: dict.fromkeys(lines, written)
    )
    return list(judged.dead)


def names(text: str, past: Past, present: Present, written: float = 200) -> list[str]:
    return [one.reference.written for one in dead(text, past, present, written=written)]


OLD = Past({"src/old.py": None})


def test_the_end_of_a_path_counts_if_there_was_only_one() -> None:
    past = Past({"src/a/parser.py": None, "src/b/other.py": None, "lib/b/other.py": None})
    assert names("`a/parser.py` `b/other.py`\n", past, Present()) == ["a/parser.py"]
    assert not names("`a/parser.py`\n", past, Present("web/a/parser.py"))
    # A name alone counts if nothing else is called so, a path with blanks is one reference.
    past = Past({"src/blame_walk.py": None, "web/config.json": None, "web/readConfig.ts": None})
    text = "`blame_walk.py` `config.json` `readConfig.ts`\n"
    assert names(text, past, Present()) == ["blame_walk.py", "readConfig.ts"]
    assert names(text, past, Present("lib/blame_walk.py")) == ["readConfig.ts"]
    past = Past({"my dir/a b.md": None, "x/dir/a": None, "y/b.md": None})
    assert names("`my dir/a b.md`\n", past, Present()) == ["my dir/a b.md"]


def test_lines_headings_and_names_of_tools() -> None:
    parts = {"a/x.py:12": 100, "a/y.md#gone": 100, "agents|make lint": 100}
    text = "`a/x.py:12` `a/x.py:9` `a/x.py:99` `a/y.md#gone` `a/y.md#top` `make lint` `make known`"
    present = Present("a/x.py", "a/y.md")
    assert names(text, Past({}, parts), present) == ["a/x.py:12", "a/y.md#gone", "make lint"]
    assert not names(text, Past({}, parts), present, written=99)


def test_what_an_entry_names_is_all_removed_only_without_successors() -> None:
    past = Past({"src/old.py": None, "src/a.py": "lib/a.py"})
    gone = tuple(dead("`src/old.py`\n", past, Present()))
    moved = tuple(dead("`src/a.py`\n", past, Present("lib/a.py")))
    assert EntryReferences(("a",), gone).are_all_removed
    assert not EntryReferences(("a", "b"), gone).are_all_dead
    assert EntryReferences(("a", "b"), gone + moved).are_all_dead
    assert not EntryReferences(("a", "b"), gone + moved).are_all_removed
    assert not EntryReferences().are_all_dead


@pytest.mark.parametrize(
    ("text", "present", "written", "expected"),
    [
        ("`src/old.py`", Present(), 100, ["src/old.py"]),
        ("`src/old.py`", Present(), 99, []),  # it came later
        ("`src/never.py`", Present(), 200, []),
        ("`src/old.py` was removed", Present(), 200, []),
        ("```\n`src/old.py`\n```", Present(), 200, []),
        ("`x-src/old.py`", Present(), 200, []),
        ("`src/old.py`", Present("src/old.py"), 200, []),
        ("`src/old.py`", Present("agents/src/old.py"), 200, []),
        ("`src/old.py`", Present(elsewhere="src/old.py"), 200, []),
    ],
)
def test_what_existed_and_is_gone(
    text: str, present: Present, written: int, expected: list[str]
) -> None:
    assert names(f"{text}\n", OLD, present, written) == expected
    for found in dead(f"{text}\n", OLD, present, written=written):
        assert (found.path, found.is_path, found.removal) == ("src/old.py", True, REMOVAL)
        assert (found.successor, found.replacement) == (None, None)


@pytest.mark.parametrize(
    ("text", "old", "new", "replacement"),
    [
        ("`src/old.py:12`", "src/old.py", "lib/new.py", "lib/new.py"),
        ("`./src/old.py`", "src/old.py", "lib/new.py", "./lib/new.py"),
        ("[it](../src/old.py#L3)", "src/old.py", "lib/new.py", "../lib/new.py"),
        ("[it](/src/old.py)", "src/old.py", "lib/new.py", "/lib/new.py"),
        ("`app/old.py`", "src/app/old.py", "src/core/new.py", "core/new.py"),
        ("`src/old/`", "src/old", "lib", "lib/"),
        ("[a](../my%20docs/a.md)", "my docs/a.md", "my docs/b c.md", "../my%20docs/b%20c.md"),
    ],
)
def test_a_successor_is_written_in_the_form_of_the_reference(
    text: str, old: str, new: str, replacement: str
) -> None:
    (found,) = dead(f"{text}\n", Past({old: new}), Present(new, "src/x"))
    assert (found.successor, found.replacement) == (new, replacement)
    (found,) = dead(f"{text}\n", Past({old: new}), Present())
    assert (found.successor, found.replacement) == (None, None)
