"""Names that the files of a repository define: targets, recipes, scripts, programs, anchors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.links import anchors_of, own_anchors
from learnings.core.markdown.parser import setext_headings
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode

FILES: Mapping[str, tuple[str, ...]] = {
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", ".justfile", "Justfile"),
    **dict.fromkeys(("npm run", "pnpm run", "yarn run", "bun run"), ("package.json",)),
    "": ("pyproject.toml",),
}
"""The files that define the names of a tool, by the words before the name; empty for a program."""

# The texts that hold names: `lint types: deps`, `build::`, `a b &:`, `.PHONY: lint`, no assignment;
# `build target='all': deps`, `alias b := build`; a table of programs.
_TEXTS = {
    "make": lazy_pattern(r"^([^\s#:=&][^#:=&\n]*+)&?::?(?![:=])", re.MULTILINE),
    "just": lazy_pattern(
        r"^@?([A-Za-z_][\w-]*)(?:[ \t][^:\n]*)?:(?!=)|^alias[ \t]+([\w-]+)", re.MULTILINE
    ),
    "": lazy_pattern(
        r"^\[(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)\][ \t]*\n((?:(?!\[).*\n?)*)",
        re.MULTILINE,
    ),
}
# A key in such a table: `learnings = "learnings.main:run"`.
_KEY = lazy_pattern(r"^[ \t]*[\"']?([\w.-]+)[\"']?[ \t]*=", re.MULTILINE)
# A file that includes another, or generates rules, may define any name.
_OPEN = {
    "make": lazy_pattern(
        r"^[ \t]*-?s?include\b|\$\(eval|\$\(call|^[^\s#:=]*%[^:=\n]*:", re.MULTILINE
    ),
    "just": lazy_pattern(r"^(?:import|mod)\??[ \t]", re.MULTILINE),
}


def names_defined(tool: str, data: bytes) -> frozenset[str]:
    """Return the names that a version of a tool's file defines; none if it is broken."""
    text = decode(data)
    if tool in _TEXTS:
        found = (part for match in _TEXTS[tool].finditer(text) for part in match.groups(""))
        return frozenset(
            n for part in found for n in (part.split() if tool else _KEY.findall(part))
        )
    try:
        scripts = json.loads(text)["scripts"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return frozenset()
    return frozenset(map(str, scripts)) if isinstance(scripts, dict) else frozenset()


def may_define_more(tool: str, data: bytes) -> bool:
    """Return True if a file may define names that it does not show."""
    return tool in _OPEN and _OPEN[tool].search(decode(data)) is not None


def anchors_in(data: bytes) -> dict[str, frozenset[str] | None]:
    """Return the anchors of a Markdown file: of headings, with the lines below, and set by hand."""
    lines, front_matter, outline = blocks_of(data)
    titles = {heading.line: heading_text(lines[heading.line - 1]) for heading in outline.headings}
    if any(line.strip() and not line.strip(" =-\r\n") for line in lines[front_matter:]):
        for block, _ in setext_headings(lines[front_matter:]):
            number = block.first + front_matter
            titles[number] = chomp(lines[number - 1]).strip()
    by_hand = (anchor for line in lines for anchor in own_anchors(chomp(line)))
    found: dict[str, frozenset[str] | None] = dict.fromkeys(by_hand)
    made = anchors_of(sorted(titles.items()))
    for (line, anchor), end in zip(made.items(), [*made, len(lines) + 1][1:], strict=True):
        found[anchor] = frozenset(text for text in map(str.strip, lines[line : end - 1]) if text)
    return found
