"""Changes of a YAML text that leave every other character as it is.

Comments, quotes, order, indentation and blank lines of people stay, since nothing is written anew
but the values that change: a writer of whole documents gives all of them its own form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.text import newline_of
from learnings.core.yaml.emitting import Value, block_item, block_mapping, flow
from learnings.core.yaml.parsing import parse
from learnings.core.yaml.scalars import is_nothing, text_of
from learnings.core.yaml.tree import Alias, Mapping, Node, Scalar, followed
from learnings.core.yaml.tree import Sequence as ListNode

# The terminator of a line, or the end of the text.
_LINE_END = re.compile(r"\r\n?|\n|\Z")

# Further than any line is indented: what replaces a value, before lines that are put below it.
_IN_LINE = 10**9

Path = tuple[str | int, ...]
"""Keys, and the indexes of items from 0, on the way from the root to a value."""


class SetValue(NamedTuple):
    """A key of the mapping at a path gets a value, whether it has one or not."""

    path: Path
    key: str
    value: Value


class AddItem(NamedTuple):
    """The list at a path gets an item at its end; a key that is missing or empty gets the list."""

    path: Path
    value: Value


Edit = SetValue | AddItem


class EditRefused(Exception):
    """A text in which a change would touch something else; str() says why, line is 1-based."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class _Splice(NamedTuple):
    """The characters from start to end become text.

    Of two at one place the one that is indented further comes first: it belongs to what ends there.
    """

    start: int
    end: int
    text: str
    indent: int = _IN_LINE


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with changes. Raises BadYaml for one that is not YAML, EditRefused."""
    root = parse(text)
    if root is None:
        return _first(text, edits)
    editor = _Editor(text, root)
    splices = [splice for edit in edits for splice in editor.splices(edit)]
    parts, position = [], 0
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.end, -splice.indent)):
        if splice.start < position:
            line = text.count("\n", 0, splice.start) + 1
            raise EditRefused(line, "two changes meet in one place")
        parts += [text[position : splice.start], splice.text]
        position = splice.end
    return "".join([*parts, text[position:]])


def _first(text: str, edits: Sequence[Edit]) -> str:
    """Return a text without a value, comments perhaps, with its first ones."""
    fields: dict[str, Value] = {}
    for edit in edits:
        if isinstance(edit, SetValue) and not edit.path:
            fields[edit.key] = edit.value
        elif isinstance(edit, AddItem) and len(edit.path) == 1:
            fields.setdefault(str(edit.path[0]), []).append(edit.value)
        else:
            raise EditRefused(1, "holds nothing yet")
    newline = newline_of(text)
    lines: list[str] = []
    for name, value in fields.items():
        if isinstance(value, list):
            items = (line for item in value for line in block_item(item, 2, 4))
            lines += [f"{flow(name)}:", *items]
        else:
            lines += block_mapping({name: value}, 0)
    start = text if not text or text.endswith(("\n", "\r")) else text + newline
    return start + "".join(line + newline for line in lines)


class _Editor:
    """Finds the characters that a change replaces."""

    def __init__(self, text: str, root: Node) -> None:
        self._text = text
        self._root = root
        self._newline = newline_of(text)

    def splices(self, edit: Edit) -> Iterator[_Splice]:
        if isinstance(edit, AddItem):
            yield from self._added(edit)
            return
        mapping = self._at(edit.path)
        if not isinstance(mapping, Mapping):
            raise EditRefused(mapping.line, "is no mapping of keys to values")
        value = mapping.own(edit.key)
        if value is None:
            yield self._with_key(mapping, edit.key, edit.value)
        elif isinstance(edit.value, list | tuple) and isinstance(value, ListNode):
            yield from self._with_items(value, edit.value)
        else:
            yield from self._replaced(value, flow(edit.value))

    def _at(self, path: Path) -> Node:
        """Return the value at a path; an alias on the way is refused: a change would be in two."""
        node = self._root
        for step in path:
            inner: Node | None = None
            if isinstance(node, Mapping) and isinstance(step, str):
                inner = node.own(step)
            elif isinstance(node, ListNode) and isinstance(step, int):
                inner = node.items[step]
            if inner is None or isinstance(inner, Alias):
                raise EditRefused(node.line, "is written by way of an alias; write it out")
            node = inner
        return node

    def _replaced(self, node: Node, value: str) -> Iterator[_Splice]:
        if isinstance(node, Mapping | ListNode) and not node.is_flow and node.start < node.end:
            raise EditRefused(node.line, "holds several lines where one value is expected")
        for alias in self._aliases_of(node) if node.anchor else ():
            yield _Splice(alias.start, alias.end, self._without_properties(node))
        end, blank = node.end, ""
        if isinstance(node, Scalar) and node.style in ("|", ">"):
            end = node.start + len(self._text[node.start : node.end].rstrip())
        if node.start and self._text[node.start - 1] == ":":
            blank = " "
        yield _Splice(node.start, end, blank + value)

    def _aliases_of(self, target: Node) -> list[Alias]:
        return [n for n in walk(self._root) if isinstance(n, Alias) and n.target is target]

    def _without_properties(self, node: Node) -> str:
        if not isinstance(node, Scalar) or node.style in ("|", ">"):
            raise EditRefused(node.line, "has an anchor that other values are taken from")
        # `&name value`, with a tag on either side of the anchor.
        return re.sub(r"^(?:[&!]\S*\s+)+", "", self._text[node.start : node.end])

    def _with_key(self, mapping: Mapping, key: str, value: Value) -> _Splice:
        if mapping.is_flow:
            pair = f"{flow(key)}: {flow(value)}"
            if not mapping.pairs:
                return _Splice(mapping.end - 1, mapping.end - 1, pair)
            end = mapping.pairs[-1][1].end
            return _Splice(end, end, f", {pair}")
        first = mapping.pairs[0][0]
        return self._lines_after(mapping.pairs[-1][1], block_mapping({key: value}, first.indent))

    def _with_items(self, node: ListNode, items: Sequence[Value]) -> Iterator[_Splice]:
        """Give what adds to a list the items behind those that it has."""
        old = [text_of(item) for item in node.items]
        if old != list(items[: len(old)]):
            raise EditRefused(node.line, "is a list of which only the end is changed")
        for item in items[len(old) :]:
            yield self._item(node, item)

    def _added(self, edit: AddItem) -> Iterator[_Splice]:
        *way, name = edit.path or ("",)
        node = self._root
        if edit.path:
            parent = self._at(tuple(way))
            value = parent.own(str(name)) if isinstance(parent, Mapping) else None
            if isinstance(parent, Mapping) and value is None:
                yield self._new_list(parent, str(name), edit.value)
                return
            node = value or parent
        if isinstance(node, ListNode) and (node.items or edit.path == ()):
            yield self._item(node, edit.value)
        elif is_nothing(node) or (isinstance(node, ListNode) and not node.items):
            yield from self._list_in_place(node, edit.value)
        else:
            raise EditRefused(node.line, "is no list")

    def _new_list(self, parent: Mapping, name: str, value: Value) -> _Splice:
        if parent.is_flow or not parent.pairs:
            return self._with_key(parent, name, [value])
        indent = parent.pairs[0][0].indent
        lines = [f"{' ' * indent}{flow(name)}:", *block_item(value, indent + 2, indent + 4)]
        return self._lines_after(parent.pairs[-1][1], lines)

    def _list_in_place(self, node: Node, value: Value) -> Iterator[_Splice]:
        """Give what makes a list of one item of nothing, or of `[]`, behind a key."""
        line_start = self._text.rfind("\n", 0, node.start) + 1
        indent = len(self._text[line_start:]) - len(self._text[line_start:].lstrip(" "))
        before = self._text[line_start : node.start].rstrip()
        if not before.endswith(":") or "{" in before:
            yield from self._replaced(node, flow([value]))
            return
        yield _Splice(line_start + len(before), node.end, "")
        yield self._lines_after(node, block_item(value, indent + 2, indent + 4))

    def _item(self, node: ListNode, value: Value) -> _Splice:
        if node.anchor and self._aliases_of(node):
            raise EditRefused(node.line, "is a list that other values are taken from")
        if not node.items:
            return _Splice(node.end - 1, node.end - 1, flow(value))
        last = node.items[-1]
        if node.is_flow:
            return _Splice(last.end, last.end, f", {flow(value)}")
        dash = self._dash_indent(last)
        lines = block_item(value, dash, max(last.indent, dash + 2))
        if isinstance(value, dict) and self._has_blank_line_above(node):
            lines.insert(0, "")
        return self._lines_after(last, lines, comments_from=max(dash, 1))

    def _dash_indent(self, item: Node) -> int:
        """Return the characters before the dash of an item; the dash is on its line or above."""
        dash = self._text.rfind("-", 0, item.start)
        return dash - (max(self._text.rfind("\n", 0, dash), self._text.rfind("\r", 0, dash)) + 1)

    def _has_blank_line_above(self, node: ListNode) -> bool:
        """Return True if the last item stands apart from the one above it."""
        if len(node.items) < 2:
            return False
        between = self._text[node.items[-2].end : node.items[-1].start]
        return any(not line.strip() for line in re.split(r"\r\n?|\n", between)[1:-1])

    def _lines_after(
        self, node: Node, lines: Sequence[str], *, comments_from: int | None = None
    ) -> _Splice:
        """Return what puts lines below a value, and below comments that are indented so far."""
        offset = self._end_of_lines(node)
        if comments_from is not None:
            offset = self._behind_comments(offset, comments_from)
        added = "".join(line + self._newline for line in lines)
        indent = len(lines[0 if lines[0] else 1]) - len(lines[0 if lines[0] else 1].lstrip(" "))
        if offset and self._text[offset - 1] not in "\r\n":  # the last line has no terminator
            added = self._newline + added.removesuffix(self._newline)
        return _Splice(offset, offset, added, indent)

    def _end_of_lines(self, node: Node) -> int:
        end, inner = node.end, innermost(node)
        if isinstance(inner, Scalar) and inner.style in ("|", ">"):
            head = self._text[inner.start : self._line_end(inner.start)]
            if "+" not in head.partition("#")[0]:  # `|+` keeps the blank lines behind it
                end = inner.start + len(self._text[inner.start : inner.end].rstrip())
        if end and self._text[end - 1] in "\r\n":
            return end
        return self._line_end(end)

    def _behind_comments(self, offset: int, indent: int) -> int:
        position = offset
        while position < len(self._text):
            end = self._line_end(position)
            line = self._text[position:end]
            comment = line.lstrip()
            if comment and not (comment.startswith("#") and len(line) - len(comment) >= indent):
                break
            if comment:
                offset = end
            position = end
        return offset

    def _line_end(self, offset: int) -> int:
        match = _LINE_END.search(self._text, offset)
        return match.end() if match else len(self._text)


def innermost(node: Node) -> Node:
    """Return the value that ends where a value in block style does."""
    while isinstance(node, Mapping | ListNode) and not node.is_flow:
        children = node.items if isinstance(node, ListNode) else [v for _, v in node.pairs]
        if not children:
            break
        node = children[-1]
    return node


def walk(node: Node) -> Iterator[Node]:
    """Give a value and all values in it; those behind an alias are given where they are."""
    yield node
    if isinstance(node, Mapping):
        for key, value in node.pairs:
            yield from walk(key)
            yield from walk(value)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from walk(item)


def plain(node: Node | None) -> object:
    """Return a value without its place: texts, lists, and lists of pairs for mappings.

    Line ends behind a text are left out: the last line of a file may get one.
    """
    node = None if node is None else followed(node)
    if isinstance(node, Mapping):
        return {"pairs": [(plain(key), plain(value)) for key, value in node.pairs]}
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return node.text.rstrip("\n") if isinstance(node, Scalar) else None
