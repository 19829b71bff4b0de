"""The state of a memory as a badge: one SVG image that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from learnings.app.overview import Overview
from learnings.core.due.verdicts import Verdict
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable
from learnings.surfaces.render.report import answer

LABEL = "memory"
_BADGE_COLOURS = {"good": "#1a6b36", "warning": "#8f5200", "bad": "#b3261e"}
_NONE = "#545d69"  # no memory to judge
# Widths in a sans serif of 11 pixels; textLength gives the text this width everywhere.
_WIDTHS = {**dict.fromkeys(" ,.:;'!ijlt|", 3.7), "r": 4.7, "m": 10.7, "w": 9.0}
_USUAL = 6.8
_PADDING = 6
# Characters that printable() keeps but XML forbids.
_NOT_IN_XML = lazy_pattern("[\ufffe\uffff]")


def as_svg(state: Overview, *, name: str) -> str:
    """Return the badge of a repository with this name."""
    said = message(state)
    result = answer(state)
    colour = _BADGE_COLOURS[result.level] if state.forms else _NONE
    title = printable(f"Agent memory of {name}: {said}. {result.headline}.")
    title = _NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", title)
    left, right = (round(sum(_WIDTHS.get(c, _USUAL) for c in text)) for text in (LABEL, said))
    middle, total = left + 2 * _PADDING, left + right + 4 * _PADDING
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" role="img" '
        f"aria-label={quoteattr(title)}>\n"
        f"<title>{escape(title)}</title>\n"
        f'<clipPath id="round"><rect width="{total}" height="20" rx="3"/></clipPath>\n'
        f'<g clip-path="url(#round)">\n'
        f'<rect width="{middle}" height="20" fill="#333c47"/>\n'
        f'<rect x="{middle}" width="{total - middle}" height="20" fill="{colour}"/>\n</g>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">\n'
        f'<text x="{_PADDING}" y="14" textLength="{left}">{LABEL}</text>\n'
        f'<text x="{middle + _PADDING}" y="14" textLength="{right}">{escape(said)}</text>\n'
        "</g>\n</svg>\n"
    )


def message(state: Overview) -> str:
    """Return the numbers of a memory: `18 entries, 2 stale, 5.2k tokens`."""
    return ", ".join(_parts(state)) or "none"


def _parts(state: Overview) -> Iterator[str]:
    files = state.learnings
    readings = [file.reading for file in files if file.reading]
    if readings:
        yield counted(sum(reading.entries for reading in readings), "entry", "entries")
    verdicts = [file.verdict for file in files if file.verdict]
    if files and len(verdicts) < len(files):
        yield "ages unknown"
    elif files:
        yield f"{sum(map(stale, verdicts))} stale"
    elif state.forms:
        yield counted(len(state.forms), "memory", "memories")
    if state.cost.total.tokens:
        yield f"{_short(state.cost.total.tokens)} tokens"


def stale(verdict: Verdict) -> int:
    """Return the number of entries at least `freshness` active days old that do not rest."""
    resting = {one.entry_age.entry.identity for one in verdict.resting}
    return sum(age.entry.identity not in resting for age in verdict.report.fresh)


def _short(number: int) -> str:
    """Return 940 as it is, 5200 as `5.2k`, 52000 as `52k`."""
    if number < 1000:
        return str(number)
    thousands = number / 1000
    return f"{thousands:.1f}k".replace(".0k", "k") if thousands < 10 else f"{thousands:.0f}k"
