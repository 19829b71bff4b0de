from __future__ import annotations

from learnings.core.findings.finding import Severity, apply
from tests.rules.cases import run

MOVED = "<!-- renamed 2026-03-02 by 1a2b3c4d5e6f7: src/old.py to src/new.py -->\n"


def test_it_names_the_commit_the_day_and_what_to_write() -> None:
    (finding,) = run("dead-reference", f"# L\n{MOVED}\n## A\n\nSee `src/old.py:7`.\n")
    assert (finding.line, finding.column, finding.severity) == (6, 6, Severity.NOTICE)
    moved = '"src/old.py:7" moved in 1a2b3c4d5e6f on 2026-03-02'
    assert finding.message == f'{moved}; write "src/new.py"'


def test_the_fix_changes_the_path_alone() -> None:
    source = f"# L\n{MOVED}\n## A\n\nSee  `src/old.py:7`, `src/old.py`  \n"
    fixes = [finding.fix for finding in run("dead-reference", source) if finding.fix]
    fixed = apply(source.encode(), fixes, path="agents/learnings.md").decode()
    text = "See  `src/new.py:7`, `src/new.py`  \n"
    assert fixed == f"# L\n{MOVED}\n## A\n\n{text}"
