"""Safe fixes as values, and their application: whitespace, dead paths, and the order of lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.core.errors import FixRefused
from learnings.core.text import decode, encode, split_lines


class Edit(NamedTuple):
    """A line (1-based) before and after, with terminators; after: empty, or several lines."""

    line: int
    old: str
    new: str


class Fix(NamedTuple):
    """The effect of a fix, as a clause, and its edits: none if the fixer rewrites the whole file.

    on_request fixes need an option. `rewrites` fixes change words, with edits from replaced().
    `restores` fixes reorder the lines of a file or remove a second copy of them.
    """

    does: str
    edits: tuple[Edit, ...] = ()
    on_request: bool = False
    rewrites: bool = False
    restores: bool = False


def replaced(number: int, line: str, column: int, old: str, new: str) -> Edit:
    """Return the edit that replaces the words at a 1-based column of a line."""
    start = column - 1
    assert line[start : start + len(old)] == old
    return Edit(number, line, line[:start] + new + line[start + len(old) :])


def apply(data: bytes, fixes: Iterable[Fix], *, path: str) -> bytes:
    """Apply fixes to a file, combining two edits of one line.

    Restoring fixes must be applied alone, since they move lines. Raises FixRefused if a line is not
    the expected one, edits contradict each other, more than whitespace would change in a line that
    no fix rewrites, or a restored file would lack a line.
    """
    before, all_fixes = split_lines(decode(data)), [*fixes]
    if restoring := [fix for fix in all_fixes if fix.restores]:
        return _restored(before, restoring, path=path)
    text = "".join(edited(before, (edit for fix in all_fixes for edit in fix.edits), path=path))
    rewritten = {edit.line for fix in all_fixes if fix.rewrites for edit in fix.edits}
    after = split_lines(text)
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if number not in rewritten and "".join(old.split()) != "".join(new.split()):
            raise _refused(path, number, "would change in more than whitespace")
    if len(before) != len(after):
        raise _refused(path, min(len(before), len(after)), "would be joined or split")
    return encode(text)


def _restored(before: Sequence[str], fixes: Sequence[Fix], *, path: str) -> bytes:
    edits = (edit for fix in fixes for edit in fix.edits)
    text = "".join(edited(before, edits, path=path))
    kept = {line.strip() for line in split_lines(text)}
    for number, line in enumerate(before, start=1):
        if line.strip() and line.strip() not in kept:
            raise _refused(path, number, "would be lost")
    return encode(text)


def edited(lines: Sequence[str], edits: Iterable[Edit], *, path: str) -> list[str]:
    """Return the lines after all edits, which may change anything. Raises FixRefused as apply()."""
    by_line: defaultdict[int, set[Edit]] = defaultdict(set)
    for edit in edits:
        by_line[edit.line].add(edit)
    result = [*lines, ""]
    for number, line_edits in by_line.items():
        old = result[number - 1] if 1 <= number <= len(result) else None
        if any(edit.old != old for edit in line_edits):
            raise _refused(path, number, "is not the line the fix was made for")
        result[number - 1] = _edited(line_edits, path)
    return result


def _edited(edits: Iterable[Edit], path: str) -> str:
    result = next(iter(edits)).old
    begun = len(result) + 1
    changes = {_change(edit): edit for edit in edits if edit.new != edit.old}
    for change in sorted(changes, reverse=True):
        start, end, text = change
        if end >= begun:
            raise _refused(path, changes[change].line, "has two conflicting fixes")
        result = result[:start] + text + result[end:]
        begun = start
    return result


def _change(edit: Edit) -> tuple[int, int, str]:
    """Return the start and end of the characters that an edit replaces, and their new text."""
    old, new = edit.old, edit.new
    shorter = min(len(old), len(new))
    start = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    remaining = shorter - start
    same = next((n for n in range(remaining) if old[-1 - n] != new[-1 - n]), remaining)
    return start, len(old) - same, new[start : len(new) - same]


def _refused(path: str, line: int, reason: str) -> FixRefused:
    return FixRefused(f"{path}:{line}: this line {reason}; not changed, fix it by hand")
