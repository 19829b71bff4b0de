"""A diff names its files as git does, whatever characters they have."""

from __future__ import annotations

import itertools
import json
import os
import re
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import learnings
from learnings.core.text import printable
from learnings.rules import RULES
from learnings.store.files import Change
from learnings.surfaces.render.changes_diff import diff
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.report import arc, series
from learnings.surfaces.render.writing import json_document
from tests.support import documents
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

NAMES = ["a b.md", "é.md", 'a"b\\c.md', "a\n+++ b/evil.md", "\x1b[31m\u202e\udc9b.md"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", NAMES)
def test_git_applies_it_to_that_file(repository: GitRepository, name: str) -> None:
    repository.write(name, "one\n")
    head, *rest = diff([Change(name, b"one\n", b"two\n")])
    assert printable(head[:-1]) == head[:-1]
    patch = "".join((head, *rest)).encode("utf-8", "surrogateescape")
    repository.git("apply", stdin=patch)
    assert repository.read(name) == b"two\n"


def test_each_leads_to_a_heading_of_the_page_at_this_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(learnings, "HOME", "https://example.org/learnings")
    anchors = documents.anchors(ROOT / "docs" / "rules.md")
    links = {rule.id: urlsplit(rule_link(rule.id) or "") for rule in RULES}
    pages = {link._replace(fragment="").geturl() for link in links.values()}
    assert pages == {f"{learnings.HOME}/blob/{learnings.REVISION}/docs/rules.md"}
    assert {rule: link.fragment for rule, link in links.items()} == {
        rule: rule for rule in links if rule in anchors
    }
    monkeypatch.setattr(learnings, "HOME", "")
    assert rule_link(RULES[0].id) is None


ANY = st.text(st.characters(exclude_categories=[]) | st.sampled_from("\x7f\x9b\u2028\udce9"))


def test_text_stays_readable() -> None:
    assert json_document({"a": "é 🦉 „x“"}) == '{\n  "a": "é 🦉 „x“"\n}\n'


@given(ANY)
@example("caf\udce9")
@example("\x1b[31m\x9b31m\u2028")
def test_nothing_is_lost_and_every_output_takes_it(text: str) -> None:
    document = json_document({"a": text})
    assert json.loads(document.encode("utf-8")) == {"a": _read_back(text)}
    assert len(document.splitlines()) == 3
    assert not {"\x1b", "\x7f", "\x9b"} & set(document)


def _read_back(text: str) -> str:
    """Return a text with surrogate pairs joined, as JSON reads them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


DAYS = ("2026-01-01", "2026-01-02", "2026-01-05", "2026-01-09", "2026-02-01")


def test_a_line_goes_in_steps_from_the_first_day_to_the_last() -> None:
    size = series(DAYS, [0, 50, 100, 150, 200], threshold=150)
    assert size.line == "M0.00 100.00H25.00V75.00H50.00V50.00H75.00V25.00H100.00V0.00"
    assert size.area == f"{size.line}V100H0.00Z"
    assert size.threshold == 25
    assert [tick.label for tick in size.values] == ["0", "50", "100", "150", "200"]
    assert [tick.at for tick in size.values] == [100, 75, 50, 25, 0]


def test_dates_stand_at_both_ends_and_between() -> None:
    assert [(tick.at, tick.label) for tick in series(DAYS, [1] * 5, threshold=None).days] == [
        (0, "2026-01-01"),
        (25, "2026-01-02"),
        (75, "2026-01-09"),
        (100, "2026-02-01"),
    ]


def test_one_day_is_a_line_across() -> None:
    size = series(DAYS[:1], [7], threshold=None)
    assert size.line == "M0.00 12.50H100"
    assert size.threshold is None


@pytest.mark.parametrize("most", [0, 1, 4, 5, 10, 11, 150, 401, 99_999])
def test_an_axis_ends_above_every_value_in_few_round_steps(most: int) -> None:
    ticks = series(DAYS[:2], [0, most], threshold=None).values
    numbers = [int(tick.label.replace(",", "")) for tick in ticks]
    steps = {second - first for first, second in itertools.pairwise(numbers)}
    assert numbers[0] == 0
    assert numbers[-1] >= most
    assert 2 <= len(numbers) <= 5
    assert len(steps) == 1
    assert re.fullmatch(r"[125]0*", str(*steps))


def test_a_wider_arc_is_higher_and_none_leaves_the_chart() -> None:
    heights = []
    for end in (1, 20, 60, 100):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", arc(0, end))]
        assert numbers[:2] == [0, 100]
        assert numbers[-2:] == [end, 100]
        heights.append(0.25 * 100 + 0.75 * numbers[3])  # of a curve with both handles there
    assert heights == sorted(heights, reverse=True)
    assert min(heights) >= -0.01
