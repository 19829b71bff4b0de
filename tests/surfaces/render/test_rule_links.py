"""The URLs of the rules lead to their documentation."""

from __future__ import annotations

from urllib.parse import urlsplit

import learnings
from learnings.rules import RULES
from learnings.surfaces.render.findings import rule_link
from tests.support import documents
from tests.support.checkout import pyproject
from tests.support.guard import ROOT


def test_each_leads_to_a_heading_of_the_page_at_this_version() -> None:
    repository = pyproject()["project"]["urls"]["Repository"]
    anchors = documents.anchors(ROOT / "docs" / "rules.md")
    links = {rule.id: urlsplit(rule_link(rule.id)) for rule in RULES}
    pages = {link._replace(fragment="").geturl() for link in links.values()}
    assert pages == {f"{repository}/blob/{learnings.REVISION}/docs/rules.md"}
    assert {rule: link.fragment for rule, link in links.items()} == {
        rule: rule for rule in links if rule in anchors
    }
