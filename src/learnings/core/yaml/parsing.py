"""From a YAML text to a tree, as far as it can be read without harm.

The parser is PyYAML's, with libyaml where that is there: it reads ten thousand observations in a
fifth of a second, and pure Python in four to seven. What a plain scalar means is not its business:
`scalars` says that, so `no` and `1:30` stay the texts they are in YAML 1.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from learnings.core.findings.finding import quoted
from learnings.core.text import BOM
from learnings.core.yaml.nodes import (
    MERGE,
    YamlAlias,
    YamlList,
    YamlMapping,
    YamlNode,
    YamlPlace,
    YamlScalar,
)

if TYPE_CHECKING:
    import yaml

# Levels of nesting, far above real files, which have some six: 5,000 open brackets take the parser
# in pure Python half a minute.
DEEPEST = 32
# Values, with every alias written out: a file of the largest size has a million at most.
LARGEST = 1_000_000


class BadYaml(Exception):
    """A text that is not read; str() says why, for the middle of a sentence. line is 1-based."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def parse(text: str) -> YamlNode | None:
    """Return the root of a text of one document, None where it is empty. Raises BadYaml.

    Offsets count from the first character of the text, a byte order mark included.
    """
    import yaml  # noqa: PLC0415  (most runs meet no YAML)

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    offset = len(BOM) if text.startswith(BOM) else 0
    try:
        return _Composer(yaml.parse(text[offset:], Loader=loader), offset).root()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = int(mark.line) + 1 if mark else 1
        raise BadYaml(line, f"is not valid YAML ({error.problem or error.context})") from None
    except yaml.YAMLError:  # a control character, which has no line in every parser
        raise BadYaml(_unprintable_line(text), "holds a character that YAML forbids") from None


def _unprintable_line(text: str) -> int:
    import yaml  # noqa: PLC0415  (for an error only)

    match = yaml.reader.Reader.NON_PRINTABLE.search(text)
    return text.count("\n", 0, match.start()) + 1 if match else 1


class _Composer:
    """Puts the events of a parser together to a tree."""

    def __init__(self, events: Iterator[yaml.Event], offset: int) -> None:
        self._events = events
        self._offset = offset
        self._anchors: dict[str, YamlNode | None] = {}
        self._depth = 0

    def root(self) -> YamlNode | None:
        root, documents = None, 0
        for event in self._events:
            name = type(event).__name__
            if name == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    raise BadYaml(_line(event), "holds several documents, of which one is expected")
            elif name not in _WITHOUT_VALUE:
                root = self._node(event)
        is_empty = isinstance(root, YamlScalar) and not root.style and root.start == root.end
        return None if is_empty else root

    def _node(self, event: Any) -> YamlNode:  # noqa: ANN401  (a class of a parser loaded lazily)
        name = type(event).__name__
        if name == "AliasEvent":
            return self._alias(event)
        if name == "ScalarEvent":
            node: YamlNode = self._scalar(event)
        else:
            self._depth += 1
            if self._depth > DEEPEST:
                raise BadYaml(_line(event), f"is nested more than {DEEPEST} levels deep")
            if event.anchor:
                self._anchors[event.anchor] = None  # open: an alias in it would have no end
            node = self._sequence(event) if name == "SequenceStartEvent" else self._mapping(event)
            self._depth -= 1
        if node.anchor:
            self._anchors[node.anchor] = node
        return node

    def _alias(self, event: Any) -> YamlAlias:  # noqa: ANN401
        if event.anchor not in self._anchors:
            raise BadYaml(_line(event), f"has no anchor {quoted(event.anchor)} for an alias")
        target = self._anchors[event.anchor]
        if target is None:
            raise BadYaml(_line(event), "has an alias that stands for what it is part of")
        node = YamlAlias(self._place(event))
        node.target, node.size = target, target.size
        return node

    def _scalar(self, event: Any) -> YamlScalar:  # noqa: ANN401
        node = YamlScalar(self._place(event), event.anchor, event.tag)
        node.text, node.style = event.value, event.style or ""
        return node

    def _sequence(self, event: Any) -> YamlList:  # noqa: ANN401
        node = YamlList(self._place(event), event.anchor, event.tag)
        node.items, node.is_flow = [], bool(event.flow_style)
        for inner in self._events:
            if type(inner).__name__ == "SequenceEndEvent":
                break
            item = self._node(inner)
            node.items.append(item)
            _grow(node, item)
        self._close(node, inner)
        return node

    def _mapping(self, event: Any) -> YamlMapping:  # noqa: ANN401
        node = YamlMapping(self._place(event), event.anchor, event.tag)
        node.pairs, node.is_flow, node.duplicate = [], bool(event.flow_style), None
        names: set[str] = set()
        for inner in self._events:
            if type(inner).__name__ == "MappingEndEvent":
                break
            key, value = self._node(inner), self._node(next(self._events))
            node.pairs.append((key, value))
            _grow(node, key)
            _grow(node, value)
            if isinstance(key, YamlScalar):
                if key.text in names and node.duplicate is None and key.text != MERGE:
                    node.duplicate = key
                names.add(key.text)
        self._close(node, inner)
        return node

    def _close(self, node: YamlList | YamlMapping, event: Any) -> None:  # noqa: ANN401
        if node.is_flow:
            node.end = event.end_mark.index + self._offset

    def _place(self, event: Any) -> YamlPlace:  # noqa: ANN401
        start, end = event.start_mark, event.end_mark
        first, last = start.index + self._offset, end.index + self._offset
        return YamlPlace(first, last, start.line + 1, start.column)


_WITHOUT_VALUE = ("StreamStartEvent", "StreamEndEvent", "DocumentStartEvent", "DocumentEndEvent")


def _grow(node: YamlNode, inner: YamlNode) -> None:
    node.size += inner.size
    node.end = max(node.end, inner.end)
    if node.size > LARGEST:
        raise BadYaml(inner.line, "has aliases that multiply to more than any memory holds")


def _line(event: Any) -> int:  # noqa: ANN401
    return int(event.start_mark.line) + 1
