"""A generated memory the size of a real one after a year; the same seed gives the same files.

    python benchmarks/memory.py FOLDER

It has the learnings, the files they moved to, and the index of these: 47 files, 11,000 lines, 500
KB. The files have no findings, so that a benchmark times the check and not the output.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

# Sizes chosen to match the memory that README.md describes.
DECISIONS = 44  # files
LINES_EACH = 215  # of a decision file; the limit is 400
ENTRIES = 14  # of the learnings file
RULES = 12  # sections of CLAUDE.md
WORDS = """
    the a of to in when a run that fails after every commit keeps its cache and reads from what was
    there before so that nobody waits for hooks parser index branch merge fixture timeout `--force`
    token agent session *never* build path `tests/unit` lock release config linter worker queue
"""
ACTIONS = "reading writing merging parsing caching retrying releasing linting mocking"
SUBJECTS = "fixtures branches timeouts tokens builds hooks queues schemas paths commits"


class Writer:
    """Write sections of Markdown, all different; `titles` are the used headings."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._number = count(1)
        self.titles: list[str] = []

    def section(self, level: int) -> list[str]:
        """Return the lines of a heading with its text: paragraphs, and often a list or code."""
        pick = self._random
        action, subject = pick.choice(ACTIONS.split()), pick.choice(SUBJECTS.split())
        title = f"When {action} {subject} ({next(self._number)})"
        self.titles.append(title)
        lines = [f"{'#' * level} {title}", "", *self.paragraph(), ""]
        for block in (self._bullets, self._code, self._steps, self._quote, self.paragraph):
            if pick.random() < 0.4:
                lines += [*block(), ""]
        return lines

    def paragraph(self) -> list[str]:
        """Return a few lines of text."""
        return [self._words(10, 17).capitalize() for _ in range(self._random.randint(2, 4))]

    def _words(self, least: int, most: int) -> str:
        return " ".join(self._random.choices(WORDS.split(), k=self._random.randint(least, most)))

    def _bullets(self) -> Iterator[str]:
        for _ in range(self._random.randint(2, 4)):
            yield f"- **{self._words(1, 3)}:** {self._words(9, 14)}"
            if self._random.random() < 0.3:
                yield f"  {self._words(8, 14)}"
                yield f"  - {self._words(6, 12)}"

    def _code(self) -> Iterator[str]:
        yield from ("```python", f"def {self._random.choice(ACTIONS.split())}(path: Path) -> int:")
        yield from (f"    # {self._words(3, 8)}" for _ in range(self._random.randint(2, 6)))
        yield from ("    return 0", "```")

    def _steps(self) -> Iterator[str]:
        for step in range(1, self._random.randint(3, 5)):
            yield f"{step}. {self._words(8, 14)}"

    def _quote(self) -> Iterator[str]:
        yield from (f"> {self._words(9, 14)}" for _ in range(2))


def make_memory(folder: Path, *, seed: int = 0) -> list[Path]:
    """Write the memory below a folder; return the paths of its files, relative to the folder."""
    texts = dict(_files(seed))
    for path, lines in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")
    return [Path(path) for path in texts]


def _files(seed: int) -> Iterator[tuple[str, Sequence[str]]]:
    writer = Writer(seed)
    yield "agents/learnings.md", _document("Learnings", writer, sections=ENTRIES)
    yield "CLAUDE.md", _document("How to work here", writer, sections=RULES)
    index = ["# Memory index", "", *writer.paragraph(), ""]
    for number in range(DECISIONS):
        path = f"agents/decisions/topic-{number:02}.md"
        writer.titles.clear()
        yield path, _decisions(number, writer)
        rows = [f"/when {title.removeprefix('When ')}" for title in writer.titles]
        index += [f"## {path}", "", *rows, ""]
    yield "agents/memory-index.md", index


def _document(title: str, writer: Writer, *, sections: int) -> list[str]:
    lines = [f"# {title}", "", *writer.paragraph(), ""]
    for _ in range(sections):
        lines += writer.section(2)
    return lines


def _decisions(number: int, writer: Writer) -> list[str]:
    lines = [f"# Decisions of topic {number}", "", *writer.paragraph(), ""]
    while len(lines) < LINES_EACH:
        lines += writer.section(2 if len(writer.titles) % 3 == 0 else 3)
    return lines


if __name__ == "__main__":
    made = make_memory(Path(sys.argv[1]))
    sizes = [(Path(sys.argv[1]) / path).read_bytes() for path in made]
    lines, size = sum(data.count(b"\n") for data in sizes), sum(map(len, sizes))
    print(f"{len(made)} files, {lines} lines, {size} bytes")
