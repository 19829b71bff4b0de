"""The command `learnings split`, in real repositories."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.consolidation.split.target_files import file_of, section
from tests.support.command import Command
from tests.support.crash_points import CrashPoints
from tests.support.repository import GitRepository

FILE, INDEX = "agents/decisions/services.md", "agents/memory-index.md"
CLI = "agents/decisions/cli.md"
QUEUES, LOGGING = (f"agents/decisions/services-{name}.md" for name in ("queues", "logging"))
SERVICES = file_of(
    [
        section("Queues", 120),
        section("Retries", 95, text="They wait in [the queue](#queues).\n\n"),
        section("Logging", 190),
    ]
)
OTHER = "# Cli\n\n## When it fails\n\nSee [logs](services.md#logging).\n"
ROWS = """\
# Index

## agents/decisions/services.md

Queues — how they are named (line 5)
Retries — when
Logging — where

## agents/decisions/cli.md

/when it fails
"""
needs_links = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


@pytest.fixture
def services(repository: GitRepository) -> GitRepository:
    return with_services(repository)


def with_services(repository: GitRepository) -> GitRepository:
    for path, text in ((FILE, SERVICES), (CLI, OTHER), (INDEX, ROWS)):
        repository.write(path, text)
    repository.commit()
    return repository


def test_the_plan_says_what_goes_where_and_writes_nothing(
    learnings: Command, services: GitRepository
) -> None:
    run = learnings("split", FILE, cwd=services.path)
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        f"{FILE} has 412 lines, and the limit is 400: 2 new files\n"
        f"\n{QUEUES}: 218 lines\n"
        "  lines 5-124: Queues, refers to or from Retries\n"
        "  lines 126-220: Retries, refers to or from Queues\n"
        f"\n{LOGGING}: 192 lines\n"
        "  lines 222-411: Logging\n"
        f"\n{FILE} keeps 8 lines, with a cross-reference to each\n"
        "agents/decisions/cli.md: links to moved sections change\n"
        f"{INDEX}: rows change\n"
        f"Nothing is written; `learnings split {FILE} --apply` does this\n"
    )
    assert learnings("split", FILE, "--dry-run", cwd=services.path).out == run.out
    assert services.git("status", "--porcelain") == ""


def test_a_split_leaves_a_memory_in_which_nothing_is_wrong(
    learnings: Command, services: GitRepository
) -> None:
    run = learnings("split", FILE, "--apply", cwd=services.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(f"Split {FILE}, 412 lines, into 2 new files:\n")
    assert services.read(CLI).decode() == OTHER.replace(
        "services.md#logging", "services-logging.md#logging"
    )
    assert services.read(INDEX).decode() == (
        "# Index\n\n## agents/decisions/services.md\n\n"
        "## agents/decisions/cli.md\n\n/when it fails\n"
        f"\n## {QUEUES}\n\nQueues — how they are named (line 3)\nRetries — when\n"
        f"\n## {LOGGING}\n\nLogging — where\n"
    )
    assert learnings("check", "--strict", cwd=services.path).out == ""
    again = learnings("split", FILE, "--apply", cwd=services.path)
    assert again.code == 0
    assert again.out == f"{FILE} has 8 lines, and the limit is 400; nothing to split\n"


@needs_links
@pytest.mark.parametrize("folder", ["agents/decisions", "wiki"])
def test_rows_and_links_follow_under_the_name_of_a_linked_folder(
    learnings: Command, services: GitRepository, folder: str
) -> None:
    services.git("mv", "agents/decisions", "wiki")
    (services.path / "agents/decisions").symlink_to("../wiki")
    services.write("README.md", "See [logs](agents/decisions/services.md#logging).\n")
    services.commit()
    run = learnings("split", f"{folder}/services.md", "--apply", cwd=services.path)
    assert (run.code, run.err) == (0, "")
    assert f"## {QUEUES}\n\nQueues — how they are named (line 3)\n" in services.read(INDEX).decode()
    assert services.read("README.md").decode() == f"See [logs]({LOGGING}#logging).\n"
    assert learnings("check", "--strict", cwd=services.path).out == ""


def test_what_it_prints_takes_it_back(learnings: Command, services: GitRepository) -> None:
    out = learnings("split", "services.md", "--apply", cwd=services.path / "agents/decisions").out
    lines = out.splitlines()
    position = next(n for n, line in enumerate(lines) if line.startswith("Undo: "))
    for line in (lines[position].removeprefix("Undo: "), lines[position + 1]):
        subprocess.run(shlex.split(line), cwd=services.path / "agents/decisions", check=True)
    assert services.git("status", "--porcelain") == ""
    # git does not have this version
    services.write(FILE, f"{SERVICES}\nmore\n")
    assert "Undo" not in learnings("split", FILE, "--apply", cwd=services.path).out


@pytest.mark.parametrize(
    ("form", "rows", "expected"),
    [
        (
            "table",
            (
                "| Topic | File | Key | Lines |\n|---|---|---|---|\n"
                f"| S | {FILE} | Queues | 5 |\n| S | {FILE} | Retries | 126 |\n"
                f"| S | {FILE} | Logging | 222-411 |\n"
            ),
            (
                "| Topic | File | Key | Lines |\n|---|---|---|---|\n"
                f"| S | {QUEUES} | Queues | 3 |\n| S | {QUEUES} | Retries | 124 |\n"
                f"| S | {LOGGING} | Logging | 3-192 |\n"
            ),
        ),
    ],
)
def test_rows_of_every_form_follow_their_headings(
    learnings: Command, repository: GitRepository, form: str, rows: str, expected: str
) -> None:
    repository.write("learnings.toml", f'index-form = "{form}"\n')
    repository.write(FILE, SERVICES)
    repository.write(INDEX, f"# Index\n\n{rows}")
    repository.commit()
    before = learnings("check", "--role=index", INDEX, cwd=repository.path).out
    run = learnings("split", FILE, "--apply", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert repository.read(INDEX).decode() == f"# Index\n\n{expected}"
    assert (before, learnings("check", "--strict", cwd=repository.path).out) == ("", "")


def test_the_index_block_in_the_file_keeps_the_sections_that_stay(
    learnings: Command, repository: GitRepository
) -> None:
    block = "<!-- INDEX:START -->\n| Entry |\n|---|\n| Queues |\n| Logging |\n| Last |\n"
    top = f"# Services\n\n{block}<!-- INDEX:END -->\n\n"
    small = section("Last", 30)
    text = file_of([section("Queues", 285), section("Logging", 285), small], top=top)
    repository.write(FILE, text)
    repository.commit()
    run = learnings("split", FILE, "--apply", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert repository.read(FILE).decode() == (
        "# Services\n\n<!-- INDEX:START -->\n| Entry |\n|---|\n| Last |\n<!-- INDEX:END -->\n\n"
        "In files of their own:\n\n"
        "- [services-queues.md](services-queues.md): Queues\n"
        f"- [services-logging.md](services-logging.md): Logging\n\n{small.rstrip()}\n"
    )


def test_room_for_a_text_that_would_not_fit(learnings: Command, repository: GitRepository) -> None:
    repository.write(FILE, file_of([section("Queues", 190), section("Logging", 190)]))
    repository.commit()
    assert "nothing to split" in learnings("split", FILE, "--room=10", cwd=repository.path).out
    run = learnings("split", FILE, "--room=40", cwd=repository.path)
    assert f"`learnings split {FILE} --room 40 --apply` does this\n" in run.out
    assert ": 2 new files" in run.out


def test_a_user_decides_what_goes_together(learnings: Command, services: GitRepository) -> None:
    run = learnings("split", FILE, "--group=Queues,Retries,Logging", "--name=x", cwd=services.path)
    assert "services-x.md still has 409 lines: --group keeps its sections together" in run.err
    words = ("--group", "Queues,Logging", "--name", "Moving messages")
    plan = learnings("split", FILE, *words, cwd=services.path)
    command = f"learnings split {FILE} --group Queues,Logging --name 'Moving messages' --apply"
    assert plan.out.endswith(f"Nothing is written; `{command}` does this\n")
    assert learnings(*shlex.split(command)[1:], cwd=services.path).code == 0
    moved = services.read("agents/decisions/services-moving-messages.md").decode()
    assert moved.startswith("# Services: Moving messages\n")
    assert learnings("check", "--strict", cwd=services.path).out == ""


def test_a_heading_that_begins_with_a_hyphen(learnings: Command, repository: GitRepository) -> None:
    repository.write(FILE, file_of([section("--all", 210), section("Logging", 210)]))
    repository.commit()
    run = learnings("split", FILE, "--group=--all", "--name=all", cwd=repository.path)
    assert "services-all.md: 212 lines" in run.out
    assert f"`learnings split {FILE} --group=--all --name all --apply` does this\n" in run.out


def test_the_sizes_of_new_files_are_settings(learnings: Command, services: GitRepository) -> None:
    services.write("learnings.toml", "split-min = 95\nsplit-max = 200\n")
    assert ": 3 new files\n" in learnings("split", FILE, cwd=services.path).out


def test_one_topic_cannot_be_cut(learnings: Command, repository: GitRepository) -> None:
    repository.write(FILE, file_of([section("Queues", 500)]))
    repository.commit()
    run = learnings("split", FILE, "--apply", cwd=repository.path)
    assert run.code == 1
    assert run.out == f"{FILE} has 505 lines and cannot be cut: it has one topic, Queues\n"
    assert repository.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([FILE, "--dry-run"], "argument --apply: not allowed with argument -n/--dry-run"),
        ([FILE, "--room=-1"], "--room -1 is less than 0"),
        ([FILE, "--group=Queues", "--name=x", "--name=y"], "--group is given 1 time and --name 2"),
        ([FILE, "--group=Queues,Queues", "--name=x"], '--group names the section "Queues" twice'),
        (["none.md"], "none.md does not exist"),
        (["agents"], "agents is a folder"),
        (["agents/learnings.md"], "agents/learnings.md is a learnings file"),
        ([INDEX], f"{INDEX} is a memory index"),
        (["../outside.md"], "../outside.md is outside of the repository"),
        (["src/api/AGENTS.md"], "agents load AGENTS.md as a whole"),
        pytest.param(["CLAUDE.md"], "agents load CLAUDE.md as a whole", marks=needs_links),
        pytest.param(["wiki/kept.md"], "docs/lessons.md is a learnings file", marks=needs_links),
    ],
)
def test_what_is_refused(
    learnings: Command, services: GitRepository, words: list[str], problem: str
) -> None:
    services.write("agents/learnings.md", SERVICES)
    services.write("src/api/AGENTS.md", SERVICES)
    (services.path.parent / "outside.md").write_text(SERVICES, encoding="utf-8")
    services.commit()
    if words == ["CLAUDE.md"]:
        (services.path / "CLAUDE.md").symlink_to(FILE)
    if words == ["wiki/kept.md"]:
        services.write("wiki/kept.md", SERVICES)
        services.write("docs/d.md", "# D\n")
        (services.path / "docs/lessons.md").symlink_to("../wiki/kept.md")
    run = learnings("split", *words, "--apply", cwd=services.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert run.err.startswith(f"learnings: {problem}")
    assert services.git("diff") == ""


def test_new_files_that_git_ignores_are_refused(
    learnings: Command, services: GitRepository
) -> None:
    services.write(".gitignore", "*-logging.md\n")
    run = learnings("split", FILE, "--apply", cwd=services.path)
    assert run.code == 2
    assert f"git ignores {LOGGING}" in run.err
    assert services.read(FILE).decode() == SERVICES
    assert not (services.path / QUEUES).exists()


def test_who_else_has_to_know_is_said(learnings: Command, repository: GitRepository) -> None:
    repository.write("learnings.toml", f'targets = ["{FILE}"]\nexclude = ["old/**"]\n')
    repository.write(FILE, SERVICES)
    repository.write("CLAUDE.md", f"# Agents\n\n@{FILE}\n")
    repository.write("old/notes.md", f"[x](../{FILE}#queues)\n")
    repository.commit()
    assert learnings("split", FILE, cwd=repository.path).err.splitlines() == [
        f"learnings: CLAUDE.md:3 loads {FILE}; add a line for each of the 2 new files",
        "learnings: old/notes.md is excluded, so links in it to moved sections stay as they are",
        f"learnings: no pattern of `targets` matches {QUEUES}, {LOGGING}; add one that does",
    ]


def test_without_a_repository(learnings: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(SERVICES, encoding="utf-8")
    run = learnings("split", "notes.md", "--apply", cwd=tmp_path)
    assert (run.code, run.err) == (0, "")
    assert "commit" not in run.out
    assert (tmp_path / "notes-logging.md").exists()


@pytest.mark.soak
def test_killed_at_every_file_operation(services: GitRepository, tmp_path: Path) -> None:
    services.write("agents/decisions/services-logging.md", "# Another\n")
    services.commit()
    problems, count = [], 0
    with CrashPoints(services.path, tmp_path / "copy") as points:
        for point in points.killed("split", FILE, "--apply"):
            count += 1
            files = (point.folder / "agents/decisions").glob("*.md")
            known = {line for path in files for line in path.read_text("utf-8").splitlines()}
            kept = (line for line in SERVICES.splitlines() if "](#" not in line)
            problems += [f"{point}: {line}" for line in kept if line not in known]
            problems += point.problems()
    assert problems == []
    assert count > 10
