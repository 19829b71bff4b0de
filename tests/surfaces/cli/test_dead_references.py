"""References to files and names that history removed, in `check` and `fix --history`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

learnings = Command("learnings")
pytestmark = pytest.mark.usefixtures("instructed")

CHECK = "check", "--history", "--rule=dead-reference"
MEMORY = "agents/learnings.md"
CODE = "".join(f"line {number}\n" for number in range(60))


def entry(*lines: str) -> str:
    return "# Learnings\n\n## When a build hangs\n\n" + "".join(f"{line}\n" for line in lines)


@pytest.fixture
def project(repository: GitRepository) -> GitRepository:
    """Return a repository whose code moved, and shrank, after its memory was written."""
    repository.write("src/cache.py", CODE)
    repository.write("src/gone.py", f"gone\n{CODE}")
    repository.write("old/one.py", f"1\n{CODE}")
    repository.write("old/two.py", f"2\n{CODE}")
    repository.write("docs/guide.md", "# Guide\n\n## How to run\n\nText.\n")
    repository.write("Makefile", "lint:\n\techo\ntest:\n\techo\n")
    repository.write("package.json", '{"scripts": {"build": "x"}}')
    repository.write("pyproject.toml", '[project.scripts]\nmytool = "a:b"\n')
    repository.write(MEMORY, entry("Clear the cache."))
    repository.commit(date="2026-01-01")
    (repository.path / "src/cache.py").rename(repository.path / "src/store.py")
    (repository.path / "src/gone.py").unlink()
    (repository.path / "old").rename(repository.path / "new")
    repository.write("docs/guide.md", "# Guide\n\n## How to start\n\nText.\n")
    repository.write("Makefile", "test:\n\techo\n")
    repository.write("package.json", "{}")
    repository.write("pyproject.toml", "")
    repository.commit(date="2026-01-02")
    return repository


def found(folder: Path, *words: str) -> list[tuple[int, int, str]]:
    run = learnings(*CHECK, "--format=json", *words, cwd=folder)
    assert run.code == 0
    findings = json.loads(run.out)["findings"]
    return [(one["line"], one["column"], one["message"]) for one in findings]


def test_each_is_named_with_its_commit_and_what_to_write(project: GitRepository) -> None:
    lines = "See `src/cache.py` and `src/gone.py`.", "", "In `old/`: `old/one.py`."
    project.write(MEMORY, entry(*lines))
    commit = project.head()[:12]
    advice = "correct the reference, or say that it is gone"
    assert found(project.path) == [
        (5, 6, f'"src/cache.py" moved in {commit} on 2026-01-02; write "src/store.py"'),
        (5, 25, f'"src/gone.py" was removed in {commit} on 2026-01-02; {advice}'),
        (7, 5, f'"old/" moved in {commit} on 2026-01-02; write "new/"'),
        (7, 13, f'"old/one.py" moved in {commit} on 2026-01-02; write "new/one.py"'),
    ]


def test_lines_headings_and_commands(project: GitRepository) -> None:
    project.write("src/store.py", CODE[:200])
    shrunk = project.commit(date="2026-01-03")[:12]
    project.write(
        MEMORY,
        entry(
            "`src/store.py:50`, `src/store.py:3` [run](../docs/guide.md#how-to-run)",
            "[start](../docs/guide.md#how-to-start) `make lint` `make test`",
            "`npm run build` `mytool x`",
        ),
    )
    removed = project.head("HEAD~1")[:12]
    messages = [message.partition(";")[0] for _, _, message in found(project.path)]
    heading = '"../docs/guide.md#how-to-run"'
    assert messages == [
        f'the line that "src/store.py:50" refers to was removed in {shrunk} on 2026-01-03',
        f"{heading} moved in {removed} on 2026-01-02",
        f'the definition of "make lint" was removed in {removed} on 2026-01-02',
        f'the definition of "npm run build" was removed in {removed} on 2026-01-02',
        f'the definition of "mytool" was removed in {removed} on 2026-01-02',
    ]


def test_commands_that_another_part_of_the_repository_has_are_alive(
    project: GitRepository,
) -> None:
    project.write(MEMORY, entry("`make lint` `npm run build` `mytool x`"))
    project.write("web/package.json", '{"scripts": {"build": "x"}}')
    project.write("docs/Makefile", "lint:\n\techo\n")
    project.write("src/mytool/main.py", CODE)
    project.commit(date="2026-01-03")
    assert found(project.path) == []
    project.write("docs/Makefile", "html:\n\techo\n")
    assert len(found(project.path)) == 1


def test_a_new_name_with_blanks_breaks_neither_link_nor_command(project: GitRepository) -> None:
    text = "[a](../src/store.py 't') [b](<../src/store.py>) `src/store.py` `sh src/store.py -x`"
    project.write(
        MEMORY, entry(text, "", "[c][c] <a href='../src/store.py'>", "", "[c]: ../src/store.py")
    )
    project.commit(date="2026-01-03")
    (project.path / "src/store.py").rename(project.path / "src/new (store.py")
    project.commit(date="2026-01-04")
    learnings("fix", "--history", cwd=project.path)
    link = "../src/new%20%28store.py"
    fixed = f"[a]({link} 't') [b](<{link}>) `src/new (store.py` `sh src/store.py -x`"
    lines = fixed, "", f"[c][c] <a href='{link}'>", "", f"[c]: {link}"
    assert (project.path / MEMORY).read_text(encoding="utf-8") == entry(*lines)
    assert [column for _, column, _ in found(project.path)] == [1 + fixed.index("src/store.py -x")]


def test_what_is_no_finding(project: GitRepository) -> None:
    lines = (
        "`src/never.py` and `src/store.py`",
        "`src/cache.py` was renamed to `src/store.py`",
        "<!-- `src/cache.py` -->",
        "`https://example.org/src/cache.py` `git log -- src/cache.py`",
        "`../sister/src/cache.py`",
    )
    project.write(MEMORY, entry("Text.", "", "\n\n".join(lines)))
    assert found(project.path) == []
    # Ignored and generated files may be there for others.
    project.write(MEMORY, entry("`src/gone.py` `src/cache.py`"))
    project.write(".gitignore", "gone.py\n")
    project.write("src/cache.py", "generated")
    assert found(project.path) == []


def test_targets_instructions_and_topics_are_looked_at(project: GitRepository) -> None:
    text = "# Cache\n\nSee `src/gone.py`.\n"
    paths = ["CLAUDE.md", "agents/decisions/cli.md", ".claude/memory/learnings/cache.md"]
    for path in paths:
        project.write(path, f"{text}@agents/learnings.md\n")
    run = learnings(*CHECK, cwd=project.path)
    assert sorted(line.partition(":")[0] for line in run.out.splitlines()) == sorted(paths)


def test_logs_records_and_archives_say_how_things_were(project: GitRepository) -> None:
    for path in (
        "agents/decisions/2026-01-05-cache.md",
        "agents/decisions/CHANGELOG.md",
        "agents/archive/learnings-consolidated-2026-01-05.md",
    ):
        project.write(path, "# Cache\n\nSee `src/gone.py`.\n")
        assert found(project.path, path) == []
    record = "# Cache\n\n**Status**: accepted\n\nSee `src/gone.py`.\n"
    project.write("agents/decisions/cache.md", record)
    assert found(project.path) == []


def test_a_path_that_came_after_the_line_was_not_meant(project: GitRepository) -> None:
    project.write(MEMORY, entry("We will write `src/plan.py` for that one day."))
    project.commit(date="2026-01-03")
    project.write("src/plan.py", CODE)
    project.commit(date="2026-01-04")
    (project.path / "src/plan.py").unlink()
    project.commit(date="2026-01-05")
    assert found(project.path) == []
    text = project.read(MEMORY).decode()
    project.write(MEMORY, "# Learnings\n")
    project.write("agents/decisions/cli.md", text.replace("# Learnings", "# Decisions"))
    project.commit(date="2026-01-06")  # a moved line keeps its date
    assert found(project.path) == []
    project.write("agents/decisions/cli.md", "# Decisions\n\nAnew: `src/plan.py`.\n")
    assert len(found(project.path)) == 1


def test_a_submodule_and_a_sparse_checkout_have_files_that_are_not_here(
    project: GitRepository,
) -> None:
    project.write("libs/x/a.py", CODE)
    project.commit(date="2026-01-03")
    project.git("rm", "-r", "-q", "libs")
    project.git("update-index", "--add", "--cacheinfo", f"160000,{project.head()},libs/x")
    project.git("commit", "-q", "-m", "Make it a submodule")
    project.write(MEMORY, entry("`libs/x/a.py` `src/gone.py` `src/store.py` `src/`"))
    assert [column for _, column, _ in found(project.path)] == [16]
    project.git("commit", "-q", "-m", "Name files", "--", MEMORY)
    project.git("sparse-checkout", "set", "agents")
    assert not (project.path / "src").exists()
    assert [column for _, column, _ in found(project.path)] == [16]


def test_a_file_that_an_earlier_commit_had_was_no_dead_reference_there(
    project: GitRepository,
) -> None:
    project.write("src/cache.py", CODE)
    project.write(MEMORY, entry("See `src/cache.py`."))
    project.commit(date="2026-01-03")
    assert found(project.path) == []
    project.remove("src/cache.py")
    project.commit(date="2026-01-04")
    ((line, _, _),) = found(project.path, "--since=HEAD~1")
    assert line == 5
    assert found(project.path, "--since=HEAD") == []


def test_without_blobs_the_rule_works_and_says_what_it_lacks(
    project: GitRepository, tmp_path: Path
) -> None:
    project.write(MEMORY, entry("`src/gone.py` `src/cache.py` `src/store.py`"))
    project.write("src/shop.py", project.read("src/store.py") + b"more\n")
    (project.path / "src/store.py").unlink()
    project.commit(date="2026-01-03")
    project.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    project.git("clone", "-q", "--filter=blob:none", f"file://{project.path}", str(clone))
    project.path.rename(tmp_path / "away")
    run = learnings(*CHECK, cwd=clone)
    assert run.code == 0
    assert '"src/gone.py" was removed' in run.out
    assert '"src/store.py" was removed' in run.out  # renamed and edited: nobody can see that here
    assert "lacks files of older commits" in run.err


def test_a_fix_changes_the_path_and_nothing_else(project: GitRepository) -> None:
    lines = "See  `src/cache.py:12`, [it](../src/cache.py#L3) and `src/gone.py`.  ", "\tAlso `old/`"
    project.write(MEMORY, entry(*lines))
    before = project.read(MEMORY)
    assert learnings("fix", cwd=project.path).code == 0
    assert project.read(MEMORY) == before
    run = learnings("fix", "--history", cwd=project.path)
    assert (run.code, run.out) == (1, f"Fixing {MEMORY}\n")
    after = before.replace(b"src/cache.py", b"src/store.py").replace(b"old/", b"new/")
    assert project.read(MEMORY) == after
    assert learnings("fix", "--history", cwd=project.path).code == 0


def test_a_fix_writes_the_new_anchor_of_a_heading(project: GitRepository) -> None:
    project.write(
        MEMORY, entry("See [a](../docs/guide.md#how-to-run) and `docs/guide.md#how-to-run`.")
    )
    assert learnings("fix", "--history", cwd=project.path).code == 1
    after = b"See [a](../docs/guide.md#how-to-start) and `docs/guide.md#how-to-start`.\n"
    assert project.read(MEMORY).endswith(after)


def test_check_fixes_as_well_except_what_is_ignored(project: GitRepository) -> None:
    project.write(MEMORY, entry("See `src/cache.py`."))
    run = learnings("check", "--history", "--fix", cwd=project.path)
    assert (run.code, "dead-reference" in run.out) == (1, False)
    assert b"`src/store.py`" in project.read(MEMORY)
    ignore = "<!-- learnings: ignore[dead-reference] named in the mail -->"
    project.write(MEMORY, entry(f"See `src/cache.py`. {ignore}"))
    assert found(project.path) == []
    assert learnings("fix", "--history", cwd=project.path).code == 0


def test_an_entry_that_names_only_what_is_gone_stays_until_somebody_looks(
    project: GitRepository,
) -> None:
    text = entry("Look into `src/gone.py`.") + "\n## When it moved\n\nLook into `src/cache.py`.\n"
    project.write(MEMORY, text + "\n## When both\n\n`src/gone.py` and `src/store.py`.\n")
    project.commit(date="2026-01-03")
    project.work("2026-01-04", 20)
    run = learnings("precheck", MEMORY, "--all", "--format=json", cwd=project.path)
    findings = json.loads(run.out)["findings"]
    removed = project.git("log", "--format=%H", "-1", "--", "src/gone.py")
    assert [(one["entry"], one["check"], one["action"]) for one in findings] == [
        ("When a build hangs", "dead-reference", "look"),
        ("When it moved", "dead-reference", "look"),
    ]
    assert findings[0]["against"]["commit"] == removed
    assert findings[0]["evidence"] == [f"src/gone.py was removed in {removed[:12]} on 2026-01-02"]
    plan = learnings("plan", MEMORY, "--only", "When a build hangs", cwd=project.path).out
    assert "\n- keep `" in plan
    assert "> dead-reference, look" in plan
