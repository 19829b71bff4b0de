"""docs/architecture.md and CONTRIBUTING.md name only what exists."""

from __future__ import annotations

import re

from tests.project.test_layers import RANKS
from tests.support.guard import ROOT

ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = (ARCHITECTURE, ROOT / "CONTRIBUTING.md")
# Names that stand for the reader's own.
OWN = re.compile(r"your_|<|^agents/")


def rows(section: str) -> list[list[str]]:
    """Return the cells of the table below a heading, without its head."""
    text = ARCHITECTURE.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2]
    table = re.search(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    assert table is not None
    lines = table[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_rank_is_explained() -> None:
    explained = {
        name.rpartition("/")[2]: int(rank)
        for rank, names, _ in rows("Ranks")
        for name in re.findall(r"`([^`]+)`", names)
    }
    assert explained == {name: rank for name, rank in RANKS.items() if name != "__main__"}


def test_questions_lead_to_packages() -> None:
    packages = [re.findall(r"`([^`]+/)`", cell) for _, cell in rows("Where is …?")]
    assert packages
    assert [candidates for candidates in packages if len(candidates) != 1] == []
    assert [path for (path,) in packages if not (ROOT / path).is_dir()] == []


def test_files_that_are_named_are_there() -> None:
    missing = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"(?<![\w/])(?:[\w.-]+/)+[\w.-]+\.\w+|(?:[\w-]+/)+(?=`)", text):
            starts = (ROOT, ROOT / "src" / "learnings", page.parent)
            if not OWN.search(name) and not any((start / name).exists() for start in starts):
                missing.append(f"{page.name}: {name}")
    assert missing == []
