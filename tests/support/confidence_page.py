"""The project that docs/confidence.md builds, up to one of its blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.support import documents
from tests.support.command import Command

if TYPE_CHECKING:
    from tests.support.examples import Place

PAGE = "docs/confidence.md"
DAYS = ("2026-03-02", "2026-03-09", "2026-03-16")
"""The day on which the stories of the page are completed."""
NEXT_STORY = "Exports are uploads to the object store. A worker takes them from a queue at night.\n"
PRINCIPLES = ".shaktra/memory/principles.yml"


def _observation_files() -> list[documents.Block]:
    blocks = documents.of("yaml")
    return [block for block in blocks if block.page == PAGE and "file" in block.directives]


def story(number: int) -> Callable[[Place], None]:
    """Return the state just after a story has ended, with all earlier stories in the memory."""

    def prepare(place: Place) -> None:
        repository = place.repository
        curate = Command("learnings")
        files = _observation_files()
        assert len(files) == len(DAYS)
        for index, (block, day) in enumerate(zip(files[:number], DAYS, strict=False), start=1):
            path = block.directives["file"]
            repository.write(path, block.text)
            handoff = path.replace(".observations.yml", "handoff.yml")
            repository.write(handoff, f"completed: {day}\n")
            if index < number:
                curate("memory", "curate", "--today", day, cwd=place.path)
        repository.write("ST-004.md", NEXT_STORY)

    return prepare


def edited(place: Place) -> None:
    """Commit the memory of the page, then change a confidence in it by hand."""
    story(len(DAYS))(place)
    Command("learnings")("memory", "curate", "--today", DAYS[-1], cwd=place.path)
    place.repository.commit()
    text = place.repository.read(PRINCIPLES).decode()
    place.repository.write(PRINCIPLES, text.replace("confidence: 0.76", "confidence: 0.90"))
