"""Generated raw files with a person's themes for them: three stores of 30 findings each.

They were written before any level was chosen. Each finding is as somebody would note it at the end
of a work unit, without regard to the spelling of words elsewhere in its theme. A line of a store is
the work unit, the theme (`-` for a finding without one), the rule, and the observation.
"""

from __future__ import annotations

from pathlib import Path

Row = tuple[str, str, str, str]


def _rows(path: Path) -> tuple[Row, ...]:
    lines = path.read_text(encoding="utf-8").splitlines()
    parts = (line.split(" | ") for line in lines)
    return tuple((unit, theme, rule, seen) for unit, theme, rule, seen in parts)


STORES = {path.stem: _rows(path) for path in sorted(Path(__file__).parent.glob("tiers/*.txt"))}
