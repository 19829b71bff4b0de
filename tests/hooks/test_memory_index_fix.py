from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

HOOK, CHECK = Command("memory-index-fix"), Command("memory-index")
INDEX, CLI, WEB = "agents/memory-index.md", "agents/decisions/cli.md", "agents/decisions/web.md"
FILES = {
    CLI: "# Command line\n\n## When a build hangs\n\n## How to read a trace\n\n## .More\n",
    WEB: "# Web\n\n## When a page hangs\n\n## Caches\n\nKept a day. Or two.\n",
}
UNTIDY = f"""\
# Index

## {CLI}

/how read a trace | log
- a note — kept
/when a page hangs
/when nobody knows
More — structural
/when a build hangs

## {WEB}

## Notes

Nobody — no row here
"""
TIDY = f"""\
# Index

## {CLI}

/when a build hangs
- a note — kept
/when nobody knows
/how read a trace | log

## {WEB}

/when a page hangs

## Notes

Nobody — no row here
"""


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    for path, text in {**FILES, INDEX: UNTIDY}.items():
        repository.write(path, text)
    repository.commit()
    return repository


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_rows_are_moved_ordered_and_removed_and_nothing_else(
    memory: GitRepository, newline: str
) -> None:
    memory.write(INDEX, UNTIDY.replace("\n", newline).encode())
    memory.write("agents/learnings.md", "## A\n\n##Bee")
    memory.commit()
    run = HOOK(cwd=memory.path)
    assert (run.code, run.out, run.err) == (1, f"Fixing {INDEX}\n", "")
    assert memory.read(INDEX).decode() == TIDY.replace("\n", newline)
    assert memory.git("diff", "HEAD", "--name-only") == INDEX
    assert memory.git("diff", "--cached", "--name-only") == ""
    again = HOOK(cwd=memory.path)
    assert (again.code, again.out, again.err) == (0, "", "")
    assert memory.read(INDEX).decode() == TIDY.replace("\n", newline)


def test_what_was_fixed_is_no_finding_any_more(memory: GitRepository) -> None:
    before = CHECK(cwd=memory.path).out
    for rule in ("order", "wrong-section", "structural-row", "missing-row", "orphan-row"):
        assert f"index-{rule}" in before
    assert HOOK("--add-missing", cwd=memory.path).code == 1
    text = memory.read(INDEX)
    after = CHECK(cwd=memory.path).out
    assert after.count("\n") == 1
    assert "index-orphan-row" in after
    assert b"Caches \xe2\x80\x94 Kept a day\n" in text
    assert HOOK("--add-missing", cwd=memory.path).code == 0
    assert memory.read(INDEX) == text


def test_rows_of_a_deleted_file_stay(memory: GitRepository) -> None:
    memory.write(INDEX, TIDY)
    memory.remove(CLI)
    assert HOOK(cwd=memory.path).code == 0
    assert memory.read(INDEX).decode() == TIDY
    assert "index-missing-file" in CHECK(cwd=memory.path).out


def test_without_an_index_there_is_nothing_to_do(repository: GitRepository) -> None:
    run = HOOK(cwd=repository.path)
    assert (run.code, run.out) == (0, "")
    assert "no memory index found" in run.err
    repository.write("learnings.toml", 'index = "docs/index.md"\n')
    assert HOOK(cwd=repository.path).code == 2


@pytest.mark.parametrize("data", [b"\x00## x\n", UNTIDY.encode() + b"\xff \xf0\n"])
def test_bytes_that_are_no_text_survive(memory: GitRepository, data: bytes) -> None:
    memory.write(INDEX, data)
    run = HOOK(cwd=memory.path)
    assert "Traceback" not in run.err
    written = memory.read(INDEX)
    assert written == data or written.endswith(b"\xff \xf0\n")
    assert HOOK(cwd=memory.path).code == 0
    assert memory.read(INDEX) == written


def test_the_hook_is_the_command(memory: GitRepository) -> None:
    run = Command("learnings")("fix", "--role=index", cwd=memory.path / "agents")
    assert (run.code, run.out) == (1, f"Fixing {INDEX}\n")
    assert HOOK("--nothing", cwd=memory.path).code == 2


@pytest.mark.parametrize("command", ["memory-index-fix", "learnings-fix"])
def test_the_blocks_of_learnings_files_are_rebuilt(repository: GitRepository, command: str) -> None:
    block = "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n{}<!-- INDEX:END -->\n\n"
    entries = "## [2026-01-01-120000] A\n\nx\n\n## [2026-01-02-120000] B\n\ny\n"
    rows = "| 2026-01-01 | A |\n| 2026-01-02 | B |\n"
    paths = [".context/DECISIONS.md", ".context/LEARNINGS.md"]
    for path, stale in zip(paths, ("| 2026-01-02 | B |\n", "| 2025-12-31 | Gone |\n"), strict=True):
        repository.write(path, "# L\n\n" + block.format(stale) + entries)
    repository.commit()
    run = Command(command)(*([] if "memory" in command else paths), cwd=repository.path)
    assert (run.code, run.out) == (1, "".join(f"Fixing {path}\n" for path in paths))
    for path in paths:
        assert repository.read(path).decode() == "# L\n\n" + block.format(rows) + entries
    assert HOOK(cwd=repository.path).code == 0
    assert CHECK(cwd=repository.path).out == ""


def test_no_row_is_added_to_an_index_in_another_form(memory: GitRepository) -> None:
    table = f"| Topic | File | Key |\n|---|---|---|\n| t | {WEB} | Caches |\n"
    memory.write(INDEX, table)
    finding = CHECK(cwd=memory.path)
    assert finding.code == 1
    assert finding.out.count(" error ") == 1
    assert 'set index-form = "table"' in finding.out
    assert HOOK(cwd=memory.path).code == 0
    run = HOOK("--add-missing", cwd=memory.path)
    assert (run.code, run.out) == (2, "")
    assert 'set index-form = "table"' in run.err
    assert memory.read(INDEX).decode() == table
    memory.write("learnings.toml", 'index-form = "table"\n')
    assert HOOK("--add-missing", cwd=memory.path).code == 1
    assert CHECK(cwd=memory.path).code == 0


def test_each_index_of_a_list_is_fixed_in_its_own_form(memory: GitRepository) -> None:
    block = "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n{}<!-- INDEX:END -->\n"
    block += "\n## [2026-01-01] A\n"
    memory.write("agents/learnings.md", block.format("| 2025-01-01 | Gone |\n"))
    memory.write("web.md", f"## {WEB}\n\nCaches — x\n/when a page hangs\n")
    memory.write("learnings.toml", f'index = ["{INDEX}", "web.md", "agents/learnings.md"]\n')
    paths = ["agents/learnings.md", INDEX, "web.md"]
    run = HOOK(cwd=memory.path)
    assert (run.code, run.out) == (1, "".join(f"Fixing {path}\n" for path in paths))
    assert memory.read(INDEX).decode() == TIDY
    assert memory.read("web.md").decode() == f"## {WEB}\n\n/when a page hangs\nCaches — x\n"
    assert memory.read("agents/learnings.md").decode() == block.format("| 2026-01-01 | A |\n")
    assert HOOK(cwd=memory.path).code == 0
