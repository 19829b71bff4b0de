"""Documents that propose what to do with entries: groups, routes, precheck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnings.consolidation.checks.precheck import ADD, DROP, ESCALATE, LOOK
from learnings.core.entries.origin import is_consolidated
from learnings.surfaces.schemas.entries import ENTRY
from learnings.surfaces.schemas.fields import (
    BOOL,
    COUNT,
    LINE,
    SHARE,
    STAMP,
    TEXT,
    Document,
    Record,
    each,
    one_of,
)

if TYPE_CHECKING:
    from learnings.consolidation.checks.precheck import Precheck
    from learnings.consolidation.groups.groups import Group
    from learnings.consolidation.routes import Route, RouteCandidate
    from learnings.core.entries.document import Entry
    from learnings.surfaces.render.results import FileGroups, FileProposals

_DECIMALS = 4  # as in the scores of routes and pre-checks; chosen

_SUPERSEDED = BOOL.but(
    description="Marked so by its author; never the entry that survives a merge."
)
_ENTRY: Record[Entry] = Record(ENTRY, superseded=_SUPERSEDED)
_PAIRED: Record[tuple[Entry, Any]] = _ENTRY.at(lambda pair: pair[0])
_MEMBER: Record[tuple[Entry, Any]] = Record(
    _PAIRED,
    shared=each(TEXT)(
        "Words that this member shares with others of the group.", of=lambda pair: pair[1]
    ),
)
_WORD: Record[tuple[str, Any]] = Record(
    word=TEXT(of=lambda pair: pair[0]), lines=each(LINE)(of=lambda pair: pair[1])
)
_GROUP: Record[Group] = Record(
    topic=TEXT("A name in words of the members."),
    keywords=each(TEXT)(
        "Words that say best what members share, strongest first.", of=lambda group: group.shared
    ),
    score=SHARE("Mean similarity of the members.", of=lambda group: round(group.score, _DECIMALS)),
    members=each(_MEMBER, minItems=2, maxItems=8)(
        "In the order of the file.",
        of=lambda group: zip(group.members, group.own_words, strict=True),
    ),
    why=each(_WORD)(
        "Each keyword with the first line of every member that says it.",
        of=lambda group: group.shared.items(),
    ),
)
_UNGROUPED: Record[Entry] = Record(
    _ENTRY, consolidated=BOOL("The product of an earlier consolidation.", of=is_consolidated)
)
_NEAR: Record[tuple[Entry, Any]] = Record(
    _PAIRED, score=SHARE(of=lambda pair: round(pair[1], _DECIMALS))
)
_NEIGHBOURS: Record[tuple[Entry, Any]] = Record(
    _PAIRED,
    nearest=each(_NEAR, maxItems=5)(
        "Nearest first; entries that have nothing in common are left out.", of=lambda pair: pair[1]
    ),
)
GROUPS: Document[FileGroups] = Document(
    "groups/1",
    "groups FILE",
    several=True,
    file=TEXT,
    groups=each(_GROUP)(
        "Largest first, then most similar first; an entry is in one group at most.",
        of=lambda one: one.grouping.groups,
    ),
    ungrouped=each(_UNGROUPED)("In the order of the file.", of=lambda one: one.grouping.ungrouped),
    neighbours=each(_NEIGHBOURS)(
        "Every entry, in the order of the file.", of=lambda one: one.grouping.neighbours
    ),
)

_TARGET: Record[RouteCandidate] = Record(
    path=TEXT(of=lambda one: one.section.path),
    section=TEXT(
        "Title of the heading; empty for what stands above the first one.",
        of=lambda one: one.section.title,
    ),
    line=LINE(of=lambda one: one.section.line),
    score=SHARE("Falls with the rank; no measure of being right."),
    lines=COUNT("Lines of the file."),
    full=BOOL("Whether the file has reached `line-limit`."),
    why=each(TEXT),
)
_ROUTE_ENTRY: Record[Route] = ENTRY.at(lambda route: route.entry)
_ROUTE: Record[Route] = Record(
    _ROUTE_ENTRY,
    superseded=BOOL(of=lambda route: route.entry.superseded),
    targets=each(_TARGET, maxItems=5)(
        "One for each file, with its best section; best first.", of=lambda route: route.candidates
    ),
)
ROUTES: Document[FileProposals[Route]] = Document(
    "routes/1",
    "route FILE",
    several=True,
    file=TEXT,
    entries=each(_ROUTE)(
        "The batch, oldest first, or all entries in file order.", of=lambda one: one.proposals
    ),
)

_AGAINST: Record[Any] = Record(
    entry=TEXT.or_null("Title of the other entry.", of=lambda one: one.entry and one.entry.title),
    timestamp=STAMP(of=lambda one: one.entry and one.entry.stamp),
    target=TEXT.or_null("Path of the target file or archive."),
    section=TEXT.or_null("Title of its heading."),
    line=LINE.or_null("Of the other entry, the section or the statement."),
    commit=TEXT.or_null("The consolidation that removed an entry which came back."),
)
_PRECHECK: Record[Precheck] = Record(
    check=one_of("covered", "supersession", "redundancy", "dead-reference"),
    action=one_of(DROP, ADD, ESCALATE, LOOK)(
        "A proposal; nothing is changed. add: text to the section; look: compare both places."
    ),
    entry=TEXT("Title of the entry.", of=lambda one: one.entry.title),
    timestamp=STAMP(of=lambda one: one.entry.stamp),
    line=LINE(of=lambda one: one.entry.first),
    identity=TEXT(of=lambda one: one.entry.identity),
    against=_AGAINST,
    score=SHARE("Share of words or word pairs that both sides have in common."),
    evidence=each(TEXT, minItems=1),
    text=TEXT("What the section lacks of the entry, a list item a sentence; or empty."),
    path=ENTRY.fields["path"].at(lambda one: one.entry),
)
PRECHECK: Document[FileProposals[Precheck]] = Document(
    "precheck/1",
    "precheck FILE",
    several=True,
    file=TEXT,
    findings=each(_PRECHECK)(
        "Covered, supersession, redundancy, dead-reference; an entry has one at most.",
        of=lambda one: one.proposals,
    ),
)
