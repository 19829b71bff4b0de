"""The target lines of links into a file, and the places of these lines after a split."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from posixpath import dirname, join, normpath
from typing import NamedTuple

from learnings.consolidation.split.pieces import SplitSource
from learnings.core.markdown.links import (
    LinkTarget,
    anchors_of,
    decoded,
    normalized_anchor,
    own_anchors,
    with_targets,
)

# Characters that would end the destination of a link, or be decoded in it.
_ENCODED_SIGNS = str.maketrans({sign: f"%{ord(sign):02X}" for sign in " ()<>%#"})


class LinkLocations:
    """The target lines of links into a source."""

    def __init__(self, source: SplitSource) -> None:
        self.path = source.path
        self._source = source

    @cached_property
    def anchors(self) -> Mapping[int, str]:
        """The anchor of each heading, by its line."""
        return anchors_of((heading.first, heading.title) for heading in self._source.headings)

    @cached_property
    def _lines(self) -> Mapping[str, int]:
        lines: dict[str, int] = {}
        for line, anchor in self.anchors.items():
            lines.setdefault(normalized_anchor(anchor), line)
        for number, text in enumerate(self._source.lines, start=1):
            if number not in self._source.hidden:
                for anchor in own_anchors(text):
                    lines.setdefault(normalized_anchor(anchor), number)
        return lines

    @cached_property
    def _titles(self) -> Mapping[str, int]:
        headings = reversed(self._source.headings)  # the first of several with one title counts
        return {heading.title.casefold(): heading.first for heading in headings}

    def line_of(self, target: LinkTarget, path: str) -> int | None:
        """Return the target line of a link in the file at a path; None for any other target."""
        if not target.anchor or not self._is_source(target, path):
            return None
        if target.is_wiki:
            return self._titles.get(target.anchor.rpartition("#")[2].strip().casefold())
        return self._lines.get(normalized_anchor(target.anchor))

    def _is_source(self, target: LinkTarget, path: str) -> bool:
        if not target.path:
            return path == self.path
        written = decoded(target.path)
        if target.is_wiki:
            name = self.path.rpartition("/")[2]
            return written.rpartition("/")[2].strip() in (name, name.rpartition(".")[0])
        base = "" if written.startswith("/") else dirname(path)
        return normpath(join(base, written.lstrip("/"))) == self.path


class NewLinkLocations(NamedTuple):
    """The places of a source's lines after the split.

    places are the paths of the files by line, anchors those of the headings there, by their line in
    the source.
    """

    old: LinkLocations
    places: Mapping[int, str]
    anchors: Mapping[int, str]

    def relinked(self, line: str, path: str, new_path: str) -> str:
        """Return a line, moved from one file to another, with the new destinations of its links."""
        if "#" not in line:
            return line
        return with_targets(line, lambda target: self._retargeted(target, path, new_path))

    def _retargeted(self, target: LinkTarget, path: str, new_path: str) -> str | None:
        """Return the new destination of a link, None if it stays the same."""
        line = self.old.line_of(target, path)
        if line is None:
            return None
        file = self.places[line]
        anchor = target.anchor
        if not target.is_wiki and line in self.old.anchors:
            anchor = self.anchors[line]
        name = file.rpartition("/")[2]
        if file == new_path and not (target.path and file == self.old.path):
            name = ""
        elif target.is_wiki:
            suffix = name[name.rfind(".") :]
            name = name if target.path.endswith(suffix) else name.removesuffix(suffix)
        else:
            name = encoded_name(name)
        folder = target.path[: target.path.rfind("/") + 1] if name else ""
        text = f"{folder}{name}#{anchor}"
        return None if text == target.text else text


def encoded_name(name: str) -> str:
    """Return the name of a file as the destination of a link writes it."""
    return name.translate(_ENCODED_SIGNS)
