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
        first = read_front_matter(self._lines).last
        self._marked = [*lines_with_language(self._lines, first)]

    def headings(self, level: int) -> list[str]:
        """Return the headings at a level, in order."""
        start = "#" * level + " "
        texts = [text for _, text, code in self._marked if code is None]
        return [text.removeprefix(start).strip() for text in texts if text.startswith(start)]

    def section(self, title: str) -> list[str]:
        """Return the lines below a heading, up to the next heading that is not deeper."""
        lines: list[str] = []
        depth = 0
        for number, text, code in self._marked:
            level = re.match(r"#+(?= )", text) if code is None else None
            if depth and level and len(level[0]) <= depth:
                break
            if depth:
                lines.append(self._lines[number - 1])
            elif level and text[len(level[0]) :].strip() == title:
                depth = len(level[0])
        assert depth, f"{self.path.name} has no heading {title!r}"
        return lines

    def shell(self, title: str) -> list[list[str]]:
        """Return the shell blocks in a section, each as its commands."""
        blocks: list[list[str]] = []
        last = 0
        for number, text, code in lines_with_language(self.section(title)):
            if code == "sh" and text.strip():
                if number != last + 1 or not blocks:
                    blocks.append([])
                blocks[-1].append(text.strip())
                last = number
        assert blocks, f"{self.path.name}: nothing to run in {title!r}"
        return blocks

    def commands(self, title: str) -> list[str]:
        """Return the commands of a section."""
        return [command for block in self.shell(title) for command in block]

    def inline(self, title: str, start: str) -> str:
        """Return the command in the text of a section that starts with these words."""
        for passage in passages(self.section(title)):
            for span in code_spans(passage) if passage.language is None else ():
                if span.text.startswith(start) and span.text != start:
                    return " ".join(span.text.split())
        raise AssertionError(f"{self.path.name}: {title!r} has no command {start!r}")

    def blocks(self, title: str, language: str) -> list[str]:
        """Return the lines of the code blocks in a language in a section."""
        return [
            text.rstrip("\n")
            for _, text, code in lines_with_language(self.section(title))
            if code == language
        ]
