from __future__ import annotations

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.scored_memory import write_memory

HOOK = Command("confidence-memory")
PRINCIPLES = ".shaktra/memory/principles.yml"


def test_without_a_memory_it_is_silent(repository: GitRepository) -> None:
    done = HOOK(cwd=repository.path)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_sound_memory_passes_before_and_after_it_was_curated(repository: GitRepository) -> None:
    write_memory(repository)
    done = HOOK(cwd=repository.path)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert Command("learnings")("memory", "curate", cwd=repository.path).code == 0
    assert HOOK(cwd=repository.path).code == 0


def test_a_confidence_that_was_changed_by_hand_stops_the_commit(repository: GitRepository) -> None:
    write_memory(repository)
    text = repository.read(PRINCIPLES).decode()
    repository.write(PRINCIPLES, text.replace("confidence: 0.44", "confidence: 0.99"))
    done = HOOK(cwd=repository.path)
    assert done.code == 1
    assert "the confidence of PR-004 went from 0.44 to 0.99 without an observation" in done.out


def test_a_broken_configuration_is_refused(repository: GitRepository) -> None:
    repository.write("learnings.toml", "[confidence]\npath = 3\n")
    done = HOOK(cwd=repository.path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("learnings: learnings.toml:2: path takes a path to a folder")
