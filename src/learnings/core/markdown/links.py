"""The destinations of links in Markdown, and the anchors of headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from posixpath import dirname, join, normpath, relpath
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode

# Encoded bytes in a link destination: `%E7%A2%BA`.
_ENCODED_BYTES = lazy_pattern(r"(?:%[0-9A-Fa-f]{2})+")
# Characters that an anchor omits: all but letters, digits, marks, `_`, `-` and blanks.
_LEFT_OUT = lazy_pattern(r"[^\w\- ]")
# A link, whose text stays, and the marks of code and emphasis. No bracket within a link, so that a
# row of brackets is read only once.
_MARKUP = lazy_pattern(r"\[([^\[\]]*)\]\([^)\[]*\)|[`*]|~~")
# An explicit anchor: `<a id="x">`, `<a name="x">`, or `{#x}` at the end of a heading.
_OWN_ANCHOR = lazy_pattern(r"<[^<>]*\b(?:id|name)\s*=\s*[\"']([^\"'<>]+)[\"']|\{#([\w:.-]+)\}\s*$")


def anchors_of(headings: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the anchors of headings (keys and titles) by their keys; a second one ends in `-1`."""
    used: set[str] = set()
    anchors = {}
    for key, title in headings:
        base = _LEFT_OUT.sub("", without_markup(title).strip().lower()).replace(" ", "-")
        anchor = base
        number = 0
        while anchor in used:
            number += 1
            anchor = f"{base}-{number}"
        used.add(anchor)
        anchors[key] = anchor
    return anchors


def without_markup(title: str) -> str:
    """Return a title as shown: the text of links, without the marks of code and emphasis."""
    return _MARKUP.sub(lambda match: match[1] or "", title)


def own_anchors(line: str) -> list[str]:
    return [match[1] or match[2] for match in _OWN_ANCHOR.finditer(line)]


def loose_anchor(anchor: str) -> str:
    """Return the alternative anchor of programs with other rules for signs."""
    return re.sub(r"[-_]+", "-", normalized_anchor(anchor)).strip("-")


def normalized_anchor(anchor: str) -> str:
    """Return an anchor for comparison: decoded, in lower case."""
    return decoded(anchor).casefold()


def decoded(text: str) -> str:
    """Return a destination, or a part of one, with encoded bytes decoded."""
    return _ENCODED_BYTES.sub(lambda match: decode(bytes.fromhex(match[0].replace("%", ""))), text)


# Characters; lines written by people are shorter, and every tick in a line may begin code.
_LONGEST_LINE = 20_000
LINK = lazy_pattern(
    # Code in a line: the text between two equally long runs of ticks.
    r"(?P<ticks>(?<!`)`+(?!`))(?:.*?)(?<!`)(?P=ticks)(?!`)"
    # `](target)`, `](<target>)`; a target may contain pairs of parentheses.
    r"|(?<=\]\()[ \t]*<(?P<angled>[^<>\n]+)>"
    r"|(?<=\]\()[ \t]*(?P<bare>[^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*)"
    # `[label]: target` at the beginning of a line, but not a footnote.
    r"|^ {0,3}\[(?!\^)[^\[\]]+\]:[ \t]*(?:<(?P<angled_label>[^<>\n]+)>|(?P<label>[^\s<>]+))"
    # `href="target"`
    r"|\bhref[ \t]*=[ \t]*(?P<quote>[\"'])(?P<href>[^\"'\n]+)(?P=quote)"
    # `[[file#heading]]`, `[[#heading|text]]`
    r"|\[\[(?P<wiki>[^\[\]|\n]*#[^\[\]|\n]+)"
)
_TARGET_GROUPS = ("angled", "bare", "angled_label", "label", "href", "wiki")


class LinkTarget(NamedTuple):
    """The destination of a link as written; is_wiki: with the words of a heading."""

    text: str
    is_wiki: bool = False

    @property
    def path(self) -> str:
        return self.text.partition("#")[0]

    @property
    def anchor(self) -> str:
        return self.text.partition("#")[2]


def with_targets(line: str, replacement: Callable[[LinkTarget], str | None]) -> str:
    """Return a line with new link destinations; the function returns None to keep one.

    Links in code stay as they are.
    """
    if len(line) > _LONGEST_LINE:
        return line
    result, end = "", 0
    for match in LINK.finditer(line):
        group = next((name for name in _TARGET_GROUPS if match[name] is not None), None)
        text = None if group is None else replacement(LinkTarget(match[group], group == "wiki"))
        if group is not None and text is not None:
            result += line[end : match.start(group)] + text
            end = match.end(group)
    return result + line[end:]


def targets_in(line: str) -> list[LinkTarget]:
    targets: list[LinkTarget] = []
    with_targets(line, targets.append)
    return targets


def without_targets(line: str) -> str:
    return with_targets(line, lambda _: "")


# `https:`, `mailto:`, `C:`; a path from the root, and a path that a shell or template fills in.
_NOT_RELATIVE = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:|[/~$<{%]")


def rebased(line: str, old: str, new: str) -> str:
    """Return a line of the file at `old` for the file at `new`, with its relative links changed.

    Both are POSIX paths from the same root. Links in code, links to anchors alone and links by the
    words of a heading stay unchanged.
    """
    folder, other = dirname(old), dirname(new)

    def moved(target: LinkTarget) -> str | None:
        path = target.path
        if target.is_wiki or not path or _NOT_RELATIVE.match(path):
            return None
        inner = normpath(join(folder, path))
        if inner.startswith(".."):  # out of the root
            changed = join(*[".."] * len(other.split("/")), inner) if other else inner
        else:
            changed = relpath(join("/", inner), join("/", other))
        slash = "/" if path.endswith("/") else ""
        return changed + slash + target.text.removeprefix(path)

    return line if folder == other else with_targets(line, moved)
