"""Reads a YAML text as a tree or as values; the only importer of PyYAML.

With libyaml it reads a store of 500 entries in 85 ms, ruamel.yaml in 503 ms: benchmarks/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from learnings.core.findings.finding import quoted
from learnings.core.text import BOM
from learnings.core.yaml import nodes

if TYPE_CHECKING:
    import yaml

# Levels of nesting, far above real files, which have some six: 5,000 open brackets take the pure
# Python parser half a minute.
DEEPEST = 32
# Values, with every alias expanded: a file of the largest size has a million at most.
LARGEST = 1_000_000
# The C parser of PyYAML 6.0.4 has its own limit. It looks ahead for a key, so it can reach that
# limit before we see level 33.
_TOO_DEEP_FOR_LIBYAML = "exceeded maximum nesting depth"
WRONG_TAG = (ValueError, LookupError, AttributeError)
"""Exceptions of YAML libraries, besides their own, for a value that does not fit its tag."""


class BadYaml(Exception):
    """A text that cannot be read: the line (1-based, 0 if unknown), and why, in mid-sentence."""

    def __init__(self, line: int, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason} ({detail})" if detail else reason)
        self.line, self.reason, self.detail = line, reason, detail


class _Trap(BadYaml):
    """A valid text that could take forever to read."""


def parse(text: str) -> nodes.YamlNode | None:
    """Return the root of one document, None if empty; plain scalars are texts. Raises BadYaml."""
    import yaml  # noqa: PLC0415  (most runs meet no YAML)

    offset = len(BOM) if text.startswith(BOM) else 0
    try:
        return _Composer(yaml.parse(text[offset:], Loader=_loader()), offset).root()
    except yaml.MarkedYAMLError as error:
        raise _invalid(error) from None
    except (yaml.YAMLError, UnicodeEncodeError):  # a character for which no parser reports a line
        match = yaml.reader.Reader.NON_PRINTABLE.search(text)
        line = text.count("\n", 0, match.start()) + 1 if match else 1
        raise BadYaml(line, "contains a character that YAML forbids") from None


def load(text: str) -> object:
    """Return the values by YAML 1.1, in which `no` is false, like pre-commit. Raises BadYaml.

    Messages come from the Python parser, since libyaml words them differently.
    """
    import yaml  # noqa: PLC0415  (as above)

    try:
        parse(text)
        return yaml.load(text, Loader=_loader())  # noqa: S506  (a safe loader)
    except _Trap:
        raise
    except (BadYaml, yaml.YAMLError, *WRONG_TAG):
        pass
    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        raise _invalid(error) from None
    except yaml.YAMLError as error:
        raise BadYaml(0, "is not valid YAML", _cut(error)) from None
    except WRONG_TAG as error:
        raise BadYaml(0, "contains a value that cannot be read", _cut(error)) from None


def _cut(error: Exception) -> str:
    return " ".join(str(error).split())[:100]


def _loader() -> type[yaml.SafeLoader | yaml.CSafeLoader]:
    import yaml  # noqa: PLC0415  (as above)

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _invalid(error: yaml.MarkedYAMLError) -> BadYaml:
    mark = error.problem_mark or error.context_mark
    line = int(mark.line) + 1 if mark else 1
    if error.problem == _TOO_DEEP_FOR_LIBYAML:
        return _Trap(line, f"is nested more than {DEEPEST} levels deep")
    return BadYaml(line, "is not valid YAML", str(error.problem or error.context))


class _Composer:
    def __init__(self, events: Iterator[yaml.Event], offset: int) -> None:
        self._events = events
        self._offset = offset
        self._anchors: dict[str, nodes.YamlNode | None] = {}
        self._depth = 0

    def root(self) -> nodes.YamlNode | None:
        root, documents = None, 0
        for event in self._events:
            name = type(event).__name__
            if name == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    raise _Trap(_line(event), "contains several documents instead of one")
            elif name not in _WITHOUT_VALUE:
                root = self._node(event)
        is_empty = isinstance(root, nodes.YamlScalar) and not root.style and root.start == root.end
        return None if is_empty else root

    def _node(self, event: Any) -> nodes.YamlNode:  # noqa: ANN401  (a class of a parser loaded lazily)
        name = type(event).__name__
        if name == "AliasEvent":
            return self._alias(event)
        if name == "ScalarEvent":
            scalar = nodes.YamlScalar(self._place(event), event.anchor, event.tag)
            scalar.text, scalar.style = event.value, event.style or ""
            node: nodes.YamlNode = scalar
        else:
            self._depth += 1
            if self._depth > DEEPEST:
                raise _Trap(_line(event), f"is nested more than {DEEPEST} levels deep")
            if event.anchor:
                self._anchors[event.anchor] = None  # open: an alias in it would have no end
            node = self._sequence(event) if name == "SequenceStartEvent" else self._mapping(event)
            self._depth -= 1
        if node.anchor:
            self._anchors[node.anchor] = node
        return node

    def _alias(self, event: Any) -> nodes.YamlAlias:  # noqa: ANN401
        if event.anchor not in self._anchors:
            raise BadYaml(_line(event), f"has no anchor {quoted(event.anchor)} for an alias")
        target = self._anchors[event.anchor]
        if target is None:
            raise _Trap(_line(event), "has an alias that refers to its own parent")
        node = nodes.YamlAlias(self._place(event))
        node.target, node.size = target, target.size
        return node

    def _sequence(self, event: Any) -> nodes.YamlList:  # noqa: ANN401
        node = nodes.YamlList(self._place(event), event.anchor, event.tag)
        node.is_flow = bool(event.flow_style)
        node.items = [*self._inner(node)]
        return node

    def _mapping(self, event: Any) -> nodes.YamlMapping:  # noqa: ANN401
        node = nodes.YamlMapping(self._place(event), event.anchor, event.tag)
        node.pairs, node.is_flow, node.duplicate = [], bool(event.flow_style), None
        names: set[str] = set()
        values = self._inner(node)
        for key in values:
            node.pairs.append((key, next(values)))
            if isinstance(key, nodes.YamlScalar):
                if key.text in names and node.duplicate is None and key.text != nodes.MERGE:
                    node.duplicate = key
                names.add(key.text)
        return node

    def _inner(self, node: nodes.YamlList | nodes.YamlMapping) -> Iterator[nodes.YamlNode]:
        """Yield the values in a list, or the keys and values in a mapping, which grows by each."""
        for event in self._events:
            if type(event).__name__ in ("SequenceEndEvent", "MappingEndEvent"):
                node.end = self._place(event).end if node.is_flow else node.end
                return
            inner = self._node(event)
            node.size += inner.size
            node.end = max(node.end, inner.end)
            if node.size > LARGEST:
                raise _Trap(
                    inner.line, "has aliases that expand to more nodes than a memory can have"
                )
            yield inner

    def _place(self, event: Any) -> nodes.YamlPlace:  # noqa: ANN401
        start, end = event.start_mark, event.end_mark
        first, last = start.index + self._offset, end.index + self._offset
        return nodes.YamlPlace(first, last, start.line + 1, start.column)


_WITHOUT_VALUE = ("StreamStartEvent", "StreamEndEvent", "DocumentStartEvent", "DocumentEndEvent")


def _line(event: Any) -> int:  # noqa: ANN401
    return int(event.start_mark.line) + 1
