"""The text that an editor shows for an entry and for a finding, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.buffers import EntryFacts
from learnings.core.due.ages import COMMIT, UNCOMMITTED, EntryAge
from learnings.core.text import counted, short_commit
from learnings.rules import RULES, dead_reference
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.lines import joined_lines, line, span
from learnings.surfaces.render.rules import page

_RULES = {rule.ID: rule for rule in RULES}


def about_rule(rule_id: str) -> str:
    """Return the page of a rule with a link to the same page on the web."""
    return f"{page(_RULES[rule_id])}\n[{rule_id} in the documentation]({rule_link(rule_id)})\n"


@joined_lines
def about_entry(facts: EntryFacts) -> Iterator[str]:
    """Return the age and origin of an entry, and the state of the things it names."""
    yield f"**{line(facts.entry.heading)}**"
    yield ""
    if facts.age is None:
        yield f"- Age: unknown ({line(facts.problem)})"
    else:
        yield from _about_age(facts.age)
    if facts.references is not None:
        yield f"- References: {facts.references.known}, {len(facts.references.dead) or 'none'} dead"
        for dead in facts.references.dead:
            yield f"  - {line(dead_reference.message_of(dead))}"


def _about_age(age: EntryAge) -> Iterator[str]:
    origin = age.origin
    if age.active_days is None:
        yield f"- Age: unknown ({line(origin.reason or 'no commit added it')})"
    else:
        bound = "≥ " if age.lower_bound else ""
        yield f"- Age: {bound}{counted(age.active_days, 'active day')}"
    if origin.basis == UNCOMMITTED:
        yield "- Added: not committed yet"
        return
    commit = f" in `{short_commit(origin.commit)}`" if origin.commit else ""
    yield f"- Added: {origin.date or 'unknown'}{commit}"
    if origin.basis != COMMIT:
        source = f" from {span(origin.moved_from)}" if origin.moved_from else ""
        yield f"- Based on: {origin.basis}{source}"
