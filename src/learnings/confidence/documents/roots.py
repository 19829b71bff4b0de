"""The root of a YAML text, and the list that stands under a key of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.confidence.documents.fields import Fields, Problem, shown
from learnings.core.findings.finding import quoted
from learnings.core.text import not_text
from learnings.core.yaml.parsing import BadYaml, parse
from learnings.core.yaml.scalars import is_nothing, text_of
from learnings.core.yaml.tree import Mapping, Node, followed
from learnings.core.yaml.tree import Sequence as ListNode


class Item(NamedTuple):
    """A mapping in a list, its position there, from 0, and the name that it has in sentences."""

    position: int
    mapping: Mapping
    name: str


class Unreadable(Exception):
    """A text of which nothing can be used; problem says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def root_of(text: str) -> Mapping | ListNode | None:
    """Return the root of a text, None where it is empty. Raises Unreadable."""
    bad = not_text(text)
    if bad is not None:
        line = text.count("\n", 0, bad.start()) + 1
        raise Unreadable(Problem(line, "is not UTF-8; save it as that"))
    try:
        root = parse(text)
    except BadYaml as error:
        raise Unreadable(Problem(error.line, f"{error}; correct that")) from None
    if root is None or is_nothing(root):
        return None
    if not isinstance(root, Mapping | ListNode):
        problem = f"takes keys with values, not {shown(root)}; write them as KEY: VALUE"
        raise Unreadable(Problem(root.line, problem))
    problems = Fields(root, "the file").problems if isinstance(root, Mapping) else []
    if problems:
        raise Unreadable(problems[0])
    return root


def mapping_of(text: str) -> Mapping | None:
    """Return the root of a text that holds keys with values. Raises Unreadable."""
    root = root_of(text)
    if isinstance(root, ListNode):
        raise Unreadable(Problem(root.line, "takes keys with values, not a list"))
    return root


def items_of(root: Mapping | ListNode | None, key: str, problems: list[Problem]) -> Iterator[Item]:
    """Give the mappings in the list under a key, or in a root that is a list.

    What is no such list, or no mapping in it, becomes a problem.
    """
    node = root.get(key) if isinstance(root, Mapping) else root
    if isinstance(root, Mapping) and node is None:
        problems += _misspelled(root, key)
    if node is None or is_nothing(node):
        return
    if not isinstance(node, ListNode):
        problems.append(Problem(node.line, f"{key} takes a list, not {shown(node)}", key))
        return
    for index, item in enumerate(node.items):
        mapping = followed(item)
        if isinstance(mapping, Mapping):
            yield Item(index, mapping, _name_of(mapping, index))
        else:
            number = f"{key}: item {index + 1}"
            message = f"{number} takes keys with values, not {shown(mapping)}"
            problems.append(Problem(item.line, message, number))


def _misspelled(root: Mapping, key: str) -> Iterator[Problem]:
    for name, node in root.names().items():
        if name.replace("-", "_").casefold() == key.replace("-", "_"):
            yield Problem(node.line, f"unknown key {quoted(name)}; did you mean {key}?", name)


def _name_of(mapping: Mapping, index: int) -> str:
    node: Node | None = mapping.get("id")
    text = text_of(node)
    return text.strip() if text and text.strip() else f"item {index + 1}"
