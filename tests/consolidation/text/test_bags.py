from __future__ import annotations

from learnings.consolidation.text.sections import bag_of_entry, bag_of_section
from learnings.core.entries.document import read
from tests.consolidation.memory import memory, target


def test_titles_count_more_and_repetitions_little() -> None:
    (entry,) = memory(("Cache", "Locale tenant tenant.")).entries
    bag = bag_of_entry(entry)
    assert list(bag) == ["cach", "local", "tenant"]
    assert bag["local"] == 1.0
    assert bag["local"] < bag["cach"] == bag["tenant"] < 2.0


def test_a_list_item_is_counted_once() -> None:
    (item,) = read(b"- 2026-02-01: **Tenant** the cache\n").entries
    assert bag_of_entry(item)["cach"] == 1.0


def test_a_section_is_its_heading_and_text_without_the_headings_around() -> None:
    section = target(("Cache", "Locale, tenant and tenant."), path="docs/a.md").sections[-1]
    assert section.trail
    assert bag_of_section(section) == {"cach": 2.0, "local": 1.0, "tenant": 2.0}
