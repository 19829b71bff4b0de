"""`learnings init` in realistic repositories, and the hook frameworks with its result."""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
import subprocess
import sysconfig
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest
import yaml

from learnings.app.setup.hooks import CHOSEN
from learnings.core.entries.dialects import Dialect
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import LearningsError, MissingFile, UsageProblem
from learnings.store.files import WriteError
from learnings.surfaces.cli import init
from learnings.surfaces.cli.arguments import command_with
from learnings.workspace.config_file import LARGEST_CONFIG
from learnings.workspace.memory_file import memory_at
from learnings.workspace.workspace import Workspace
from tests.support.checkout import manifest
from tests.support.command import Command
from tests.support.crash_points import CrashPoints, faults
from tests.support.frameworks import REPOSITORY, REVISION, Framework, point_to_tag
from tests.support.repository import GitRepository
from tests.surfaces.cli.context import context

HOOKS, REPORT = ".pre-commit-config.yaml", "tmp/consolidation-*.md"
HEADINGS = "# Learnings\n\n## When a build hangs\n\nLook.\n\n## How to trace\n\nRead.\n"
BULLETS = "# Lessons\n\n- 2026-03-04: never retry on 409\n- 2026-03-05: read the log first\n"
COMMENTED = """\
# See https://pre-commit.com for more information
# See https://pre-commit.com/hooks.html for more hooks

ci:
  autoupdate_schedule: monthly   # enough

repos:
    # formatting
    -   repo: local
        hooks:
        # -   id: black
        -   id: nothing   # a stand-in
            name: 'does nothing'
            entry: python -c ""
            language: system
            pass_filenames: false
    # -   repo: https://example.invalid/off
"""
MONOREPO = {
    "packages/api/agents/learnings.md": HEADINGS,
    "packages/web/learnings.md": HEADINGS,
    "services/mail/docs/lessons.md": HEADINGS,
}


@dataclass(frozen=True)
class Output:
    out: str
    err: str


@pytest.fixture(autouse=True)
def without_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the folders with `learnings` from PATH, such as an activated environment."""
    folders = os.environ["PATH"].split(os.pathsep)
    without = [folder for folder in folders if not [*Path(folder).glob("learnings*")]]
    monkeypatch.setenv("PATH", os.pathsep.join(without))


def run(cwd: Path, *arguments: str) -> Output:
    parser = argparse.ArgumentParser()
    command_with(parser, "init")
    out, err = io.StringIO(newline=""), io.StringIO(newline="")
    init.run(parser.parse_args(arguments), context(cwd, out, err))
    return Output(out.getvalue(), err.getvalue())


def refusal(
    cwd: Path, kind: type[LearningsError] = LearningsError, *, arguments: tuple[str, ...] = ()
) -> str:
    before = snapshot(cwd)
    with pytest.raises(kind) as raised:
        run(cwd, *arguments)
    assert snapshot(cwd) == before
    return str(raised.value)


def snapshot(root: Path) -> dict[str, bytes | None]:
    """Return the whole work tree; None for anything but a regular file."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
        if ".git" not in path.relative_to(root).parts
    }


def filled(repository: GitRepository, content: Mapping[str, str | bytes]) -> GitRepository:
    for path, text in content.items():
        repository.write(path, text)
    return repository


def configured(repository: GitRepository) -> list[str]:
    return [str(file.path) for file in Workspace.open(repository.path).settings.files]


def our_hooks(repository: GitRepository) -> list[str]:
    repo = yaml.safe_load(repository.read(HOOKS))["repos"][-1]
    assert (repo["repo"], repo["rev"]) == (REPOSITORY, REVISION)
    return [hook["id"] for hook in repo["hooks"]]


WORLDS: dict[str, dict[str, str | bytes]] = {
    "empty": {},
    "commented": {HOOKS: COMMENTED, "agents/learnings.md": HEADINGS},
    "windows": {HOOKS: COMMENTED.replace("\n", "\r\n"), ".gitignore": "*.pyc\r\n"},
    "project": {"pyproject.toml": "[project]\nname = 'x'", "lessons.md": HEADINGS},
    "untidy": {".gitignore": b"*.caf\xe9", "learnings.toml": "# nothing\n", "lessons.md": HEADINGS},
    "monorepo": {**MONOREPO},
    "bullets": {"tasks/lessons.md": BULLETS},
}


def dialects_of(repository: GitRepository, files: list[str]) -> list[Dialect]:
    """How each file is read by the configuration there is."""
    workspace = Workspace.open(repository.path)
    return [memory_at(workspace, repository.path / path).document.dialect for path in files]


@pytest.mark.parametrize("world", WORLDS)
def test_a_run_does_what_its_dry_run_shows_and_a_second_one_nothing(
    repository: GitRepository, world: str
) -> None:
    filled(repository, WORLDS[world])
    before = snapshot(repository.path)
    files = [path for path in WORLDS[world] if path.endswith(".md")]
    dialects = dialects_of(repository, files)
    diff = run(repository.path, "--dry-run").out
    assert snapshot(repository.path) == before
    copy = filled(GitRepository(repository.path.with_name("copy")), WORLDS[world])
    copy.git("apply", "-", stdin=diff.encode("utf-8", "surrogateescape"))
    run(repository.path)
    after = snapshot(repository.path)
    assert snapshot(copy.path) == after != before
    assert sorted(configured(repository)) == sorted(files)
    assert our_hooks(repository) == list(CHOSEN)
    assert repository.git("check-ignore", REPORT) == REPORT
    assert dialects_of(repository, files) == dialects
    again = run(repository.path)
    assert (snapshot(repository.path), again.out) == (after, "")
    assert again.err.endswith("learnings: nothing to do\n")
    assert run(repository.path, "--dry-run").out == ""


@pytest.mark.parametrize(
    ("path", "hook"),
    [
        (".shaktra/stories/ST-1/.observations.yml", "confidence-memory"),
        (".specwright/learnings/WU-1.json", "learning-tiers"),
    ],
)
def test_a_form_of_memory_that_is_there_gets_its_hook(
    repository: GitRepository, path: str, hook: str
) -> None:
    repository.write(path, "{}\n")
    run(repository.path)
    assert our_hooks(repository) == [*CHOSEN, hook]
    assert run(repository.path, "--dry-run").out == ""


def test_a_hook_that_would_refuse_the_first_commit_is_left_out(repository: GitRepository) -> None:
    repository.write(".shaktra/memory/principles.yml", "principles: 3\n")
    result = run(repository.path)
    assert our_hooks(repository) == [*CHOSEN]
    sentence = "confidence-memory is left out, because `learnings memory check` finds 1 error"
    assert sentence in result.err


def test_from_a_folder_below_it_is_the_root_that_is_set_up(repository: GitRepository) -> None:
    filled(repository, WORLDS["monorepo"])
    for path in MONOREPO:  # a copy of another file is not loaded
        text = (repository.path / path).read_text("utf-8")
        repository.write(path, text.replace("\n## ", f"\n## In {path}: "))
    result = run(repository.path / "packages" / "web")
    assert result.out.startswith(
        f"learnings.toml: created\n{HOOKS}: created\n.gitignore: created\n"
    )
    appending, install, added, _ = steps(result)
    assert appending == (
        "printf '%s\\n' '@packages/api/agents/learnings.md' '@packages/web/learnings.md' "
        "'@services/mail/docs/lessons.md' >> ../../CLAUDE.md"
    )
    assert install == "pre-commit install"
    assert added == (
        "git add ../api/agents/learnings.md learnings.md ../../services/mail/docs/lessons.md"
        " ../../learnings.toml ../../.pre-commit-config.yaml ../../.gitignore ../../CLAUDE.md"
    )
    assert sorted(configured(repository)) == sorted(MONOREPO)
    assert not (repository.path / "packages/web/learnings.toml").exists()


def test_memories_of_others_are_not_configured(repository: GitRepository) -> None:
    folders = (
        *("node_modules/x", "tests/data", "packages/api/examples", "packages/.hidden"),
        "packages/api/.claude/notes",
    )
    for folder in (*folders, "packages/api/.claude"):
        repository.write(f"{folder}/learnings.md", HEADINGS)
    repository.write("packages/web/learnings.md", "# Notes of a course\n\nNo entry.\n")
    GitRepository(repository.path / "inner").write("learnings.md", HEADINGS)
    run(repository.path)
    assert configured(repository) == ["packages/api/.claude/learnings.md"]


def test_memory_that_git_ignores_is_not_configured(repository: GitRepository) -> None:
    repository.write(".claude/learnings.md", HEADINGS)
    repository.write(".gitignore", ".claude/\npackages/a/learnings.md\n")
    result = run(repository.path)
    assert not (repository.path / "learnings.toml").exists()
    assert ".claude/learnings.md: git ignores it\n" in result.err
    filled(
        repository, dict.fromkeys(["packages/a/learnings.md", "packages/a/lessons.md"], HEADINGS)
    )
    result = run(repository.path)
    assert configured(repository) == ["packages/a/lessons.md"]
    assert "packages/a/learnings.md: git ignores it\n" in result.err


def test_a_name_is_written_so_that_all_of_it_is_seen(repository: GitRepository) -> None:
    hidden, unnamable = "a\u202eb/learnings.md", f"a{chr(0xDC9B)}/learnings.md"
    filled(repository, dict.fromkeys([hidden, unnamable], HEADINGS))
    result = run(repository.path)
    assert configured(repository) == [hidden]
    assert "\u202e" not in repository.read("learnings.toml").decode()
    assert "a\\udc9b/learnings.md: its name is not UTF-8; rename it\n" in result.err


def test_files_that_are_configured_stay(repository: GitRepository) -> None:
    name, text = "pyproject.toml", '[[tool.learnings.file]]\npath = "notes.md"\n'
    filled(repository, {name: text, "notes.md": HEADINGS, "learnings.md": HEADINGS})
    run(repository.path)
    assert repository.read(name).decode() == text
    assert configured(repository) == ["notes.md"]


def test_refused_form_prints_the_lines_and_writes_nothing(repository: GitRepository) -> None:
    filled(repository, {HOOKS: "repos: []\n---\nrepos: []\n", "learnings.md": HEADINGS})
    before = snapshot(repository.path)
    refused = Command("learnings")("init", cwd=repository.path)
    assert (refused.code, refused.out) == (2, "")
    assert snapshot(repository.path) == before
    lines, _, reason = refused.err.partition("learnings: ")
    assert yaml.safe_load(lines)["repos"][0]["repo"] == REPOSITORY
    assert "it contains several documents" in reason


UNTIDY: dict[str, str | bytes] = {
    "agents/learnings.md": "# Learnings\n\n## When it hangs\n\nLook.\n\n## When it hangs\n\nKill.",
    "agents/decisions/cli.md": "A line.\n" * 401,
    "CLAUDE.md": "# Claude",
    ".claude/agents/tidy.md": "---\nname: tidy: all\n---\nRun `learnings duo`.\n",
    "agents/memory-index.md": "# Index\n\n## agents/decisions/gone.md\n\n/when it is gone\n",
}


def steps(result: Output) -> list[str]:
    """Return the next steps without their reasons."""
    below = result.out.partition("\nnext:\n")[2].splitlines()
    lines = takewhile(lambda line: line.startswith("  "), below)
    return [line.partition("  # ")[0].strip() for line in lines]


def test_each_memory_has_a_line_with_the_number_of_its_entries(repository: GitRepository) -> None:
    filled(
        repository,
        {
            "agents/learnings.md": HEADINGS,
            ".serena/memories/clock.md": "# Clock\n\nFreeze it.\n",
            ".serena/memories/_template.md": "# Title\n\nWhat to do.\n",
            "docs/templates/learnings.md": HEADINGS,
        },
    )
    memory = run(repository.path).out.partition("memory:\n")[2].partition("next:\n")[0]
    assert memory == (
        "  agents/learnings.md: 2 entries (heading at level 2) in 9 lines\n"
        "  .serena/memories: 1 file, each an entry, 3 lines\n"
    )
    assert "template" not in repository.read("learnings.toml").decode()


def test_untidy_files_are_recorded_and_every_hook_passes_after_the_steps(
    repository: GitRepository,
) -> None:
    filled(repository, UNTIDY)
    result = run(repository.path)
    reason = "  # records the 5 errors of today, so that only new ones fail"
    fixing = "  learnings fix  # repairs 2 errors\n"
    assert f"{fixing}  learnings baseline{reason}\n" in result.out
    added = "learnings.toml .pre-commit-config.yaml .gitignore CLAUDE.md .learnings-baseline.json"
    assert steps(result)[-2] == f"git add agents/learnings.md {added}"
    for line in steps(result):
        program, *words = shlex.split(line)
        if ">>" in words:
            subprocess.run(["sh", "-c", line], cwd=repository.path, check=True)
        elif program == "git":
            repository.git(*words)
        elif program != "pre-commit":
            code = Command(program)(*words, cwd=repository.path).code
            assert code == (words == ["fix"])  # 1 if it changed a file
    repository.commit("All there is")
    names = repository.git("ls-files").split()
    for hook, declared in manifest().items():
        given = names if declared.get("pass_filenames", True) else []
        done = Command(hook)(*given, cwd=repository.path)
        assert done.code == 0 or hook.endswith("-fix"), f"{hook}: {done.out}"


def test_notices_alone_are_not_recorded(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", HEADINGS + "- text\n" * 90)
    assert "learnings baseline" not in steps(run(repository.path))


def test_a_file_that_cannot_be_checked_is_named(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", HEADINGS)
    repository.write("CLAUDE.md", b"x" * (LARGEST_FILE + 1))
    result = run(repository.path)
    assert "  learnings check  # CLAUDE.md has more than" in result.out
    assert "git add" in result.out


def test_without_hooks(repository: GitRepository) -> None:
    filled(repository, {"agents/learnings.md": HEADINGS, HOOKS: "- no configuration\n"})
    result = run(repository.path, "--no-hooks")
    assert repository.read(HOOKS) == b"- no configuration\n"
    assert steps(result) == [
        "echo '@agents/learnings.md' >> CLAUDE.md",
        "git add agents/learnings.md learnings.toml .gitignore CLAUDE.md",
        'git commit -m "Set up learnings"',
    ]
    assert run(repository.path, "--no-hooks").out == ""


def test_hooks_of_another_tool(repository: GitRepository) -> None:
    repository.git("config", "core.hooksPath", ".husky")
    result = run(repository.path)
    assert "git takes its hooks from .husky (core.hooksPath)" in result.err
    assert "pre-commit install" not in steps(result)
    assert our_hooks(repository) == list(CHOSEN)


@pytest.mark.parametrize("path", [".husky/pre-commit", ".git/hooks/pre-commit"])
def test_a_script_that_runs_our_hooks_is_enough(repository: GitRepository, path: str) -> None:
    filled(repository, {"agents/learnings.md": HEADINGS, path: "#!/bin/sh\nlearnings-check x\n"})
    result = run(repository.path)
    assert f"{path} already runs our hooks; no others were added\n" in result.err
    assert not (repository.path / HOOKS).exists()
    assert "pre-commit install" not in steps(result)


def test_names_that_a_shell_would_split(repository: GitRepository) -> None:
    folder = repository.path / "a b"
    folder.mkdir()
    repository.write("learnings.toml", 'baseline = "agents/known ones.json"\n')
    repository.write("agents/learnings.md", "# L\n\n## A\n\n## A\n\nx\n")
    (added,) = [line for line in steps(run(folder)) if line.startswith("git add")]
    assert added.endswith(" '../agents/known ones.json'")


TOLD = (
    "Read `agents/learnings.md` before you start. When something was harder than expected, append "
    "an entry like the others: what to do next time, and why."
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"CLAUDE.md": "@agents/learnings.md\n"}),
        ({"CLAUDE.md": "# Us"}, {"CLAUDE.md": "# Us\n\n@agents/learnings.md\n"}),
        ({".claude/CLAUDE.md": ""}, {".claude/CLAUDE.md": "@../agents/learnings.md\n"}),
        ({"AGENTS.md": "# Us\n"}, {"AGENTS.md": f"# Us\n\n{TOLD}\n"}),
        ({".github/copilot-instructions.md": ""}, {".github/copilot-instructions.md": f"{TOLD}\n"}),
        # One for each, unless the reader of the one comes to the other.
        (
            {"CLAUDE.md": "# A\n", "AGENTS.md": "# B\n"},
            {"CLAUDE.md": "# A\n\n@agents/learnings.md\n", "AGENTS.md": f"# B\n\n{TOLD}\n"},
        ),
        (
            {"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "# B\n"},
            {"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": f"# B\n\n{TOLD}\n"},
        ),
        # Nothing where it is named already.
        ({"AGENTS.md": "See learnings.md\n"}, {"AGENTS.md": "See learnings.md\n"}),
    ],
)
def test_instructions_that_do_not_name_the_memory_get_a_line(
    repository: GitRepository, before: dict[str, str], after: dict[str, str]
) -> None:
    filled(repository, {"agents/learnings.md": HEADINGS, **before})
    lines = steps(run(repository.path))
    assert {path: repository.read(path).decode() for path in before} == before
    appending = [line for line in lines if ">>" in line]
    changed = sorted(path for path, text in after.items() if before.get(path) != text)
    assert sorted(line.rpartition(" >> ")[2] for line in appending) == changed
    for line in appending:
        subprocess.run(["sh", "-c", line], cwd=repository.path, check=True)
    assert {path: repository.read(path).decode() for path in after} == after
    (added,) = [line for line in lines if line.startswith("git add")]
    assert [path for path in changed if path not in added.split()] == []
    findings = Command("learnings")("check", "--format=json", cwd=repository.path).json["findings"]
    assert [finding["rule"] for finding in findings] == []


def test_a_link_is_not_appended_to(repository: GitRepository) -> None:
    filled(repository, {"agents/learnings.md": HEADINGS, "AGENTS.md": "# Us\n"})
    (repository.path / "CLAUDE.md").symlink_to("AGENTS.md")
    (line,) = [line for line in steps(run(repository.path)) if ">>" in line]
    assert line.endswith(" >> AGENTS.md")


def test_instructions_that_git_ignores_are_not_added(repository: GitRepository) -> None:
    filled(repository, {"agents/learnings.md": HEADINGS, ".gitignore": "CLAUDE.md\n"})
    lines = steps(run(repository.path))
    assert "echo '@agents/learnings.md' >> CLAUDE.md" in lines
    assert [line for line in lines if line.startswith("git add") and "CLAUDE.md" in line] == []


def test_names_with_blanks_and_quotes_are_imported(repository: GitRepository) -> None:
    name = "agents/ida's learnings.md"
    filled(repository, {name: HEADINGS, "learnings.toml": f'path = "{name}"\n'})
    for line in steps(run(repository.path)):
        if ">>" in line:
            subprocess.run(["sh", "-c", line], cwd=repository.path, check=True)
    assert repository.read("CLAUDE.md") == b"@agents/ida's\\ learnings.md\n"
    assert Command("learnings")("check", "--strict", cwd=repository.path).code == 0


def test_outside_a_repository(tmp_path: Path) -> None:
    assert "not a git repository" in refusal(tmp_path, UsageProblem)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({".pre-commit-config.yml": "repos: []\n"}, "rename .pre-commit-config.yml"),
        ({HOOKS: "#" * (LARGEST_CONFIG + 1)}, "has more than 1000000 bytes"),
        ({f"{HOOKS}/file": ""}, "is a folder"),
    ],
)
def test_what_is_broken_is_reported_and_nothing_is_written(
    repository: GitRepository, content: dict[str, str], sentence: str
) -> None:
    filled(repository, content)
    assert sentence in refusal(repository.path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_an_ignore_file_that_git_would_wait_for(repository: GitRepository) -> None:
    filled(repository, {"agents/learnings.md": HEADINGS})
    os.mkfifo(repository.path / ".gitignore")
    for arguments in ((), ("--dry-run",)):
        with pytest.raises(LearningsError, match=r"\.gitignore is not a regular file"):
            run(repository.path, *arguments)
    (repository.path / ".gitignore").unlink()
    os.truncate(repository.write(".gitignore", ""), 10_000_000_000)
    with pytest.raises(UsageProblem, match=r"\.gitignore has more than"):
        run(repository.path)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links(repository: GitRepository) -> None:
    outside = repository.path.with_name("outside")
    outside.write_text("repos: []\n", encoding="utf-8")
    repository.write("ci/hooks.yaml", COMMENTED)
    (repository.path / HOOKS).symlink_to("ci/hooks.yaml")
    (repository.path / ".gitignore").symlink_to("../outside")
    sentence = ".gitignore leads out of the repository"
    assert sentence in refusal(repository.path, WriteError)
    # The diff would show lines of the other file.
    assert sentence in refusal(repository.path, WriteError, arguments=("--dry-run",))
    (repository.path / ".gitignore").unlink()
    (repository.path / ".gitignore").symlink_to("nowhere")
    assert ".gitignore is a broken link" in refusal(repository.path, MissingFile)
    (repository.path / ".gitignore").unlink()
    run(repository.path)
    assert (repository.path / HOOKS).is_symlink()
    assert our_hooks(repository) == list(CHOSEN)
    assert outside.read_text(encoding="utf-8") == "repos: []\n"


@pytest.mark.soak
@pytest.mark.network
@pytest.mark.parametrize("world", ["commented", "windows", "monorepo"])
def test_result_passes_all_hooks_until_there_is_a_finding(
    repository: GitRepository, framework: Framework, world: str
) -> None:
    filled(repository, WORLDS[world])
    run(repository.path)
    point_to_tag(repository)
    repository.commit("Set up")
    checked = framework("run", "--all-files", "--verbose", cwd=repository.path)
    assert checked.code == 0, checked.out + checked.err
    assert "check learnings files" in checked.out
    assert repository.git("status", "--porcelain") == ""
    run(repository.path)
    assert repository.git("status", "--porcelain") == ""
    if world == "monorepo":
        repeated = HEADINGS + "\n## When a build hangs\n\nAgain.\n"
        repository.write("packages/web/learnings.md", repeated)
        repository.commit("Repeat an entry")
        checked = framework("run", "--all-files", cwd=repository.path)
        assert checked.code == 1
        assert "packages/web/learnings.md:11:1: error duplicate-entry" in checked.out


def test_the_hooks_go_to_the_file_that_prek_reads(repository: GitRepository) -> None:
    filled(repository, {"agents/learnings.md": HEADINGS})
    repository.write("prek.toml", "fail_fast = true\n")
    result = run(repository.path)
    assert "prek.toml: extended\n" in result.out
    assert "\n  prek install\n" in result.out
    assert not (repository.path / HOOKS).exists()
    assert b'{ id = "learnings-check" },\n' in repository.read("prek.toml")
    repository.write(HOOKS, "repos: []\n")
    result = run(repository.path)
    assert f"{HOOKS} was not changed, because prek reads prek.toml" in result.err
    assert repository.read(HOOKS) == b"repos: []\n"


SCRIPTS = sysconfig.get_path("scripts")
LESSON = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
DRIVER = (
    '  git config merge.learnings.driver "learnings merge-driver %O %A %B %P --marker-size=%L"'
    "  # in each clone"
)


def merging(result: Output) -> list[str]:
    """Return the lines about merging."""
    heading = "to merge branches by entry, run at the root of the repository:\n"
    return result.out.partition(heading)[2].splitlines()


@pytest.fixture
def with_program(without_program: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Put `learnings` on PATH."""
    monkeypatch.setenv("PATH", os.pathsep.join((SCRIPTS, os.environ["PATH"])))


@pytest.mark.usefixtures("with_program")
def test_merging_by_entry_is_shown_where_the_program_is_on_path(repository: GitRepository) -> None:
    filled(repository, {"agents/learnings.md": LESSON, "docs/learnings.md": LESSON})
    result = run(repository.path)
    memories = ("agents/learnings.md", "docs/learnings.md")
    archives = ("agents/archive/*-decisions.md", "docs/archive/*-decisions.md")
    lines = [
        f"  echo '{path} merge=learnings' >> .gitattributes" for path in (*memories, *archives)
    ]
    assert merging(result) == [*lines, DRIVER]
    assert not (repository.path / ".gitattributes").exists()
    assert "merge" not in (repository.path / ".git/config").read_text()


@pytest.mark.usefixtures("with_program")
def test_git_merges_the_files_at_the_ends_of_links(repository: GitRepository) -> None:
    repository.write("notes/ours.md", LESSON)
    (repository.path / "agents").mkdir()
    (repository.path / "agents/learnings.md").symlink_to("../notes/ours.md")
    repository.commit()
    words = [line.split("'")[1].split()[0] for line in merging(run(repository.path))[:-1]]
    assert words == ["notes/ours.md", "notes/archive/*-decisions.md"]


@pytest.mark.usefixtures("with_program")
def test_the_commands_shown_set_merging_up(repository: GitRepository) -> None:
    name = "agents/our learnings.md"
    tables = (f'[[file]]\npath = "{path}"\n' for path in (name, "docs/our solutions"))
    repository.write("learnings.toml", "".join(tables))
    filled(repository, {name: LESSON, "docs/our solutions/one.md": LESSON})
    for line in merging(run(repository.path)):
        subprocess.run(line, shell=True, cwd=repository.path, check=True)
    folder = ("docs/our solutions/deep/a.md", "docs/our solutions/archive/solutions-decisions.md")
    paths = (name, "agents/archive/our learnings-decisions.md", *folder)
    attributes = repository.git("check-attr", "merge", "--", *paths).splitlines()
    assert attributes == [f"{path}: merge: learnings" for path in paths]
    assert "unspecified" in repository.git("check-attr", "merge", "agents/other.md")
    repository.commit()
    for branch, body in (("one", "One."), ("two", "Two.")):
        repository.branch(branch, "main")
        repository.write(name, f"{LESSON}\n## When {branch}\n\n{body}\n")
        repository.commit()
    repository.git("merge", "--quiet", "one")
    assert repository.read(name).decode() == (
        f"{LESSON}\n## When two\n\nTwo.\n\n## When one\n\nOne.\n"
    )
    (repository.path / ".gitignore").unlink()
    assert merging(run(repository.path)) == []


def test_what_was_written_is_said_if_what_comes_next_cannot_be_found_out(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Workspace) -> None:
        raise MissingFile("learnings.toml cannot be read")

    filled(repository, {"agents/learnings.md": LESSON})
    monkeypatch.setattr(init, "is_on_path", refuse)
    out = run(repository.path).out
    assert "learnings.toml: created\n" in out
    assert "  learnings init  # learnings.toml cannot be read\n" in out


def test_merging_is_not_shown_where_the_program_is_in_the_repository(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(repository, {"agents/learnings.md": LESSON})
    assert merging(run(repository.path)) == [], "it is nowhere at all"
    for suffix in ("", ".exe"):
        repository.write(f".venv/bin/learnings{suffix}", "#!/bin/sh\n").chmod(0o755)
    folder = str(repository.path / ".venv/bin")
    monkeypatch.setenv("PATH", os.pathsep.join((folder, os.environ["PATH"])))
    (repository.path / ".gitignore").unlink()  # so that there is something to do
    result = run(repository.path)
    assert (steps(result) != [], merging(result)) == (True, [])


@pytest.mark.soak
def test_a_file_that_cannot_be_read_is_named(repository: GitRepository, tmp_path: Path) -> None:
    filled(repository, {".gitignore": "# Mine.\n", "agents/learnings.md": HEADINGS})
    problems = []
    with CrashPoints(repository.path, tmp_path / "copy") as points:
        expected = points.undisturbed("init")
        names = (".gitignore", "pyproject.toml")
        read = [o for o in expected.run.operations if o.path in names and not o.writes]
        for stop in faults(read):
            problems += points.point("init", expected=expected, stop=stop).problems()
    assert read
    assert problems == []


def test_a_memory_is_begun_where_there_are_only_instructions(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("CLAUDE.md", "# Guide\n\nRun the tests.\n")
    repository.commit()
    overview = learnings(cwd=repository.path).out
    assert "next      `learnings init --memory agents/learnings.md`" in overview
    run = learnings("init", "--memory", "docs/notes.md", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("docs/notes.md: created\nlearnings.toml: created\n")
    assert "  printf '%s\\n' '' '@docs/notes.md' >> CLAUDE.md" in run.out
    assert "  git add docs/notes.md learnings.toml" in run.out
    repository.write("docs/notes.md", LESSON)
    repository.commit()
    assert learnings("ages", "--summary", cwd=repository.path).out.startswith("1 entry")


def test_a_memory_that_is_there_is_configured_beside_those_found(
    learnings: Command, repository: GitRepository
) -> None:
    filled(repository, dict.fromkeys(["agents/learnings.md", "work/notes.md"], LESSON))
    cwd = repository.path / "work"
    assert learnings("init", "--no-hooks", "--memory", "notes.md", cwd=cwd).code == 0
    config = repository.read("learnings.toml").decode()
    assert re.findall(r'path = "(.*)"', config) == ["agents/learnings.md", "work/notes.md"]
    assert repository.read("work/notes.md").decode() == LESSON


def test_a_memory_that_can_be_none_is_refused_and_so_is_a_second_configuration(
    repository: GitRepository,
) -> None:
    (repository.path / "docs").mkdir()
    for path in ("../out.md", "docs", "notes.txt"):
        sentence = "is not a Markdown file in this repository"
        assert sentence in refusal(repository.path, arguments=("--memory", path))
    repository.write("learnings.toml", 'path = "agents/learnings.md"\n')
    repository.write("agents/learnings.md", "# Learnings\n")
    message = refusal(repository.path, arguments=("--memory", "docs/notes.md"))
    assert "already configured (learnings.toml:1)" in message


# --- a file that can be read in two ways

SPRINTS = "# Lessons\n\n" + "".join(
    f"## Sprint {n} (2026-01-0{n})\n\n"
    + "".join(f"- Lesson {n}{m} of the sprint.\n" for m in "abcd")
    for n in (1, 2)
)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")
@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("2\n", ['dialect = "bullet"']),
        ("both\n1\n", ['dialect = "heading"', "entry-level = 2"]),
        ("\n", []),
        ("\x04", []),  # the end of the input
    ],
)
def test_a_contested_reading_is_asked_for_on_a_terminal(
    repository: GitRepository, answer: str, lines: list[str]
) -> None:
    import pty  # noqa: PLC0415  (not on Windows)

    repository.write("tasks/lessons.md", SPRINTS)
    repository.commit()
    ours, theirs = pty.openpty()
    program = [str(Path(sysconfig.get_path("scripts"), "learnings")), "init", "--no-hooks"]
    with subprocess.Popen(
        program, cwd=repository.path, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        os.write(ours, answer.encode())
        out = b""
        with suppress(OSError):  # the other side is closed
            while data := os.read(ours, 4096):
                out += data
    os.close(ours)
    assert (process.returncode, b"which are its entries?" in out) == (0, True)
    written = repository.read("learnings.toml").decode().splitlines()
    assert [line for line in written if "path" not in line and line[:1] != "["] == lines
    assert (b"doubtful" in out) == (not lines)


def test_nobody_is_asked_without_a_terminal(repository: GitRepository) -> None:
    repository.write("tasks/lessons.md", SPRINTS)
    repository.commit()
    result = run(repository.path, "--no-hooks")
    assert "which are" not in result.out + result.err
    assert "doubtful" in result.out
    assert repository.read("learnings.toml") == b'path = "tasks/lessons.md"\n'
