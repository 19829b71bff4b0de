"""Recorded findings of files that were renamed since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from learnings.core.findings.baseline import Baseline, KnownFinding, recorded
from learnings.core.findings.finding import Finding
from learnings.workspace.disk import may_exist


def following_renames(
    root: Path, found: Iterable[tuple[Finding, KnownFinding]], baseline: Baseline
) -> Baseline:
    """Return a baseline in which the findings of renamed files have their present paths.

    found are findings of today, each as the baseline would record it. Git is asked about a file
    only if findings like its new ones were recorded for a path that is no longer there.
    """
    paths = {known.path for known in baseline.values()}
    gone = {path for path in paths if not may_exist(root / path)}
    if not gone:
        return baseline

    from learnings.history.git.renames import RenamedFiles  # noqa: PLC0415  (few files are renamed)

    by_path: defaultdict[str, list[tuple[Finding, KnownFinding]]] = defaultdict(list)
    for finding, record in found:
        by_path[record.path].append((finding, record))
    renamed, moved = RenamedFiles(root), dict(baseline)
    for path, rows in by_path.items():
        if all(record.fingerprint in baseline for _, record in rows):
            continue
        formerly = {}
        for name in gone:
            before = recorded([finding._replace(path=name) for finding, _ in rows])
            pairs = zip(before, (record for _, record in rows), strict=True)
            formerly[name] = [(old, new) for old, new in pairs if old.fingerprint in moved]
        names = renamed.former_names(path) if any(formerly.values()) else ()
        for old, new in next((formerly[name] for name in names if formerly.get(name)), ()):
            known = moved.pop(old.fingerprint)
            moved[new.fingerprint] = new._replace(severity=known.severity)
    return moved
