from __future__ import annotations

import pytest

from learnings.core.findings.finding import Severity
from tests.rules.cases import run


@pytest.mark.parametrize("source", ["", "# L\n", "| a | b |\n|---|---|\n"])
def test_no_entry(source: str) -> None:
    (finding,) = run("dialect-unknown", source)
    assert (finding.line, finding.severity) == (1, Severity.NOTICE)


@pytest.mark.parametrize(
    ("source", "wording"),
    [
        ("# L\n", "fewer than two at level 3, no list item; write"),
        ("# L\n\n- a\n\n### B\n\n- c\n", "fewer than half of the list items with a date; write"),
        ("# A\n\na\n\n# B\n\nb\n\n# C\n", "3 headings are at level 1; if those are the entries, "),
        ("# L\n\nMoved to docs/x.md\n", "says that the file has moved"),
    ],
)
def test_message_is_true_of_the_file(source: str, wording: str) -> None:
    (finding,) = run("dialect-unknown", source)
    assert wording in finding.message


@pytest.mark.parametrize("source", ["## A\n", "- a\n- b\n", "## [2026-02-16-120000] A\n"])
def test_each_dialect(source: str) -> None:
    assert run("dialect-unknown", source) == []
