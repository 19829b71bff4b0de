"""The documentation as a site: every page is in its menu, and links out of it lead somewhere."""

from __future__ import annotations

import re
import runpy
from types import SimpleNamespace

from learnings import HOME, REVISION
from learnings.rules import RULES
from learnings.surfaces.cli.commands import COMMANDS
from tests.project.test_layers import RANKS
from tests.support.checkout import manifest
from tests.support.guard import ROOT

DOCS = ROOT / "docs"
CONF = SimpleNamespace(**runpy.run_path(str(DOCS / "conf.py")))


def prepared(page: str) -> str:
    source = [(DOCS / f"{page}.md").read_text(encoding="utf-8")]
    CONF._prepare(None, page, source)
    return source[0]


def test_the_menu_has_every_page_once() -> None:
    names = [name for pages in CONF._MENU.values() for name in pages.split()]
    assert sorted([*names, "index"]) == sorted(
        path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")
    )
    menu = prepared("index").split("```{toctree}")[1:]
    assert [name for part in menu for name in re.findall(r"(?m)^[a-z/-]+$", part)] == names


def test_links_out_of_it_lead_to_the_repository_or_are_text() -> None:
    for path in DOCS.rglob("*.md"):
        page = path.relative_to(DOCS).with_suffix("").as_posix()
        text = prepared(page)
        outside = "](" + "../" * (page.count("/") + 1)
        assert outside not in text
        for target in re.findall(rf"\]\({re.escape(HOME)}/blob/{REVISION}/([^)#]+)", text):
            assert (ROOT / target).exists(), f"{path.name}: {target}"


def test_the_page_of_the_rules_has_their_full_texts() -> None:
    text = prepared("rules")
    ids = [rule.id for rule in RULES]
    # Examples have headings, too.
    assert [title for title in re.findall(r"(?m)^## (.*)$", text) if title in ids] == ids
    assert "<a id" not in text
    assert all(f"| [`{one}`](#{one}) |" in text for one in ids)


README = (ROOT / "README.md").read_text(encoding="utf-8")
MARKS = (
    *("coding agents write", "keeps it small", "It never decides", "docs/terminal.svg"),
    *("**entry**", "```markdown", "**consolidate**", "**due**"),  # before output uses these words
    *("\nuvx ", "\npipx install ", "$ learnings\n", "$ learnings check", "$ learnings due"),
    *("## Hooks", "```yaml", "## Continuous integration", "## Commands", "## Documentation"),
    *("\nmake demo", "\nmake test"),
)


def test_it_is_short_and_keeps_its_order() -> None:
    assert README.count("\n") < 120, "show in docs/ what is more than the first steps"
    positions = [README.index(mark) for mark in MARKS]
    assert positions == sorted(positions)


def test_every_hook_has_a_line_and_a_section() -> None:
    lines = set(re.findall(r"^ *- id: ([a-z-]+)  # \w", README, flags=re.MULTILINE))
    assert lines == {*manifest()}
    text = (ROOT / "docs/hooks.md").read_text(encoding="utf-8")
    assert {*manifest()} <= {*re.findall(r"(?m)^#+ `?([a-z-]+)`?$", text)}


def test_no_other_command_or_revision_is_promised() -> None:
    shown = re.findall(r"(?:`|^\s*(?:\$ )?)learnings ([a-z][a-z-]+)", README, flags=re.MULTILINE)
    assert {"check", "due"} <= set(shown) <= set(COMMANDS)
    assert re.findall(r"^\s*rev: (\S+)", README, flags=re.MULTILINE) == [REVISION]


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
