"""Files below a folder that looks like a repository, and the candidates found there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from learnings.workspace.discovery import Candidate

HEADINGS = "# Learnings\n\n## When one\n\ntext\n\n## When two\n\ntext\n"
STAMPED = "## [2026-02-16-120000] One\n\ntext\n\n## [2026-02-17-120000] Two\n\ntext\n"


def write(root: Path, *paths: str, content: str | bytes = HEADINGS) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        (root / path).write_bytes(data)


def included(candidates: Iterable[Candidate]) -> list[str]:
    return [file.path for file in candidates if file.included]


def skipped(candidates: Iterable[Candidate]) -> dict[str, str]:
    return {file.path: file.reason for file in candidates if not file.included}
