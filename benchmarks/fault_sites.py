"""Places in Python source where one small change makes a fault, and the changed sources."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import NamedTuple

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
KINDS = ("comparison", "off by one", "deleted line", "swapped arguments", "and/or, not")


class Fault(NamedTuple):
    """One change of a source file: bytes `start` to `end` become `text`.

    The change is in `line`, in a statement that starts at `first_line`; both are 1-based.
    """

    path: str
    line: int
    kind: str
    start: int
    end: int
    text: str
    first_line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.text}"

    def overlaps(self, other: Fault) -> bool:
        return self.path == other.path and self.start < other.end and other.start < self.end


def with_faults(source: bytes, faults: Iterable[Fault]) -> bytes:
    """Return a module with faults that do not overlap."""
    for fault in sorted(faults, key=lambda fault: fault.start, reverse=True):
        source = source[: fault.start] + fault.text.encode() + source[fault.end :]
    return source


def choose(root: Path, number: int, seed: int) -> list[Fault]:
    """Return random faults in the modules below `root`/src, equally many of each kind.

    The same tree, number and seed give the same faults.
    """
    by_kind: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for path in sorted((root / "src").rglob("*.py")):
        for fault in faults_of(path.relative_to(root).as_posix(), path.read_bytes()):
            by_kind[fault.kind].append(fault)
    random = Random(seed)
    chosen: list[Fault] = []
    for index, kind in enumerate(KINDS):
        share = number // len(KINDS) + (index < number % len(KINDS))
        chosen += random.sample(by_kind[kind], share)
    random.shuffle(chosen)  # so that the first ones are a fair sample
    return chosen


def faults_of(path: str, source: bytes) -> Iterator[Fault]:
    """Yield every fault of a module that changes what it does when it runs."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, first_line in _running(ast.parse(source), 1):
        for kind, text in _changes(node):
            first = starts[node.lineno - 1] + node.col_offset
            last = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            yield Fault(path, node.lineno, kind, first, last, text, first_line)


def _running(node: ast.AST, first_line: int) -> Iterator[tuple[ast.expr | ast.stmt, int]]:
    """Yield the nodes below `node`, each with the first line of its statement.

    Left out are types, decorators, and parts of f-strings, whose place Python 3.11 does not know.
    """
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "bases"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_type_check(child):
                continue
            first = child.lineno if isinstance(child, ast.stmt) else first_line
            if isinstance(child, ast.expr | ast.stmt):
                yield child, first
            if not isinstance(child, ast.JoinedStr):
                yield from _running(child, first)


def _is_type_check(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Compare(ops=[operator]):
            changed = deepcopy(node)
            changed.ops = [FLIPPED[type(operator)]()]
            yield "comparison", f"({ast.unparse(changed)})"
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield "off by one", str(number + 1)
        case ast.BoolOp():
            changed_bool = deepcopy(node)
            changed_bool.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and/or, not", f"({ast.unparse(changed_bool)})"
        case ast.UnaryOp(op=ast.Not()):
            yield "and/or, not", f"({ast.unparse(node.operand)})"
        case ast.Call(args=[ast.expr() as one, ast.expr() as two, *_]) if _are_swappable(one, two):
            call = deepcopy(node)
            call.args[:2] = call.args[1::-1]
            yield "swapped arguments", ast.unparse(call)
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield "deleted line", "pass"
        case ast.AugAssign() | ast.Continue() | ast.Break() | ast.Raise() | ast.Return():
            yield "deleted line", "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "deleted line", "pass"


def _are_swappable(one: ast.expr, two: ast.expr) -> bool:
    starred = isinstance(one, ast.Starred) or isinstance(two, ast.Starred)
    return not starred and ast.unparse(one) != ast.unparse(two)
