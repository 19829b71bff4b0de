"""Edits of the destinations of links in a file, and links that a reader reads back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from posixpath import dirname, join, normpath, relpath

from learnings.core.markdown.inline_text import Span
from learnings.core.markdown.links import IS_BARE, REFERENCE, WIKI, Link, links_in
from learnings.core.patterns import lazy_pattern


def with_targets(
    lines: Sequence[str], replacement: Callable[[Link], str | None], front_matter: int = 0
) -> list[str]:
    """Return lines with new destinations of links; replacement returns None to keep one."""
    edits = {
        link.target: text
        for link in links_in(lines, front_matter)
        if link.form != REFERENCE and (text := replacement(link)) is not None
    }
    return edited(lines, edits)


def edited(lines: Sequence[str], edits: Mapping[Span, str]) -> list[str]:
    """Return lines with the text of some spans replaced."""
    result = list(lines)
    for (line, start, end), text in sorted(edits.items(), reverse=True):
        result[line - 1] = result[line - 1][:start] + text + result[line - 1][end:]
    return result


def without_targets(lines: Sequence[str]) -> list[str]:
    return with_targets(lines, lambda _: "")


# Characters that would end a destination, or be decoded in it.
_DECODED = r"|%(?=[0-9A-Fa-f]{2})|&(?=#?\w+;)"
_UNSAFE = lazy_pattern(rf"[\x00-\x20\x7f<>\\|\"#]{_DECODED}")
_UNSAFE_ANGLED = lazy_pattern(rf"[<>\\|#\n]{_DECODED}")
_UNPAIRED = lazy_pattern(r"[()]")


def as_target(path: str, *, is_angled: bool = False) -> str:
    """Return a path as the destination of a link, with the signs encoded that would end it."""
    if is_angled:
        return _UNSAFE_ANGLED.sub(_percent, path)
    text = _UNSAFE.sub(_percent, path)
    return text if IS_BARE.fullmatch(text) else _UNPAIRED.sub(_percent, text)


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


# `https:`, `mailto:`, `C:`; a path from the root, and a path that a shell or template fills in.
_NOT_RELATIVE = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:|[/~$<{%]")


def rebased(lines: Sequence[str], old: str, new: str) -> list[str]:
    """Return lines of the file at `old` for the file at `new`, with their relative links changed.

    Both are POSIX paths from the same root. Links to anchors alone and links by the words of a
    heading stay unchanged.
    """

    def moved(link: Link) -> str | None:
        path = link.written.partition("#")[0]
        if link.form == WIKI or not path or _NOT_RELATIVE.match(path):
            return None
        folder, other = (as_target(dirname(p), is_angled=link.is_angled) for p in (old, new))
        inner = normpath(join(folder, path))
        if inner.startswith(".."):  # out of the root
            changed = join(*[".."] * len(other.split("/")), inner) if other else inner
        else:
            changed = relpath(join("/", inner), join("/", other))
        return changed + ("/" if path.endswith("/") else "") + link.written.removeprefix(path)

    return list(lines) if dirname(old) == dirname(new) else with_targets(lines, moved)
