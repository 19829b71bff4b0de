"""Memory files in all shapes, for properties that hold for every file."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

BODIES = (
    "\nLook at the lock first.\n\n",
    "\n**Context**: x\n\n**Lesson**: y\n\n---\n\n",
    "\n```sh\n## not a heading\nls\n```\n\n",
    "\n- item\n  - nested\n\n~~~\n~~~~\n~~~\n",
    "\n<!-- ## Group: hidden -->\nText without a blank line below.\n",
    "\n#### Deeper\n\ntext\n\n",
    "\n~~Superseded by another~~\n\n",
    "\nTrailing blanks  \n\t\n\n\n",
    "",
    "\n",
)
ITEM_BODIES = ("", "  more\n", "  - nested\n", "\n  a paragraph\n\n", "  ```\n  - code\n  ```\n")
PREAMBLES = ("", "# Learnings\n\n", "# L\n\nWhat we learned.\n\n---\n\n", "\ufeff# L\n", "\ufeff")
HEADINGS = {
    "heading": "## When case {number} is met",
    "dated": "## Case {number} ({date})",
    "timestamped": "## [{date}-120000] Case {number}",
    "identified": "## [L-{number:03}] Case",
    "category": "### Case {number} of a category",
    "bullet": "- {date}: case {number} is met",
}


class Memory(NamedTuple):
    """A memory file; is_sorted: the dates of its entries rise or fall throughout."""

    data: bytes
    is_sorted: bool


@st.composite
def memories(draw: st.DrawFn, *, least: int = 2, most: int = 7) -> Memory:
    """Generate memory files of every dialect, with any line ends, in either order of time."""
    dialect = draw(st.sampled_from(sorted(HEADINGS)))
    count = draw(st.integers(least, most))
    numbers = draw(st.permutations(range(1, count + 1)) | st.just([*range(1, count + 1)]))
    numbers = numbers[::-1] if draw(st.booleans()) else numbers
    bodies = ITEM_BODIES if dialect == "bullet" else BODIES
    parts = [draw(st.sampled_from(PREAMBLES))]
    for position, number in enumerate(numbers):
        if dialect == "category" and (position == 0 or draw(st.booleans())):
            parts.append(f"## Category {position}\n\n")
        heading = HEADINGS[dialect].format(number=number, date=f"2026-03-{number:02}")
        parts.append(f"{heading}\n{draw(st.sampled_from(bodies))}")
    text = "".join(parts)
    if draw(st.booleans()):
        text = text.rstrip("\n")
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    is_dated = dialect in ("dated", "timestamped", "bullet")
    is_sorted = is_dated and [*numbers] in (sorted(numbers), sorted(numbers, reverse=True))
    return Memory(text.replace("\n", newline).encode(), is_sorted)
