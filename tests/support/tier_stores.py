"""Folders of learning tiers as values: raw files from rows, and their compaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from learnings.tiers.compaction import Compaction, Compactor
from learnings.tiers.raw_files import RawFile, SkippedFile, read_raw_file
from learnings.tiers.tier_files import ThemeFile, TierFiles, TierIndex

NOW = datetime(2026, 4, 7, 12, tzinfo=UTC)
FOLDER = ".specwright/learnings"
INDEX = "INDEX.md"
Files = Mapping[str, bytes]
"""The contents of a folder by relative path."""


def raw_file(
    unit: str, findings: Sequence[object], timestamp: str = "2026-03-01T00:00:00Z"
) -> bytes:
    """Return a raw file; a finding is an object, or a rule with its observation.

    The disposition and the category may follow.
    """
    keys = ("proposedRule", "description", "disposition", "category")
    values = [
        dict(zip(keys, finding, strict=False)) if isinstance(finding, tuple) else finding
        for finding in findings
    ]
    value = {"workId": unit, "timestamp": timestamp, "findings": values}
    return json.dumps(value).encode()


def tier_files(files: Files) -> TierFiles:
    """Return the files of a folder after compaction."""
    read = [read_raw_file(name, data) for name, data in files.items() if name.endswith(".json")]
    themes = {name.removeprefix("themes/"): data for name, data in files.items() if "/" in name}
    return TierFiles(
        FOLDER,
        tuple(file for file in read if isinstance(file, RawFile)),
        tuple(file for file in read if isinstance(file, SkippedFile)),
        tuple(ThemeFile(name.removesuffix(".md"), data) for name, data in sorted(themes.items())),
        TierIndex(files.get(INDEX)),
    )


def compacted(files: Files, now: datetime = NOW) -> Compaction:
    """Return the compaction of a folder, due or not."""
    return Compactor(tier_files(files)).compaction(now)


def written(files: Files, compaction: Compaction) -> list[dict[str, bytes]]:
    """Return the folder before a compaction and after each file it writes or removes."""
    states = [dict(files)]
    for change in compaction.themes:
        states.append({**states[-1], f"themes/{change.name}.md": change.text.encode()})
    for theme in compaction.gone:
        states.append({k: v for k, v in states[-1].items() if k != f"themes/{theme.name}.md"})
    return [*states, {**states[-1], INDEX: compaction.index_text.encode()}]


def steps(files: Files, now: datetime = NOW) -> list[dict[str, bytes]]:
    """Return the states of a folder during a compaction."""
    return written(files, compacted(files, now))


def after(files: Files, now: datetime = NOW) -> dict[str, bytes]:
    """Return the folder after a compaction."""
    return steps(files, now)[-1]
