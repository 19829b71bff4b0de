from __future__ import annotations

import pytest

from learnings.core.findings.finding import Severity
from tests.rules.cases import BOM, FRONT, lines, run

RULE = "dialect-doubtful"
DAYS = "## 2026-03-04\n\n- a\n- b\n\n## 2026-03-09\n\n- c\n- d\n"
CHAPTERS = "".join(f"## {name}\n\n" + "- plain words\n" * 9 + "\n" for name in ("Git", "CI"))
GROUPS = "".join(
    f"## About {name}\n\ntext\n\n" + "".join(f"### {name} {n}\n\ntext\n\n" for n in range(4))
    for name in ("builds and tests", "locks and queues")
)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (DAYS, "4 list items below 2 short headings; if the headings are the entries, set dialect"),
        (GROUPS, "2 entries hold 8 headings at level 3; if those are the entries, set entry-level"),
        (
            "# A\n\n- x\n\n# B\n\n- y\n\n# C\n\n- z\n".replace("# ", "# This is about "),
            "3 headings are at level 1; if those are the entries, set dialect = ",
        ),
    ],
)
def test_another_reading_comes_close(source: str, message: str) -> None:
    for text in source, f"{FRONT}{source}", f"{BOM}{source}", source.replace("\n", "\r\n"):
        (finding,) = run(RULE, text)
        assert finding.message.startswith(message)
        assert (finding.line, finding.severity) == (1, Severity.NOTICE)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "## [2026-03-04-120000] Git\n\n" + "- x\n" * 9 + "\n## [2026-03-05-120000] CI\n\n- y\n",
        "## P\n\n### one\n\ntext\n\n### two\n\ntext\n\n## Q\n\n### three\n\ntext\n",
    ],
)
def test_nothing_to_doubt(source: str) -> None:
    assert lines(RULE, source) == []


@pytest.mark.parametrize("source", [DAYS, CHAPTERS, GROUPS])
def test_what_is_configured_is_not_doubted(source: str) -> None:
    assert lines(RULE, source, dialect="heading") == []
    assert lines(RULE, source, dialect="bullet") == []
    assert lines(RULE, source, entry_level=2) == []
