"""Memory files for the tests of the merge: generated in every dialect, and edited on two sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from learnings.consolidation.merge.conflicts import Markers
from learnings.consolidation.merge.merge import Merge, merge
from learnings.consolidation.merge.versions import NotMerged

BODIES = (
    "Look at the lock before the cache is asked, since the worker holds it.",
    "Retries of a payment are never safe without a key of the caller.",
    "```sh\n# not a heading\n## nor this\nmake test\n```",
    "- one point of a list\n- another point\n\nand a last word about tenants",
    "**Context**: the carrier sends dates without zones.\n\n**Lesson**: ask which zone is meant.",
    "~~Superseded by another lesson~~\n\nThe importer reads the whole file at once.",
    "<!-- a remark -->\nA migration of the schema runs before the deploy and not behind it.",
    "Fixtures that sleep are the reason of every flaky test that was seen so far.",
)
DIALECTS = ("heading", "timestamped", "identified", "categories", "bullet")
NEWLINES = ("\n", "\r\n")


class Lesson(NamedTuple):
    """An entry by number.

    body is an index into BODIES; edit is added to the body, name to the title.
    """

    number: int
    body: int
    edit: str = ""
    name: str = ""


class Style(NamedTuple):
    """How a memory is written down."""

    dialect: str
    newline: str
    is_terminated: bool
    has_rules: bool
    newest_first: bool
    preamble: str


class Sides(NamedTuple):
    """The lessons of base, ours and theirs, in order, and the style of each."""

    lessons: tuple[tuple[Lesson, ...], tuple[Lesson, ...], tuple[Lesson, ...]]
    styles: tuple[Style, Style, Style]

    @property
    def files(self) -> tuple[bytes, bytes, bytes]:
        base, ours, theirs = map(written, self.lessons, self.styles)
        return base, ours, theirs


def title(lesson: Lesson) -> str:
    return f"When case {lesson.number} returns{lesson.name}"


def text_of(lesson: Lesson, style: Style) -> str:
    own = " ".join(f"word{lesson.number}x{count}" for count in range(30))
    body = f"{BODIES[lesson.body]}\n\n{own}" + (f"\n\n{lesson.edit}" if lesson.edit else "")
    stamp = f"2026-{1 + lesson.number // 28:02}-{1 + lesson.number % 28:02}"
    if style.dialect == "bullet":
        words = " ".join(body.replace("`", "").split())
        return f"- {stamp}: {title(lesson)}: {words}".replace("\n", " ")
    heading = {
        "heading": f"## {title(lesson)}",
        "timestamped": f"## [{stamp}-120000] {title(lesson)}",
        "identified": f"## [L-{lesson.number:03}] {title(lesson)}",
        "categories": f"### {title(lesson)}",
    }[style.dialect]
    return f"{heading}\n\n{body}"


def written(lessons: Sequence[Lesson], style: Style) -> bytes:
    between = "\n" if style.dialect == "bullet" else "\n\n---\n\n" if style.has_rules else "\n\n"
    parts = [text_of(lesson, style) for lesson in lessons]
    if style.dialect == "categories":
        parts.insert(0, "## Builds and tests")
    preamble = f"{style.preamble}\n\n" if style.preamble else ""
    text = preamble + between.join(parts)
    text = text + "\n" if style.is_terminated else text
    return text.replace("\n", style.newline).encode()


@st.composite
def three_versions(draw: st.DrawFn) -> Sides:
    numbers = st.lists(st.integers(0, 40), unique=True, min_size=3, max_size=7)
    lessons = [Lesson(number, draw(st.integers(0, 7))) for number in sorted(draw(numbers))]
    newest_first = draw(st.booleans())
    base = lessons[::-1] if newest_first else lessons
    style = Style(
        draw(st.sampled_from(DIALECTS)),
        draw(st.sampled_from(NEWLINES)),
        draw(st.booleans()),
        draw(st.booleans()),
        newest_first,
        draw(st.sampled_from(["# Learnings", "# Learnings\n\nOne lesson each.\n\n---"])),
    )
    sides = [draw(edited(base, first, newest_first=newest_first)) for first in (100, 200)]
    styles = [
        style._replace(
            newline=draw(st.sampled_from([style.newline, *NEWLINES])),
            is_terminated=draw(st.booleans()),
        )
        for _ in sides
    ]
    return Sides((tuple(base), *map(tuple, sides)), (style, *styles))  # type: ignore[arg-type]


@st.composite
def edited(
    draw: st.DrawFn, base: Sequence[Lesson], first: int, *, newest_first: bool
) -> list[Lesson]:
    lessons = []
    for lesson in base:
        deed = draw(st.sampled_from([*("keep",) * 5, "remove", "edit", "name"]))
        words = draw(st.sampled_from([" again", f" on side {first}"]))
        if deed == "edit":
            lessons.append(lesson._replace(edit=words.strip()))
        elif deed != "remove":
            lessons.append(lesson._replace(name=words if deed == "name" else ""))
    if len(lessons) > 1 and draw(st.integers(0, 5)) == 0:
        lessons.insert(draw(st.integers(0, len(lessons) - 1)), lessons.pop())
    for number in range(first, first + draw(st.integers(0, 3))):
        new = Lesson(number, draw(st.integers(0, 7)))
        lessons.insert(0, new) if newest_first else lessons.append(new)
    return lessons


def refused_text(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, int]:
    """Stand for the merge by lines where a test has none: both sides, in markers."""
    del base
    return (b"<<<<<<< ours\n" + ours + b"=======\n" + theirs + b">>>>>>> theirs\n", 1)


def merged(base: bytes, ours: bytes, theirs: bytes) -> Merge:
    """Merge three versions of a memory, of which at most one has another preamble."""
    return merge(base, ours, theirs, merge_text=refused_text)


def _merged_base(base: bytes, ours: bytes, theirs: bytes, size: int) -> bytes:
    """Return what git takes for the base after such a merge."""
    try:
        return merge(base, ours, theirs, merge_text=refused_text, markers=Markers(size)).data
    except NotMerged:
        return refused_text(base, ours, theirs)[0]


@st.composite
def versions_with_a_merged_base(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    """Draw a base that is a merge, with its conflicts if any, and two versions written after it.

    Each side has settled the conflicts in its own way, or left the base as it is.
    """
    sides = draw(three_versions())
    size = draw(st.sampled_from([7, 9, 11]))
    base = _merged_base(*sides.files, size)
    _, ours, theirs = ({lesson.number: lesson for lesson in lessons} for lessons in sides.lessons)
    style = sides.styles[1]

    def side(first: int) -> bytes:
        if draw(st.integers(0, 5)) == 0:
            new = text_of(Lesson(first, 0), style)
            return base + f"\n\n{new}\n".replace("\n", style.newline).encode()
        settled = [
            draw(st.sampled_from([one[number] for one in (ours, theirs) if number in one]))
            for number in {**ours, **theirs}
        ]
        return written(draw(edited(settled, first, newest_first=style.newest_first)), style)

    one, other = side(300), side(400)
    if draw(st.integers(0, 3)) == 0:  # a conflict of conflicts
        base = _merged_base(base, one, other, size + 2)
    return base, one, other
