"""Documents about other memory forms: a confidence memory, and learning tiers."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from learnings.surfaces.schemas.record_fields import CLOSED, Count, Keywords, Line, Share, one_of


class BriefingEntry(TypedDict):
    id: str
    text: str
    confidence: float
    relevance: Share
    triggers: Annotated[list[str], "of an anti-pattern: those that the story has"]
    guidance: list[str]
    severity: Annotated[str | None, "of an anti-pattern"]
    failure_mode: str | None
    recommended_approach: str | None
    roles: list[str]
    tags: list[str]


class BriefingDocument(TypedDict):
    schema: Literal["learnings.briefing/1"]
    entries: Annotated[list[BriefingEntry], "most important first"]
    left_out: Annotated[Count, "entries that are confident enough and less important"]


class CurationStep(TypedDict):
    action: str
    entry: Annotated[str, "empty where no entry is concerned"]
    before: Annotated[float | None, "confidence before, null for a new entry"]
    after: Annotated[float | None, "confidence after"]
    source: Annotated[str, "path of the observations file; empty where a limit did it"]
    observation: str
    line: Line | None
    reason: str


class ActiveCounts(TypedDict):
    principles: Count
    anti_patterns: Count
    procedures: Count


class CurationProblem(TypedDict):
    path: str
    line: Line
    message: str


class CurationDocument(TypedDict):
    schema: Literal["learnings.curation/1"]
    written: Annotated[bool, "false with --dry-run: the files are as they were"]
    completes: Annotated[bool, "true for a run that only completes one that was killed"]
    changes: Annotated[list[CurationStep], "in the order in which they were made"]
    files: Annotated[list[str], "paths of the entries and marks that are written"]
    captured: Annotated[list[str], "paths of the observations files that are captured now"]
    active: ActiveCounts
    problems: list[CurationProblem]


class StatisticsFile(TypedDict):
    key: Annotated[str, one_of("principles", "anti_patterns", "procedures")]
    active: Count
    archived: Count
    superseded: Count
    limit: Count


class StatisticsEntry(TypedDict):
    id: str
    confidence: float
    line: Count
    text: str


class StatisticsMonth(TypedDict):
    month: Annotated[str, Keywords(pattern=r"^\d{4}-\d{2}$")]
    created: Count
    total: Count


class StatisticsDocument(TypedDict):
    schema: Literal["learnings.statistics/1"]
    files: list[StatisticsFile]
    active: Count
    certain: Annotated[Count, "active entries with a confidence of 1"]
    strongest: Annotated[list[StatisticsEntry], Keywords(maxItems=5)]
    near_archive: Annotated[list[StatisticsEntry], "active entries below 0.35, the lowest first"]
    growth: list[StatisticsMonth]


class TiersFinding(TypedDict):
    work_unit: str
    file: Annotated[str, "the raw file, from the folder"]
    number: Annotated[Line, "its place in the raw file"]
    rule: Annotated[str, "empty for none"]
    description: str
    disposition: Annotated[str, "as written; empty for none"]


class TiersSkippedFile(TypedDict):
    file: str
    reason: str


Findings = list[Annotated[TiersFinding, CLOSED]]
SkippedFiles = Annotated[
    list[Annotated[TiersSkippedFile, CLOSED]], "files that are no valid raw file"
]
Folder = Annotated[str, "as configured, from the root of the repository"]


class CompactedTheme(TypedDict):
    name: str
    title: str
    state: Annotated[str, one_of("new", "grown")]
    words: Count
    added: Findings
    text: Annotated[str, "the whole theme file"]


class TiersCompactDocument(TypedDict):
    schema: Literal["learnings.tiers-compact/1"]
    folder: Folder
    due: Annotated[bool, "a compaction was due; else nothing is written"]
    written: Annotated[bool, "false with --plan"]
    new: Count
    processed: Annotated[Count | None, "the number of raw files that INDEX covers then"]
    themes: Annotated[
        list[Annotated[CompactedTheme, CLOSED]], "in the order in which they are written"
    ]
    left: Annotated[Findings, "findings that wait for a theme"]
    index: Annotated[str | None, "the whole INDEX.md"]
    files: Annotated[list[str], "from the root, INDEX last"]
    skipped: SkippedFiles


class PromotedRule(TypedDict):
    title: str
    rule: str
    line: Annotated[str, "for the memory that an agent always loads"]
    promoted: Annotated[bool, "each finding that was not dismissed has become a rule before"]
    work_units: list[str]
    findings: Findings


class TiersPromoteDocument(TypedDict):
    schema: Literal["learnings.tiers-promote/1"]
    file: Annotated[str | None, "patterns.md beside the folder; null without a folder"]
    rules: list[Annotated[PromotedRule, CLOSED]]


class TiersTheme(TypedDict):
    name: str
    words: Count
    draft: Annotated[bool, "nobody has rewritten it"]


class TiersStatusDocument(TypedDict):
    schema: Literal["learnings.tiers-status/1"]
    folder: Folder
    exists: bool
    valid: Annotated[Count, "valid raw files"]
    processed: Annotated[Count, "rawFilesProcessed in INDEX; 0 where it cannot be read"]
    new: Annotated[Count, "valid less processed, never below 0"]
    due: bool
    strict_trigger: bool
    auto_compact: bool
    last_compaction: Annotated[str | None, "as INDEX has it"]
    themes: list[Annotated[TiersTheme, CLOSED]]
    waiting: Annotated[Findings, "findings in no theme, if there was a compaction"]
    index_lines: Annotated[Count, "lines below the front matter that are not blank"]
    index_limit: Count
    skipped: SkippedFiles
