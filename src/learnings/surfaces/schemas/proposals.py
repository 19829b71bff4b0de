"""Documents that propose what to do with entries: groups, routes, precheck."""

from __future__ import annotations

from learnings.consolidation.checks.precheck import ADD, DROP, ESCALATE, LOOK
from learnings.core.entries.origin import is_consolidated
from learnings.surfaces.schemas import fields as js
from learnings.surfaces.schemas.entries import ENTRY

_SUPERSEDED = js.BOOL.but(
    description="Marked as superseded by its author; such an entry never survives a merge."
)
_ENTRY = js.Record(ENTRY, superseded=_SUPERSEDED)
_PAIRED = _ENTRY.at(js.FIRST)
_MEMBER = js.Record(
    _PAIRED,
    shared=js.each(js.TEXT)(
        "Words that this member shares with others of the group.", of=js.SECOND
    ),
)
_WORD = js.Record(word=js.TEXT(of=js.FIRST), lines=js.each(js.LINE)(of=js.SECOND))
_GROUP = js.Record(
    topic=js.TEXT("A name made of words of the members."),
    keywords=js.each(js.TEXT)(
        "Words that best describe what the members share, strongest first.", of="shared"
    ),
    score=js.SHARE("Mean similarity of the members."),
    members=js.each(_MEMBER, minItems=2, maxItems=8)(
        "In the order of the file.",
        of=lambda group: zip(group.members, group.own_words, strict=True),
    ),
    why=js.each(_WORD)(
        "Each keyword with the first line of every member that contains it.",
        of=lambda group: group.shared.items(),
    ),
)
_UNGROUPED = js.Record(
    _ENTRY, consolidated=js.BOOL("Written by an earlier consolidation.", of=is_consolidated)
)
_NEAR = js.Record(_PAIRED, score=js.SHARE(of=js.SECOND))
_NEIGHBOURS = js.Record(
    _PAIRED,
    nearest=js.each(_NEAR, maxItems=5)(
        "Nearest first, without entries that have nothing in common.", of=js.SECOND
    ),
)
GROUPS = js.Head("groups/1", "groups FILE", several=True).document(
    file=js.TEXT,
    groups=js.each(_GROUP)(
        "Largest first, then most similar first; an entry is in one group at most.",
        of="grouping.groups",
    ),
    ungrouped=js.each(_UNGROUPED)("In the order of the file.", of="grouping.ungrouped"),
    neighbours=js.each(_NEIGHBOURS)(
        "Every entry, in the order of the file.", of="grouping.neighbours"
    ),
)

_TARGET = js.Record(
    path=js.TEXT(of="section.path"),
    section=js.TEXT(
        "Title of the heading; empty for the text above the first heading.", of="section.title"
    ),
    line=js.LINE(of="section.line"),
    score=js.SHARE("Falls with the rank; it is not a probability."),
    lines=js.COUNT("Lines of the file."),
    full=js.BOOL("Whether the file has reached `line-limit`."),
    why=js.each(js.TEXT),
)
_ROUTE = js.Record(
    ENTRY.at("entry"),
    superseded=js.BOOL(of="entry.superseded"),
    targets=js.each(_TARGET, maxItems=5)(
        "One for each file, with its best section; best first.", of="candidates"
    ),
)
ROUTES = js.Head("routes/1", "route FILE", several=True).document(
    file=js.TEXT,
    entries=js.each(_ROUTE)(
        "The batch, oldest first, or all entries in file order.", of="proposals"
    ),
)

_AGAINST = js.Record(
    entry=js.TEXT.or_null("Title of the other entry.", of="entry.title"),
    timestamp=js.STAMP(of="entry.stamp"),
    target=js.TEXT.or_null("Path of the target file or archive."),
    section=js.TEXT.or_null("Title of its heading."),
    line=js.LINE.or_null("Of the other entry, the section or the statement."),
    commit=js.TEXT.or_null("The consolidation that removed an entry that came back."),
)
_PRECHECK = js.Record(
    check=js.one_of("covered", "supersession", "redundancy", "dead-reference"),
    action=js.one_of(DROP, ADD, ESCALATE, LOOK)(
        "A proposal; nothing is changed. add: text to the section; look: compare both places."
    ),
    entry=js.TEXT("Title of the entry.", of="entry.title"),
    timestamp=js.STAMP(of="entry.stamp"),
    line=js.LINE(of="entry.first"),
    identity=js.TEXT(of="entry.identity"),
    against=_AGAINST,
    score=js.SHARE("Share of words or word pairs that both sides have in common."),
    evidence=js.each(js.TEXT, minItems=1),
    text=js.TEXT("Sentences that the section lacks, one list item each; or empty."),
    path=ENTRY.fields["path"].at("entry"),
)
PRECHECK = js.Head("precheck/1", "precheck FILE", several=True).document(
    file=js.TEXT,
    findings=js.each(_PRECHECK)(
        "Covered, supersession, redundancy, dead-reference; an entry has one at most.",
        of="proposals",
    ),
)
