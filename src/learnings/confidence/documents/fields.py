"""A YAML text read field by field: root, lists and values, and problems with lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple, TypeVar

from learnings.core.findings.finding import quoted
from learnings.core.patterns import lazy_pattern
from learnings.core.text import not_text
from learnings.core.yaml import nodes
from learnings.core.yaml.parsing import BadYaml, parse

T = TypeVar("T")

# The largest absolute number, and its characters; chosen. A rule reports values above 1 that
# somebody may have meant.
_LARGEST, _LONGEST = 1_000_000, 30
# A date in our form, perhaps with a time after it, as in `2026-05-04T10:00:00Z`.
_DATE = lazy_pattern(r"(\d{4}-\d{2}-\d{2})(?:[Tt ].*)?")


class DocumentProblem(NamedTuple):
    """A problem in a file, as one sentence; line is 1-based, subject the text it is about.

    path is POSIX from the root, empty until the reader of the file adds it.
    """

    line: int
    message: str
    subject: str = ""
    path: str = ""

    def __str__(self) -> str:
        """Return the sentence preceded by its place."""
        return f"{self.path}:{self.line}: {self.message}"


class Fields:
    """The fields of a mapping; name identifies it in sentences about problems."""

    def __init__(self, mapping: nodes.YamlMapping, name: str) -> None:
        """Check the mapping as a whole: a duplicate key has no certain value."""
        self._mapping = mapping
        self._name = name
        self.problems: list[DocumentProblem] = []
        second = mapping.duplicate
        if second is not None:
            self._report(second, f"duplicate key {quoted(second.text)}; keep one")

    def line_of(self, name: str) -> int:
        """Return the line of a key, or of the mapping if it lacks the key."""
        key = self._mapping.names().get(name)
        return key.line if key is not None else self._mapping.line

    def text(self, name: str, default: str = "") -> str:
        """Return a text; a number or date counts as its written text."""
        return self._read(name, nodes.text_of, "a string", default)

    def required(self, name: str) -> str:
        """Return a required, non-empty text."""
        node = self._mapping.get(name)
        if nodes.is_nothing(node) or (isinstance(node, nodes.YamlScalar) and not node.text.strip()):
            self._report(node or self._mapping, f"{name} is missing; add it")
            return ""
        return self.text(name)

    def choice(self, name: str, choices: Sequence[str], default: str | None) -> str | None:
        """Return one of some words, or the default if the field is missing."""
        text = self._read(name, nodes.text_of, f"one of {', '.join(choices)}", default)
        if text is not None and text != default and text not in choices:
            self._wrong(name, f"one of {', '.join(choices)}")
            return default
        return text

    def number(self, name: str) -> Decimal:
        """Return a required number, exactly as written.

        A number far outside the range of a memory, such as 1e400, is invalid.
        """
        if nodes.is_nothing(self._mapping.get(name)):
            self._report(self._mapping, f"{name} is missing; add it")
        return self._read(name, _small_number_of, "a number from 0 to 1", Decimal(0))

    def whole(self, name: str, default: int, *, low: int, high: int | None = None) -> int:
        """Return a whole number from low to high."""
        span = f"from {low} to {high}" if high is not None else f"of at least {low}"
        number = self._read(name, nodes.whole_of, f"a whole number {span}", default)
        if number < low or (high is not None and number > high):
            self._wrong(name, f"a whole number {span}")
            return default
        return number

    def switch(self, name: str) -> bool | None:
        """Return true or false, or None if the field is missing."""
        return self._read(name, nodes.boolean_of, "true or false", None)

    def date(self, name: str) -> str | None:
        """Return an ISO date, or None if the field is missing."""
        return self._read(name, date_of, "a date (YYYY-MM-DD)", None)

    def texts(self, name: str, *, or_one: bool = False) -> tuple[str, ...]:
        """Return a list of texts; or_one: a single text counts as a list of one."""
        node = self._mapping.get(name)
        if nodes.is_nothing(node) or node is None:
            return ()
        if or_one and isinstance(node, nodes.YamlScalar):
            return (self.text(name),)
        items = node.items if isinstance(node, nodes.YamlList) else None
        texts = [nodes.text_of(item) for item in items or ()]
        if items is None or None in texts or any(nodes.wrong_tag(nodes.followed(i)) for i in items):
            self._wrong(name, "a list of strings")
        return tuple(text for text in texts if text is not None)

    def _read(
        self, name: str, read: Callable[[nodes.YamlNode], T | None], wants: str, default: T
    ) -> T:
        node = self._mapping.get(name)
        if node is None or nodes.is_nothing(node):
            return default
        value = None if nodes.wrong_tag(node) else read(node)
        if value is None:
            self._wrong(name, wants)
            return default
        return value

    def _wrong(self, name: str, wants: str) -> None:
        node = self._mapping.get(name)
        self._report(node or self._mapping, f"{name} takes {wants}, not {shown(node)}")

    def _report(self, node: nodes.YamlNode, message: str) -> None:
        self.problems.append(DocumentProblem(node.line, f"{self._name}: {message}", self._name))


def _small_number_of(node: nodes.YamlNode) -> Decimal | None:
    number = nodes.number_of(node)
    is_small = number is not None and abs(number) <= _LARGEST and len(str(number)) <= _LONGEST
    return number if is_small else None


def date_of(node: nodes.YamlNode) -> str | None:
    """Return the ISO date that a value is or begins with; None if it is not a real date."""
    match = _DATE.fullmatch(nodes.text_of(node) or "")
    try:
        return date.fromisoformat(match[1]).isoformat() if match else None
    except ValueError:
        return None


def shown(node: nodes.YamlNode | None) -> str:
    """Return a value for use in a sentence."""
    if isinstance(node, nodes.YamlMapping | nodes.YamlList):
        return "a list" if isinstance(node, nodes.YamlList) else "keys with values"
    if not isinstance(node, nodes.YamlScalar):
        return "nothing"
    tag = nodes.wrong_tag(node)
    return f"a value with the tag {quoted(tag)}" if tag else quoted(node.text)


class YamlItem(NamedTuple):
    """A mapping in a list, its 0-based position, and its name in sentences."""

    position: int
    mapping: nodes.YamlMapping
    name: str


class UnreadableDocument(Exception):
    """A text without any usable content; problem gives the reason."""

    def __init__(self, problem: DocumentProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def root_of(text: str) -> nodes.YamlMapping | nodes.YamlList | None:
    """Return the root of a text, None if it is empty. Raises UnreadableDocument."""
    bad = not_text(text)
    if bad is not None:
        line = text.count("\n", 0, bad.start()) + 1
        raise UnreadableDocument(DocumentProblem(line, "is not UTF-8; save it as UTF-8"))
    try:
        root = parse(text)
    except BadYaml as error:
        raise UnreadableDocument(
            DocumentProblem(error.line, f"{error}; correct the file")
        ) from None
    if root is None or nodes.is_nothing(root):
        return None
    if not isinstance(root, nodes.YamlMapping | nodes.YamlList):
        problem = f"takes keys with values, not {shown(root)}; write them as KEY: VALUE"
        raise UnreadableDocument(DocumentProblem(root.line, problem))
    problems = Fields(root, "the file").problems if isinstance(root, nodes.YamlMapping) else []
    if problems:
        raise UnreadableDocument(problems[0])
    return root


def mapping_of(text: str) -> nodes.YamlMapping | None:
    """Return the root of a text, a mapping. Raises UnreadableDocument."""
    root = root_of(text)
    if isinstance(root, nodes.YamlList):
        raise UnreadableDocument(DocumentProblem(root.line, "takes keys with values, not a list"))
    return root


def items_of(
    root: nodes.YamlMapping | nodes.YamlList | None, key: str, problems: list[DocumentProblem]
) -> Iterator[YamlItem]:
    """Yield the mappings in the list under a key, or in a root that is a list.

    Anything else than a list, or than a mapping in it, becomes a problem.
    """
    node = root.get(key) if isinstance(root, nodes.YamlMapping) else root
    if isinstance(root, nodes.YamlMapping) and node is None:
        problems += _misspelled(root, key)
    if node is None or nodes.is_nothing(node):
        return
    if not isinstance(node, nodes.YamlList):
        problems.append(DocumentProblem(node.line, f"{key} takes a list, not {shown(node)}", key))
        return
    for index, item in enumerate(node.items):
        mapping = nodes.followed(item)
        if isinstance(mapping, nodes.YamlMapping):
            name = (nodes.text_of(mapping.get("id")) or "").strip() or f"item {index + 1}"
            yield YamlItem(index, mapping, name)
        else:
            number = f"{key}: item {index + 1}"
            message = f"{number} takes keys with values, not {shown(mapping)}"
            problems.append(DocumentProblem(item.line, message, number))


def _misspelled(root: nodes.YamlMapping, key: str) -> Iterator[DocumentProblem]:
    for name, node in root.names().items():
        if name.replace("-", "_").casefold() == key.replace("-", "_"):
            yield DocumentProblem(
                node.line, f"unknown key {quoted(name)}; did you mean {key}?", name
            )
