"""`learnings fix`: the files it fixes, its output, and the files it leaves alone."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command import Command
from tests.support.crash_points import CrashPoints
from tests.support.repository import GitRepository
from tests.support.traced_runs import Stop

learnings = Command("learnings")
pytestmark = pytest.mark.usefixtures("instructed")

MEMORY, TARGET, INDEX = "agents/learnings.md", "agents/decisions/cli.md", "agents/memory-index.md"
UNTIDY = {
    MEMORY: "# Learnings\n\n## When a build hangs\n\nLook.\n\n##When a test is slow\n\nProfile it.",
    TARGET: "# Decisions\n\n## When a build hangs\n\n## Caches\n\nKept a day.",
    INDEX: f"# Index\n\n## {TARGET}\n\nCaches — kept\n/when a build hangs",
    "README.md": "# Title\n\n##MissingSpace\n\nno newline",
}
TIDY = {
    MEMORY: UNTIDY[MEMORY].replace("##When", "## When") + "\n",
    TARGET: UNTIDY[TARGET] + "\n",
    INDEX: f"# Index\n\n## {TARGET}\n\n/when a build hangs\nCaches — kept\n",
    "README.md": UNTIDY["README.md"],
}


class Run(NamedTuple):
    code: int
    out: str
    err: str


def run(cwd: Path, *words: str) -> Run:
    done = learnings("fix", *words, cwd=cwd)
    return Run(done.code, done.out, done.err)


def refused(cwd: Path, *words: str) -> str:
    """Return the sentence of a refused run."""
    done = run(cwd, *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


def contents(repository: GitRepository) -> dict[str, str]:
    return {path: repository.read(path).decode() for path in UNTIDY}


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository in which every role has something to fix."""
    for path, text in UNTIDY.items():
        repository.write(path, text)
    repository.commit()
    return repository


def test_all_roles_are_fixed_and_a_second_run_changes_nothing(memory: GitRepository) -> None:
    result = run(memory.path / "agents")
    said = "".join(f"Fixing {path}\n" for path in (TARGET, MEMORY, INDEX))
    assert result == Run(1, said, "")
    assert contents(memory) == TIDY
    assert memory.git("diff", "--cached", "--name-only") == ""
    assert run(memory.path) == Run(0, "", "")
    assert contents(memory) == TIDY


def test_diff_is_printed_and_nothing_is_written(memory: GitRepository) -> None:
    result = run(memory.path, "--diff")
    assert (result.code, result.err) == (1, "")
    assert contents(memory) == UNTIDY
    subprocess.run(["git", "apply"], input=result.out.encode(), cwd=memory.path, check=True)
    assert contents(memory) == TIDY
    assert run(memory.path, "--diff") == Run(0, "", "")


def test_diff_holds_bytes_that_are_no_utf_8(repository: GitRepository) -> None:
    repository.write(MEMORY, b"## A\n\n\xff\xfe\n\nEnd.")
    repository.commit()
    patch = learnings("fix", "--diff", cwd=repository.path).stdout
    subprocess.run(["git", "apply"], input=patch, cwd=repository.path, check=True)
    assert repository.path.joinpath(MEMORY).read_bytes() == b"## A\n\n\xff\xfe\n\nEnd.\n"


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ([MEMORY], [MEMORY]),
        (["agents/decisions"], [TARGET]),
        (["agents"], [MEMORY, TARGET, INDEX]),
        (["--role=index", "--role=learnings", "--role=index"], [MEMORY, INDEX]),
        (["--role=learnings", "--role=index", MEMORY, TARGET, "README.md"], [MEMORY]),
        (["--role=learnings", "README.md"], []),
        ([f"./{MEMORY}", MEMORY], [MEMORY]),
    ],
)
def test_only_what_is_named_is_fixed(
    memory: GitRepository, words: list[str], changed: list[str]
) -> None:
    result = run(memory.path, *words)
    assert result == Run(int(bool(changed)), result.out, "")
    assert sorted(result.out.split()[1::2]) == sorted(changed)
    assert contents(memory) == {
        path: (TIDY if path in changed else UNTIDY)[path] for path in UNTIDY
    }


def test_a_file_without_a_role_is_fixed_if_it_is_named(memory: GitRepository) -> None:
    assert run(memory.path, "README.md").code == 0
    # It holds no entry, so that it is text, which may even end without a newline.
    assert memory.read("README.md").decode() == UNTIDY["README.md"]
    memory.write("notes.md", "## A\n\n##Bee\n")
    assert run(memory.path, "notes.md").code == 1
    assert memory.read("notes.md") == b"## A\n\n## Bee\n"


def test_missing_rows_are_those_of_the_files_as_they_will_be(repository: GitRepository) -> None:
    repository.write("learnings.toml", f'indexed = ["{MEMORY}"]\n')
    repository.write(MEMORY, "# Learnings\n\n## Old\n\nText.\n\n##When a test is slow\n")
    repository.write(INDEX, "# Index\n")
    assert run(repository.path, "--add-missing").code == 1
    assert b"/when a test is slow\n" in repository.read(INDEX)
    assert run(repository.path, "--add-missing") == Run(0, "", "")


def test_what_a_comment_ignores_is_left(memory: GitRepository) -> None:
    ignored = "<!-- learnings: ignore[{}] on purpose -->\n"
    text = "# Learnings\n\n## A\n\n{}##Bee\n\ntext\n"
    memory.write(MEMORY, text.format(ignored.format("entry-heading-malformed")))
    index = UNTIDY[INDEX].replace("/when", ignored.format("index-order") + "/when") + "\n"
    memory.write(INDEX, index)
    memory.write(TARGET, TIDY[TARGET])
    assert learnings("check", cwd=memory.path).code == 0
    assert run(memory.path) == Run(0, "", "")
    memory.write(MEMORY, text.format(""))
    memory.write(INDEX, index.replace(ignored.format("index-order"), ""))
    assert run(memory.path).out == f"Fixing {MEMORY}\nFixing {INDEX}\n"


HEADINGS = "# Decisions\n\n## {}\n\nLook.\n"
ROWS = f"# Index\n\n## {TARGET}\n\n{{}}\n"


@pytest.fixture
def renamed(repository: GitRepository) -> GitRepository:
    """Return a repository in which a commit reworded a heading but not its row."""
    repository.write(TARGET, HEADINGS.format("When a build hangs"))
    repository.write(INDEX, ROWS.format("/when a build hangs | lock, timeout"))
    repository.commit()
    repository.write(TARGET, HEADINGS.format("When a long build hangs"))
    repository.commit()
    return repository


def fixes_in_json(repository: GitRepository) -> dict[str, dict[str, object] | None]:
    """Return the fix of each finding, by its rule."""
    result = learnings("check", "--format=json", cwd=repository.path)
    return {finding["rule"]: finding["fix"] for finding in result.json["findings"]}


def test_a_row_of_a_renamed_heading_keeps_its_keywords(renamed: GitRepository) -> None:
    fixes = fixes_in_json(renamed)
    assert list(fixes) == ["index-missing-row", "index-orphan-row"]
    for fix_of_finding in fixes.values():
        assert fix_of_finding is not None
        assert "change the row to the new words of the heading" in str(fix_of_finding["does"])
    assert run(renamed.path) == Run(1, f"Fixing {INDEX}\n", "")
    assert renamed.git("diff", "--numstat").split() == ["1", "1", INDEX]
    after = ROWS.format("/when a long build hangs | lock, timeout")
    assert renamed.read(INDEX).decode() == after
    assert fixes_in_json(renamed) == {}
    renamed.git("checkout", "--quiet", "--", INDEX)
    assert run(renamed.path, "--add-missing").code == 1
    assert renamed.read(INDEX).decode() == after, "no second row"


def test_a_heading_that_the_same_run_makes_is_followed(renamed: GitRepository) -> None:
    renamed.write("learnings.toml", f'indexed = ["{MEMORY}"]\n')
    text = "# Learnings\n\n## Old\n\nText.\n\n##When a test is too slow\n\nProfile it.\n"
    renamed.write(MEMORY, text)
    renamed.write(INDEX, f"# Index\n\n## {MEMORY}\n\nOld — x\n/when a test is slow | profile\n")
    assert run(renamed.path).code == 1
    assert "/when a test is too slow | profile\n" in renamed.read(INDEX).decode()
    assert run(renamed.path) == Run(0, "", "")


def test_what_is_gone_leaves_the_baseline(memory: GitRepository) -> None:
    def known() -> list[str]:
        text = json.loads(memory.read(".learnings-baseline.json"))
        return sorted(finding["rule"] for finding in text["findings"])

    memory.write(MEMORY, f"{UNTIDY[MEMORY]}\n\n## When a build hangs\n\nAgain.")
    assert learnings("baseline", cwd=memory.path).code == 0
    before = memory.read(".learnings-baseline.json")
    # A part of the files tells nothing about the others, and what would be is not yet.
    for words in ([INDEX], ["agents/decisions"], ["--role=learnings", "--diff"], ["--diff"]):
        assert run(memory.path, *words).code == 1
        assert memory.read(".learnings-baseline.json") == before
    result = run(memory.path)
    assert result.out == f"Fixing {MEMORY}\nFixing .learnings-baseline.json\n"
    assert known() == ["duplicate-entry"]
    assert run(memory.path) == Run(0, "", "")
    memory.write(MEMORY, TIDY[MEMORY])
    result = run(memory.path, "--diff")
    assert result.code == 1
    assert "+++ b/.learnings-baseline.json" in result.out
    assert run(memory.path, "--role=learnings") == Run(0, "", "")
    assert known() == ["duplicate-entry"]
    assert run(memory.path) == Run(1, "Fixing .learnings-baseline.json\n", "")
    assert known() == []


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")
def test_a_disk_that_is_full_behind_the_fixes_is_told_as_it_is(
    memory: GitRepository, tmp_path: Path
) -> None:
    assert learnings("baseline", cwd=memory.path).code == 0
    with CrashPoints(memory.path, tmp_path / "copy") as points:
        operations = points.undisturbed("fix").run.operations
        created = [row for row in operations if row.kind == "create"]
        number = next(row.number for row in created if "/" not in row.path)  # for the baseline
        points.renew()
        run = points.run("fix", stop=Stop(number, "ENOSPC", lasting=True))
        fixed = (points.folder / MEMORY).read_bytes()
    assert (run.code, run.out, fixed != memory.read(MEMORY)) == (2, "", True)
    names = f"{TARGET}, {MEMORY}, {INDEX}"
    reason = ".learnings-baseline.json cannot be written (No space left on device)"
    assert run.err == (
        f"learnings: {names}: fixed and cannot be undone, but the baseline is unchanged "
        f"({reason}); correct that and run `learnings baseline --prune`\n"
    )


def test_a_baseline_that_cannot_be_used_leaves_every_file_as_it_was(memory: GitRepository) -> None:
    baseline = memory.write(".learnings-baseline.json", "{")
    assert "is not valid JSON" in refused(memory.path)
    assert contents(memory) == UNTIDY
    baseline.unlink()
    memory.write(MEMORY, f"{UNTIDY[MEMORY]}\n\n## When a build hangs\n\nAgain.")
    assert learnings("baseline", cwd=memory.path).code == 0
    memory.write(MEMORY, UNTIDY[MEMORY])
    baseline.chmod(0o444)
    assert "is write-protected" in refused(memory.path)
    assert contents(memory) == UNTIDY


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"## A\r\n\r\n##Bee\r\n\r\nx", b"## A\r\n\r\n## Bee\r\n\r\nx\r\n"),
        (b"\xef\xbb\xbf##Bee", b"\xef\xbb\xbf## Bee\n"),
        (b"## A\n\n##Bee\xff\n\xf0\x9f", b"## A\n\n## Bee\xff\n\xf0\x9f\n"),
        ("## A\n\n##\u00a0Bee".encode(), b"## A\n\n## Bee\n"),
        (b"## A\n\n##B\0", b"## A\n\n##B\0"),
    ],
)
def test_bytes_of_any_kind(repository: GitRepository, before: bytes, after: bytes) -> None:
    repository.write(MEMORY, before)
    assert run(repository.path, MEMORY).code == int(before != after)
    assert repository.read(MEMORY) == after
    assert run(repository.path, MEMORY).code == 0


def test_refused_is_refused_for_all(memory: GitRepository) -> None:
    (memory.path / MEMORY).chmod(0o640)
    (memory.path / TARGET).chmod(0o444)
    assert "write-protected" in refused(memory.path)
    assert "write-protected" in refused(memory.path, "--diff")
    assert contents(memory) == UNTIDY
    (memory.path / TARGET).chmod(0o644)
    assert "gone.md does not exist" in refused(memory.path, MEMORY, "gone.md")
    memory.write("learnings.toml", 'index = "block.md"\nindex-form = "block"\n')
    block = "<!-- INDEX:START -->\n## A\n<!-- INDEX:END -->\n\n## B\n\ny\n"
    memory.write("block.md", block)
    assert "block.md:2" in refused(memory.path, "--add-missing")
    assert contents(memory) == UNTIDY
    assert run(memory.path, MEMORY).code == 1
    assert (memory.path / MEMORY).stat().st_mode & 0o777 == 0o640 or os.name == "nt"


def test_outside_of_the_repository(memory: GitRepository) -> None:
    other = GitRepository(memory.path.parent / "other")
    other.write("learnings.md", "## A")
    (memory.path.parent / "lone.md").write_bytes(b"## A\n\n##Bee\n")
    for path in ("../other/learnings.md", str(other.path)):
        assert "outside this repository" in refused(memory.path, path)
        assert "outside this repository" in refused(memory.path, path, "--diff")
    assert "../lone.md is outside of the repository" in refused(memory.path, "../lone.md")
    assert other.read("learnings.md") == b"## A"
    other.write("learnings.md", "## A\n")
    assert run(memory.path, "../other/learnings.md") == Run(0, "", "")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links(memory: GitRepository) -> None:
    outside = memory.path.parent / "outside.md"
    outside.write_bytes(b"## A")
    (memory.path / "AGENTS.md").symlink_to(outside)
    (memory.path / "CLAUDE.md").symlink_to(MEMORY)
    assert "AGENTS.md is outside of the repository" in refused(memory.path, "AGENTS.md")
    assert "AGENTS.md is outside of the repository" in refused(memory.path, "AGENTS.md", "--diff")
    assert outside.read_bytes() == b"## A"
    # A link and its file are one file; the file's own name says what it is.
    assert run(memory.path, "CLAUDE.md", MEMORY).out == f"Fixing {MEMORY}\n"
    assert memory.read(MEMORY).decode() == TIDY[MEMORY]
    assert (memory.path / "CLAUDE.md").is_symlink()
    memory.write(MEMORY, "## A")
    assert run(memory.path, "CLAUDE.md").code == 1
    assert memory.read(MEMORY) == b"## A\n"
    assert (memory.path / "CLAUDE.md").is_symlink()


def test_nothing_found_is_one_line(repository: GitRepository) -> None:
    assert run(repository.path, "--role=learnings", "README.md") == Run(0, "", "")
    for words, said in (
        ([], "no learnings file found"),
        (
            ["--role=target", "--role=index", "--role=target"],
            "no target file or memory index found",
        ),
    ):
        result = run(repository.path, *words)
        assert (result.code, result.out, result.err.count("\n")) == (0, "", 1)
        assert said in result.err


def test_a_block_is_fixed_with_its_learnings_file_and_once(repository: GitRepository) -> None:
    block = "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n{}<!-- INDEX:END -->\n\n"
    entries = "## [2026-01-01-120000] A\n\nx\n\n##[2026-01-02-120000] B\n\ny\n"
    rows = ("| 2026-01-01 | A |\n", "| 2026-01-02 | B |\n")
    repository.write("learnings.md", block.format("") + entries)
    # As an index it has no findings but those of its rows.
    assert run(repository.path, "--role=index", "--role=target").out == "Fixing learnings.md\n"
    assert repository.read("learnings.md").decode() == block.format(rows[0]) + entries
    assert run(repository.path, "--role=index", "--role=learnings").out == "Fixing learnings.md\n"
    assert repository.read("learnings.md").decode() == (
        block.format("".join(rows)) + entries.replace("##[", "## [")
    )
