"""The proposals for the batch of a file that is due."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.app.consolidate.suggestions import Suggestions, suggestions_for
from learnings.core.due.verdicts import Verdict
from learnings.core.errors import UntrustedHistory
from learnings.history import change_dates as history
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.workspace import Workspace
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
BUILDS = "agents/decisions/builds.md"
LOCK = (
    "Look at the lock file of the build daemon first, then at the process table for a compiler "
    "that waits, and only then restart the daemon on the build server."
)
CACHE = (
    "A cache of parcels that is filled before the migration ran serves stale addresses; empty the "
    "cache whenever the schema of addresses changes."
)
RETRY = (
    "A carrier that answers slowly is asked again by every worker at once; add jitter to the "
    "retries of the carrier client, or all workers wait for the same second."
)


def memory(*entries: tuple[str, str]) -> str:
    return "# Learnings\n\n" + "".join(f"## {title}\n\n{body}\n\n" for title, body in entries)


ENTRIES = (("When a build hangs", LOCK), ("When a cache is stale", CACHE), ("When it waits", RETRY))


@pytest.fixture
def due(repository: GitRepository) -> GitRepository:
    repository.write(FILE, memory(*ENTRIES))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=16)
    return repository


def judged(repository: GitRepository) -> tuple[MemoryFile, Verdict]:
    file = MemoryFile(Workspace.open(repository.path), repository.path / "agents/learnings.md")
    return file, file.verdict()


def suggestions(repository: GitRepository) -> Suggestions:
    return suggestions_for(*judged(repository))


def places(suggested: Suggestions) -> dict[str, tuple[tuple[str, str], ...]]:
    return {
        identity: tuple((section.path, section.title) for section in sections)
        for identity, sections in suggested.destinations.items()
    }


def test_what_a_target_says_already_is_to_be_settled_first(due: GitRepository) -> None:
    due.write(BUILDS, f"# Builds\n\n## The daemon\n\n{LOCK}\n")
    (finding,) = suggestions(due).findings
    assert (finding.check, finding.action) == ("redundancy", "drop")
    assert (finding.entry.title, finding.against.target) == ("When a build hangs", BUILDS)
    assert finding.evidence


def test_a_superseded_entry_is_marked_where_it_overlaps(due: GitRepository) -> None:
    marked = ("When a build server is stuck", f"{LOCK}\n\n~~Superseded~~")
    due.write("learnings.toml", "keep-recent = 0\n")
    due.write(FILE, memory(*ENTRIES, marked))
    due.commit(date="2026-01-17")
    (group,) = suggestions(due).groups
    assert [entry.title for entry in group] == ["When a build hangs", marked[0]]
    assert group[1].superseded


def test_an_entry_goes_where_its_words_are(due: GitRepository, tmp_path: Path) -> None:
    suggested = suggestions(due)
    assert all(destinations == () for destinations in suggested.destinations.values())
    assert suggested.findings == ()
    text = "# Builds\n\n## The daemon\n\nThe build daemon holds a lock file on the server.\n"
    due.write(BUILDS, text)
    due.commit(date="2026-01-17")
    suggested = suggestions(due)
    assert places(suggested)["when a build hangs"][0] == (BUILDS, "The daemon")
    assert all(len(sections) <= 2 for sections in suggested.destinations.values())
    assert suggestions(due) == suggested == suggestions(due.clone(path=tmp_path / "clone"))


def test_the_texts_are_enough_where_the_targets_have_no_history(
    due: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    due.write(BUILDS, f"# Builds\n\n## The daemon\n\n{LOCK}\n")
    with_history = suggestions(due)

    def cannot(*_: object) -> None:
        raise UntrustedHistory("the missing objects cannot be fetched")

    monkeypatch.setattr(history, "transfers", cannot)
    assert suggestions(due) == with_history
    assert with_history.destinations["when a build hangs"]


def test_the_issue_names_the_first_targets_of_the_command(
    due: GitRepository, learnings: Command
) -> None:
    due.write(BUILDS, f"# Builds\n\n## The daemon\n\n{LOCK}\n")
    due.write("agents/decisions/caches.md", f"# Caches\n\n## The parcels\n\n{CACHE}\n")
    due.commit(date="2026-01-17")
    run = learnings("route", FILE, "--format", "json", cwd=due.path)
    shown = {
        entry["identity"]: tuple(
            (target["path"], target["section"]) for target in entry["targets"][:2]
        )
        for entry in run.json["entries"]
    }
    assert places(suggestions(due)) == shown


@pytest.mark.parametrize("label", ["", "\n**Waiting:**\n"])
def test_items_of_labelled_lists_overlap_with_none(
    repository: GitRepository, learnings: Command, label: str
) -> None:
    words = "the lock file of the build daemon before each build"
    repository.write(FILE, f"# L\n\n- Remove {words}.\n{label}- Delete {words} on the server.\n")
    groups = learnings("groups", FILE, "--format=json", cwd=repository.path).json["groups"]
    assert len(groups) == (not label)
