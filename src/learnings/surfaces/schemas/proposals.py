"""Documents that propose what to do with entries: groups, routes, precheck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnings.consolidation.checks.precheck import ADD, DROP, ESCALATE, LOOK
from learnings.core.entries.origin import is_consolidated
from learnings.surfaces.schemas import fields as js
from learnings.surfaces.schemas.entries import ENTRY

if TYPE_CHECKING:
    from learnings.consolidation.checks.precheck import Precheck
    from learnings.consolidation.groups.groups import Group
    from learnings.consolidation.routes import Route, RouteCandidate
    from learnings.core.entries.document import Entry
    from learnings.surfaces.render.results import FileGroups, FileProposals

_DECIMALS = 4  # as in the scores of routes and pre-checks; chosen

_SUPERSEDED = js.BOOL.but(
    description="Marked so by its author; never the entry that survives a merge."
)
_ENTRY: js.Record[Entry] = js.Record(ENTRY, superseded=_SUPERSEDED)
_PAIRED: js.Record[tuple[Entry, Any]] = _ENTRY.at(lambda pair: pair[0])
_MEMBER: js.Record[tuple[Entry, Any]] = js.Record(
    _PAIRED,
    shared=js.each(js.TEXT)(
        "Words that this member shares with others of the group.", of=lambda pair: pair[1]
    ),
)
_WORD: js.Record[tuple[str, Any]] = js.Record(
    word=js.TEXT(of=lambda pair: pair[0]), lines=js.each(js.LINE)(of=lambda pair: pair[1])
)
_GROUP: js.Record[Group] = js.Record(
    topic=js.TEXT("A name in words of the members."),
    keywords=js.each(js.TEXT)(
        "Words that say best what members share, strongest first.", of=lambda group: group.shared
    ),
    score=js.SHARE(
        "Mean similarity of the members.", of=lambda group: round(group.score, _DECIMALS)
    ),
    members=js.each(_MEMBER, minItems=2, maxItems=8)(
        "In the order of the file.",
        of=lambda group: zip(group.members, group.own_words, strict=True),
    ),
    why=js.each(_WORD)(
        "Each keyword with the first line of every member that says it.",
        of=lambda group: group.shared.items(),
    ),
)
_UNGROUPED: js.Record[Entry] = js.Record(
    _ENTRY, consolidated=js.BOOL("The product of an earlier consolidation.", of=is_consolidated)
)
_NEAR: js.Record[tuple[Entry, Any]] = js.Record(
    _PAIRED, score=js.SHARE(of=lambda pair: round(pair[1], _DECIMALS))
)
_NEIGHBOURS: js.Record[tuple[Entry, Any]] = js.Record(
    _PAIRED,
    nearest=js.each(_NEAR, maxItems=5)(
        "Nearest first; entries that have nothing in common are left out.", of=lambda pair: pair[1]
    ),
)
GROUPS: js.Document[FileGroups] = js.Head("groups/1", "groups FILE", several=True).document(
    file=js.TEXT,
    groups=js.each(_GROUP)(
        "Largest first, then most similar first; an entry is in one group at most.",
        of=lambda one: one.grouping.groups,
    ),
    ungrouped=js.each(_UNGROUPED)(
        "In the order of the file.", of=lambda one: one.grouping.ungrouped
    ),
    neighbours=js.each(_NEIGHBOURS)(
        "Every entry, in the order of the file.", of=lambda one: one.grouping.neighbours
    ),
)

_TARGET: js.Record[RouteCandidate] = js.Record(
    path=js.TEXT(of=lambda one: one.section.path),
    section=js.TEXT(
        "Title of the heading; empty for what stands above the first one.",
        of=lambda one: one.section.title,
    ),
    line=js.LINE(of=lambda one: one.section.line),
    score=js.SHARE("Falls with the rank; no measure of being right."),
    lines=js.COUNT("Lines of the file."),
    full=js.BOOL("Whether the file has reached `line-limit`."),
    why=js.each(js.TEXT),
)
_ROUTE_ENTRY: js.Record[Route] = ENTRY.at(lambda route: route.entry)
_ROUTE: js.Record[Route] = js.Record(
    _ROUTE_ENTRY,
    superseded=js.BOOL(of=lambda route: route.entry.superseded),
    targets=js.each(_TARGET, maxItems=5)(
        "One for each file, with its best section; best first.", of=lambda route: route.candidates
    ),
)
ROUTES: js.Document[FileProposals[Route]] = js.Head(
    "routes/1", "route FILE", several=True
).document(
    file=js.TEXT,
    entries=js.each(_ROUTE)(
        "The batch, oldest first, or all entries in file order.", of=lambda one: one.proposals
    ),
)

_AGAINST: js.Record[Any] = js.Record(
    entry=js.TEXT.or_null(
        "Title of the other entry.", of=lambda one: one.entry and one.entry.title
    ),
    timestamp=js.STAMP(of=lambda one: one.entry and one.entry.stamp),
    target=js.TEXT.or_null("Path of the target file or archive."),
    section=js.TEXT.or_null("Title of its heading."),
    line=js.LINE.or_null("Of the other entry, the section or the statement."),
    commit=js.TEXT.or_null("The consolidation that removed an entry which came back."),
)
_PRECHECK: js.Record[Precheck] = js.Record(
    check=js.one_of("covered", "supersession", "redundancy", "dead-reference"),
    action=js.one_of(DROP, ADD, ESCALATE, LOOK)(
        "A proposal; nothing is changed. add: text to the section; look: compare both places."
    ),
    entry=js.TEXT("Title of the entry.", of=lambda one: one.entry.title),
    timestamp=js.STAMP(of=lambda one: one.entry.stamp),
    line=js.LINE(of=lambda one: one.entry.first),
    identity=js.TEXT(of=lambda one: one.entry.identity),
    against=_AGAINST,
    score=js.SHARE("Share of words or word pairs that both sides have in common."),
    evidence=js.each(js.TEXT, minItems=1),
    text=js.TEXT("What the section lacks of the entry, a list item a sentence; or empty."),
    path=ENTRY.fields["path"].at(lambda one: one.entry),
)
PRECHECK: js.Document[FileProposals[Precheck]] = js.Head(
    "precheck/1", "precheck FILE", several=True
).document(
    file=js.TEXT,
    findings=js.each(_PRECHECK)(
        "Covered, supersession, redundancy, dead-reference; an entry has one at most.",
        of=lambda one: one.proposals,
    ),
)
