"""Link definitions and footnotes: written once in a file, used anywhere in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.split.source import Source
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# `[label]: target` and `[^note]: text`, not indented as code is.
_DEFINITION = lazy_pattern(r" {0,3}\[(\^?[^\[\]]+)\]:(?=\s*\S|$)")
# What may use one: `[text][label]`, `[label]`, `[^note]`.
_USE = lazy_pattern(r"\[(\^?[^\[\]]+)\](?!:)")


class Definition(NamedTuple):
    """A definition by its label, casefolded with single blanks; first and last are its lines."""

    label: str
    first: int
    last: int

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return self.last - self.first + 1


def definitions_of(source: Source) -> tuple[Definition, ...]:
    """Return the definitions of a file in its order; of one label the first counts."""
    by_label: dict[str, Definition] = {}
    for definition in _all(source):
        by_label.setdefault(definition.label, definition)
    return tuple(by_label.values())


def used_labels(text: str) -> frozenset[str]:
    """Return the labels of definitions that a text may use."""
    return frozenset(_label(match[1]) for match in _USE.finditer(text))


def _all(source: Source) -> Iterator[Definition]:
    for number, line in enumerate(source.lines, start=1):
        match = None if number in source.hidden else _DEFINITION.match(line)
        if match is not None:
            is_note = match[1].startswith("^")
            last = _last_line(source.lines, number) if is_note else number
            yield Definition(_label(match[1]), number, last)


def _last_line(lines: Sequence[str], first: int) -> int:
    """Return the last line of a footnote: indented lines go on with it, over blank ones too."""
    last = first
    for number in range(first + 1, len(lines) + 1):
        line = chomp(lines[number - 1])
        if line.startswith(("    ", "\t")):
            last = number
        elif line.strip():
            break
    return last


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()
