"""Changes to the lines of a memory index, gathered line by line and turned into edits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from learnings.core.findings.fixes import Edit
from learnings.core.text import chomp


class Changes:
    """Changes by 1-based line numbers of the file as it is; texts are without terminators.

    replaced lines keep their terminator; added lines come below the line they are given for, 0
    for the top. An added blank line is left out at the top and below another blank line. Where a
    line is removed that stood between blank lines, one of these goes with it.
    """

    def __init__(self) -> None:
        self.replaced: dict[int, str] = {}
        self.removed: set[int] = set()
        self.added: dict[int, list[str]] = {}

    def add(self, below: int, texts: Iterable[str]) -> None:
        """Add lines below a line, and below those added there before."""
        self.added.setdefault(below, []).extend(texts)

    def edits(self, lines: Sequence[str], newline: str) -> tuple[Edit, ...]:
        """Return the edits that make the changes in lines, given with their terminators.

        newline is the terminator of added lines, and of a last line that has none before them.
        """
        output = _Output(newline)
        output.add(1, self.added.get(0, ()))
        for number, line in enumerate(lines, start=1):
            if number in self.removed:
                output.has_gap = True
            else:
                text = chomp(line)
                output.keep(number, self.replaced.get(number, text) + line[len(text) :])
            output.add(number, self.added.get(number, ()))
        output.close()
        before = dict(enumerate([*lines, ""], start=1))
        after = output.by_number()
        edits = (Edit(number, old, after.get(number, "")) for number, old in before.items())
        return tuple(edit for edit in edits if edit.old != edit.new)

    def loss(self, before: Sequence[str], after: Sequence[str]) -> Counter[str]:
        """Return the lines with text that are neither left nor removed by these changes."""
        removed = Counter(chomp(before[number - 1]) for number in self.removed)
        return _texts(before) - _texts(after) - removed


class _Output:
    """The lines as they will be, each with the number of the line of the file that it belongs to.

    has_gap is True just below lines that were removed.
    """

    def __init__(self, newline: str) -> None:
        self.newline = newline
        self.lines: list[str] = []
        self.numbers: list[int] = []
        self.has_gap = False

    def keep(self, number: int, line: str) -> None:
        """Take over a line, but for a blank one below a gap that has one above it."""
        if not (self.has_gap and _is_blank(line) and self._ends_blank()):
            self.lines.append(line)
            self.numbers.append(number)
        self.has_gap = False

    def add(self, number: int, texts: Iterable[str]) -> None:
        """Add lines that belong to the line with this number."""
        for text in texts:
            if text or not self._ends_blank():
                self._terminate()
                self.lines.append(text + self.newline)
                self.numbers.append(number)

    def close(self) -> None:
        """Remove the blank line above a gap at the end."""
        if self.has_gap and self.lines and self._ends_blank():
            self.lines.pop()
            self.numbers.pop()

    def by_number(self) -> dict[int, str]:
        """Return what becomes of each line, by its number; a line that goes is not there."""
        texts: defaultdict[int, str] = defaultdict(str)
        for number, line in zip(self.numbers, self.lines, strict=True):
            texts[number] += line
        return texts

    def _ends_blank(self) -> bool:
        return not self.lines or _is_blank(self.lines[-1])

    def _terminate(self) -> None:
        r"""Give the last line a terminator if it has none; one that ends in "\r" lacks the "\n"."""
        if self.lines and not self.lines[-1].endswith(self.newline[-1]):
            is_half = self.lines[-1].endswith("\r")
            self.lines[-1] += self.newline.removeprefix("\r") if is_half else self.newline


def _texts(lines: Sequence[str]) -> Counter[str]:
    return Counter(chomp(line) for line in lines if line.strip())


def _is_blank(line: str) -> bool:
    return not line.strip()
