"""Agent instructions as a test reads them: sections, and their commands in order."""

from __future__ import annotations

import re
from pathlib import Path

from learnings.agents.front_matter import read_front_matter
from learnings.core.markdown.passages import code_spans, lines_with_language, passages
from learnings.core.text import split_lines

# The sections of a consolidation report, in order.
REPORT_SECTIONS = (
    "Summary",
    "Supersession Decisions",
    "Redundancy Decisions",
    "Contradictions (ESCALATION)",
    "File Limits (ESCALATION)",
    "Discovery Updates",
    "Consolidation Details",
)


class Prose:
    """A file of instructions."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = split_lines(path.read_text(encoding="utf-8"))
        marked = lines_with_language(self._lines, read_front_matter(self._lines).last)
        # The number of each heading, its level and its title.
        self._headings = [
            (number, len(match[1]), match[2])
            for number, text, code in marked
            if code is None and (match := re.match(r"(#+) (.*)", text))
        ]

    def headings(self, level: int) -> list[str]:
        """Return the headings at a level, in order."""
        return [title for _, depth, title in self._headings if depth == level]

    def section(self, title: str) -> list[str]:
        """Return the lines below a heading, up to the next heading that is not deeper."""
        found = [(number, depth) for number, depth, name in self._headings if name == title]
        assert found, f"{self.path.name} has no heading {title!r}"
        first, level = found[0]
        ends = [number - 1 for number, depth, _ in self._headings if depth <= level]
        return self._lines[first : next((end for end in ends if end >= first), None)]

    def blocks(self, title: str, language: str) -> list[str]:
        """Return the lines of the code blocks in a language in a section, without blank ones."""
        lines = lines_with_language(self.section(title))
        return [text.rstrip("\n") for _, text, code in lines if code == language and text.strip()]

    def commands(self, title: str) -> list[str]:
        """Return the commands of a section."""
        commands = [line.strip() for line in self.blocks(title, "sh")]
        assert commands, f"{self.path.name}: nothing to run in {title!r}"
        return commands

    def inline(self, title: str, start: str) -> str:
        """Return the command in the text of a section that starts with these words."""
        prose = [part for part in passages(self.section(title)) if part.language is None]
        spans = [" ".join(span.text.split()) for part in prose for span in code_spans(part)]
        return next(text for text in spans if text.startswith(start) and text != start)
