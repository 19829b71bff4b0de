"""The anchors that a link into a Markdown file can name."""

from __future__ import annotations

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.anchors import AnchoredHeading, anchors_of, loose_anchor, own_anchors
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.parser import setext_headings
from learnings.core.text import chomp


def anchors_in(data: bytes) -> frozenset[str]:
    """Return the loose-form anchors of a file, from headings or set by hand."""
    lines, front_matter, outline = blocks_of(data)
    titles = {heading.line: heading_text(lines[heading.line - 1]) for heading in outline.headings}
    if any(line.strip() and not line.strip(" =-\r\n") for line in lines[front_matter:]):
        for block, _ in setext_headings(lines[front_matter:]):
            number = block.first + front_matter
            titles[number] = chomp(lines[number - 1]).strip()
    by_hand = (anchor for line in lines for anchor in own_anchors(chomp(line)))
    made = anchors_of(AnchoredHeading(*item) for item in sorted(titles.items())).values()
    return frozenset(map(loose_anchor, (*made, *by_hand)))
