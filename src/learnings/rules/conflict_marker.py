"""A merge conflict is not resolved.

Git marks the two sides with lines of seven `<`, `=` and `>`, or more if `.gitattributes` sets
conflict-marker-size. If the markers stay in a memory file, every reader sees both versions of an
entry, and one of them is usually outdated.

The rule reports a line `<<<<<<<` at the left margin with its `=======` and `>>>>>>>` below, and a
line `<<<<<<< NAME` that has lost the other two. It skips an example that lies completely inside one
fenced block or comment, and a heading underlined with `=======`.

Fix: keep the correct side, or join both, and delete the marker lines.

Bad:

  ```markdown
  ## When a lock is held

  <<<<<<< HEAD
  Wait for ten seconds.
  =======
  Fail at once.
  >>>>>>> feature
  ```

Good:

  ```markdown
  ## When a lock is held

  Fail at once.

  Underlined, no conflict
  =======
  ```
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from learnings.core.findings.finding import Finding, Severity
from learnings.core.patterns import lazy_pattern
from learnings.rules.rule import MEMORY, CheckedFile, Rule

RULE = Rule("conflict-marker", Severity.ERROR, MEMORY)

# At least seven of one sign at the left margin, then perhaps a blank and a name (not for `=`).
_MARKER = lazy_pattern(r"(<{7,}|={7,}|>{7,})(?:$|(?<!=) (.*))")
# Default length of a marker; conflict-marker-size or a nested merge can make it longer.
_USUAL = 7
_START, _MIDDLE = "<", "="


class _Marker(NamedTuple):
    """A marker line: its number, its sign, and whether a name follows."""

    number: int
    sign: str
    has_name: bool


def check(file: CheckedFile) -> Iterator[Finding]:
    if (_START * _USUAL).encode() not in file.data:
        return
    block_of = {
        number: block.first
        for block in file.document.outline.hiding_blocks
        if block.closed
        for number in range(block.first, block.last + 1)
    }
    for first, last in _conflicts(file):
        if first in block_of and block_of[first] == block_of.get(last):
            continue
        where = f"from here to line {last}" if last > first else "here, without its other markers"
        message = f"unresolved merge conflict {where}"
        advice = "keep the correct text and delete the marker lines"
        yield file.finding(RULE, first, f"{message}; {advice}")


def _conflicts(file: CheckedFile) -> list[tuple[int, int]]:
    """Return first and last line of each outermost conflict, equal if only the first is left.

    Markers longer than usual may be ornaments, so they count only as a whole conflict with a name.
    """
    markers: defaultdict[int, list[_Marker]] = defaultdict(list)
    for number in range(1, len(file.document.lines) + 1):
        match = _MARKER.match(file.line(number))
        if match is not None:
            marker = _Marker(number, match[1][0], bool(match[2]))
            markers[len(match[1])].append(marker)
    conflicts = [*_of_one_size(markers.pop(_USUAL, []))]
    for longer in markers.values():
        named = (marker for marker in longer if marker.sign != _START or marker.has_name)
        conflicts += [(first, last) for first, last in _of_one_size(named) if last > first]
    inner = {
        pair for pair in conflicts if any(o[0] < pair[0] and pair[1] < o[1] for o in conflicts)
    }
    return sorted({*conflicts} - inner)


def _of_one_size(markers: Iterable[_Marker]) -> Iterator[tuple[int, int]]:
    first, middle, named = 0, 0, False
    for marker in markers:
        if marker.sign == _START:
            if first and named:
                yield first, first
            first, middle, named = marker.number, 0, marker.has_name
        elif marker.sign == _MIDDLE:
            middle = marker.number
        elif first and middle > first:
            yield first, marker.number
            first = 0
    if first and named:
        yield first, first
