"""What is dead: it existed when its line was written, and is not there now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from learnings.check.reference_facts import judge
from learnings.core.past import PastThing, Removal
from learnings.core.text import split_lines
from learnings.references.dead import DeadReference, EntryReferences
from learnings.references.definitions import may_define_more, names_defined
from learnings.references.written import Reference, is_said_gone, references_in

REMOVAL = Removal("1234567890abcdef1234567890abcdef12345678", "2026-03-02")


class Past:
    """A history that held some paths, with their successors, since the second 100."""

    beginning = 0

    def __init__(self, paths: dict[str, str | None], parts: dict[str, int] | None = None) -> None:
        self.paths = paths
        self.parts = parts or {}

    def find(self, path: str) -> PastThing | None:
        if path in self.paths.values():
            return PastThing(150, None)
        return PastThing(100, REMOVAL, until=150) if path in self.paths else None

    def ending_in(self, path: str) -> list[str]:
        return [other for other in self.paths if other.endswith(f"/{path}")]

    def successors(self, paths: Iterable[str]) -> dict[str, frozenset[str]]:
        return {path: frozenset(filter(None, [self.paths.get(path)])) for path in paths}


class Present:
    """A working tree with some files, each of ten lines and one heading."""

    def __init__(self, *files: str, elsewhere: str = "") -> None:
        self.files = files
        self.elsewhere = elsewhere


class World:
    """The facts of a history and a working tree."""

    def __init__(self, past: Past, present: Present) -> None:
        self.past, self.present = past, present

    def has(self, path: str) -> bool:
        return any(file == path or file.startswith(f"{path}/") for file in self.present.files)

    def ending_in(self, path: str) -> list[str]:
        return [file for file in self.present.files if file.endswith(f"/{path}")]

    def elsewhere(self, paths: Iterable[str]) -> frozenset[str]:
        return frozenset(paths) & {self.present.elsewhere}

    def packages_around(self, folder: str) -> tuple[str, ...]:
        return ("packages/a",) if folder.startswith("packages/a/") else ()

    def has_part(self, path: str, line: int | None, anchor: str | None) -> bool:
        has_line = path.endswith(".png") or (line or 0) <= 10
        return has_line and (anchor is None or f"{path}#{anchor}" == "a/y.md#top")

    def defines(self, tool: str, name: str, folder: str) -> bool:
        return f"{folder}|{tool} {name}" == "agents|make known"

    def _part(self, name: str) -> PastThing | None:
        return PastThing(self.past.parts[name], REMOVAL) if name in self.past.parts else None

    def past_part(self, path: str, line: int | None, anchor: str | None) -> PastThing | None:
        return self._part(f"{path}:{line}" if line else f"{path}#{anchor}")

    def past_definition(self, tool: str, name: str, folder: str) -> PastThing | None:
        return self._part(f"{folder}|{tool} {name}")


def dead(
    text: str, past: Past, present: Present, path: str = "agents/notes.md", written: float = 200
) -> list[DeadReference]:
    references = references_in(path, split_lines(text))
    folder = path.rpartition("/")[0]
    world: Any = World(past, present)
    judged = judge(
        references, folder, world, written_at=lambda lines: dict.fromkeys(lines, written)
    )
    return list(judged.dead)


def names(text: str, past: Past, present: Present, written: float = 200) -> list[str]:
    return [one.reference.written for one in dead(text, past, present, written=written)]


OLD = Past({"src/old.py": None})


def test_the_end_of_a_path_counts_if_no_path_has_it_now() -> None:
    past = Past({"src/a/parser.py": None, "src/b/other.py": None, "lib/b/other.py": None})
    both = "`a/parser.py` `b/other.py`\n"
    assert names(both, past, Present()) == ["a/parser.py", "b/other.py"]
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
        ("`src/old.py:9`", "src/old.py", "lib/new.py", "lib/new.py"),
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


def moved(text: str, past: Past, present: Present) -> str | None:
    (found,) = dead(f"{text}\n", past, present)
    return found.replacement


def test_what_a_sentence_tells_to_write_need_not_be_there() -> None:
    past = Past({"a/plan.md": None, "a/log.md": "a/new.md"})
    for text in (
        "Write the plan to `a/plan.md`.",
        "It creates `x`, `a/plan.md` and `y`.",
        "The output goes to `a/plan.md`.",
    ):
        assert not names(f"{text}\n", past, Present())
    for text in ("The plan written in `a/plan.md`.", "It creates what `a/plan.md` says."):
        assert names(f"{text}\n", past, Present()) == ["a/plan.md"]
    assert moved("Write the log to `a/log.md`.\n", past, Present("a/new.md")) == "a/new.md"


def test_advice_against_a_file_is_not_advice_against_one_that_it_was_merged_into() -> None:
    past = Past({"src/old.py": "lib/new.py"})
    text = "Never import `src/old.py` from a component.\n"
    assert moved(text, past, Present("lib/new.py")) == "lib/new.py"

    class Merged(Past):
        def find(self, path: str) -> PastThing | None:
            return PastThing(90, None) if path == "lib/new.py" else super().find(path)

    merged, present = Merged({"src/old.py": "lib/new.py"}), Present("lib/new.py")
    for sentence, replacement in ((text, None), ("Import `src/old.py`.\n", "lib/new.py")):
        assert moved(sentence, merged, present) == replacement


def test_former_paths_with_one_end_have_a_successor_if_they_were_one_file() -> None:
    one_file: dict[str, str | None] = {
        "a/plugins/sky.ts": "c/sky.ts",
        "b/plugins/sky.ts": "c/sky.ts",
    }
    assert moved("`plugins/sky.ts`", Past(one_file), Present("c/sky.ts")) == "c/sky.ts"
    for other in ("d/sky.ts", None):
        past = Past(one_file | {"b/plugins/sky.ts": other})
        assert moved("`plugins/sky.ts`", past, Present("c/sky.ts", "d/sky.ts")) is None


def test_what_is_written_is_there_and_clear() -> None:
    past = Past({"src/app/old.py": "src/app/new.py"})
    assert moved("`app/old.py`", past, Present("src/app/new.py")) == "app/new.py"
    present = Present("src/app/new.py", "lib/app/new.py")
    assert moved("`app/old.py`", past, present) == "src/app/new.py"
    assert moved("`src/app/old.py:12`", past, present) is None  # it has ten lines
    assert (
        moved("`src/app/old.md#gone`", Past({"src/app/old.md": "a/y.md"}), Present("a/y.md"))
        is None
    )


def test_a_common_name_that_several_files_had_means_one_that_was_there_then() -> None:
    past = Past({"a/src/index.ts": None, "b/src/index.ts": None, "a/src/sky.ts": None})
    text = "`src/index.ts` `src/sky.ts`\n"
    assert names(text, past, Present(), written=120) == ["src/index.ts", "src/sky.ts"]
    assert names(text, past, Present(), written=170) == ["src/sky.ts"]


def test_a_line_that_came_later_means_another_path_with_the_same_end() -> None:
    past, present = Past({"src/old.py": None}), Present("packages/b/src/old.py")
    assert names("`src/old.py`\n", past, present, written=120) == ["src/old.py"]
    assert not names("`src/old.py`\n", past, present, written=170)


@pytest.mark.parametrize(
    "text",
    [
        "`src/old.py` is `lib/new.py` now",
        "Look into `src/old.py`. The table is in `lib/new.py`.",
        "| `src/old.py` | `lib/new.py` |",
        "`src/old.py` → `lib/`",
        "`src/old.py` -> [old](../web/old.ts)",
        "Do not use `src/old.py`.",
        "Never import `src/old.py`. Use `web/x.py`.",
        "`web/x.py` replaces `src/old.py`",
        "`src/old.py` is now `web/x.py`",
    ],
)
def test_text_that_records_a_move_is_no_finding(text: str) -> None:
    past = Past({"src/old.py": "lib/new.py"})
    assert not names(f"{text}\n", past, Present("lib/new.py", "web/x.py"))


def test_text_about_something_else_records_no_move() -> None:
    past = Past({"src/old.py": "lib/new.py", "packages/a/src/old.py": "packages/b/src/old.py"})
    both = "`packages/a/src/old.py` or `src/old.py`\n"
    present = Present("packages/b/src/old.py")
    assert moved(both, past, present) == "packages/b/src/old.py"
    for text in (
        "`src/old.py` → `src/parse.py` → `src/emit.py`",
        "Never import `src/old.py` from a component.",
        "`src/old.py`: a. It has b. See `lib/new.py`.",
    ):
        assert names(f"{text}\n", past, Present("lib/new.py")) == ["src/old.py"]


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
    code = "`a/x.py:12` `a/y.py:3-9,12` `z.md#the-end` `t.py::TestX::test_it[a]` `v.ts:parse()`"
    found = read(f"{code}, [f](b.md#L7)\n")
    assert [(one.text, one.line_number, one.anchor) for one in found] == [
        ("a/x.py", 12, None),
        ("a/y.py", 3, None),
        ("z.md", None, "the-end"),
        ("t.py", None, None),
        ("v.ts", None, None),
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


def said(text: str, name: str = "x.py", label: str = "") -> bool:
    start = text.index(name)
    return is_said_gone(text, start, start + len(name), label=label)


SAID = [
    *("`x.py` was removed last week.", "`x.py` moved to `y.py`.", "Removed: `y.py`, `x.py`"),
    *("Prefer `y.py` over `x.py`.", "We favor the loader over the `x.py`"),
    *("Use `new.py` instead of `x.py`.", "Run `y.py`, not `x.py`.", "the old `x.py` did"),
    *("`x.py` (removed in 1.2) did", "Moved from `x.py` to `y.py`", "renamed `x.py` to `y.py`"),
    *("~~`x.py` is it~~ no", "`x.py` does not exist any more", "There is no `x.py`."),
    *("The API no longer uses `x.py`.", "The code used to live in `x.py`."),
    *("`x.py` was split into `a.py` and `b.py`", "Config is in `y.py`; formerly in `x.py`."),
    *("| `x.py` | removed in 2.0 |", "`x.py` wurde gelöscht."),
    *("Es gab `x.py`, wurde gelöscht.", "Moved the parser out of `x.py`, which was turned into y"),
    *("`x.py` foi substituído por `y.py`", "`x.py` fue eliminado", "`x.py` a été supprimé"),
    *("`x.py` существовал, но удалён", "文件 `x.py` 已删除"),
]
NOT_SAID = [
    *("We removed the cache; see `x.py`.", "`x.py` is used. The old cache was removed."),
    *("The cache moved to `x.py`.", "`a.py` was replaced by `x.py`", "renamed `y.py` to `x.py`"),
    *("`y.py` was split into `a.py` and `x.py`", "`y.py` foi substituído por `x.py`"),
    *("Two lines were removed from `x.py`.", "`x.py` checks that no entry is missing"),
    *("Do not edit `x.py` by hand", "The loader is in `x.py`, the config was removed."),
    *("see [x](x.py) and remove what is there", "If a file is missing, run `x.py`"),
    *("`y.py` turned into `x.py`", "Two lines removed from the old `y.py`, in `x.py`."),
    *("Config is in `x.py`; formerly in `y.py`.", "Prefer to iterate over lines, in `x.py`."),
]


def test_it_is_said_or_not() -> None:
    assert [text for text in (*SAID, *NOT_SAID) if said(text)] == SAID


@pytest.mark.parametrize("label", ["## Removed files", "These files were deleted in May:"])
def test_a_label_speaks_of_all_below_it(label: str) -> None:
    assert said("- `x.py`: the loader", label=label)
    assert not said("- `x.py`: the loader", label="## When a removed file breaks the build")
    assert not said(
        "- `x.py`: the loader", label="It writes what is missing and prints the commands:"
    )


def test_a_long_text_takes_no_long_time() -> None:
    assert not said("`x.py` " + "has (what " * 5_000)
    assert not said("was, " * 5_000 + "`x.py`")


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
