from __future__ import annotations

import pytest

from learnings.core.markdown.blocks import front_matter_end
from learnings.core.text import split_lines

# The file, the last line of its front matter, and that of a file which has to have one.
FILES = {
    "empty": ("", 0, 0),
    "keys": ("---\na: b\n---\n# L\n", 3, 3),
    "nothing": ("---\n---\n# L\n", 2, 2),
    "byte order mark": ("\ufeff---\na: b\n---\n", 3, 3),
    "blanks behind the marks": ("--- \na: b\n---\t\n", 3, 3),
    "three dots": ("---\na: b\n...\n---\n", 3, 4),
    "never closed": ("---\na: b\n", 0, 0),
    "separator": ("---\n\nWords.\n\n---\n", 0, 5),
    "separators and nothing": ("---\n\n\n---\n", 0, 4),
    "a heading": ("---\n## A\na: b\n---\n", 0, 4),
    "below a line": ("\n---\na: b\n---\n", 0, 0),
}


@pytest.mark.parametrize(("text", "end", "certain_end"), FILES.values(), ids=FILES)
def test_front_matter_ends_at_its_second_mark(text: str, end: int, certain_end: int) -> None:
    lines = split_lines(text)

    assert front_matter_end(lines) == end
    assert front_matter_end(lines, certain=True) == certain_end
