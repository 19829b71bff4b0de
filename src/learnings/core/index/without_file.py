"""Rows of a memory index that stand in a section without a file: one problem for each section."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from learnings.core.findings.finding import quoted
from learnings.core.index.lines import IndexSection, Row
from learnings.core.index.match import Match, MatchStatus, RowMatch
from learnings.core.index.model import IndexFile
from learnings.core.index.problem import WRONG_SECTION, Problem
from learnings.core.text import counted


def is_without_file(row_match: RowMatch, matched: Match) -> bool:
    """Return True for a row of a heading in a section that names no file, or one that is gone.

    Other rows in a wrong section are a problem each.
    """
    is_sections = row_match.row.reading.path is None  # not the path of the row itself
    is_gone = row_match.status is MatchStatus.OTHER_FILE and row_match.path in matched.absent
    return row_match.status is MatchStatus.NO_FILE or (is_sections and is_gone)


def subject_of_section(index: IndexFile, row: Row) -> str:
    """Return the subject of the problem of a row's section: its heading, empty above the first."""
    section = index.section_at(row.line)
    return "" if section.title is None else index.content(section.first)


def problems_of_sections(index: IndexFile, matched: Match) -> Iterator[Problem]:
    """Give the problem of each section without a file that has rows for headings."""
    sections: defaultdict[int, list[RowMatch]] = defaultdict(list)
    for row_match in matched.row_matches:
        if is_without_file(row_match, matched):
            sections[index.section_at(row_match.row.line).first].append(row_match)
    for first, row_matches in sections.items():
        section, row = index.section_at(first), row_matches[0].row
        # That a file is gone is a problem of its own, at the heading.
        is_at_heading = section.title is not None and row_matches[0].status is MatchStatus.NO_FILE
        line = first if is_at_heading else row.line
        message = (
            f"{_rows(row_matches)} {_where(section, row_matches[0])}; a row belongs below a "
            "heading that is the path of its file"
        )
        yield Problem(WRONG_SECTION, index.path, line, 1, message, subject_of_section(index, row))


def _rows(row_matches: Sequence[RowMatch]) -> str:
    files = list(dict.fromkeys(m.target.file.path for m in row_matches if m.target))
    others = f" and {counted(len(files) - 1, 'other file')}" if len(files) > 1 else ""
    verb = "stands" if len(row_matches) == 1 else "stand"
    return f"{counted(len(row_matches), 'row')} for {quoted(files[0])}{others} {verb}"


def _where(section: IndexSection, row_match: RowMatch) -> str:
    if section.title is None:
        return "above the first heading"
    is_gone = row_match.status is not MatchStatus.NO_FILE
    return f"in this section, {'whose file is not there' if is_gone else 'which names no file'}"
