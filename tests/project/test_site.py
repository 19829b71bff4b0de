"""The documentation as a site: every page is in its menu, and links out of it lead somewhere."""

from __future__ import annotations

import re
import runpy
from types import SimpleNamespace

from learnings.rules import RULES
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


def test_links_out_of_it_lead_to_the_repository() -> None:
    for path in DOCS.rglob("*.md"):
        page = path.relative_to(DOCS).with_suffix("").as_posix()
        text = prepared(page)
        outside = "](" + "../" * (page.count("/") + 1)
        assert outside not in text
        for target in re.findall(rf"\]\({CONF._REPOSITORY}([^)#]+)", text):
            assert (ROOT / target).exists(), f"{path.name}: {target}"


def test_the_page_of_the_rules_has_their_full_texts() -> None:
    text = prepared("rules")
    ids = [rule.id for rule in RULES]
    # Examples have headings, too.
    assert [title for title in re.findall(r"(?m)^## (.*)$", text) if title in ids] == ids
    assert "<a id" not in text
    assert all(f"| [`{one}`](#{one}) |" in text for one in ids)
