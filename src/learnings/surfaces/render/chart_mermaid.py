"""The size of a file over active days as a chart that GitHub draws."""

from __future__ import annotations

from learnings.core.due.growth import Growth

# Colours of our own, since the first of the default ones is nearly white.
_LOOK = '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#2f81f7, #e5534b"}}}}%%'


def render(growth: Growth) -> str:
    """Return a fenced Mermaid block: the lines, and the threshold as a line across."""
    last = growth.first + len(growth.lines) - 1
    top = max(*growth.lines, growth.threshold)
    ceiling = top + max(10, top // 10)
    return "\n".join(
        (
            "```mermaid",
            _LOOK,
            "xychart-beta",
            f'    x-axis "active days until {growth.as_of}" {growth.first} --> {last}',
            f'    y-axis "lines" 0 --> {ceiling}',
            f"    line {list(growth.lines)}",
            f"    line {[growth.threshold] * len(growth.lines)}",
            "```",
        )
    )
