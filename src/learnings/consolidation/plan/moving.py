"""The target of a move: finds its section by name, and inserts entries there.

A target is `FILE` or `FILE#HEADING`. All other bytes of the file stay unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from learnings.consolidation.plan.plan import identity_of
from learnings.consolidation.text.sections import TargetFile, TargetSection
from learnings.core.entries.document import Entry
from learnings.core.entries.rewriting import deeper
from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import Blocks, blocks_of, outline_of
from learnings.core.markdown.line_edits import LineWriter, is_filler, without_filler
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.links import rebased
from learnings.core.markdown.outline import section_ends
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, counted, encode, nearest, printable

BELOW = " > "
"""The separator between the titles of nested headings in a name: `Tests > Fixtures`."""


def split_subject(subject: str) -> tuple[str, str]:
    """Return the file and the name of the section in it, empty for the end of the file."""
    path, _, name = subject.partition("#")
    return path.strip(), name.strip()


def names_of(sections: Sequence[TargetSection]) -> list[str]:
    """Return the shortest unique name of each section of a file; empty if there is none."""
    counts = Counter(
        identity_of(name) for section in sections for name in _names_of_section(section)
    )
    return [
        next((name for name in _names_of_section(section) if counts[identity_of(name)] == 1), "")
        for section in sections
    ]


_MOST_HEADINGS, _HEADINGS_PER_ENTRY = 200, 10
"""Headings in the outlines. Chosen: about 800 words, and less than the entries to move."""


def outlines(targets: Sequence[TargetFile], entries: int, limit: int) -> list[str]:
    """Return a line for each target: its room in lines, and its headings as a move names them.

    Headings below another one stand in brackets behind it. If there are too many for a number of
    entries, these are left out; if there are still too many, all headings are.
    """
    most = min(_MOST_HEADINGS, _HEADINGS_PER_ENTRY * entries)
    listed = [(target, [*_outline(target)]) for target in targets]
    depths = [depth for _, rows in listed for depth, _ in rows]
    deepest = next(d for d in (1, 0, -1) if sum(x <= d for x in depths) <= most)
    lines = []
    for target, rows in listed:
        room = limit - target.lines
        left = f"room for {counted(room, 'line')}" if room > 0 else "full"
        line = f"{printable(target.path)} ({left})"
        separator = ": "
        for (depth, name), (after, _) in pairwise([*(r for r in rows if r[0] <= deepest), (0, "")]):
            line += f"{separator}{printable(name)}"
            separator = " [" if after > depth else "]; " if after < depth else "; "
        lines.append(line + "]" * (separator == "]; "))
    return lines


def _outline(target: TargetFile) -> Iterator[tuple[int, str]]:
    """Yield the names of the headings of a file, with their depth below its title from 0."""
    named = [*zip(target.sections, names_of(target.sections), strict=True)]
    tops = sum(1 for section, _ in named if section.title and not section.trail)
    for section, name in named:
        depth = len(section.trail) - (tops == 1 and len(named) > 1)
        if name and depth >= 0:
            yield depth, name


def section_called(name: str, sections: Sequence[TargetSection]) -> TargetSection | str:
    """Return the section with a name, or else an error message with advice."""
    key = identity_of(name)
    named = [section for section in sections if key in map(identity_of, _names_of_section(section))]
    if len(named) == 1:
        return named[0]
    if named:
        lines = ", ".join(str(section.line) for section in named)
        names = zip(sections, names_of(sections), strict=True)
        longer = [quoted(name) for section, name in names if name and section in named]
        advice = f"write {' or '.join(longer)}" if longer else "rename one of them"
        return f"{named[0].path} has that heading on lines {lines}; {advice}"
    titles = {
        identity_of(title): title for section in sections for title in _names_of_section(section)
    }
    path = sections[0].path if sections else "the file"
    near = nearest(key, titles)
    advice = f"the nearest is {quoted(titles[near])}" if near else "use an existing heading"
    return f"{path} has no heading {quoted(name)}; {advice}, or name the file alone"


def place_now(subject: str, entry: str, targets: Sequence[TargetFile]) -> str:
    """Return the target to which an entry went, by its name, or the file to which a split moved it.

    That is the only other file which has the heading, if the target itself does not have it.
    """
    path, name = split_subject(subject)
    wanted = identity_of((name or entry).rpartition(BELOW)[2])
    having = [
        target.path
        for target in targets
        if any(identity_of(s.title) == wanted for s in target.sections)
    ]
    moved = path not in having and len(having) == 1
    return f"{having[0]}{f'#{name}' * bool(name)}" if moved else subject


def _names_of_section(section: TargetSection) -> Iterator[str]:
    """Yield the title of a section, then the same with the titles of the headings around it."""
    titles = [" ".join(title.split()) for title in (*section.trail, section.title)]
    if section.title:
        yield from (BELOW.join(titles[start:]) for start in range(len(titles) - 1, -1, -1))


_ITEM = lazy_pattern(rf" {{0,3}}{LIST_MARKER}[ \t]")
_BELOW_TITLE = 2
"""The level of the headings below the title of a file."""


def block_of(
    entries: Sequence[Entry], text: str, level: int, *, source: str, target: str
) -> list[str]:
    """Return the text to insert for entries, as lines without terminators.

    This is the text or, if there is none, the entries word for word. Their headings, and the
    heading with which a text begins, get `level`, and the headings inside are deeper by as much.
    Relative links of entries outside of code are adapted from the source to the target; both are
    POSIX paths relative to the root. An entry that is a file is the source itself.
    """
    if text:
        own = [f"{line}\n" for line in text.split("\n")]
        first = [heading.level for heading in outline_of(own).headings if heading.line == 1]
        return [*map(chomp, deeper(own, level - first[0] if first else 0))]
    lines: list[str] = []
    for entry in entries:
        by = level - entry.level if entry.level else 0
        own = [*map(chomp, rebased(deeper(entry.lines, by), entry.path or source, target))]
        lines += ["", *without_filler(own)] if lines and entry.level else without_filler(own)
    return lines


def level_of_move(data: bytes, below: int | None) -> int:
    """Return the level of a heading that moves to the section whose heading is on a line.

    A section with text and without sub-sections is an entry of its own: the heading goes after it
    at its level, not into it (issue: of 170 real headings none is nested in a foreign entry). If
    the line is None, the heading goes to the end of the file, below its title.
    """
    if below is None:
        return _BELOW_TITLE
    blocks = blocks_of(data)
    level, inner, first_end, _ = _section(blocks, below)
    if inner > level:
        return inner
    has_text = any(not is_filler(line) for line in blocks.lines[below:first_end])
    return level if has_text and level >= _BELOW_TITLE else level + 1


def _section(blocks: Blocks, below: int) -> tuple[int, int, int, int]:
    """Return the level of the heading on a line, that of the next one, and where the text ends.

    The ends are the last line above the next heading, and above the next section.
    """
    headings = blocks.outline.headings
    index = next(number for number, heading in enumerate(headings) if heading.line == below)
    end = section_ends(headings, len(blocks.lines))[index]
    if not headings[index + 1 :]:
        return headings[index].level, 0, end, end
    inner = headings[index + 1]
    return headings[index].level, inner.level, min(inner.line - 1, end), end


def insert(data: bytes, lines: Sequence[str], *, below: int | None) -> bytes | None:
    """Insert lines at the end of the section whose heading is on line `below`, 1-based.

    None: at the end of the file. A text that begins with a heading goes after the sub-sections, any
    other text before them. If the text is already there, line for line, the file is returned
    unchanged. Returns None if a code block or comment that is never closed, in the file or in the
    lines, would hide the inserted text or the text below.
    """
    blocks = blocks_of(data)
    if _index_of(lines, blocks.lines[(below or 1) - 1 :]) is not None:
        return data
    own = outline_of([f"{line}\n" for line in lines])
    if not all(block.closed for block in (*own.hiding_blocks, *blocks.outline.hiding_blocks)):
        return None
    writer = LineWriter("".join(blocks.lines))
    end = _end(blocks, lines, below)
    above, rest = writer.source[:end], writer.source[end:]
    writer.keep(above)
    if not (above and _ITEM.match(lines[0]) and _ITEM.match(above[-1])):
        writer.set_apart()
    writer.add(lines)
    if rest and rest[0].strip():
        writer.add([""])
    writer.keep(rest)
    after = writer.to_bytes()
    expected = len(blocks.outline.headings) + len(own.headings)
    return after if len(blocks_of(after).outline.headings) == expected else None


def taken_out(data: bytes, lines: Sequence[str]) -> bytes:
    """Return a file without the first consecutive occurrence of some lines."""
    source = blocks_of(data).lines
    index = _index_of(lines, source)
    if index is None:
        return data
    return encode("".join((*source[:index], *source[index + len(lines) :])))


def line_of(data: bytes, lines: Sequence[str]) -> int | None:
    """Return the 1-based line of a file at which some lines stand; None if they do not."""
    index = _index_of(lines, blocks_of(data).lines)
    return None if index is None else index + 1


def _index_of(lines: Sequence[str], source: Sequence[str]) -> int | None:
    """Return the index in a source at which these lines begin, None if they do not occur."""
    texts = [chomp(line).rstrip() for line in source]
    wanted = [line.rstrip() for line in lines]
    starts = (index for index, text in enumerate(texts) if text == wanted[0])
    return next((i for i in starts if texts[i : i + len(wanted)] == wanted), None)


def _end(blocks: Blocks, lines: Sequence[str], below: int | None) -> int:
    """Return the number of lines above the insertion."""
    end = len(blocks.lines)
    if below is not None:
        *_, first_end, end = _section(blocks, below)
        end = end if lines[0].startswith("#") else first_end
    first = below or 0
    while end > first and not blocks.lines[end - 1].strip():
        end -= 1
    # A separator at the end of the section stays below the insertion, with its blank line.
    above = end
    while above > first and is_filler(blocks.lines[above - 1]):
        above -= 1
    is_set_off = above < end and not blocks.lines[above].strip()
    return above if is_set_off else end
