"""The three kinds of entries, their categories and roles, and their matching rules.

Two of three criteria must overlap significantly. One alone is met by chance: most pairs of entries
with the same tags are about different things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Generic, NamedTuple

from learnings.confidence import values
from learnings.confidence.opposites import are_equal, effect_of
from learnings.confidence.overlap import (
    SIGNIFICANT,
    are_near,
    as_name,
    best,
    contained,
    containment,
    is_above,
    jaccard,
    names,
)
from learnings.confidence.values import (
    AntiPattern,
    AnyEntry,
    ConfidenceSettings,
    Observation,
    Principle,
    Procedure,
)

CATEGORIES = (
    "correctness",
    "reliability",
    "performance",
    "security",
    "maintainability",
    "testability",
    "observability",
    "scalability",
    "compatibility",
    "accessibility",
    "usability",
    "cost",
    "compliance",
    "consistency",
)
"""Tags with these names stand for the category."""

DEFAULT_ROLE = "developer"

# The table of the source procedure: tag or category names, and the roles they concern.
_ROLES: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (frozenset({"correctness", "reliability", "performance"}), ("developer", "sw-engineer")),
    (frozenset({"security"}), ("developer", "sw-engineer", "sw-quality")),
    (frozenset({"maintainability", "testability"}), ("developer", "sw-quality")),
    (frozenset({"consistency", "patterns"}), ("developer", "sw-engineer", "architect")),
    (frozenset({"observability", "scalability"}), ("developer", "architect")),
    (frozenset({"workflow", "process", "planning"}), ("sdm",)),
    (
        frozenset({"incident", "detection-gap", "post-mortem"}),
        ("developer", "sw-engineer", "sw-quality", "cr-analyzer"),
    ),
)


def categories_of(tags: Iterable[str], settings: ConfidenceSettings) -> tuple[str, ...]:
    """Return the categories of tags, in tag order, each once."""
    categories: list[str] = []
    for tag in map(as_name, tags):
        if tag in CATEGORIES:
            categories.append(tag)
        for name, more in settings.tag_categories.items():
            categories += more if as_name(name) == tag else ()
    return tuple(dict.fromkeys(categories))


def roles_of(tags: Iterable[str], categories: Iterable[str]) -> tuple[str, ...]:
    """Return the roles of tags and categories, in table order, each once."""
    present = {as_name(name) for name in (*tags, *categories)}
    roles = [role for names, roles in _ROLES if names & present for role in roles]
    return tuple(dict.fromkeys(roles)) or (DEFAULT_ROLE,)


CRITERIA = 2
"""Number of the three criteria that must be met."""


class Overlaps(NamedTuple):
    """The overlaps of an entry and an observation in text, tags and guidance; 0 if a side is empty.

    said is the part of the entry that the observation is about: the texts that overlap with its
    text. is_equal is True if the text of the entry has the same content words.
    """

    text: Fraction
    tags: Fraction
    guidance: Fraction
    said: str
    is_equal: bool

    @property
    def met(self) -> int:
        """The number of criteria met, strictly above SIGNIFICANT."""
        return sum(is_above(overlap, SIGNIFICANT) for overlap in self[:3])

    @property
    def is_match(self) -> bool:
        """True if the observation is about the entry: equal words suffice, whatever the tags."""
        return self.is_equal or self.met >= CRITERIA

    @property
    def mean(self) -> Fraction:
        """The mean of all three."""
        return (self.text + self.tags + self.guidance) / 3


def _overlaps(
    text: str,
    observed: str,
    *,
    share: Fraction,
    tags: Fraction,
    guidance: Iterable[str] = (),
) -> Overlaps:
    """Compare guidance that does not repeat the text of its entry, which would count twice."""
    rules = {
        rule: contained(rule, observed)
        for rule in guidance
        if not is_above(contained(rule, text), SIGNIFICANT)
    }
    said = [part for part, met in {text: share, **rules}.items() if is_above(met, SIGNIFICANT)]
    implied, about = best(rules.values()), "\n".join(said) or text
    return Overlaps(share, tags, implied, about, are_equal(text, observed))


def principle_overlaps(
    principle: Principle, observation: Observation, settings: ConfidenceSettings
) -> Overlaps:
    """Compare text, categories and guidance."""
    categories = names(categories_of(observation.tags, settings))
    share = containment(principle.text, observation.text)
    tags = jaccard(names(principle.categories), categories)
    guidance = principle.guidance
    return _overlaps(principle.text, observation.text, share=share, tags=tags, guidance=guidance)


def anti_pattern_overlaps(
    anti_pattern: AntiPattern, observation: Observation, _settings: ConfidenceSettings
) -> Overlaps:
    """Compare the failed approach, the tags, and the remedy or the triggers with the text.

    Comparing triggers with tags would count one criterion twice, since triggers come from tags.
    """
    text, remedies = anti_pattern.failed_approach, _remedies(anti_pattern)
    share = contained(text, observation.text)
    tags = jaccard(names(anti_pattern.tags), names(observation.tags))
    return _overlaps(text, observation.text, share=share, tags=tags, guidance=remedies)


def _remedies(anti_pattern: AntiPattern) -> tuple[str, str]:
    """Return the recommended approach, and the triggers as one text."""
    return anti_pattern.recommended_approach, "\n".join(anti_pattern.trigger_patterns)


def procedure_overlaps(
    procedure: Procedure, observation: Observation, _settings: ConfidenceSettings
) -> Overlaps:
    """Compare the text, and either the tags or the scope with the tags, which are one thing."""
    tags = names(observation.tags)
    share = jaccard(names(procedure.tags), tags), jaccard(names(procedure.applies_to), tags)
    text = containment(procedure.text, observation.text)
    return _overlaps(procedure.text, observation.text, share=text, tags=best(share))


def are_alike(one: Observation, other: Observation) -> bool:
    """Return True if two observations say the same about one thing, by both tags and texts."""
    are_about_one = are_near(names(one.tags), names(other.tags), SIGNIFICANT) and is_above(
        containment(one.text, other.text), SIGNIFICANT
    )
    return are_about_one and effect_of(one.text, other.text) == values.REINFORCED


class EntryKind(NamedTuple, Generic[AnyEntry]):
    """One kind of entry.

    key is the key of the list in its file, prefix begins the ids, merged_status is the status of an
    entry with the same meaning as another. texts are the texts of an entry to compare with an
    observation; an entry matches nothing that shares none.
    says is the part that two entries with the same meaning share. limit is the maximum number of
    active entries.
    """

    key: str
    prefix: str
    merged_status: str
    overlaps: Callable[[AnyEntry, Observation, ConfidenceSettings], Overlaps]
    texts: Callable[[AnyEntry], Iterable[str]]
    says: Callable[[AnyEntry], str]
    limit: Callable[[ConfidenceSettings], int]


PRINCIPLE_KIND: EntryKind[Principle] = EntryKind(
    key="principles",
    prefix="PR",
    merged_status=values.SUPERSEDED,
    overlaps=principle_overlaps,
    texts=lambda principle: (principle.text, *principle.guidance),
    says=lambda principle: "\n".join(principle.guidance),
    limit=lambda settings: settings.max_principles,
)
ANTI_PATTERN_KIND: EntryKind[AntiPattern] = EntryKind(
    key="anti_patterns",
    prefix="AP",
    merged_status=values.ARCHIVED,
    overlaps=anti_pattern_overlaps,
    texts=lambda entry: (entry.failed_approach, *_remedies(entry)),
    # No text without a remedy, since different failures share triggers.
    says=lambda entry: "\n".join(_remedies(entry)) if entry.recommended_approach.strip() else "",
    limit=lambda settings: settings.max_anti_patterns,
)
PROCEDURE_KIND: EntryKind[Procedure] = EntryKind(
    key="procedures",
    prefix="PC",
    merged_status=values.ARCHIVED,
    overlaps=procedure_overlaps,
    texts=lambda procedure: (procedure.text,),
    says=lambda procedure: procedure.text,
    limit=lambda settings: settings.max_procedures,
)
KINDS: tuple[EntryKind[Any], ...] = (PRINCIPLE_KIND, ANTI_PATTERN_KIND, PROCEDURE_KIND)
"""All kinds, in the order of the fields of a memory."""
