"""A fleet as one HTML page, most overdue first."""

from __future__ import annotations

from learnings.core.fleet import DUE, ERRORS, HEALTHY, STATES, UNKNOWN, Fleet
from learnings.surfaces.render import fleet_words
from learnings.surfaces.render.html_page import html_page

# Rows of the page: more make it larger than a browser shows at once; the document has all.
MOST_ROWS = 2000


def render(fleet: Fleet) -> str:
    """Return the page. Names and reasons are escaped wherever they stand."""
    trouble = [state for state in (DUE, UNKNOWN, ERRORS) if fleet.count(state)]
    return html_page(
        "fleet.html",
        fleet=fleet,
        level="warning" if trouble else "good",
        shares=[(state, fleet.count(state)) for state in STATES if fleet.count(state)],
        rows=fleet.rows[:MOST_ROWS],
        more=max(len(fleet.rows) - MOST_ROWS, 0),
        headline=fleet_words.headline(fleet),
        state_name=fleet_words.name,
        state_words=fleet_words.state,
        healthy=HEALTHY,
    )
