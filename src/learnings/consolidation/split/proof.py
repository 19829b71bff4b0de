"""The proof that a split loses nothing: the same lines with text, read as the same blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from learnings.consolidation.split.composing import NewText
from learnings.consolidation.split.links import without_targets
from learnings.consolidation.split.source import Source, read_source
from learnings.core.errors import FixRefused
from learnings.core.findings.finding import quoted
from learnings.core.text import chomp, decode, split_lines


def refuse_loss(source: Source, texts: Sequence[NewText], contents: Mapping[str, bytes]) -> None:
    """Raise FixRefused unless the new contents hold each line of the source, as often as it does.

    contents are those of the files by path, texts say which lines are added. Blank lines and the
    destinations of links do not count. Nor may a line be read as something else: a heading as text
    or code, or the other way round.
    """
    before = _texts(source.lines)
    after: Counter[str] = Counter()
    for text in texts:
        lines = split_lines(decode(contents[text.path]).removeprefix(source.bom))
        after += _texts(lines) - _texts(text.added)
    if lost := before - after:
        raise _refused(source, f"would lose the line {quoted(next(iter(lost)))}")
    if surplus := after - before:
        raise _refused(source, f"would write the line {quoted(next(iter(surplus)))} twice")
    for text in texts:
        _refuse_misread(source, text, read_source(text.path, contents[text.path]))


def _refuse_misread(source: Source, text: NewText, after: Source) -> None:
    headings = {heading.first: heading for heading in source.headings}
    numbers = {number: line for number, line in enumerate(text.lines, start=1) if line.origin}
    expected = {
        number: (headings[line.origin].level, headings[line.origin].title)
        for number, line in numbers.items()
        if line.origin in headings
    }
    actual = {h.first: (h.level, h.title) for h in after.headings if h.first in numbers}
    hidden = {number for number, line in numbers.items() if line.origin in source.hidden}
    if len(text.lines) != len(after.lines) or expected != actual:
        raise _refused(source, f"would change what is a heading in {quoted(text.path)}")
    if hidden != {*after.hidden} & {*numbers}:
        raise _refused(source, f"would change what is code or a comment in {quoted(text.path)}")


def _texts(lines: Iterable[str]) -> Counter[str]:
    return Counter(without_targets(chomp(line)).strip() for line in lines if line.strip())


def _refused(source: Source, reason: str) -> FixRefused:
    return FixRefused(f"{source.path} is left as it is: a split {reason}; split it by hand")
