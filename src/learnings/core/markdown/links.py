"""The links of a Markdown file, edits of their destinations, and the anchors of headings.

A link knows its places, so that an edit replaces a part of a line. Reads all forms of CommonMark,
`[[name]]`, and `<a href>`; nothing in code or comments is a link.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from posixpath import dirname, join, normpath, relpath
from typing import NamedTuple

from learnings.core.markdown.inline_text import InlineText, Span, inline_texts
from learnings.core.markdown.line_kinds import ATTRIBUTE, TAG_NAME
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode

INLINE, REFERENCE, DEFINITION, WIKI, HREF = "inline", "reference", "definition", "wiki", "href"
"""`[text](target)`; `[text][label]`; `[label]: target`; `[[target|text]]`; `<a href="target">`."""

# Characters; lines written by people are shorter, and every tick in a text may begin code.
_LONGEST_TEXT = 20_000
_BARE = r"(?:\\[^ \n]|\\(?=\n|\Z)|[^\\()\x00-\x20\x7f])*+"
for _ in range(3):  # pairs of parentheses in each other
    _BARE = rf"(?:\\[^ \n]|\\(?=\n|\Z)|[^\\()\x00-\x20\x7f]|\({_BARE}\))*+"
_TARGET = rf"(?:<(?P<angled>(?:\\.|[^<>\\\n])*+)>|(?!<)(?P<bare>{_BARE}))"
_TITLE = r"""(?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))"""
_IS_BARE = lazy_pattern(_BARE)
"""A destination that needs no angle brackets."""
_LABEL = r"\[(?P<label>(?:\\.|[^\[\]\\])*+)\]"
_TAIL = lazy_pattern(rf"(?s)\([ \t\n]*{_TARGET}(?:[ \t\n]+{_TITLE})?[ \t\n]*\)")
_DEFINITION = lazy_pattern(
    rf"(?s){_LABEL}:[ \t\n]*(?!\n|\Z){_TARGET}(?:[ \t\n]+{_TITLE}[ \t]*(?:\n|\Z)|[ \t]*(?:\n|\Z))"
)
_FULL_LABEL = lazy_pattern(rf"(?s){_LABEL}")
# Syntax that binds more tightly than links (escapes, code, tags), and the brackets of links.
_SIGN = lazy_pattern(
    r"(?s)\\.|(?P<ticks>`+)|(?P<tag><(?:"
    rf"{TAG_NAME}(?:{ATTRIBUTE})*\s*/?>|/{TAG_NAME}\s*>|!---?>|!--.*?-->|\?.*?\?>|![A-Za-z][^>]*>"
    r"|!\[CDATA\[.*?\]\]>|[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20\x7f<>]*>"
    r"|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+>))|(?P<open>!?\[)|(?P<close>\])"
)
_A_TAG = lazy_pattern(
    r"(?is)<!--.*?(?:-->|\Z)"
    r"|<a\s(?:[^>\"']|\"[^\"]*\"|'[^']*')*?\bhref\s*=\s*([\"'])(?P<target>[^\"'\n]+)\1"
)
_ESCAPE = lazy_pattern(r"\\([!-/:-@\[-`{-~])|&(?:[A-Za-z][A-Za-z0-9]{1,31}|\#\w{1,7});")
# Encoded bytes in a destination: `%E7%A2%BA`.
_ENCODED_BYTES = lazy_pattern(r"(?:%[0-9A-Fa-f]{2})+")


class Link(NamedTuple):
    """A link; text and written, its destination, are as they stand in the file.

    place is where the link stands, up to the end of its first line; target is where its destination
    stands: for a reference, in its definition. The text of a definition is its label. A destination
    in angle brackets (is_angled) may contain spaces.
    """

    form: str
    text: str
    written: str
    place: Span
    target: Span
    is_image: bool = False
    is_angled: bool = False
    is_cell: bool = False

    @property
    def destination(self) -> str:
        """The destination without escapes and character references."""
        if self.form == WIKI:
            return self.written.rstrip("\\")  # `[[name\|text]]` in a table
        if "\\" not in self.written and "&" not in self.written:
            return self.written
        from html import unescape  # noqa: PLC0415  (few destinations are escaped)

        if self.form == HREF:
            return unescape(self.written)
        return _ESCAPE.sub(lambda match: match[1] or unescape(match[0]), self.written)

    @property
    def path(self) -> str:
        """The destination up to its anchor, decoded."""
        return decoded(self.destination.partition("#")[0])

    @property
    def anchor(self) -> str:
        return self.destination.partition("#")[2]


def links_in(lines: Sequence[str], front_matter: int = 0) -> tuple[Link, ...]:
    """Return the links of a file, or of other lines that stand by themselves, in their order."""
    return _links_in(tuple(lines), front_matter)


# A check reads an index for discovery, its rules and the comparison; it may have some.
@lru_cache(maxsize=8)
def _links_in(lines: tuple[str, ...], front_matter: int) -> tuple[Link, ...]:
    if not any("[" in line or "href" in line.lower() for line in lines):
        return ()
    links: list[Link] = []
    definitions: dict[str, Link] = {}
    rest: list[tuple[InlineText, int]] = []
    for text in inline_texts(lines, front_matter):
        found = list(_definitions(text))
        for link, _ in found:
            definitions.setdefault(_key(link.text), link)
        links += (link for link, _ in found)
        rest.append((text, found[-1][1] if found else 0))
    for text, start in rest:
        if len(text.text) <= _LONGEST_TEXT:
            own = _hrefs(text) if text.is_html else _Inlines(text, start, definitions).links
            links += (one._replace(is_cell=True) for one in own) if text.is_cell else own
    return tuple(sorted(links, key=lambda link: link.place))


def _definitions(text: InlineText) -> Iterator[tuple[Link, int]]:
    """Yield the definitions at the start of a paragraph, with their ends; no footnotes."""
    end = 0
    while text.is_paragraph and (match := _DEFINITION.match(text.text, end)) is not None:
        if not match["label"].strip() or match["label"].startswith("^"):
            return
        end = match.end()
        yield _link(DEFINITION, text, match["label"], match, (match.start(), end)), end


def _link(
    form: str, text: InlineText, shown: str, match: re.Match[str], place: tuple[int, int]
) -> Link:
    group = "angled" if match["angled"] is not None else "bare"
    spans = text.span(*place), text.span(*match.span(group))
    return Link(form, shown, match[group], *spans, is_angled=group == "angled")


def _key(label: str) -> str:
    return " ".join(label.split()).casefold()


def _hrefs(text: InlineText, start: int = 0, end: int | None = None) -> Iterator[Link]:
    end = len(text.text) if end is None else end
    for match in _A_TAG.finditer(text.text, start, end):
        if match["target"] is not None:
            place, target = text.span(*match.span()), text.span(*match.span("target"))
            yield Link(HREF, "", match["target"], place, target)


class _Inlines:
    """Finds the links of a text from left to right, with a stack of its open brackets."""

    def __init__(self, text: InlineText, start: int, definitions: Mapping[str, Link]) -> None:
        self._text, self._source, self._definitions = text, text.text, definitions
        self._found: list[tuple[int, Link]] = []  # with the offsets of their beginnings
        # Where brackets begin and end, and whether they may be those of a link.
        self._open: list[tuple[int, int, bool]] = []
        while (match := _SIGN.search(self._source, start)) is not None:
            start = match.end()
            if match["ticks"]:
                closing = re.compile(rf"(?<!`){match[0]}(?!`)").search(self._source, start)
                start = closing.end() if closing else start
            elif match["tag"]:
                self._found += ((match.start(), one) for one in _hrefs(text, *match.span()))
            elif match["open"]:
                self._open.append((*match.span(), True))
            elif match["close"] and self._open:
                start = self._close(match.start())
        self.links = [link for _, link in self._found]

    def _close(self, end: int) -> int:
        """End the innermost bracket at a `]`; return where to read on."""
        first, start, may_link = self._open.pop()
        link, behind = self._link_at(first, start, end) if may_link else (None, 0)
        if link is None:
            self._found += self._wiki_at(start, end)
            return end + 1
        # A link has no other one in it, and an image has no link.
        inner = bisect_left(self._found, first, key=itemgetter(0))
        kept = [(at, one) for at, one in self._found[inner:] if one.is_image and not link.is_image]
        self._found[inner:] = [(first, link), *kept]
        if not link.is_image:
            self._open = [(at, to, may and to > at + 1) for at, to, may in self._open]
        return behind

    def _link_at(self, first: int, start: int, end: int) -> tuple[Link | None, int]:
        shown, is_image = self._source[start:end], start > first + 1
        if (tail := _TAIL.match(self._source, end + 1)) is not None:
            link = _link(INLINE, self._text, shown, tail, (first, tail.end()))
            return link._replace(is_image=is_image), tail.end()
        label = _FULL_LABEL.match(self._source, end + 1)
        behind = label.end() if label else end + 1
        definition = self._definitions.get(_key((label["label"] if label else "") or shown))
        if definition is None:
            return None, 0
        places = self._text.span(first, behind), definition.target
        return Link(REFERENCE, shown, definition.written, *places, is_image), behind

    def _wiki_at(self, start: int, end: int) -> Iterator[tuple[int, Link]]:
        first, inner, _ = self._open[-1] if self._open else (0, 0, False)
        shown = self._source[start:end]
        is_wiki = inner == start - 1 and self._source.startswith("]", end + 1) and shown.strip()
        if is_wiki and "[" not in shown and "\n" not in shown:
            name, _, text = shown.partition("|")
            places = self._text.span(first, end + 2), self._text.span(start, start + len(name))
            yield first, Link(WIKI, text or name, name, *places, inner > first + 1)


def decoded(text: str) -> str:
    """Return a destination, or a part of one, with encoded bytes decoded."""
    return _ENCODED_BYTES.sub(lambda match: decode(bytes.fromhex(match[0].replace("%", ""))), text)


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
    return text if _IS_BARE.fullmatch(text) else _UNPAIRED.sub(_percent, text)


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


# Anchors of headings, as GitHub makes them.

# Characters that an anchor omits: all but letters, digits, marks, `_`, `-` and blanks.
_LEFT_OUT = lazy_pattern(r"[^\w\- ]")
# The marks of code and emphasis.
_MARKUP = lazy_pattern(r"[`*]|~~")
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
    for link in reversed(links_in([title]) if "](" in title else ()):
        if link.form == INLINE:
            title = title[: link.place.start] + link.text + title[link.place.end :]
    return _MARKUP.sub("", title)


def own_anchors(line: str) -> list[str]:
    return [match[1] or match[2] for match in _OWN_ANCHOR.finditer(line)]


def loose_anchor(anchor: str) -> str:
    """Return the alternative anchor of programs with other rules for signs."""
    return re.sub(r"[-_]+", "-", normalized_anchor(anchor)).strip("-")


def normalized_anchor(anchor: str) -> str:
    """Return an anchor for comparison: decoded, in lower case."""
    return decoded(anchor).casefold()
