from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

HOOK = Command("memory-index")
INDEX, FILE = "agents/memory-index.md", "agents/decisions/cli.md"
HEADINGS = "# Command line\n\n## When a build hangs\n\nLook.\n\n## How to read a trace\n"
CLEAN = f"# Index\n\n## {FILE}\n\n/when a build hangs | lock\n/how read a trace\n"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, HEADINGS)
    repository.write(INDEX, CLEAN)
    repository.write("agents/learnings.md", "# L\n\n## A\n\nx\n\n## A\n\nx")
    repository.commit()
    return repository


def test_index_in_order_is_silent_whatever_other_files_are_like(memory: GitRepository) -> None:
    run = HOOK(cwd=memory.path)
    assert (run.code, run.out, run.err) == (0, "", "")


def test_a_deleted_file_is_found_though_no_changed_file_names_it(memory: GitRepository) -> None:
    memory.remove(FILE)
    memory.commit()
    run = HOOK(cwd=memory.path)
    assert run.code == 1
    assert f"{INDEX}:3:1: error index-missing-file" in run.out
    assert "(it has 2 rows)" in run.out


def test_from_a_folder_below(memory: GitRepository) -> None:
    memory.write(FILE, "# Command line\n\n## When a build hangs\n")
    run = HOOK(cwd=memory.path / "agents")
    assert run.out.startswith(f"{INDEX}:6:1: error index-orphan-row")


def test_configured_index(memory: GitRepository) -> None:
    memory.write("learnings.toml", 'index = "docs/index.md"\nindexed = ["docs/*.md"]\n')
    run = HOOK(cwd=memory.path)
    assert (run.code, run.out) == (2, "")
    assert "docs/index.md" in run.err
    memory.write("docs/a.md", "## When a\n")
    memory.write("docs/index.md", "## a.md\n\nNothing.\n\n## ../agents/decisions/cli.md\n")
    run = HOOK(cwd=memory.path)
    assert run.out.count("index-missing-row") == 3
    assert "docs/a.md:1:1: error index-missing-row" in run.out


@pytest.mark.parametrize("data", [b"", b"\0## \xc3\n/when \xff\n"])
def test_odd_bytes_end_in_findings_and_change_nothing(memory: GitRepository, data: bytes) -> None:
    memory.write(INDEX, data)
    run = HOOK(cwd=memory.path)
    assert run.code == 1
    assert "Traceback" not in run.err
    assert memory.read(INDEX) == data


@pytest.mark.parametrize("path", ["/etc/hosts.md", ".git/x.md", "a/../../outside.md"])
def test_paths_outside_are_missing_files(memory: GitRepository, path: str) -> None:
    (memory.path.parent / "outside.md").write_text("## When outside\n", encoding="utf-8")
    memory.write(INDEX, CLEAN + f"\n## {path}\n\n/when outside\n")
    run = HOOK(cwd=memory.path)
    assert f"{INDEX}:8:1: error index-missing-file" in run.out
    assert "missing-row" not in run.out


def test_named_on_the_command_line_and_on_standard_input(memory: GitRepository) -> None:
    learnings = Command("learnings")
    bad = CLEAN + "/when gone\n"
    piped = learnings("check", "--stdin-filename", INDEX, "-", cwd=memory.path, stdin=bad.encode())
    memory.write(INDEX, bad)
    for run in (piped, learnings("check", INDEX, cwd=memory.path)):
        assert run.code == 1
        assert run.out.startswith(f"{INDEX}:7:1: error index-orphan-row")
    below = learnings("check", "agents", cwd=memory.path)
    assert "index-orphan-row" in below.out
    assert "index-orphan-row" not in learnings("check", "agents/decisions", cwd=memory.path).out
    assert "index-orphan-row" in learnings("check", cwd=memory.path).out


BLOCK = "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n{}<!-- INDEX:END -->\n"
LEARNED = "# L\n\n" + BLOCK + "\n## [2026-01-01-120000] A\n\nx\n\n## [2026-01-02-120000] B\n\ny\n"
DECIDED = "# D\n\n" + BLOCK + "\n## [2026-01-03-120000] C\n\nx\n\n## [2026-01-04-120000] D\n\ny\n"


@pytest.fixture
def pair(repository: GitRepository) -> GitRepository:
    """Return a repository with two learnings files, each with an index block out of date."""
    repository.write(".context/LEARNINGS.md", LEARNED.format("| 2026-01-01 | A |\n"))
    repository.write(".context/DECISIONS.md", DECIDED.format("| 2026-01-03 | Gone |\n"))
    repository.commit()
    return repository


@pytest.mark.usefixtures("instructed")
def test_each_learnings_file_has_a_block_of_its_own(pair: GitRepository) -> None:
    run = HOOK(cwd=pair.path)
    assert run.code == 1
    assert [line.partition(" error ")[0] for line in run.out.splitlines()] == [
        ".context/DECISIONS.md:6:1:",
        ".context/DECISIONS.md:9:1:",
        ".context/DECISIONS.md:13:1:",
        ".context/LEARNINGS.md:13:1:",
    ]
    whole = Command("learnings")("check", cwd=pair.path)
    assert [line for line in whole.out.splitlines() if " index-" in line] == run.out.splitlines()
    one = Command("learnings")("check", ".context/LEARNINGS.md", cwd=pair.path)
    assert one.out == run.out.splitlines(keepends=True)[-1]


def test_a_list_of_indexes(pair: GitRepository) -> None:
    pair.write("learnings.toml", 'index = ["a.md", "docs/b.md"]\nindexed = ["docs/decisions/*"]\n')
    pair.write("docs/decisions/cli.md", HEADINGS)
    rows = "## docs/decisions/cli.md\n\n/when a build hangs\n/how read a trace\n"
    pair.write("a.md", rows)
    pair.write("docs/b.md", rows.replace("/how read a trace\n", ""))
    run = HOOK(cwd=pair.path)
    lines = [line for line in run.out.splitlines() if ".context" not in line]
    assert len(lines) == 1
    assert lines[0].startswith("docs/decisions/cli.md:7:1: error index-missing-row")
    assert '"docs/b.md"' in lines[0]
    assert run.out.count(".context/") > 0


@pytest.mark.parametrize(
    "text",
    [
        "# L\n\n```\n<!-- INDEX:START -->\n<!-- INDEX:END -->\n```\n\n## A\n\nx\n",
        "# L\n\n<!-- INDEX:START -->\n- A, of May\n<!-- INDEX:END -->\n\n## A\n\nx\n",
    ],
)
def test_what_is_no_block_of_ours_is_left_alone(repository: GitRepository, text: str) -> None:
    repository.write("agents/learnings.md", text)
    assert HOOK(cwd=repository.path).out == ""
    assert Command("learnings")("fix", cwd=repository.path).code == 0
