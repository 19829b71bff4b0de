"""Imports go only one way, lazy ones too, and pure folders are pure."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.guard import ROOT

# A package imports only from packages of a lower rank and from itself; docs/architecture.md says
# why each stands where it does.
RANKS = {
    "core": 0,
    "agents": 1,
    "history": 1,
    "index": 1,
    "references": 1,
    "store": 1,
    "rules": 2,
    "consolidation": 2,
    "tiers": 3,
    "confidence": 3,
    "workspace": 3,
    "check": 4,
    "forms": 5,
    "app": 6,
    "surfaces": 7,
    "hooks": 8,
    "__main__": 8,
    "bin": 8,
}
PURE = {"core", "agents", "index", "references", "rules", "consolidation", "tiers", "confidence"}
RIM = {"surfaces", "hooks", "__main__", "bin"}
# Only these modules know of the thing, so that it can be replaced, and found.
CONFINED = {
    "markdown_it": {"learnings.core.markdown.parser"},
    "ruamel": {"learnings.core.yaml.round_trip"},
    "yaml": {"learnings.core.yaml.parsing"},
    "subprocess": {"learnings.history.git", "learnings.bin"},
    "argcomplete": {"learnings.surfaces.cli.completion"},
    "git": {"learnings.history.git.gitpython"},
}
# `re.compile(` in a statement that is not indented, so that it runs when its module is imported.
EARLY = re.compile(r"^[A-Za-z_][^\n]*\bre\.compile\(", re.MULTILINE)
IMPURE_MODULES = {"glob", "http", "os", "random", "shutil", "socket", "subprocess", "tempfile"}
IMPURE_MODULES |= {"time", "urllib", "logging", "git"}
PURE_PARTS = ("urllib.parse",)
IMPURE_NAMES = {"print", "open", "input", "exec", "eval", "__import__"}
IMPURE_METHODS = {"now", "utcnow", "today", "open", "read_text", "write_text", "read_bytes"}
IMPURE_METHODS |= {"write_bytes", "unlink", "mkdir", "iterdir", "rglob", "exists", "is_file"}
STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
PRINTING = ("calls print", "uses sys.stdout", "uses sys.stderr")
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


SOURCES = {name: path.read_text(encoding="utf-8") for name, path in sorted(modules().items())}


def package(module: str) -> str:
    """Return the top-level package of a module, without `learnings`; empty for that itself."""
    return [*module.split("."), ""][1]


@cache
def imports(source: str) -> list[Import]:
    """Return the imports of a module: `a.b` for `import a.b` and for `from a import b`."""
    imported = []
    for node, lazy in _walk(ast.parse(source), lazy=False):
        if isinstance(node, ast.Import):
            imported += [Import(alias.name, node.lineno, lazy) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            imported += [Import(f"{base}.{alias.name}", node.lineno, lazy) for alias in node.names]
    return imported


def _walk(node: ast.AST, *, lazy: bool) -> Iterator[tuple[ast.AST, bool]]:
    yield node, lazy
    typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    inside = lazy or typing or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, STATEMENTS):  # no expression holds an import
            yield from _walk(child, lazy=inside)


@cache
def impurities(source: str) -> list[str]:
    """Return the traces of files, clock, network, processes and printing in a module."""
    problems = [
        f"{line}: imports {module}"
        for module, line, _ in imports(source)
        if (module.split(".")[0] in IMPURE_MODULES and not module.startswith(PURE_PARTS))
        or module == "pathlib.Path"
    ]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_NAMES:
                problems.append(f"{node.lineno}: calls {name}")
            case ast.Call(func=ast.Attribute(attr=name)) if name in IMPURE_METHODS:
                problems.append(f"{node.lineno}: calls .{name}")
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (
                f"{owner}.{name}" in IMPURE_ATTRIBUTES
            ):
                problems.append(f"{node.lineno}: uses {owner}.{name}")
    return problems


def breaches(module: str, source: str) -> list[str]:
    """Return the imports of a module that point up, sideways, or at confined modules."""
    problems = []
    for imported, line, _ in imports(source):
        top = imported.split(".")[0]
        homes = CONFINED.get(top, set())
        if top == "":
            problems.append(f"{line}: relative import; write the full name")
        elif top == "learnings" and not _may_import(package(module), package(imported)):
            problems.append(f"{line}: {package(module) or 'the package'} imports {imported}")
        elif homes and not any(f"{module}.".startswith(f"{home}.") for home in homes):
            problems.append(f"{line}: only {', '.join(homes)} may import {top}")
    return problems


def _may_import(own: str, target: str) -> bool:
    if target not in RANKS:  # __version__ and its like, from the package itself
        return own != ""
    return own == target or (own in RANKS and RANKS[target] < RANKS[own])


def cycle(edges: Mapping[str, set[str]]) -> list[str]:
    """Return one cycle as the list of its members, the first again at the end; else nothing."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        members: list[str] = error.args[1]
        return members
    return []


def module_edges() -> dict[str, set[str]]:
    """Return which modules each module imports, lazily or not."""
    names = {*SOURCES}
    edges = {}
    for name, source in SOURCES.items():
        imported = {module for module, _, _ in imports(source)}
        imported |= {module.rpartition(".")[0] for module in imported}
        edges[name] = (imported & names) - {name, "learnings"}
    return edges


def package_edges() -> dict[str, set[str]]:
    """Return which packages each package imports; one inside another is no import."""
    folders = {name for name, path in modules().items() if path.name == "__init__.py"}

    def home(name: str) -> str:
        return name if name in folders else name.rpartition(".")[0]

    edges: dict[str, set[str]] = {}
    for name, targets in module_edges().items():
        for target in map(home, targets):
            own = home(name)
            if not f"{target}.".startswith(f"{own}.") and not f"{own}.".startswith(f"{target}."):
                edges.setdefault(own, set()).add(target)
    return edges


def failures(check: Callable[[str, str], list[str]], packages: set[str]) -> list[str]:
    """Return the findings of a check in the modules of some packages."""
    return [
        f"{name}:{problem}"
        for name, source in SOURCES.items()
        if package(name) in packages
        for problem in check(name, source)
    ]


def test_imports_point_down_only() -> None:
    assert {package(name) for name in SOURCES} <= {*RANKS, ""}
    assert failures(breaches, {*RANKS, ""}) == []


def test_pure_packages_do_nothing_but_compute_and_only_the_rim_prints() -> None:
    assert failures(lambda _, source: impurities(source), PURE) == []
    inner = {*RANKS, ""} - RIM
    found = failures(lambda _, source: impurities(source), inner)
    assert [place for place in found if place.endswith(PRINTING)] == []


def test_the_parser_is_imported_only_where_it_lives_and_when_it_is_needed() -> None:
    loaded = {
        (name, imported.lazy)
        for name, source in SOURCES.items()
        for imported in imports(source)
        if imported.module.startswith("markdown_it")
    }
    assert loaded == {("learnings.core.markdown.parser", True)}


def test_no_module_compiles_a_pattern_while_it_is_imported() -> None:
    early = {name: EARLY.findall(source) for name, source in SOURCES.items()}
    own = {name: found for name, found in early.items() if found and package(name) != "bin"}
    assert own == {}, "use lazy_pattern of learnings.core.patterns"


def test_no_module_or_package_imports_itself_by_way_of_others() -> None:
    assert cycle(module_edges()) == []
    assert cycle(package_edges()) == []
    assert {*cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}})} == {"b", "c"}


@pytest.mark.parametrize(
    ("module", "source", "right"),
    [
        ("core.text", "from learnings.rules import table", False),
        ("core.text", "def f():\n    import learnings.surfaces", False),
        ("core.text", "from . import roles", False),
        ("core.markdown.parser_more", "import markdown_it", False),
        ("rules.one", "from learnings.history import blame", True),
        ("rules.one", "from learnings.consolidation import plan", False),  # of the same rank
        ("surfaces.cli.main", "from learnings import __version__", True),
        ("surfaces.cli.main", "import learnings.hooks", False),
        ("", "from learnings.core import text", False),
    ],
)
def test_a_breach_is_seen(module: str, source: str, right: bool) -> None:
    assert (breaches(f"learnings.{module}".strip("."), source) == []) is right


@pytest.mark.parametrize(
    ("source", "pure"),
    [
        ("from pathlib import PurePosixPath", True),
        ("from pathlib import Path", False),
        ("import os", False),
        ("from datetime import date\ndate.today()", False),
        ("print(1)", False),
        ("import sys\nsys.stdout.flush()", False),
        ("import sys\nsys.exit(0)", True),
    ],
)
def test_an_impurity_is_seen(source: str, pure: bool) -> None:
    assert (impurities(source) == []) is pure


def test_the_packages_of_a_wheel_are_the_folders() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    source = ROOT / "src"
    folders = {path.parent.relative_to(source) for path in source.rglob("__init__.py")}
    assert {*listed["packages"]} == {*(".".join(folder.parts) for folder in folders)} | {
        "learnings.hooks"
    }
