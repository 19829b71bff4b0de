"""A merge conflict is not resolved.

Git marks the two sides with lines of seven `<`, `=` and `>`, and sometimes the common version with
`|||||||`, or with more signs if `.gitattributes` sets conflict-marker-size. If markers stay in a
memory file, a reader sees both versions of an entry, and one of them is usually outdated.

The rule reports a line `<<<<<<<` at the left margin with its `=======` and `>>>>>>>` below, and
lines `<<<<<<< NAME`, `||||||| NAME` and `>>>>>>> NAME` that have lost the others. Since `>` also
begins a quotation and `|` a table row, NAME must then be one that git writes there: one word, such
as a branch, a commit with its subject, or `Stashed changes`. The rule skips an example that lies
completely inside one fenced block or comment, a quotation of several deep levels, and a heading
underlined with `=======`.

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

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from learnings.core.findings.finding import Finding, Severity
from learnings.core.patterns import lazy_pattern
from learnings.rules.rule import MEMORY, CheckedFile, Rule

RULE = Rule("conflict-marker", Severity.ERROR, MEMORY)

# At least seven of one sign at the left margin, then perhaps a blank and a name (not for `=`).
_MARKER = lazy_pattern(r"(<{7,}|\|{7,}|={7,}|>{7,})(?:$|(?<!=) (.*))")
# Names that git writes after `|||||||` and `>>>>>>>`. A `|` at the end is that of a table row.
_NAME = lazy_pattern(
    r"[^\s|]+$|(?:parent of )?[0-9a-f]{7,64}(?:\.\.\.|:)? .*[^|]$|Stashed changes$|Stash base$"
    r"|Updated upstream$|empty tree$|merged common ancestors$|constructed (?:fake|merge) \w+$"
)
# Default length of a marker; conflict-marker-size or a nested merge can make it longer.
_USUAL = 7
_START, _BASE, _MIDDLE, _END = "<", "|", "=", ">"


class _Marker(NamedTuple):
    """A marker line: its number, its sign, and whether git's name follows."""

    number: int
    sign: str
    has_name: bool


def check(file: CheckedFile) -> Iterator[Finding]:
    if not any((sign * _USUAL).encode() in file.data for sign in (_START, _BASE, _END)):
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


def _conflicts(file: CheckedFile) -> Iterator[tuple[int, int]]:
    """Yield first and last line of each outermost conflict, equal for a marker left alone.

    Markers longer than usual may be ornaments, so they count only as a whole conflict with a name.
    """
    markers: defaultdict[int, list[_Marker]] = defaultdict(list)
    for number in range(1, len(file.document.lines) + 1):
        match = _MARKER.match(file.line(number))
        if match is not None:
            marker = _Marker(number, match[1][0], _is_named(file, number, match))
            markers[len(match[1])].append(marker)
    conflicts = [*_of_one_size(markers.pop(_USUAL, []))]
    for longer in markers.values():
        named = (marker for marker in longer if marker.sign != _START or marker.has_name)
        conflicts += [(first, last) for first, last in _of_one_size(named) if last > first]
    reached = 0
    for first, last in sorted(conflicts):
        if last > reached:
            yield first, last
            reached = last


def _is_named(file: CheckedFile, number: int, marker: re.Match[str]) -> bool:
    """Return True if a marker has a name by which it is one without the others."""
    signs, name = marker[1], (marker[2] or "").strip()
    if signs[0] == _START:
        return bool(name)
    # Nobody quotes seven levels deep without the other levels around them.
    around = (file.line(number - 1), file.line(number + 1)) if signs[0] == _END else ()
    is_quoted = any(line.startswith(">>") for line in around)
    return len(signs) == _USUAL and not is_quoted and _NAME.match(name) is not None


def _of_one_size(markers: Iterable[_Marker]) -> Iterator[tuple[int, int]]:
    pending: list[_Marker] = []
    for marker in (*markers, _Marker(0, _START, has_name=False)):
        signs = [one.sign for one in (*pending[:1], *pending[-1:])]
        if marker.sign == _END and signs == [_START, _MIDDLE]:
            yield pending[0].number, marker.number
            pending = []
        elif marker.sign == _START:
            yield from ((one.number, one.number) for one in pending if one.has_name)
            pending = [marker]
        elif marker.has_name or marker.sign == _MIDDLE:
            pending.append(marker)
