"""Imports point to the left only, and what is called pure is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.guard import ROOT

RANKS = {
    "core": 0,
    "history": 1,
    "store": 1,
    "rules": 2,
    "consolidation": 2,
    "tiers": 2,
    "confidence": 2,
    "surfaces": 3,
    "hooks": 4,
    "__main__": 4,
    "bin": 4,
}
PURE = {"core", "rules", "consolidation"}
RIM = {"surfaces", "hooks", "__main__", "bin"}
# Only these modules know of the thing, so that it can be replaced, and found.
CONFINED = {
    "markdown_it": {"learnings.core.markdown.parser"},
    "subprocess": {"learnings.history", "learnings.bin"},
    "git": {"learnings.history"},
}
IMPURE_MODULES = {"glob", "http", "os", "random", "shutil", "socket", "subprocess", "tempfile"}
IMPURE_MODULES |= {"time", "urllib", "logging", "git"}
IMPURE_NAMES = {"print", "open", "input", "exec", "eval", "__import__"}
IMPURE_METHODS = {"now", "utcnow", "today", "open", "read_text", "write_text", "read_bytes"}
IMPURE_METHODS |= {"write_bytes", "unlink", "mkdir", "iterdir", "rglob", "exists", "is_file"}
IMPURE_ATTRIBUTES = {"sys.stdin", "sys.stdout", "sys.stderr", "sys.argv"}


class Import(NamedTuple):
    module: str
    line: int
    lazy: bool  # inside a function, or for type checkers only


def modules() -> dict[str, Path]:
    """Return every module of the product by its installed name."""
    roots = {"learnings": ROOT / "src/learnings", "learnings.hooks": ROOT / "hooks"}
    roots |= {"learnings.bin": ROOT / "agent-core/bin"}
    return {
        ".".join([package, *path.relative_to(folder).with_suffix("").parts]).removesuffix(
            ".__init__"
        ): path
        for package, folder in roots.items()
        for path in folder.rglob("*.py")
    }


def room(module: str) -> str:
    """Return the part of the house a module stands in; empty for the package itself."""
    return [*module.split("."), ""][1]


def imports(source: str) -> list[Import]:
    """Return what a module imports: `a.b` for `import a.b`, `a.b` too for `from a import b`."""
    found = []
    for node, lazy in _walk(ast.parse(source), lazy=False):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, node.lineno, lazy) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            found += [Import(f"{base}.{alias.name}", node.lineno, lazy) for alias in node.names]
    return found


def _walk(node: ast.AST, *, lazy: bool) -> Iterator[tuple[ast.AST, bool]]:
    yield node, lazy
    typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    inside = lazy or typing or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, lazy=inside)


def impurities(source: str) -> list[str]:
    """Return the traces of files, clock, network, processes and printing in a module."""
    found = [
        f"{each.line}: imports {each.module}"
        for each in imports(source)
        if each.module.split(".")[0] in IMPURE_MODULES or each.module == "pathlib.Path"
    ]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_NAMES:
                found.append(f"{node.lineno}: calls {name}")
            case ast.Call(func=ast.Attribute(attr=name)) if name in IMPURE_METHODS:
                found.append(f"{node.lineno}: calls .{name}")
            case ast.Attribute() if ast.unparse(node) in IMPURE_ATTRIBUTES:
                found.append(f"{node.lineno}: uses {ast.unparse(node)}")
    return found


def breaches(module: str, source: str) -> list[str]:
    """Return the imports of a module that point to the right, sideways, or at confined modules."""
    found = []
    for each in imports(source):
        top, target = each.module.split(".")[0], room(each.module)
        if top == "":
            found.append(f"{each.line}: relative import; write the full name")
        elif top == "learnings" and not _may_import(room(module), target):
            found.append(f"{each.line}: {room(module) or 'the package'} imports {each.module}")
        elif _homes(top) and not any(f"{module}.".startswith(f"{home}.") for home in _homes(top)):
            found.append(f"{each.line}: only {', '.join(_homes(top))} may import {top}")
    return found


def _homes(top: str) -> set[str]:
    return CONFINED.get(top, set())


def _may_import(own: str, target: str) -> bool:
    if target not in RANKS:  # __version__ and its like, from the package itself
        return own != ""
    return own == target or (own in RANKS and RANKS[target] < RANKS[own])


def cycle(edges: Mapping[str, set[str]]) -> list[str]:
    """Return one cycle as the list of its modules, the first again at the end; else nothing."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        for target in sorted(edges.get(module, ())):
            if found := visit(target, [*path, module]):
                return found
        done.add(module)
        return []

    return next((found for module in sorted(edges) if (found := visit(module, []))), [])


@pytest.mark.parametrize("module", sorted(modules()))
def test_imports_point_to_the_left_only(module: str) -> None:
    assert breaches(module, modules()[module].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("module", sorted(name for name in modules() if room(name) in PURE))
def test_pure_rooms_do_nothing_but_compute(module: str) -> None:
    assert impurities(modules()[module].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("module", sorted(name for name in modules() if room(name) not in RIM))
def test_only_the_rim_prints(module: str) -> None:
    tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert [call.lineno for call in calls if ast.unparse(call.func) == "print"] == []


def test_confined_modules_are_imported_where_they_live() -> None:
    importers = {
        name
        for name, path in modules().items()
        if any(
            each.module.startswith("markdown_it")
            for each in imports(path.read_text(encoding="utf-8"))
        )
    }
    assert importers == CONFINED["markdown_it"]


def test_the_parser_is_loaded_only_when_it_is_needed() -> None:
    source = modules()["learnings.core.markdown.parser"].read_text(encoding="utf-8")
    loaded = [each for each in imports(source) if each.module.startswith("markdown_it")]
    assert loaded
    assert [each.line for each in loaded if not each.lazy] == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    names = modules()
    edges = {
        name: {
            target
            for each in imports(path.read_text(encoding="utf-8"))
            if not each.lazy
            for target in (each.module, each.module.rpartition(".")[0])
            if target in names and target not in {name, "learnings"}
        }
        for name, path in names.items()
    }
    assert cycle(edges) == []


def test_every_room_is_known() -> None:
    rooms = {room(name) for name in modules()} - {""}
    assert rooms <= set(RANKS)


@pytest.mark.parametrize(
    ("module", "source", "right"),
    [
        ("learnings.core.entries.keys", "from learnings.core import text", True),
        ("learnings.core.entries.keys", "from learnings.rules import table", False),
        ("learnings.core.entries.keys", "def f():\n    import learnings.surfaces", False),
        ("learnings.core.entries.keys", "from . import text", False),
        ("learnings.core.entries.keys", "import markdown_it", False),
        ("learnings.core.markdown.parser", "import markdown_it", True),
        ("learnings.core.markdown_more", "import markdown_it", False),
        ("learnings.rules.one", "from learnings.history import blame", True),
        ("learnings.rules.one", "from learnings.consolidation import plan", False),
        ("learnings.history.blame", "import subprocess", True),
        ("learnings.history.blame", "from learnings.store import lock", False),
        ("learnings.surfaces.cli.main", "import subprocess", False),
        ("learnings.surfaces.cli.main", "from learnings import __version__", True),
        ("learnings.surfaces.cli.main", "import learnings.hooks", False),
        ("learnings.hooks.x", "from learnings.surfaces.cli import main", True),
        ("learnings", "from learnings.core import text", False),
    ],
)
def test_a_breach_is_seen(module: str, source: str, right: bool) -> None:  # noqa: FBT001
    assert (breaches(module, source) == []) is right


@pytest.mark.parametrize(
    ("source", "pure"),
    [
        ("from pathlib import PurePosixPath", True),
        ("from datetime import date\ndate(2026, 1, 1)", True),
        ("from pathlib import Path", False),
        ("import os", False),
        ("import os.path", False),
        ("from datetime import date\ndate.today()", False),
        ("print(1)", False),
        ("import sys\nsys.stdout.flush()", False),
        ("open('x')", False),
    ],
)
def test_an_impurity_is_seen(source: str, pure: bool) -> None:  # noqa: FBT001
    assert (impurities(source) == []) is pure


def test_a_cycle_is_seen() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}}) == []
