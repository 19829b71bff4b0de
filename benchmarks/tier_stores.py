"""Made-up raw files with the themes that a person sees in them: three stores of 30 findings each.

Written before any level was chosen, each finding as somebody would note it at the end of a work
unit, without looking at how the words of its theme are spelt elsewhere. A line of a store is the
work unit, the theme (`-` for a finding that stands alone), the rule, and what was seen.
"""

from __future__ import annotations

from pathlib import Path

Row = tuple[str, str, str, str]


def _rows(path: Path) -> tuple[Row, ...]:
    lines = path.read_text(encoding="utf-8").splitlines()
    parts = (line.split(" | ") for line in lines)
    return tuple((unit, theme, rule, seen) for unit, theme, rule, seen in parts)


STORES = {path.stem: _rows(path) for path in sorted(Path(__file__).parent.glob("tiers/*.txt"))}
