"""Regular expressions are constants that are compiled when they are first used."""

from __future__ import annotations

import re

from tests.support.guard import ROOT

# `re.compile(` in a statement that is not indented, so that it runs when its module is imported.
EARLY = re.compile(r"^[A-Za-z_][^\n]*\bre\.compile\(", re.MULTILINE)


def test_no_module_compiles_a_pattern_while_it_is_imported() -> None:
    paths = [*(ROOT / "src").rglob("*.py"), *(ROOT / "hooks").rglob("*.py")]
    early = [
        f"{path.relative_to(ROOT)}: {match[0]}: use lazy_pattern of learnings.core.patterns"
        for path in paths
        for match in EARLY.finditer(path.read_text(encoding="utf-8"))
    ]
    assert "\n".join(early) == ""
