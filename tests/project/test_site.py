"""The documentation as a site: every page is in its menu, and links out of it lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from learnings.rules import RULES
from tests.support.guard import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def conf() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prepared(conf: ModuleType, page: str) -> str:
    source = [(DOCS / f"{page}.md").read_text(encoding="utf-8")]
    conf._prepare(None, page, source)
    return source[0]


def test_the_menu_has_every_page_once(conf: ModuleType) -> None:
    names = [name for pages in conf._MENU.values() for name in pages.split()]
    assert sorted([*names, "index"]) == sorted(
        path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")
    )
    menu = prepared(conf, "index").split("```{toctree}")[1:]
    assert [name for part in menu for name in re.findall(r"(?m)^[a-z/-]+$", part)] == names


def test_links_out_of_it_lead_to_the_repository(conf: ModuleType) -> None:
    for path in DOCS.rglob("*.md"):
        page = path.relative_to(DOCS).with_suffix("").as_posix()
        text = prepared(conf, page)
        outside = "](" + "../" * (page.count("/") + 1)
        assert outside not in text
        for target in re.findall(rf"\]\({conf._REPOSITORY}([^)#]+)", text):
            assert (ROOT / target).exists(), f"{path.name}: {target}"


def test_the_page_of_the_rules_has_their_full_texts(conf: ModuleType) -> None:
    text = prepared(conf, "rules")
    ids = [rule.id for rule in RULES]
    # Examples have headings, too.
    assert [title for title in re.findall(r"(?m)^## (.*)$", text) if title in ids] == ids
    assert "<a id" not in text
    assert all(f"| [`{one}`](#{one}) |" in text for one in ids)
