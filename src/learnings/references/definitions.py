"""Names that the files of a repository define: targets, recipes, scripts, programs, anchors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.anchors import anchors_of, own_anchors
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.parser import setext_headings
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode

MAKE, JUST, PROGRAM = "make", "just", ""
NPM = ("npm run", "pnpm run", "yarn run", "bun run")
_PACKAGE = ("package.json",)
FILES: Mapping[str, tuple[str, ...]] = {
    MAKE: ("Makefile", "makefile", "GNUmakefile"),
    JUST: ("justfile", ".justfile", "Justfile"),
    **dict.fromkeys(NPM, _PACKAGE),
    PROGRAM: ("pyproject.toml",),
}
"""The files that define the names of a tool, by the words before the name."""

# `lint types: deps`, `build::`, `a b &:`, not an assignment; `.PHONY: lint`, whose names are also
# targets.
_TARGETS = lazy_pattern(r"^([^\s#:=][^#:=\n]*+)::?(?![:=])", re.MULTILINE)
# A Makefile that includes another, or generates rules, may know any name.
_OPEN_MAKEFILE = lazy_pattern(
    r"^[ \t]*-?s?include\b|\$\(eval|\$\(call|^[^\s#:=]*%[^:=\n]*:", re.MULTILINE
)
# `build target='all': deps`, `alias b := build`; a justfile that imports another may know any.
_RECIPES = lazy_pattern(
    r"^@?([A-Za-z_][\w-]*)(?:[ \t][^:\n]*)?:(?!=)|^alias[ \t]+([\w-]+)", re.MULTILINE
)
_OPEN_JUSTFILE = lazy_pattern(r"^(?:import|mod)\??[ \t]", re.MULTILINE)
# The tables that name programs, and a key in them: `learnings = "learnings.main:run"`.
_PROGRAM_TABLE = lazy_pattern(
    r"^\[(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)\][ \t]*\n((?:(?!\[).*\n?)*)",
    re.MULTILINE,
)
_KEY = lazy_pattern(r"^[ \t]*[\"']?([\w.-]+)[\"']?[ \t]*=", re.MULTILINE)


def names_defined(tool: str, data: bytes) -> frozenset[str]:
    """Return the names that a version of a tool's file defines; none if it is broken."""
    text = decode(data)
    if tool == MAKE:
        targets = (match[1].removesuffix("&") for match in _TARGETS.finditer(text))
        return frozenset(name for names in targets for name in names.split())
    if tool == JUST:
        return frozenset(match[1] or match[2] for match in _RECIPES.finditer(text))
    if tool == PROGRAM:
        tables = (match[1] for match in _PROGRAM_TABLE.finditer(text))
        return frozenset(key for table in tables for key in _KEY.findall(table))
    try:
        scripts = json.loads(text)["scripts"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return frozenset()
    return frozenset(map(str, scripts)) if isinstance(scripts, dict) else frozenset()


def may_define_more(tool: str, data: bytes) -> bool:
    """Return True if a file may define names that it does not show, because it includes others."""
    text = decode(data)
    if tool == MAKE:
        return _OPEN_MAKEFILE.search(text) is not None
    return tool == JUST and _OPEN_JUSTFILE.search(text) is not None


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
