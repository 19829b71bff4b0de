"""The words of the findings about a memory index; loaded with the first one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from learnings.core.findings.finding import quoted
from learnings.core.text import counted
from learnings.index.index_problems import (
    AbsentFile,
    CollidingRow,
    HookDiffers,
    IndexProblem,
    MisplacedRow,
    MisplacedRows,
    MissingRow,
    NoRows,
    OrphanRow,
    OtherFormUsed,
    RepeatedHeading,
    RepeatedLink,
    RepeatedRow,
    StalePointer,
    StructuralRow,
    UnlistedFile,
    UnorderedRows,
    Unreadable,
)


def message_of(problem: IndexProblem) -> str:
    """Return what is wrong, and what to do about it, in one sentence."""
    return _WORDS[type(problem.fault)](problem.fault)


def _unreadable(fault: Unreadable) -> str:
    return fault.reason


def _orphan_row(fault: OrphanRow) -> str:
    message = f"no heading of {quoted(fault.path)} reads {quoted(fault.key)}"
    if fault.meant is None:
        return f"{message}; correct the row, or remove it"
    meant = f"{quoted(fault.meant.title)} in line {fault.meant.line}"
    return f"{message}; did you mean {meant}, which has no row?"


def _missing_row(fault: MissingRow) -> str:
    noun = "heading" if fault.target.heading else "file"
    message = f"the {noun} {quoted(fault.target.title)} has no row in {quoted(fault.index_path)}"
    similar = fault.similar
    if similar is None:
        return f"{message}; add one"
    return f"{message}; did you mean the row in line {similar.line}, {quoted(similar.text)}?"


def _repeated_row(fault: RepeatedRow) -> str:
    return f"{quoted(fault.row.text)} repeats the row in line {fault.rival.line}; keep one"


def _colliding_row(fault: CollidingRow) -> str:
    rows = f"this row and the row in line {fault.rival.line}"
    return f"{rows} both come to the heading {quoted(fault.target.title)}; keep one"


def _structural_row(fault: StructuralRow) -> str:
    target, path = fault.target, quoted(fault.path)
    where = f"{quoted(target.title)} in line {target.line} of {path}"
    return f"{where} is structural and has no row; remove the row"


def _misplaced_row(fault: MisplacedRow) -> str:
    title, actual = quoted(fault.target.title), quoted(fault.target.file.path)
    where = f"the heading {title} is in {actual}, not in {quoted(fault.path)}"
    return f"{where}; move the row to the section of that file"


def _misplaced_rows(fault: MisplacedRows) -> str:
    others = len(fault.files) - 1
    files = quoted(fault.files[0]) + (f" and {counted(others, 'other file')}" if others else "")
    verb = "stands" if fault.rows == 1 else "stand"
    where = "above the first heading"
    if fault.is_in_section:
        lacks = "whose file is not there" if fault.is_file_missing else "which names no file"
        where = f"in this section, {lacks}"
    advice = "a row belongs below a heading that is the path of its file"
    return f"{counted(fault.rows, 'row')} for {files} {verb} {where}; {advice}"


def _absent_file(fault: AbsentFile) -> str:
    which = f"; {counted(fault.rows, 'row')} with it" if fault.rows else ""
    advice = f"write {quoted(fault.meant)}" if fault.meant else "name the right one"
    return f"there is no file {quoted(fault.path)}{which}; {advice}, or remove this"


def _stale_pointer(fault: StalePointer) -> str:
    heading, path = fault.heading, quoted(fault.path)
    where = f"{quoted(heading.title)} is in line {heading.line}"
    if fault.pointer.first == heading.line:
        return f"{where} to {heading.last} of {path}, not further; correct the number"
    return f"{where} of {path}, not in line {fault.pointer.first}; correct the number"


def _unordered_rows(fault: UnorderedRows) -> str:
    rows = f"the rows of {quoted(fault.path)}"
    return f"{rows} are not in the order of its headings; reorder them"


def _repeated_heading(fault: RepeatedHeading) -> str:
    first, target = fault.first, fault.target
    where = f"line {first.line}"
    if target.file.path != first.file.path:
        where += f" of {quoted(first.file.path)}"
    return f"{quoted(target.title)} is a heading in {where} as well; reword one of the two"


def _repeated_link(fault: RepeatedLink) -> str:
    return f"the row in line {fault.line} leads to {quoted(fault.path)} as well; keep one"


def _unlisted_file(fault: UnlistedFile) -> str:
    return (
        f"no row of {quoted(fault.index_path)} leads to this file, so agents do not find it; add "
        f"{quoted(fault.row)}"
    )


def _hook_differs(fault: HookDiffers) -> str:
    return (
        f"the row says {quoted(fault.hook)}, and {quoted(fault.path)} describes itself as "
        f"{quoted(fault.description)}; correct one of the two"
    )


def _other_form_used(fault: OtherFormUsed) -> str:
    return (
        f"this index is written as {fault.looks}, with {counted(fault.rows, 'row')}, but "
        f'index-form is "{fault.configured}"; configure index-form = "{fault.written}"'
    )


def _no_rows(fault: NoRows) -> str:
    if fault.is_block_missing:
        what = "this file has no index block, so it has no rows"
    elif fault.headings is None:
        what = "these lines are no rows of the index"
    else:
        missing = counted(fault.headings, "heading")
        what = f"no line of this index is a row, and {missing} of its files need rows"
    return f'{what}; with index-form = "{fault.configured}" each is {fault.example}'


_WORDS: Mapping[type, Callable[[Any], str]] = MappingProxyType(
    {
        Unreadable: _unreadable,
        OrphanRow: _orphan_row,
        MissingRow: _missing_row,
        RepeatedRow: _repeated_row,
        CollidingRow: _colliding_row,
        StructuralRow: _structural_row,
        MisplacedRow: _misplaced_row,
        MisplacedRows: _misplaced_rows,
        AbsentFile: _absent_file,
        StalePointer: _stale_pointer,
        UnorderedRows: _unordered_rows,
        RepeatedHeading: _repeated_heading,
        RepeatedLink: _repeated_link,
        UnlistedFile: _unlisted_file,
        HookDiffers: _hook_differs,
        OtherFormUsed: _other_form_used,
        NoRows: _no_rows,
    }
)
