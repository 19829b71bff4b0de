"""Consolidations of a memory folder: plan, apply, archive and restore, in real repositories."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.crash_points import CrashPoint, CrashPoints
from tests.support.repository import GitRepository
from tests.surfaces.cli.test_apply_command import undo_commands

FOLDER, TARGET = ".claude/memory", "docs/guide.md"
ARCHIVE, INDEX = f"{FOLDER}/archive", f"{FOLDER}/MEMORY.md"
DECISIONS = f"{ARCHIVE}/memory-decisions.md"
NOW = ("--now", "2026-05-01T12:00:00")
LEARNINGS = Command("learnings")
TEXTS = {
    "locks": "The lock of the package manager is left behind when a build is stopped.",
    "waiting": "Builds that wait for the lock of the package manager never end.",
    "clock": "Freeze the clock in tests that compare dates, or they fail at midnight.",
    "mocks": "Use a real server on loopback, see [how](../../docs/guide.md).",
    "names": "Names of branches have the number of their task in front.",
    "deploy": "Nobody knows whether the second region is still in use.",
    "style": "Short sentences are what reviewers ask for.",
}
ROWS = "".join(f"- [About {name}]({name}.md) — {name}\n" for name in TEXTS)
GUIDE = "# Guide\n\n## Tests\n\nRun them all.\n"
EVERYTHING = """\
- drop nobody branches any more `names`
- merge Build locks `locks` `waiting`
- merge into About style `clock`
- move docs/guide.md#Tests `mocks`
- escalate who runs it `deploy`

## merge Build locks

```
A stopped build leaves the lock, for which others wait.
```

## merge into About style

```
Dates are frozen.
```
"""


def text_of(name: str) -> str:
    return f"---\nname: About {name}\nauthor: bot\n---\n\n# {name}\n\n{TEXTS[name]}\n"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    for number, name in enumerate(TEXTS, start=1):
        repository.write(f"{FOLDER}/{name}.md", text_of(name))
        repository.commit(date=f"2026-03-0{number}")
    repository.write(INDEX, f"# Memory\n\n{ROWS}")
    repository.write(TARGET, GUIDE)
    repository.commit(date="2026-03-08")
    repository.work("2026-03-09", 14)
    return repository


def digests(repository: GitRepository) -> dict[str, str]:
    """Return the digests of the entries by file name, from a plan of all entries."""
    text = LEARNINGS("plan", FOLDER, "--all", cwd=repository.path).out
    found = re.findall(r"`([0-9a-f]{12})` About (\w+)", text)
    return {name: digest for digest, name in found}


def decided(repository: GitRepository, decisions: str) -> str:
    known = digests(repository)
    return re.sub(r"`(\w+)`", lambda match: f"`{known[match[1]]}`", decisions)


def apply(repository: GitRepository, decisions: str, *words: str, code: int = 0) -> str:
    """Plan all entries, apply the plan with some decisions, and return the output."""
    repository.write("tmp/.gitignore", "*\n")
    repository.write("tmp/decisions", decided(repository, decisions))
    plan = ("plan", FOLDER, "--all", "--output", "tmp/plan.md")
    assert LEARNINGS(*plan, cwd=repository.path).code == 0
    words = ("apply", "tmp/plan.md", "--decisions", "tmp/decisions", *NOW, *words)
    run = LEARNINGS(*words, cwd=repository.path)
    assert run.code == code, run.out + run.err
    return run.out + run.err


def files(repository: GitRepository) -> dict[str, str]:
    paths = repository.git("ls-files", "--cached", "--others", "--exclude-standard").split()
    here = [path for path in paths if (repository.path / path).exists()]
    return {path: repository.read(path).decode() for path in here}


def test_every_decision_is_carried_out(memory: GitRepository) -> None:
    before = files(memory)
    out = apply(memory, EVERYTHING)
    after = files(memory)
    left = ("names", "locks", "waiting", "clock", "mocks")
    assert {path for path in after if path not in before} == {
        f"{FOLDER}/build-locks-consolidated.md",
        DECISIONS,
        *(f"{ARCHIVE}/{name}.md" for name in left),
    }
    assert {path for path in before if path not in after} == {
        f"{FOLDER}/{name}.md" for name in left
    }
    assert all(after[f"{ARCHIVE}/{name}.md"] == text_of(name) for name in left)
    assert after[f"{FOLDER}/build-locks-consolidated.md"] == (
        "---\nname: Build locks (consolidated)\nauthor: bot\n---\n\n"
        "**Consolidated from**: 2 entries (2026-03-01 to 2026-03-02)\n\n"
        "A stopped build leaves the lock, for which others wait.\n"
    )
    assert after[f"{FOLDER}/style.md"] == f"{text_of('style')}\nDates are frozen.\n"
    assert (
        after[TARGET]
        == f"{GUIDE}\n## About mocks\n\nUse a real server on loopback, see [how](guide.md).\n"
    )
    assert after[INDEX] == (
        "# Memory\n\n- [About deploy](deploy.md) — deploy\n- [About style](style.md) — style\n"
        "- [Build locks (consolidated)](build-locks-consolidated.md)\n"
    )
    assert "`About deploy`: who runs it" in after[DECISIONS]
    assert "Consolidated 2 entries into 1, joined 1 entry, moved 1 entry, dropped 1 entry" in out


def test_it_ends(memory: GitRepository) -> None:
    """The proof passes before and after the commit, nothing is left to do, and nothing is due."""
    refused = apply(memory, f"- move {FOLDER}/style.md `clock`\n", code=2)
    assert f"{FOLDER}/style.md is an entry; make the step `## keep`" in refused
    (memory.path / "tmp/plan.md").unlink()
    apply(memory, EVERYTHING)
    assert LEARNINGS("verify", "--base", "HEAD", cwd=memory.path).code == 0
    assert "Nothing left to do" in LEARNINGS("apply", "tmp/plan.md", cwd=memory.path).out
    memory.commit(date="2026-05-01")
    assert LEARNINGS("verify", "--base", "HEAD~1", cwd=memory.path).code == 0
    words = ("due", FOLDER, "--as-of", "2026-05-02", "--format", "json")
    assert LEARNINGS(*words, cwd=memory.path).json["files"][0]["verdict"] == "not-due"
    assert LEARNINGS("report", "--consolidation", "tmp/plan.md", cwd=memory.path).code == 0
    assert b"About deploy" in memory.read("tmp/consolidation-report.md")


def undo(repository: GitRepository, out: str) -> None:
    """Run the undo commands that a run printed."""
    for program, *words in undo_commands(out):
        if program == "git":
            repository.git(*words)
        elif program == "learnings":
            assert LEARNINGS(*words, cwd=repository.path).code == 0
        else:
            assert (program, words.pop(0)) == ("rm", "--")
            for path in words:
                (repository.path / path).unlink()


@pytest.mark.parametrize("words", [(), ("--stage",)])
def test_what_is_printed_takes_it_back(memory: GitRepository, words: tuple[str, ...]) -> None:
    before = files(memory)
    out = apply(memory, EVERYTHING, *words)
    assert files(memory) != before
    if words:
        listed = memory.git("diff", "--cached", "--name-only", "--no-renames").splitlines()
        printed = out.partition("Staged for the commit:\n")[2].partition("Undo:")[0]
        assert printed.split() == listed
        assert memory.git("diff", "--cached", "--diff-filter=D", "--no-renames", "--name-only")
    undo(memory, out)
    assert files(memory) == before
    assert memory.git("status", "--porcelain", "--", ":!tmp") == ""


def test_a_merged_file_that_git_would_ignore_is_refused(memory: GitRepository) -> None:
    memory.write(".gitignore", "build-locks*\n")
    before = files(memory)
    out = apply(memory, EVERYTHING, code=2)
    assert f"git ignores {FOLDER}/build-locks" in out
    assert files(memory) == before


def test_without_a_commit_it_comes_back_from_the_archive(memory: GitRepository) -> None:
    """Git lacks the current version of a file, so the archive restores it."""
    memory.write(f"{FOLDER}/names.md", f"{text_of('names')}\nAnd more.\n")
    before = files(memory)
    out = apply(memory, "- drop old `names`\n- keep `locks` `waiting`\n")
    undo(memory, out)
    assert files(memory) == before


@pytest.mark.parametrize("name", ["locks", "waiting"])
def test_a_merge_with_a_file_without_front_matter_has_a_heading(
    memory: GitRepository, name: str
) -> None:
    memory.write(f"{FOLDER}/{name}.md", f"# About {name}\n\n{TEXTS[name]}\n")
    other = "# Build locks (consolidated)\n\nOf last year.\n"
    memory.write(f"{FOLDER}/build-locks-consolidated.md", other)
    apply(memory, EVERYTHING)
    assert memory.read(f"{FOLDER}/build-locks-consolidated.md").decode() == other
    text = memory.read(f"{FOLDER}/build-locks-consolidated-2.md").decode()
    assert text.startswith("# Build locks (consolidated)\n\n**Consolidated from**: 2 entries")


def test_a_run_that_ended_early_is_completed_with_the_files_it_wrote(memory: GitRepository) -> None:
    apply(memory, EVERYTHING)
    after = files(memory)
    memory.git("restore", "--", FOLDER, TARGET)
    for name in ("tmp/plan.md", DECISIONS):  # what rests is in no plan
        (memory.path / name).unlink()
    apply(memory, EVERYTHING)
    assert files(memory) | {DECISIONS: ""} == after | {DECISIONS: ""}


def test_archive_and_restore_leave_every_byte(memory: GitRepository) -> None:
    before = files(memory)
    words = ("--reason", "old", "--file", FOLDER)
    run = LEARNINGS("archive", "About clock", "About mocks", *words, cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    assert f"Moved 2 entries from {FOLDER} to {ARCHIVE}" in run.out
    assert not (memory.path / FOLDER / "clock.md").exists()
    assert "clock.md" not in memory.read(INDEX).decode()
    assert LEARNINGS("verify", "--base", "HEAD", cwd=memory.path).code == 0
    again = LEARNINGS("archive", "About clock", *words, cwd=memory.path)
    assert "Nothing left to do" in again.out
    memory.commit()
    run = LEARNINGS("archive", "--restore", "About clock", "About mocks", cwd=memory.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(f"Put 2 entries back into {FOLDER}:\n")
    assert LEARNINGS("verify", "--base", "HEAD", cwd=memory.path).code == 0
    after = files(memory)
    assert sorted(after.pop(INDEX).replace(" — clock", "").splitlines()) == sorted(
        before.pop(INDEX).replace(" — clock", "").replace(" — mocks", "").splitlines()
    )
    assert after == before


def test_what_is_refused_changes_nothing(memory: GitRepository) -> None:
    def refused(*words: str) -> str:
        before = files(memory)
        run = LEARNINGS(*words, cwd=memory.path)
        assert (run.code, run.out) == (2, "")
        assert files(memory) == before
        return run.err

    memory.write(f"{ARCHIVE}/mocks.md", "# mocks\n\nOf last year.\n")
    words = ("archive", "About clock", "About mocks", "--reason", "old", "--file", FOLDER)
    assert LEARNINGS(*words, cwd=memory.path).code == 0
    assert memory.read(f"{ARCHIVE}/mocks.md") == b"# mocks\n\nOf last year.\n"
    assert memory.read(f"{ARCHIVE}/mocks~2.md").decode() == text_of("mocks")
    LEARNINGS("archive", "--restore", "About mocks", "--file", FOLDER, cwd=memory.path)
    assert memory.read(f"{FOLDER}/mocks.md").decode() == text_of("mocks")
    memory.write(f"{FOLDER}/clock.md", "# Other\n\nAnother text.\n")
    message = refused("archive", "--restore", "About clock", "--file", FOLDER)
    assert f"{FOLDER}/clock.md is a different file now; rename it" in message
    message = refused("archive", "--from", "HEAD~3", "--file", FOLDER)
    assert f"git restore --source HEAD~3 -- {FOLDER}" in message
    memory.write("plan.md", "# Plan\n\nFile: docs\n\n## drop x\n\n- `000000000000` a\n")
    message = refused("apply", "plan.md")
    assert "plan.md:3: docs is a folder but not a memory folder" in message


def test_the_last_entry_comes_back_too(memory: GitRepository) -> None:
    before = files(memory)
    titles = [f"About {name}" for name in TEXTS]
    run = LEARNINGS("archive", *titles, "--reason", "old", cwd=memory.path)
    assert run.code == 0
    assert LEARNINGS("ages", FOLDER, cwd=memory.path).code == 1
    undo(memory, run.out)
    after = files(memory)
    assert {path: text for path, text in after.items() if path != INDEX} == {
        path: text for path, text in before.items() if path != INDEX
    }


STEPS = (
    ("drop nobody branches any more", ("names",), ""),
    ("merge Build locks", ("locks", "waiting"), "\n```\nOthers wait.\n```\n"),
    ("merge into About style", ("clock",), "\n```\nDates are frozen.\n```\n"),
    (f"move to {TARGET}#Tests", ("mocks",), ""),
    ("escalate who runs it", ("deploy",), ""),
)


def lost(point: CrashPoint) -> list[str]:
    """Return the files that are neither in the folder nor in its archive, byte for byte."""
    places = (point.folder / FOLDER, point.folder / ARCHIVE)
    return [
        f"{point}: lost {name}"
        for name in TEXTS
        if not any(
            (place / f"{name}.md").is_file()
            and (place / f"{name}.md").read_text(encoding="utf-8").startswith(text_of(name))
            for place in places
        )
    ]


@pytest.mark.soak
def test_a_kill_loses_nothing_and_a_second_run_completes(
    memory: GitRepository, tmp_path: Path
) -> None:
    known = digests(memory)
    steps = ""
    for heading, names, text in STEPS:
        rows = "".join(f"- `{known[name]}` About {name}\n" for name in names)
        steps += f"\n## {heading}\n\n{rows}{text}"
    memory.write("plan.md", f"# Plan\n\nFile: {FOLDER}\n{steps}")
    words = ("apply", "plan.md", *NOW)
    assert LEARNINGS(*words, "--dry-run", cwd=memory.path).code == 0
    problems, count = [], 0
    with CrashPoints(memory.path, tmp_path / "copy") as points:
        for point in points.killed(*words):
            count += 1
            problems += [*lost(point), *point.problems()]
    assert problems == []
    assert count > 20
