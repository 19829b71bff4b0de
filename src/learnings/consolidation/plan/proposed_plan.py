"""The plan that the program proposes: what to merge, drop or move, with a draft of merged texts.

A draft has a sentence or two of each entry, for somebody to rewrite.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.precheck import Against, Precheck
from learnings.consolidation.groups.groups import Group
from learnings.consolidation.plan.moving import names_of
from learnings.consolidation.plan.plan import DROP, KEEP, MERGE, Plan, PlanStep, member_of
from learnings.consolidation.routes.routes import Route, RouteCandidate
from learnings.consolidation.text.keywords import without_labels
from learnings.consolidation.text.sections import TargetFile
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import item_text
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER, has_text
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable, shortened

# Characters: up to the first number a second sentence is added, and no draft of an entry is longer
# than the second. One and two lines of a wrapped file; chosen, not measured.
_SHORT, _LONGEST = 80, 240
# Labels of the paragraph that says what to do; the others tell how it came about.
_CONCLUSION = lazy_pattern(
    r"[\s>*_-]*(?:lesson|rule|fix|solution|resolution|takeaway|learning|application|decision"
    r"|action|correct pattern|do|insight|урок|правило|решение|教训|规则|教訓|ルール|lição|regra)"
    r"s?[*_]*\s*[:：]",
    re.IGNORECASE,
)
# A sentence with what follows it up to the next one; `e.g.` and `i.e.` end none.
_SENTENCE = lazy_pattern(
    r".+?(?:[.!?](?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]`*_]*(?=\s|$)|[。！？]|$)\s*"
)
# What begins a paragraph of its own: an item of a list, a heading, a quote, a row of a table.
_BEGINS = lazy_pattern(rf"\s*(?:{LIST_MARKER}\s|#{{1,6}}\s|>|\|)")
# The marker that it begins with.
_LEAD = lazy_pattern(rf"\A\s*(?:{LIST_MARKER}\s+|>\s*)")


def draft_of(entries: Sequence[Entry]) -> str:
    """Return a list with an item for each entry: its title and the sentence that says most."""
    return "\n".join(_draft_item(entry) for entry in entries)


def _draft_item(entry: Entry) -> str:
    title = " ".join(entry.title.split()).rstrip(" .:")
    said = shortened(_sentences(entry), _LONGEST)
    return f"- {title}: {said}" if said else f"- {title}"


def _sentences(entry: Entry) -> str:
    paragraphs = [text for text in _paragraphs(entry) if not text.startswith("|")]
    starts = (number for number, text in enumerate(paragraphs) if _CONCLUSION.match(text))
    first, *rest = paragraphs[next(starts, 0) :] or [""]
    text = _plain(first) or ":"  # a label alone announces a list, too
    for item in rest:  # what a colon announces: the items of a list
        added = f" {_plain(item).rstrip('.;,')};"
        is_announced = text.endswith((":", "：", ";")) and _LEAD.match(item)
        if not is_announced or len(text) + len(added) > _LONGEST:
            break
        text += added
    text = text.lstrip(": ").rstrip(";")
    said = ""
    for match in _SENTENCE.finditer(text):
        said += match[0]
        if len(said) >= _SHORT:
            break
    return said.strip()


def _plain(paragraph: str) -> str:
    """Return a paragraph without the marker of an item and the labels that it begins with."""
    return " ".join(without_labels(_LEAD.sub("", paragraph, count=1)).split())


def _paragraphs(entry: Entry) -> Iterator[str]:
    """Give the paragraphs below the title, each on one line; code and comments left out."""
    hidden = outline_of(entry.lines).hidden_lines()
    rest = "" if entry.level else _behind_title(entry)
    lines = [rest, *("" if n in hidden else line for n, line in enumerate(entry.lines, start=1))]
    del lines[1]  # the title
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if (not has_text(line) or _BEGINS.match(line)) and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        if has_text(line) and not line.lstrip().startswith("#"):
            paragraph.append(" ".join(line.split()))


def _behind_title(entry: Entry) -> str:
    """Return what follows the title in the first line of a list item."""
    _, _, rest = item_text(entry.lines[0]).partition(entry.title)
    return rest.lstrip(" \t*_.:–—-")


_SUPERSEDED = "superseded"
_NOTHING = "no finding and no target"
_NEWEST = "among the newest"


class Proposals(NamedTuple):
    """What was computed about the entries of a file: groups, findings and targets."""

    groups: Sequence[Group] = ()
    prechecks: Sequence[Precheck] = ()
    routes: Sequence[Route] = ()


def proposed_plan(
    file: str,
    entries: Sequence[Entry],
    proposals: Proposals,
    targets: Sequence[TargetFile],
    *,
    recent: Collection[str] = (),
) -> Plan:
    """Return a plan for some entries of a file.

    An entry that is marked as superseded, or that a check proposes to drop, is dropped; those of a
    group are merged, with a draft; the rest is kept, its findings and targets beside it. The order
    is: groups, drops, the rest, and of that last the entries with neither, in one step. recent are
    identities of the newest entries, which stay in any case.
    """
    return Plan(file, tuple(_Prefill(entries, proposals, targets, recent).steps()))


class _Prefill:
    def __init__(
        self,
        entries: Sequence[Entry],
        proposals: Proposals,
        targets: Sequence[TargetFile],
        recent: Collection[str],
    ) -> None:
        self._newest = [entry for entry in entries if entry.identity in recent]
        self._entries = [entry for entry in entries if entry.identity not in recent]
        self._groups = proposals.groups
        self._prechecks = {check.entry.identity: check for check in proposals.prechecks}
        self._routes = {route.entry.identity: route for route in proposals.routes}
        self._section_names = {
            (target.path, section.line): name
            for target in targets
            for section, name in zip(target.sections, names_of(target.sections), strict=True)
        }

    def steps(self) -> Iterator[PlanStep]:
        drops = {entry.identity for entry in self._entries if self._is_dropped(entry)}
        left = {entry.identity for entry in self._entries} - drops
        groups = [
            (group, [m.entry for m in group.members if m.entry.identity in left])
            for group in self._groups
        ]
        groups = [(group, members) for group, members in groups if len(members) > 1]
        merged = {entry.identity for _, members in groups for entry in members}
        yield from (self._merge(group, members) for group, members in groups)
        yield from (self._drop(entry) for entry in self._entries if entry.identity in drops)
        yield from self._keep([entry for entry in self._entries if entry.identity in left - merged])
        if self._newest:
            yield PlanStep(KEEP, _NEWEST, tuple(map(member_of, self._newest)))

    def _is_dropped(self, entry: Entry) -> bool:
        precheck = self._prechecks.get(entry.identity)
        return entry.superseded or (precheck is not None and precheck.action == DROP)

    def _keep(self, entries: Iterable[Entry]) -> Iterator[PlanStep]:
        """Give a step for each entry about which there is something to read, one for all others."""
        others = []
        for entry in entries:
            notes = (*self._findings(entry), *self._targets(entry))
            if notes:
                yield PlanStep(KEEP, "", (member_of(entry),), (_lines_of(entry), *notes))
            else:
                others.append(member_of(entry))
        if others:
            yield PlanStep(KEEP, "", tuple(others), (_NOTHING,))

    def _merge(self, group: Group, members: Sequence[Entry]) -> PlanStep:
        because = f"they share: {', '.join(group.keywords)}" if group.keywords else ""
        findings = [note for entry in members for note in self._findings(entry)]
        notes = tuple(filter(None, (_lines_of(*members), because, *findings)))
        return PlanStep(
            MERGE,
            " ".join((group.topic or members[0].title).split()),
            tuple(map(member_of, members)),
            notes,
            draft_of(members),
            is_draft=True,
        )

    def _drop(self, entry: Entry) -> PlanStep:
        precheck = self._prechecks.get(entry.identity)
        reason = _reason(precheck) if precheck and precheck.action == DROP else _SUPERSEDED
        notes = (_lines_of(entry), *self._findings(entry))
        return PlanStep(DROP, reason, (member_of(entry),), notes)

    def _findings(self, entry: Entry) -> Iterator[str]:
        precheck = self._prechecks.get(entry.identity)
        if precheck is not None:
            against = _against(precheck.against)
            title = " ".join(entry.title.split())
            suffix = f" / {against}" if against else ""
            yield f"{precheck.check}, {precheck.action}: {title}{suffix}"
            yield from (f"- {' '.join(line.split())}" for line in precheck.evidence)

    def _targets(self, entry: Entry) -> Iterator[str]:
        route = self._routes.get(entry.identity)
        for candidate in route.candidates if route else ():
            yield self._target(candidate)

    def _target(self, candidate: RouteCandidate) -> str:
        section = candidate.section
        name = self._section_names.get((section.path, section.line), "")
        path = printable(section.path)  # a note is one line, whatever the name of the file
        subject = f"{path}#{name}" if name else path
        return f"- move to {subject}  ({'; '.join(candidate.why)})"


def _lines_of(*entries: Entry) -> str:
    ranges = ", ".join(map(_range_of, entries))
    return f"{'line' if ranges.isdecimal() else 'lines'} {ranges}"


def _range_of(entry: Entry) -> str:
    return str(entry.first) if entry.first == entry.last else f"{entry.first}-{entry.last}"


def _reason(precheck: Precheck) -> str:
    against = _against(precheck.against)
    words = {"supersession": "superseded by", "redundancy": "covered by"}
    return f"{words.get(precheck.check, precheck.check)} {against}" if against else _SUPERSEDED


def _against(against: Against) -> str:
    """Return what an entry was compared with, on one line; empty for nothing."""
    if against.entry is not None:
        return " ".join(against.entry.title.split())
    if against.target is not None:
        section = " ".join((against.section or "").split())
        return f"{printable(against.target)}:{against.line} {section}".rstrip()
    return f"commit {against.commit[:12]}" if against.commit else ""
