from __future__ import annotations

from learnings.core.findings.finding import Severity
from learnings.rules.duplicate_across_files import RULE
from tests.rules.cases import case
from tests.support.command import Command
from tests.support.repository import GitRepository

LOCK = "## When a build hangs\n\nLook at the lock before you kill the daemon.\n\n"
PORT = "## When a port is taken\n\nAsk the system which process holds it.\n\n"
SHORT = "## Style\n\nUse tabs.\n\n"
BLANK = "## [Short title of the lesson]\n\n[What happened, and what to do]\n\n"
A, B, C = "agents/learnings.md", "docs/learnings.md", "docs/lessons.md"


def found(repository: GitRepository, learnings: Command, *words: str) -> list[tuple[str, int, str]]:
    document = learnings("check", *words, "--format=json", cwd=repository.path).json
    findings = [one for one in document["findings"] if one["rule"] == RULE.id]
    assert {one["severity"] for one in findings} <= {Severity.NOTICE.value}
    return [(one["path"], one["line"], one["message"]) for one in findings]


def test_one_finding_for_each_other_file_names_both_places(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(A, f"# Learnings\n\n{LOCK}{PORT}")
    repository.write(B, f"# Learnings\n\nOurs.\n\n{PORT}{LOCK}".replace("\n", "\r\n"))
    repository.write(
        C, f"# Learnings\n\n## When it is ours\n\nDo this and not that, ever.\n\n{PORT}"
    )
    repository.commit(date="2026-01-01")
    assert found(repository, learnings) == [
        (B, 5, f"2 of 2 entries are also in {A}, the first at line 7; keep one copy of each"),
        (C, 7, f"this entry is also at {A}:7; keep one of the two"),
    ]
    assert found(repository, learnings, B) == [], "one file alone"
    assert len(found(repository, learnings, A, C)) == 1


def test_templates_short_entries_and_links_are_no_copies(
    repository: GitRepository, learnings: Command
) -> None:
    text = f"# Learnings\n\n{SHORT}{BLANK}"
    repository.write(A, f"{text}{LOCK}")
    repository.write(B, f"{text}{PORT}")
    (repository.path / C).symlink_to(repository.path / A)
    repository.commit(date="2026-01-01")
    assert found(repository, learnings) == []


def test_a_comment_ignores_it() -> None:
    ignore = f"<!-- learnings: ignore[{RULE.id}] each package is released alone -->\n"
    mark = "<!-- also in agents/lessons.md:3 -->\n\n"
    assert len(case(f"# L\n\n{mark}{LOCK}").findings(RULE)) == 1
    assert case(f"# L\n\n{mark}{LOCK}{ignore}").findings(RULE) == []
