"""An edit of lines: what is replaced, removed and added, applied at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from learnings.core.text import chomp


@dataclass(slots=True)
class Edit:
    """Changes to the lines of a file, by 1-based line numbers of the file as it is.

    Texts are without terminators. replaced lines keep their terminator and their place; added
    lines come below the line they are given for, 0 for the top; an added blank line is left out at
    the top and below another blank line.
    """

    replaced: dict[int, str] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    added: dict[int, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is any change."""
        return bool(self.replaced or self.dropped or self.added)

    def add(self, below: int, texts: Iterable[str]) -> None:
        """Add lines below a line, and below those added there before."""
        self.added.setdefault(below, []).extend(texts)

    def applied(self, lines: Sequence[str], newline: str) -> list[str]:
        """Return the lines after the edit, with their terminators.

        Where a row goes that stood between blank lines, one of these goes with it.
        """
        result: list[str] = []
        _append(result, self.added.get(0, ()), newline)
        after_gap = False
        for number, line in enumerate(lines, start=1):
            if number in self.dropped:
                after_gap = True
            elif not (after_gap and _is_blank(line) and (not result or _is_blank(result[-1]))):
                text = chomp(line)
                result.append(self.replaced.get(number, text) + line[len(text) :])
                after_gap = False
            else:
                after_gap = False
            _append(result, self.added.get(number, ()), newline)
        if after_gap and result and _is_blank(result[-1]):
            result.pop()
        return result

    def loss(self, before: Sequence[str], after: Sequence[str]) -> Counter[str]:
        """Return the lines with text that are neither left, nor removed on purpose."""
        removed = Counter(chomp(before[number - 1]) for number in self.dropped)
        return _texts(before) - _texts(after) - removed


def _append(result: list[str], texts: Iterable[str], newline: str) -> None:
    for text in texts:
        if not text and (not result or _is_blank(result[-1])):
            continue
        if result and not result[-1].endswith(newline[-1]):
            result[-1] += newline.removeprefix("\r") if result[-1].endswith("\r") else newline
        result.append(text + newline)


def _texts(lines: Sequence[str]) -> Counter[str]:
    return Counter(chomp(line) for line in lines if line.strip())


def _is_blank(line: str) -> bool:
    return not line.strip()
