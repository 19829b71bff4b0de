"""The commands on memory folders, in which each file is an entry, in real repositories."""

from __future__ import annotations

import shlex

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

FOLDER = ".claude/memory"
LEARNINGS = Command("learnings")
TEXTS = {
    "builds": "The lock of the package manager is left behind when a build is stopped.",
    "clock": "Freeze the clock in tests that compare dates, or they fail at midnight.",
    "mocks": "Use a real server on loopback, with faults that are injected into it.",
}


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    for number, (name, text) in enumerate(TEXTS.items(), start=1):
        source = f"---\nname: About {name}\n---\n\n# {name}\n\n{text}\n"
        repository.write(f"{FOLDER}/{name}.md", source)
        repository.commit(date=f"2026-03-0{number}")
    repository.work("2026-03-04", 14)
    return repository


def test_verdict_and_ages_name_the_folder_and_the_files(memory: GitRepository) -> None:
    (file,) = LEARNINGS("due", "--format=json", cwd=memory.path).json["files"]
    assert (file["file"], file["verdict"]) == (FOLDER, "due")
    assert [entry["path"] for entry in file["batch"]] == [f"{FOLDER}/{name}.md" for name in TEXTS]
    batch = LEARNINGS("batch", FOLDER, cwd=memory.path).out
    assert f"<!-- {FOLDER}/clock.md: 15 active days, added 2026-03-02 -->" in batch
    assert TEXTS["mocks"] in batch
    document = LEARNINGS("ages", FOLDER, "--format=json", cwd=memory.path).json
    assert (document["file"], document["dialect"], document["lines"]) == (FOLDER, "folder", 3)
    assert [(e["title"], e["path"], e["added"]) for e in document["entries"]] == [
        (f"About {name}", f"{FOLDER}/{name}.md", f"2026-03-0{number}")
        for number, name in enumerate(TEXTS, start=1)
    ]


def test_the_size_of_a_folder_names_what_is_counted(memory: GitRepository) -> None:
    assert "3 files (threshold 150" in LEARNINGS("due", cwd=memory.path).out
    (memory.path / "learnings.toml").write_text("size-trigger = 3\n", encoding="utf-8")
    assert "the folder has 3 files" in LEARNINGS("due", "--format", "json", cwd=memory.path).out
    memory.write(f"{FOLDER}/MEMORY.md", "# Memory\n\n- [Builds](builds.md) — locks\n")
    assert "3 index lines (threshold 3" in LEARNINGS("due", cwd=memory.path).out
    ages = LEARNINGS("ages", FOLDER, cwd=memory.path).out
    assert "\n**Files:** 3\n" in ages
    assert "File lines" not in ages


def test_the_overview_shows_the_folder(memory: GitRepository) -> None:
    memory.write(f"{FOLDER}/MEMORY.md", "# Memory\n\n- [Builds](builds.md) — locks\n")
    memory.write("CLAUDE.md", "# Instructions\n\nRun make test.\n")
    text = LEARNINGS(cwd=memory.path).out
    assert "tokens in each session" in text
    assert "saves" not in text, "no session pays for the files of a folder"
    assert f"{FOLDER}: due: " in text
    assert "3 files, each an entry, 9 lines" in text
    assert "skipped" not in text


def test_another_commit_is_not_read(memory: GitRepository) -> None:
    run = LEARNINGS("ages", FOLDER, "--at", "HEAD~1", cwd=memory.path)
    assert run.code == 2
    assert f"{FOLDER} is a folder; check out the commit" in run.err


def test_a_file_that_is_deleted_is_lost_until_it_is_back(memory: GitRepository) -> None:
    memory.remove(f"{FOLDER}/clock.md")
    run = LEARNINGS("verify", "--base", "HEAD", cwd=memory.path)
    assert run.code == 1
    assert 'error: the entry "About clock" is lost' in run.out
    restore, archive = [line.strip() for line in run.out.splitlines() if line.startswith("    ")]
    memory.git(*shlex.split(restore)[1:])
    assert LEARNINGS("verify", "--base", "HEAD", cwd=memory.path).code == 0
    inner = memory.path / FOLDER  # the command is right wherever it was printed
    assert LEARNINGS(*shlex.split(archive)[1:], cwd=inner).code == 0
    run = LEARNINGS("verify", "--base", "HEAD", cwd=memory.path)
    assert (run.code, "notice" in run.out) == (0, False)
    memory.write(f"{FOLDER}/archive/clock.md", "# clock\n\nFreeze it.\n")
    assert LEARNINGS("verify", "--base", "HEAD", cwd=memory.path).code == 1
    memory.write(f"{FOLDER}/mocks.md", "---\nname: About mocks\n---\n")
    run = LEARNINGS("verify", "--base", "HEAD", cwd=memory.path)
    assert "only its heading is left" in run.out


def test_proposals_and_groups_compare_the_files(memory: GitRepository) -> None:
    memory.write("learnings.toml", "keep-recent = 0\n")
    memory.write("docs/decisions/tests.md", f"# Tests\n\n## About clock\n\n{TEXTS['clock']}\n")
    found = LEARNINGS("precheck", FOLDER, "--all", "--format=json", cwd=memory.path).json
    (finding,) = found["findings"]
    assert (finding["check"], finding["path"]) == ("covered", f"{FOLDER}/clock.md")
    memory.write(f"{FOLDER}/stopped.md", f"# Stopped builds\n\n{TEXTS['builds']} So it waits.\n")
    (group,) = LEARNINGS("groups", FOLDER, "--format=json", cwd=memory.path).json["groups"]
    grouped = [entry["path"] for entry in group["members"]]
    assert grouped == [f"{FOLDER}/builds.md", f"{FOLDER}/stopped.md"]
    assert f"{FOLDER}/builds.md" in LEARNINGS("groups", FOLDER, cwd=memory.path).out


def index(repository: GitRepository, *rows: str) -> None:
    repository.write(f"{FOLDER}/MEMORY.md", "# Memory\n\n" + "".join(f"- {row}\n" for row in rows))


def test_a_fix_corrects_links_and_adds_rows_on_request(memory: GitRepository) -> None:
    memory.rename(f"{FOLDER}/clock.md", f"{FOLDER}/time/clock.md")
    memory.write(f"{FOLDER}/way in.md", "---\ndescription: for newcomers\n---\n\n# The way in\n")
    rows = (
        f"[Builds]({FOLDER}/builds.md#locks) — locks",
        "[Clock](clock.md) — dates, see [builds](builds.md)",
        "[Gone](gone.md)",
    )
    index(memory, *rows)
    assert 'does not exist; write "time/clock.md"' in LEARNINGS("check", cwd=memory.path).out
    assert LEARNINGS("fix", cwd=memory.path).code == 1
    corrected = (
        "- [Builds](builds.md#locks) — locks\n"
        "- [Clock](time/clock.md) — dates, see [builds](builds.md)\n"
        "- [Gone](gone.md)\n"
    )
    assert memory.read(f"{FOLDER}/MEMORY.md").decode() == f"# Memory\n\n{corrected}"
    assert LEARNINGS("fix", "--add-missing", cwd=memory.path).code == 1
    assert memory.read(f"{FOLDER}/MEMORY.md").decode() == (
        f"# Memory\n\n{corrected}- [About mocks](mocks.md)\n"
        "- [The way in](way%20in.md) — for newcomers\n"
    )
    assert LEARNINGS("fix", "--add-missing", cwd=memory.path).out == ""


def test_an_index_that_lost_its_last_row_gets_rows_again(memory: GitRepository) -> None:
    rows = "".join(f"- [About {name}]({name}.md)\n" for name in TEXTS)
    memory.write(f"{FOLDER}/MEMORY.md", f"# Memory\n\n{rows}")
    memory.commit(date="2026-03-20")
    titles = [f"About {name}" for name in TEXTS]
    LEARNINGS("archive", "--reason=old", *titles, "--file", FOLDER, cwd=memory.path)
    assert not (memory.path / FOLDER / "clock.md").exists()
    assert "entries-gone" not in LEARNINGS("check", cwd=memory.path).out
    LEARNINGS("archive", "--restore", *titles, "--file", FOLDER, cwd=memory.path)
    assert memory.git("status", "--porcelain") == ""


def test_a_fix_leaves_what_is_ignored(memory: GitRepository) -> None:
    memory.write("learnings.toml", '[rules]\n"index-missing-row" = "off"\n')
    index(memory, f"[Builds]({FOLDER}/builds.md) <!-- learnings: ignore[index-missing-file] x -->")
    before = memory.read(f"{FOLDER}/MEMORY.md")
    LEARNINGS("fix", "--add-missing", cwd=memory.path)
    assert memory.read(f"{FOLDER}/MEMORY.md") == before


def test_rows_that_are_not_loaded_are_named(memory: GitRepository) -> None:
    index(memory, *("[Builds](builds.md)",) * 198, "[Clock](clock.md)", "[Mocks](mocks.md)")
    out = LEARNINGS("check", cwd=memory.path).out
    assert "lines 201 to 202 are not loaded, including the rows of clock.md, mocks.md;" in out


def test_a_readme_with_links_is_the_index_of_solutions(repository: GitRepository) -> None:
    repository.write("docs/solutions/a.md", "# A\n\nText.\n")
    repository.write("docs/solutions/README.md", "# Solutions\n\n- [B](b.md) — gone\n")
    repository.commit()
    out = LEARNINGS("check", cwd=repository.path).out
    assert "docs/solutions/README.md:3:1: error index-missing-file" in out
    assert "docs/solutions/a.md:1:1: notice index-missing-row" in out
    assert "index     docs/solutions/README.md" in LEARNINGS(cwd=repository.path).out


def test_a_folder_alone_has_no_learnings_file(memory: GitRepository) -> None:
    run = LEARNINGS("check", "--role", "learnings", cwd=memory.path)
    assert run.code == 0
    assert f"{FOLDER}: no index of links to check, and no other memory file" in run.out + run.err


def test_a_report_has_the_folder_beside_the_files(memory: GitRepository) -> None:
    memory.write("agents/learnings.md", "# Learnings\n\n## When a build hangs\n\nLook.\n")
    memory.commit(date="2026-03-20")
    document = LEARNINGS("report", "--format=json", cwd=memory.path).json
    names = [file["file"] for file in document["files"]]
    assert names == ["agents/learnings.md", FOLDER]
    assert LEARNINGS("report", "--output", "report.html", cwd=memory.path).code == 0
    run = LEARNINGS("due", "--replay", cwd=memory.path)
    assert (run.code, "agents/learnings.md" in run.out) == (0, True)
    assert f"{FOLDER} is a folder, and --replay reads only files; it is left out" in run.err


@pytest.mark.parametrize("command", ["ci --dry-run", "fleet scan .", "config", "init --dry-run"])
def test_what_is_about_a_repository_takes_the_folder(command: str, memory: GitRepository) -> None:
    run = LEARNINGS(*command.split(), cwd=memory.path)
    assert (run.code in (0, 1), "no learnings file" in run.out + run.err) == (True, False)
