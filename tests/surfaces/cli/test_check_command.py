"""`learnings check`: the files it checks, its output, its exit codes."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from learnings.core.entries.document import LARGEST_FILE
from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.usefixtures("instructed")

GOOD = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
BAD = f"{GOOD}\n## When a build hangs\n\nKill it.\n"
LONG = "# Decisions\n" + "- One more.\n" * 400


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str

    @property
    def path_rules(self) -> list[str]:
        """Return `path rule` of each finding in the text format."""
        return [
            " ".join(match.groups())
            for line in self.out.splitlines()
            if (match := re.match(r"(.*):\d+:\d+: (?:error|notice) (\S+) .", line))
        ]


def run(cwd: Path, *words: str, stdin: bytes = b"") -> Run:
    done = Command("learnings")("check", *words, cwd=cwd, stdin=stdin)
    return Run(done.code, done.out, done.err)


def refused(cwd: Path, *words: str, stdin: bytes = b"") -> str:
    """Return the sentence of a refused run."""
    done = run(cwd, *words, stdin=stdin)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


@pytest.fixture
def repo(repository: GitRepository) -> GitRepository:
    """Return a repository with a learnings file, a target and a file without a role."""
    repository.write("agents/learnings.md", BAD)
    repository.write("docs/decisions/cli.md", LONG)
    repository.write("README.md", "# Title\n\n## Twice\n\n## Twice\n")
    return repository


def test_text_format(repo: GitRepository) -> None:
    result = run(repo.path)
    assert result.out == (
        "agents/learnings.md:7:1: error duplicate-entry "
        '"## When a build hangs" is already on line 3; join the two, or retitle one\n'
        "docs/decisions/cli.md:401:1: error line-limit "
        "401 lines, 1 more than the limit of 400; run `learnings split docs/decisions/cli.md`\n"
    )
    assert result.err == "2 errors, 0 notices in 2 files\n"
    assert result.code == 1


def test_paths_are_relative_to_the_working_directory(repo: GitRepository) -> None:
    docs, readme = repo.path / "docs", ["README.md duplicate-entry"]
    memory, target = ["agents/learnings.md duplicate-entry"], ["docs/decisions/cli.md line-limit"]
    assert run(docs / "decisions").path_rules == memory + target
    assert run(docs, "decisions/cli.md").path_rules == target
    assert run(docs, "../README.md").path_rules == readme
    assert run(docs, str(repo.path / "README.md")).path_rules == readme
    for folder, expected in ((".", memory + target), ("agents", memory), ("docs", target)):
        assert run(repo.path, folder).path_rules == expected
    result = run(repo.path, "README.md", "./README.md", "docs/../README.md", ".", "agents")
    assert result.path_rules == readme + memory + target
    assert result.err == "3 errors, 0 notices in 3 files\n"


def test_files_that_the_index_is_compared_with_are_counted(repository: GitRepository) -> None:
    for number in range(20):
        repository.write(f"agents/decisions/{number}.md", f"# D\n\n## When {number}\n")
    repository.write("agents/memory-index.md", "# Index\n\n## docs/named.md\n\nHere — 1\n")
    repository.write("docs/named.md", "# Named\n\n## Here\n")
    alone = run(repository.path, "--role", "index")
    assert alone.err == "20 errors, 0 notices in 22 files\n"
    assert run(repository.path).err == alone.err
    one = run(repository.path, "--rule", "index-order", "agents/memory-index.md")
    assert (one.out, one.err) == ("", "")
    document = json.loads(run(repository.path, "--format", "json").out)
    assert document["summary"]["files"] == 22


def test_notices_fail_only_when_strict(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", GOOD + "text\n" * 80)
    result = run(repository.path)
    assert (result.code, result.path_rules) == (0, ["agents/learnings.md soft-limit"])
    assert result.err == "0 errors, 1 notice in 1 file\n"
    assert run(repository.path, "--strict").code == 1


def test_nothing_found_is_one_line(repository: GitRepository) -> None:
    result = run(repository.path)
    assert (result.code, result.out, result.err.count("\n")) == (0, "", 1)
    assert result.err.startswith("learnings: no learnings file found;")
    repository.write("learnings.md", "no entry\n")
    assert "(skipped learnings.md: holds no entry (" in run(repository.path).err
    assert run(repository.path, "--strict").code == 0


def test_settings_of_a_file_are_its_own(repository: GitRepository) -> None:
    repository.write("a.md", "## A\ntext\n### B\n### B\n")
    repository.write("b.md", "## A\ntext\n### B\n### B\n")
    text = '[[file]]\npath = "a.md"\nentry-level = 3\n[[file]]\npath = "b.md"\nsoft-limit = 3\n'
    repository.write("learnings.toml", text)
    expected = ["a.md duplicate-entry", "b.md soft-limit"]
    assert run(repository.path).path_rules == expected
    assert run(repository.path, "a.md", "b.md").path_rules == expected
    assert run(repository.path / "..", str(repository.path / "a.md")).code == 1


@pytest.mark.parametrize(
    ("name", "source", "rules"),
    [
        ("README.md", "## A\n\n## A\n", ["duplicate-entry"]),
        ("notes.md", "text without entries", []),
        ("notes.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", ["conflict-marker"]),
        ("learnings.md", "text without entries\n", ["dialect-unknown"]),
        ("CLAUDE.md", LONG, ["line-limit"]),
        ("-odd name é.md", "## A\n\n## A", ["duplicate-entry"]),
    ],
)
def test_named_file(repository: GitRepository, name: str, source: str, rules: list[str]) -> None:
    repository.write(name, source)
    assert run(repository.path, "--", name).path_rules == [f"{name} {rule}" for rule in rules]


def test_a_marker_left_alone_is_found_in_every_kind_of_memory(repository: GitRepository) -> None:
    marked, top = GOOD.replace("Look", ">>>>>>> topic/lock\nLook"), ".claude/agent-memory/scout"
    repository.write(f"{top}/MEMORY.md", "# Index\n\n- [Lock](lock.md): why\n||||||| 5d0c3a7\n")
    repository.write(f"{top}/lock.md", f"---\nname: lock\n---\n{marked}")
    names = ("CLAUDE.md", "agents/decisions/builds.md", "agents/learnings.md", "AGENTS.md")
    for name in names:
        repository.write(name, marked)
    paths = sorted((f"{top}/MEMORY.md", f"{top}/lock.md", *names))
    done = run(repository.path, "--rule", "conflict-marker")
    assert done.path_rules == [f"{path} conflict-marker" for path in paths]


def test_folder_is_a_repository_in_small(repository: GitRepository) -> None:
    repository.write("packages/a/agents/learnings.md", BAD)
    repository.write("packages/b/agents/learnings.md", GOOD)
    expected = ["packages/a/agents/learnings.md duplicate-entry"]
    assert run(repository.path, "packages/a").path_rules == expected
    assert run(repository.path, "packages/b") == Run(0, "", "")
    assert "no learnings file found" in run(repository.path, "packages").err


def test_other_repository_is_seen_with_its_own_settings(
    repo: GitRepository, tmp_path: Path
) -> None:
    other = GitRepository(tmp_path / "other")
    other.write("learnings.toml", 'path = "notes.md"\nsoft-limit = 2\n')
    other.write("notes.md", "## A\n\ntext\n")
    other.write(".claude/CLAUDE.md", "@../notes.md\n")
    notes = other.path / "notes.md"
    assert run(repo.path, str(notes)).path_rules == [f"{notes.as_posix()} soft-limit"]
    assert run(repo.path, str(other.path)).path_rules == [f"{notes.as_posix()} soft-limit"]


def test_no_repository_at_all(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "learnings.md").write_text(BAD)
    (tmp_path / "sub/notes.md").write_text(BAD)
    assert run(tmp_path).path_rules == ["learnings.md duplicate-entry"]
    assert run(tmp_path, "sub/notes.md").path_rules == ["sub/notes.md duplicate-entry"]
    expected = [f"{(tmp_path / 'learnings.md').as_posix()} duplicate-entry"]
    assert run(tmp_path / "sub", "../learnings.md").path_rules == expected


def test_roles(repo: GitRepository) -> None:
    memory, target = "agents/learnings.md duplicate-entry", "docs/decisions/cli.md line-limit"
    repo.write("notes/learnings.md", "notes of a course")
    for roles, expected in {
        ("learnings",): [memory],
        ("target",): [target],
        ("target", "learnings"): [memory, target],
        ("index", "target"): [target],
    }.items():
        words = [f"--role={role}" for role in roles]
        assert run(repo.path, *words).path_rules == expected
        assert run(repo.path, *words, "agents", "docs", "README.md").path_rules == expected
        files = ["agents/learnings.md", "docs/decisions/cli.md", "README.md"]
        assert run(repo.path, *words, *files).path_rules == expected
        assert run(repo.path, *words, "README.md", "notes/learnings.md") == Run(0, "", "")
    assert run(repo.path, "--role=target", "README.md", "missing.md") == Run(0, "", "")


def test_indexes_that_agents_load(repository: GitRepository) -> None:
    long = "# Memory\n" + "one\n" * 200
    repository.write(".claude/MEMORY.md", long)
    repository.write(".claude/memory/MEMORY.md", f"{long}x")
    expected = [".claude/MEMORY.md load-limit", ".claude/memory/MEMORY.md load-limit"]
    final = ".claude/memory/MEMORY.md final-newline"
    assert run(repository.path).path_rules == [*expected, final]
    assert run(repository.path, ".claude", "--role", "index").path_rules == [*expected, final]
    assert run(repository.path, ".claude/MEMORY.md").path_rules == expected[:1]
    assert run(repository.path, "--role", "learnings", ".claude").path_rules == []
    repository.write("pkg/.claude/MEMORY.md", long)
    assert run(repository.path, "pkg").path_rules == ["pkg/.claude/MEMORY.md load-limit"]


def test_line_limit_of_the_command_line_wins(repo: GitRepository) -> None:
    repo.write("learnings.toml", "line-limit = 300\n")
    assert "the limit of 300" in run(repo.path, "docs").out
    assert "the limit of 400" in run(repo.path, "docs", "--line-limit", "400").out
    assert run(repo.path, "docs", "--line-limit", "500") == Run(0, "", "")
    assert "line-limit takes a whole number" in refused(repo.path, "--line-limit", "0")


@pytest.mark.parametrize(
    ("name", "data", "rules"),
    [
        ("agents/learnings.md", BAD.encode(), ["duplicate-entry"]),
        ("docs/decisions/cli.md", b"short\n", []),
        ("not/yet/there.md", b"\xff\n", ["invalid-encoding"]),
        ("not/yet/there.md", b"", []),
    ],
)
def test_standard_input(repo: GitRepository, name: str, data: bytes, rules: list[str]) -> None:
    result = run(repo.path, "--stdin-filename", name, "-", stdin=data)
    assert result.path_rules == [f"{name} {rule}" for rule in rules]


def test_standard_input_asked_for_wrongly(repo: GitRepository) -> None:
    assert "requires --stdin-filename" in refused(repo.path, "-")
    for words in (["b.md"], ["-", "b.md"]):
        assert "as the only PATH" in refused(repo.path, "--stdin-filename", "a.md", *words)
    assert "is a folder" in refused(repo.path, "--stdin-filename", ".", "-")
    much = b"x" * (LARGEST_FILE + 1)
    said = refused(repo.path, "--stdin-filename", "a.md", "-", stdin=much)
    assert "standard input has more than 4 MB" in said


def test_size_up_to_which_a_file_is_read(repository: GitRepository) -> None:
    repository.write("a.md", b"x" * (LARGEST_FILE - 1) + b"\n")
    assert run(repository.path, "a.md").code == 0
    repository.write("a.md", b"x" * LARGEST_FILE + b"\n")
    assert "a.md has more than 4 MB" in refused(repository.path, "a.md")
    repository.write("agents/learnings.md", b"x" * LARGEST_FILE + b"\n")
    said = refused(repository.path, "--role", "learnings", "agents/learnings.md")
    assert "learnings.md has more than 4 MB" in said


def test_links(repository: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(BAD)
    folder = repository.path / "agents"
    folder.mkdir()
    (folder / "learnings.md").symlink_to(tmp_path / "outside.md")
    result = run(repository.path)
    assert "leads out of the repository" in result.err
    said = refused(repository.path, "agents/learnings.md")
    assert "agents/learnings.md is outside of the repository" in said
    (repository.path / "lessons.md").symlink_to("nowhere.md")
    result = run(repository.path)
    assert (result.code, "lessons.md:1:1: error unreadable-file" in result.out) == (1, True)
    assert "lessons.md is a broken link" in refused(repository.path, "lessons.md")


def test_path_that_is_no_utf_8(repository: GitRepository) -> None:
    name = os.fsencode(repository.path) + b"/caf\xe9.md"
    try:
        with open(name, "wb") as file:  # noqa: PTH123
            file.write(b"\xff")
    except OSError:
        pytest.skip("the file system takes UTF-8 names only")
    for form in ("text", "json", "markdown"):
        result = run(repository.path, "--format", form, os.fsdecode(b"caf\xe9.md"))
        assert (result.code, "udce9" in result.out) == (1, True)


MEMORY, INDEX = "agents/learnings.md", "agents/memory-index.md"
BUILDS = "agents/decisions/builds.md"


def ignore(*rules: str) -> str:
    return f"<!-- learnings: ignore[{', '.join(rules)}] we know -->"


@pytest.fixture
def indexed(repository: GitRepository) -> GitRepository:
    """Return a repository whose index lacks a row, has an extra one, and one for a lost file."""
    repository.write(INDEX, "# Index\n\n## agents/decisions/builds.md\n\n/when it is gone\n")
    repository.write(BUILDS, "# Builds\n\n## When a log is long\n\nCut it.\n\n## .More\n\ntext\n")
    return repository


def path_lines(learnings: Command, repository: GitRepository, *words: str) -> list[str]:
    """Return `path:line rule` of each finding."""
    run = learnings("check", *words, cwd=repository.path)
    assert run.code in (0, 1), run.err
    return [
        f"{location} {rule}"
        for location, rule in re.findall(r"^(\S+:\d+):\d+: \w+ (\S+)", run.out, flags=re.MULTILINE)
    ]


MISSING, ORPHAN = f"{BUILDS}:3 index-missing-row", f"{INDEX}:5 index-orphan-row"


def test_at_the_heading_of_a_file_that_is_listed(
    indexed: GitRepository, learnings: Command
) -> None:
    assert path_lines(learnings, indexed) == [MISSING, ORPHAN]
    text = indexed.read(BUILDS).decode()
    mark = ignore("index-missing-row")
    indexed.write(BUILDS, text.replace("is long\n", f"is long {mark}\n"))
    for words in ((), (INDEX,), ("--role", "index")):
        assert path_lines(learnings, indexed, *words) == [ORPHAN]
    assert path_lines(learnings, indexed, "--rule", "index-missing-row") == []


def test_row_of_a_marked_heading_is_still_its_row(
    indexed: GitRepository, learnings: Command
) -> None:
    text = indexed.read(BUILDS).decode()
    indexed.write(BUILDS, text.replace("is long\n", f"is long {ignore('line-limit')}\n"))
    row = f"/when a log is long {ignore('index-order')}"
    indexed.write(INDEX, f"# Index\n\n## {BUILDS}\n\n{row}\n")
    unused = [f"{BUILDS}:3 unused-ignore", f"{INDEX}:5 unused-ignore"]
    assert path_lines(learnings, indexed) == unused


@pytest.mark.parametrize(
    "text",
    [
        "# Index\n\n## agents/decisions/builds.md\n\n/when it is gone @\n",
        "# Index\n\n@\n\nAll we know.\n\n## agents/decisions/builds.md\n\n/when it is gone\n",
    ],
)
def test_in_the_index(indexed: GitRepository, learnings: Command, text: str) -> None:
    indexed.write(INDEX, text.replace("@", ignore("index-orphan-row")))
    assert path_lines(learnings, indexed) == [MISSING]


def test_an_ignore_of_an_index_rule_is_judged_where_the_index_is(
    indexed: GitRepository, learnings: Command
) -> None:
    indexed.write(INDEX, f"# Index\n\n## {BUILDS}\n\n/when a log is long\n")
    text = indexed.read(BUILDS).decode()
    indexed.write(BUILDS, text.replace("is long\n", f"is long {ignore('index-missing-row')}\n"))
    unused = [f"{BUILDS}:3 unused-ignore"]
    assert path_lines(learnings, indexed) == unused
    assert path_lines(learnings, indexed, INDEX) == unused
    assert path_lines(learnings, indexed, BUILDS) == []
    assert path_lines(learnings, indexed, "--rule", "unused-ignore") == []


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("CLAUDE.md", "# Rules\n\n@\n\n" + "A line.\n" * 400, "line-limit"),
        (BUILDS, "# Rules\n\n@\n\ntext\n\n## A\n\nlast", "final-newline"),
        (MEMORY, "# L\n\n@\n\n---\n\n## A\n\n" + "text\n" * 90, "soft-limit"),
        (MEMORY, "# L\n\n@\n\nNothing yet.\n", "dialect-unknown"),
        (MEMORY, "# L\n\n---\n\nstray @\n\n## A\n", "orphan-content"),
        (MEMORY, "# L\r\n\r\n## A\r\n\r\n@\r\n## A\r\n\r\ntext\r\n", "duplicate-entry"),
        (MEMORY, "# L\n\n## A\n\n@\n\n```\ncode\n", "unclosed-fence"),
        (
            MEMORY,
            "# L\n\n@\n\nText.\n\n## A\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
            "conflict-marker",
        ),
        (MEMORY, "- a\n- a @\n", "duplicate-entry"),
        (MEMORY, "# L\n\n## A\n\ntext\n\n##B @\n\ntext\n", "entry-heading-malformed"),
    ],
)
def test_every_kind_of_finding_can_be_ignored(
    repository: GitRepository, learnings: Command, path: str, text: str, rule: str
) -> None:
    repository.write(path, text.replace("@", ""))
    words = ("--rule", rule, "--rule", "unused-ignore", path)
    assert [line.split()[1] for line in path_lines(learnings, repository, *words)] == [rule]
    repository.write(path, text.replace("@", ignore(rule)))
    assert path_lines(learnings, repository, *words) == []


@pytest.mark.parametrize(
    "text",
    [
        "# L\n\n## A\n\n@\n\n```\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
        "# L\n\n## A\n\n<<<<<<< a\n=======\n@\n## B\n>>>>>>> b\n",
        "# L\n\n@\n## A\n\ntext\n\n## B\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
    ],
)
def test_no_conflict_is_ignored_by_accident(
    repository: GitRepository, learnings: Command, text: str
) -> None:
    repository.write(MEMORY, text.replace("@", ignore("conflict-marker")))
    shown = path_lines(learnings, repository, "--rule", "conflict-marker")
    assert [line.split()[1] for line in shown] == ["conflict-marker"]


def test_a_comment_is_no_content_and_no_edit(repository: GitRepository, learnings: Command) -> None:
    mark = ignore("line-limit")
    repository.write(MEMORY, "# L\n\n## A\n\ntext\n")
    repository.commit(date="2026-01-01")
    marked = f"# L\n\n{mark}\n\n---\n\n{mark}\n\n## A {mark}\n\ntext\n\n{mark}\n## B\n"
    repository.write(MEMORY, marked)
    repository.commit(date="2026-03-01")
    assert path_lines(learnings, repository) == []
    entries = learnings("ages", "--format", "json", cwd=repository.path).json["entries"]
    ages = [(entry["title"], entry["added"]) for entry in entries]
    assert ages == [("A", "2026-01-01"), ("B", "2026-03-01")]
