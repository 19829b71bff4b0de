"""Which files `learnings verify` guards, by their places in both versions."""

from __future__ import annotations

import shlex

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")
INDEX = "# Learnings\n\n- [Pumps](pumps/all.md)\n- [Valves](pumps/valves.md)\n"
PLAIN = "# Learnings\n\n## When a pump stalls\n\nOpen the bypass valve by hand.\n"
STAMPED = "# Learnings\n\n## [2026-01-14 10:22] Pump stalls\n\nOpen the bypass valve by hand.\n"
DECIDED = "# Decisions\n\n## Valves open by hand\n\nA motor would need a second power supply.\n"


def lost(repository: GitRepository) -> bool:
    return LEARNINGS("verify", cwd=repository.path).code == 1


@pytest.mark.parametrize("setting", ['dialect = "bullet"', 'path = "docs/other.md"'])
def test_a_new_configuration_hides_no_loss_in_a_listed_file(
    repository: GitRepository, setting: str
) -> None:
    repository.write("docs/learnings.md", INDEX)
    repository.write("docs/other.md", "# Other\n")
    for name in ("all", "valves"):
        repository.write(f"docs/pumps/{name}.md", PLAIN.replace("pump", f"pump in {name}"))
    repository.commit()
    repository.write("learnings.toml", f"{setting}\n")
    repository.write("docs/pumps/all.md", "# Learnings\n")
    assert lost(repository)


@pytest.mark.parametrize(("beside", "is_guarded"), [(STAMPED, True), (PLAIN, False)])
def test_decisions_are_guarded_where_discovery_finds_them(
    repository: GitRepository, beside: str, *, is_guarded: bool
) -> None:
    repository.write("agents/learnings.md", beside)
    repository.write("agents/DECISIONS.md", DECIDED)
    repository.commit()
    found = LEARNINGS("config", "--all", cwd=repository.path).out
    assert ("no timestamped learnings file beside it" not in found) is is_guarded
    repository.write("agents/DECISIONS.md", "# Decisions\n")
    assert lost(repository) is is_guarded


def test_a_package_counts_in_the_version_that_has_it(repository: GitRepository) -> None:
    repository.write("tools/pump/package.json", "{}")
    repository.write("tools/pump/agents/learnings.md", PLAIN)
    repository.commit()
    repository.remove("tools/pump/package.json")
    repository.commit()
    repository.write("tools/pump/agents/learnings.md", "# Learnings\n")
    assert not lost(repository)
    repository.commit()
    assert LEARNINGS("verify", "--base", "HEAD~2", cwd=repository.path).code == 1


def test_a_doubtful_reading_is_told_of_a_memory_that_changed(repository: GitRepository) -> None:
    days = "# Log\n\n## Monday\n\n- Pump one.\n- Pump two.\n\n## Tuesday\n\n- Valve.\n- Tap.\n"
    repository.write("agents/learnings.md", days)
    repository.write("docs/lessons.md", PLAIN)
    repository.commit()
    repository.write("docs/lessons.md", f"{PLAIN}\n## When a tap drips\n\nTurn it off.\n")
    assert "agents/learnings.md: " not in LEARNINGS("verify", cwd=repository.path).err
    repository.write("agents/learnings.md", f"{days}- Hose.\n")
    assert "agents/learnings.md: " in LEARNINGS("verify", cwd=repository.path).err


def test_a_folder_under_a_name_that_is_no_memory_is_told(repository: GitRepository) -> None:
    names = ("pump", "tap", "valve")
    for name in names:
        text = f"# When a {name} leaks\n\nClose the {name} by hand and call the plumber.\n"
        repository.write(f".claude/memory/learnings/{name}.md", text)
    repository.commit()
    for name in names[:2]:
        repository.rename(f".claude/memory/learnings/{name}.md", f"notes/{name}.md")
    assert "no longer an entry" not in LEARNINGS("verify", cwd=repository.path).out
    repository.rename(".claude/memory/learnings/valve.md", "notes/valve.md")
    done = LEARNINGS("verify", cwd=repository.path)
    taking = "learnings init --memory notes"
    assert done.out.count(f"is in a folder that is no memory; `{taking}` takes it") == 3
    assert done.code == 0


def test_an_emptied_file_of_a_folder_is_put_back_or_archived(repository: GitRepository) -> None:
    path = ".claude/memory/learnings/pump.md"
    repository.write(path, "# When a pump leaks\n\nClose the valve by hand and call the plumber.\n")
    repository.commit()
    before = repository.read(path)
    repository.write(path, "# When a pump leaks\n")
    advice = LEARNINGS("verify", cwd=repository.path).out.splitlines()
    restore, archive = (shlex.split(line) for line in advice if line.startswith("    "))
    repository.git(*restore[1:])
    assert repository.read(path) == before
    assert LEARNINGS(*archive[1:], cwd=repository.path).code == 0
    assert LEARNINGS("verify", "--staged", cwd=repository.path).code == 0


NOTE = (
    "---\ntitle: Pumps\n---\n\nOpen the bypass valve by hand.\n\n## Why\n\nThe motor is too weak.\n"
)


@pytest.mark.parametrize(
    ("path", "text", "is_loss"),
    [
        ("docs/solutions/archive/pump.md", None, True),
        ("docs/solutions/archive/pump.md", NOTE.replace("The motor is too weak.", ""), True),
        ("docs/solutions/archive/pump.md", f"{NOTE}\nSee the manual.\n", False),
        ("docs/solutions/archive/2026/pump.md", NOTE, False),
        ("docs/solutions/pump.md", NOTE, False),
        ("old/pump.md", NOTE, False),
    ],
)
def test_the_archive_of_a_folder_keeps_its_originals(
    repository: GitRepository, path: str, text: str | None, *, is_loss: bool
) -> None:
    repository.write("docs/solutions/valve.md", PLAIN)
    repository.write("docs/solutions/archive/pump.md", NOTE)
    repository.commit()
    repository.remove("docs/solutions/archive/pump.md")
    if text is not None:
        repository.write(path, text)
    assert lost(repository) is is_loss


def test_decisions_in_the_archive_of_a_folder_may_end(repository: GitRepository) -> None:
    path = ".claude/memory/archive/lessons-decisions.md"
    head = "# Decisions about entries that stayed\n\nWritten by `learnings apply`.\n"
    line = "- escalated 2026-01-14 `24e00c7cf671` `When a pump stalls`: ask the operator\n"
    repository.write(".claude/memory/lessons.md", PLAIN)
    repository.write(path, f"{head}\n{line}")
    repository.commit()
    repository.write(path, head)
    assert not lost(repository)
