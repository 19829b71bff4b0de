from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from learnings.core.entries.document import LARGEST_FILE, MOST_LINES
from learnings.core.file_names import (
    FOLDER_PLACES,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    MEMORY_PLACES,
)
from learnings.core.roles import Role
from learnings.core.text import printable
from learnings.workspace.discovery import Candidate
from learnings.workspace.memory_file import memory_at
from learnings.workspace.skipped import skipped_files
from learnings.workspace.workspace import Workspace
from tests.workspace.files import HEADINGS, STAMPED, included, skipped, write

COURSE_NOTES = "# What I learned at school\n\nNothing yet.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    return tmp_path / "repository"


def learnings(root: Path) -> tuple[Candidate, ...]:
    return Workspace.open(root).found.learnings


def targets(root: Path) -> tuple[Candidate, ...]:
    return Workspace.open(root).found.targets


# --- learnings files


@pytest.mark.parametrize(
    "path",
    [
        *(f"{folder}/learnings.md".lstrip("/") for folder in LEARNINGS_FOLDERS),
        *(f"agents/{name}" for name in LEARNINGS_NAMES if name != "learnings.md"),
    ],
)
def test_learnings_files_are_discovered(root: Path, path: str) -> None:
    write(root, path)
    assert learnings(root) == (Candidate(path, "discovered", included=True),)
    assert Workspace.open(root).role_of(path) is Role.LEARNINGS


def test_nothing_else_is_discovered(root: Path) -> None:
    write(root, "src/learnings.md", "agents/sub/lessons.md", "Learnings.md", "README.md")
    write(root, "agents/DECISIONS.md", ".git/learnings.md")
    assert included(learnings(root)) == []


@pytest.mark.parametrize(
    ("path", "is_found"),
    [
        (".notes/lessons.md", True),
        (".claude/docs/gotchas.md", True),
        (".learnings/ERRORS.md", True),
        (".squad/decisions/one.md", True),
        ("memory/2026-03-01.md", True),
        (".kiro/steering/lessons.md", True),
        (".claude/commands/learnings.md", False),
        (".claude/agents/lessons.md", False),
        (".opencode/command/learnings.md", False),
        (".github/ISSUE_TEMPLATE/lessons.md", False),
        (".jules/bolt_prompt.md", False),
        ("memory/notes.md", False),
    ],
)
def test_places_of_tools(root: Path, path: str, *, is_found: bool) -> None:
    write(root, path)
    assert included(learnings(root)) == [path] * is_found


def test_several_are_found_in_a_fixed_order(root: Path) -> None:
    write(root, "tasks/lessons.md", "lessons.md", "learnings.md", "agents/LESSONS.md")
    expected = ["learnings.md", "lessons.md", "agents/LESSONS.md", "tasks/lessons.md"]
    assert included(learnings(root)) == expected


@pytest.mark.parametrize("content", [COURSE_NOTES, "", b"\n" * 9])
def test_discovery_wants_an_entry(root: Path, content: str | bytes) -> None:
    write(root, "learnings.md", content=content)
    assert skipped(learnings(root))["learnings.md"].startswith("holds no entry (")


@pytest.mark.parametrize("opening", ["<!-- newest first\n", "```\n"])
def test_file_whose_open_block_hides_all_entries_is_included(root: Path, opening: str) -> None:
    write(root, "agents/learnings.md", content=opening + HEADINGS)
    write(root, "docs/learnings.md", content="# Notes\n\n```\n## None\n```\n")
    files = learnings(root)
    assert files[0].reason.startswith("discovered, an open block ")
    assert included(files) == ["agents/learnings.md"]


def test_a_configured_file_needs_no_entry(root: Path) -> None:
    write(root, "notes.md", content=COURSE_NOTES)
    write(root, "agents/learnings.md")
    write(root, "learnings.toml", content='\npath = "notes.md"')
    assert learnings(root) == (
        Candidate("notes.md", "configured (learnings.toml:2)", included=True),
    )


def test_configured_files_that_cannot_be_used(root: Path) -> None:
    names = ["a.md", "folder.md", "missing.md", "again.md", "loop.md", "dangling.md"]
    text = "".join(f"[[file]]\npath = '{name}'\n" for name in names)
    write(root, "learnings.toml", content=text)
    write(root, "a.md")
    (root / "folder.md").mkdir()
    (root / "again.md").symlink_to("a.md")
    (root / "loop.md").symlink_to("loop.md")
    (root / "dangling.md").symlink_to("nowhere")
    files = learnings(root)
    assert included(files) == ["a.md"]
    reasons = skipped(files)
    assert reasons == {
        "missing.md": "there is no such file",
        "loop.md": "broken link to loop.md",
        "again.md": "the same file as a.md",
        "dangling.md": "broken link to nowhere",
    }


@pytest.mark.parametrize("place", MEMORY_PLACES)
def test_memories_of_tools_are_discovered(root: Path, place: str) -> None:
    path = place.replace("**/", "").replace("*", "palette")
    write(root, path, content=HEADINGS.replace("When one", "Never retry"))
    assert learnings(root) == (Candidate(path, "discovered", included=True),)
    assert Workspace.open(root).role_of(path) is Role.LEARNINGS


def test_what_only_has_the_place_of_a_memory_is_none(root: Path) -> None:
    write(root, "docs/project_notes/notes.md", content="Nothing yet.\n")
    write(root, "docs/fixtures/gotchas.md", "docs/templates/gotchas.md")
    write(root, ".squad/agents/_template/history.md", ".jules/template.md", ".jules/README.md")
    write(root, "docs/project_notes/decisions-template.md", "docs/_references/gotchas.md")
    write(root, "{{cookiecutter.name}}/agents/learnings.md", "{{cookiecutter.name}}/package.json")
    allocator = "# Memory\n\n## Heap layout\n\nIt grows.\n\n## Leaks\n\nNever seen.\n"
    write(root, "MEMORY.md", content=allocator)
    write(root, ".claude/memory/MEMORY.md", content="# Index\n\n- [Builds](builds.md) — locks\n")
    assert skipped(learnings(root)) == {
        "MEMORY.md": "not about work with agents",
        ".claude/memory/MEMORY.md": "an index of the files beside it",
        "docs/project_notes/notes.md": (
            "holds no entry (no heading at level 2, fewer than two at level 3, no list item)"
        ),
    }
    assert Workspace.open(root).role_of("MEMORY.md") is None


def test_the_memory_of_an_agent_is_one_in_whatever_language(root: Path) -> None:
    items = "## 注意\n- `bin/setup` は DB を消す\n- CSV は CP932\n"
    write(root, "MEMORY.md", ".claude/memory/MEMORY.md", content=f"\ufeff# メモリ\n\n{items}")
    assert included(learnings(root)) == [".claude/memory/MEMORY.md"]


def test_memories_of_tools_are_not_looked_for_where_files_are_configured(root: Path) -> None:
    write(root, "learnings.toml", content='path = "notes.md"')
    write(root, "notes.md", ".squad/decisions.md")
    write(root, "learnings.md", "DECISIONS.md", content=STAMPED)
    assert included(learnings(root)) == ["notes.md"]
    assert Workspace.open(root).role_of(".squad/decisions.md") is None
    assert Workspace.open(root).role_of("DECISIONS.md") is None


def test_decisions_count_beside_a_timestamped_file(root: Path) -> None:
    write(root, ".context/learnings.md", content=STAMPED)
    write(root, ".context/DECISIONS.md", "docs/learnings.md", ".ai/DECISIONS.md")
    opened = Workspace.open(root)
    files = opened.found.learnings
    assert included(files) == [
        "docs/learnings.md",
        ".context/learnings.md",
        ".context/DECISIONS.md",
    ]
    reason = "no timestamped learnings file beside it"
    assert skipped(files) == {".ai/DECISIONS.md": reason}
    assert opened.role_of(".context/DECISIONS.md") is Role.LEARNINGS
    assert opened.role_of(".ai/DECISIONS.md") is None


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_file_with_two_names_is_found_once(root: Path, link: object) -> None:
    write(root, "LEARNINGS.md")
    assert callable(link)
    link(root / "LEARNINGS.md", root / "learnings.md")
    files = learnings(root)
    assert len(included(files)) == 1
    assert len(skipped(files)) == 1
    if link is os.symlink:
        assert skipped(files) == {"learnings.md": "the same file as LEARNINGS.md"}


def test_a_file_system_that_ignores_case_gives_the_name_on_disk(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a file system opens agents/ and Agents/ alike; only the listing tells the name."""
    write(root, "Agents/learnings.md", "docs/LESSONS.md")
    (root / "agents").symlink_to("Agents")
    (root / "docs" / "lessons.md").symlink_to("LESSONS.md")
    scanned = os.scandir
    hidden = {"agents", "lessons.md"}

    @contextmanager
    def seen(path: Path) -> Iterator[list[os.DirEntry[str]]]:
        with scanned(path) as entries:
            yield [entry for entry in entries if entry.name not in hidden]

    monkeypatch.setattr(os, "scandir", seen)
    assert [file.path for file in learnings(root)] == ["docs/LESSONS.md"]


def test_links_out_of_the_repository_are_not_followed(root: Path) -> None:
    write(root.parent, "elsewhere/learnings.md", "outside.md")
    (root / "agents").symlink_to(root.parent / "elsewhere")
    (root / "learnings.md").symlink_to("../outside.md")
    assert learnings(root) == (Candidate("learnings.md", "leads out of the repository"),)


def test_a_submodule_is_another_repository(root: Path) -> None:
    write(root, "agents/learnings.md", "agent-core/fragments/a.md", "agents/decisions/a.md")
    write(root, "agents/.git", "agent-core/.git", content="gitdir: elsewhere\n")
    reason = "belongs to a repository inside this one"
    assert learnings(root) == (Candidate("agents/learnings.md", reason),)
    assert set(skipped(targets(root)).values()) == {reason}
    write(root, "learnings.toml", content='path = "agents/learnings.md"')
    assert included(learnings(root)) == ["agents/learnings.md"]


GIANTS = {"4 MB": b"x" * (LARGEST_FILE + 1), "200,000 lines": b"\n" * (MOST_LINES + 1)}


@pytest.mark.parametrize("limit", GIANTS)
def test_a_giant_is_not_looked_into_and_not_passed_over(root: Path, limit: str) -> None:
    write(root, "learnings.md")
    write(root, "lessons.md", content=GIANTS[limit])
    files = learnings(root)
    too = "too large" if limit == "4 MB" else "too long"
    reason = f"has more than {limit}, {too} for a memory file"
    assert included(files) == ["learnings.md"]
    assert skipped(files)["lessons.md"] == reason
    (problem,) = Workspace.open(root).problems()
    assert str(problem) == f"lessons.md {reason}; split or exclude it"


# --- target files


def test_default_targets(root: Path) -> None:
    expected = [
        *("agents/decisions/a.md", "agents/decisions/b.md", "agent-core/fragments/c.md"),
        *("docs/decisions/d.md", ".context/learnings/e.md", ".context/decisions/f.md"),
        *(".context/conventions/g.md", "CLAUDE.md", "AGENTS.md"),
    ]
    write(root, *expected, "agents/decisions/sub/x.md", "agents/decisions/x.txt", "docs/AGENTS.md")
    files = targets(root)
    assert included(files) == expected
    assert files[0].reason == "default: agents/decisions/*.md"
    assert skipped(files) == {}


def test_configured_targets_and_one_that_matches_nothing(root: Path) -> None:
    write(root, "docs/a.md", "docs/deep/b.md", "CLAUDE.md", "docs/.venv/x.md", "docs/c.md/d.md")
    write(root, "learnings.toml", content='targets = ["docs/**/*.md", "no/*.md", "NO.md"]')
    files = targets(root)
    assert included(files) == ["docs/a.md", "docs/c.md/d.md", "docs/deep/b.md"]
    assert files[0].reason == "configured (learnings.toml:1): docs/**/*.md"
    nothing = "there is no such file"
    assert skipped(files) == {"no/*.md": nothing, "NO.md": nothing}


@pytest.mark.parametrize("pattern", ["**", "*/**", "*.md", "a*/**/b.md", "**/a/**/*.md", "?.md"])
def test_the_files_of_a_glob_are_those_that_have_the_role(root: Path, pattern: str) -> None:
    paths = ["a.md", "a/b.md", "a/a/b.md", "ab/c/b.md", ".x/b.md", "a/.x/b.md", "x/y/z", "é/ü.md"]
    write(root, *paths)
    write(root, "learnings.toml", content=f'targets = ["{pattern}"]')
    opened = Workspace.open(root)
    paths.append("learnings.toml")
    expected = sorted(path for path in paths if opened.role_of(path) is Role.TARGET)
    assert expected
    assert included(opened.found.targets) == expected


def test_a_learnings_file_is_never_a_target(root: Path) -> None:
    write(root, "docs/learnings.md", "docs/a.md", "docs/DECISIONS.md", content=STAMPED)
    (root / "docs" / "b.md").symlink_to("learnings.md")
    write(root, "learnings.toml", content='targets = ["docs/*.md"]')
    files = targets(root)
    assert included(files) == ["docs/a.md"]
    assert skipped(files) == {
        "docs/learnings.md": "a learnings file",
        "docs/DECISIONS.md": "a learnings file",
        "docs/b.md": "the same file as docs/learnings.md",
    }


def test_globs_end_and_stay_inside(root: Path) -> None:
    write(root.parent, "elsewhere/x.md")
    write(root, "docs/a.md", "nested/.git", "nested/b.md", "nested/deep/c.md")
    (root / "docs" / "up").symlink_to("..")
    (root / "docs" / "again").symlink_to(".")
    (root / "docs" / "loop").symlink_to("loop")
    (root / "out").symlink_to("../elsewhere")
    (root / "docs" / "out.md").symlink_to("../../elsewhere/x.md")
    write(root, "learnings.toml", content='targets = ["**/*.md", "*/*.md"]')
    files = targets(root)
    assert included(files) == ["docs/a.md"]
    assert skipped(files) == {
        "docs/out.md": "leads out of the repository",
        "nested/b.md": "belongs to a repository inside this one",
    }


def test_a_glob_of_many_stars_ends(root: Path) -> None:
    write(root, "/".join(["d"] * 12) + "/a.md")
    write(root, "learnings.toml", content=f'targets = ["{"**/" * 20}a.md", "{"**/" * 20}b.md"]')
    assert len(included(targets(root))) == 1


def test_names_that_are_not_utf_8(root: Path) -> None:
    name = os.fsdecode(b"agents/decisions/caf\xe9.md")
    try:
        write(root, name, "agents/decisions/grün.md")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert included(targets(root)) == [name, "agents/decisions/grün.md"]
    assert Workspace.open(root).role_of(name) is Role.TARGET
    assert printable(name) == "agents/decisions/caf\\udce9.md"


# --- memory folders


def folders(root: Path) -> list[str]:
    return [folder.path for folder in Workspace.open(root).found.folders]


@pytest.mark.parametrize("place", FOLDER_PLACES)
def test_memory_folders_are_discovered(root: Path, place: str) -> None:
    folder = place.replace("*", "reviewer")
    write(root, f"{folder}/builds.md", f"{folder}/deep/tests.md", content="# Builds\n\nText.\n")
    assert folders(root) == [folder]
    document = memory_at(Workspace.open(root), root / folder).document
    assert [entry.path for entry in document.entries] == [
        f"{folder}/builds.md",
        f"{folder}/deep/tests.md",
    ]


def test_what_is_no_entry_of_a_folder(root: Path) -> None:
    folder = ".claude/memory"
    write(root, f"{folder}/README.md", f"{folder}/archive/old.md", f"{folder}/notes.txt")
    write(root, f"{folder}/templates/entry.md", f"{folder}/deep/archive/old.md")
    write(root, f"{folder}/_examples/a.md", f"{folder}/_template.md", f"{folder}/entry-sample.md")
    write(root, ".claude/agent-memory/_templates/a.md")
    write(root, f"{folder}/MEMORY.md", content="- [Builds](builds.md) — locks\n")
    assert folders(root) == []
    write(root, f"{folder}/learnings.md", f"{folder}/learnings/a.md", f"{folder}/builds.md")
    opened = Workspace.open(root)
    assert folders(root) == [f"{folder}/learnings", folder]
    document = memory_at(opened, root / folder).document
    assert [entry.path for entry in document.entries] == [f"{folder}/builds.md"]
    assert document.size.number == 1


def test_topics_with_such_words_are_entries(root: Path) -> None:
    folder = ".claude/agent-memory/tests"
    names = ("template-cache", "fix-jinja-template", "sample-rate", "example-data-is-stale")
    write(root, *(f"{folder}/{name}.md" for name in names))
    assert folders(root) == [folder]
    assert len(memory_at(Workspace.open(root), root / folder).document.entries) == len(names)


def test_a_configured_folder_is_a_memory(root: Path) -> None:
    write(root, "learnings.toml", content='path = "notes/kept"')
    write(root, "notes/kept/a.md", ".serena/memories/b.md", content="# A\n\nText.\n")
    assert folders(root) == ["notes/kept"]
    assert [*Workspace.open(root).problems()] == []


def test_decisions_without_an_entry_do_not_count(root: Path) -> None:
    write(root, "learnings.md", content=STAMPED)
    write(root, "DECISIONS.md", content=COURSE_NOTES)
    assert included(learnings(root)) == ["learnings.md"]
    assert Workspace.open(root).role_of("DECISIONS.md") is None


# --- indexes in place of a learnings file

INDEX = (
    "# Lessons\n\nOne line per lesson, full entries in lessons/<topic>.md.\n\n"
    "- 409: [http](lessons/http.md)\n- [Freeze it](lessons/time.md#freeze)\n"
    "- UTC: [time](lessons/time.md)\n"
)


def lessons(root: Path, index: str = INDEX) -> Workspace:
    write(root, "docs/lessons/http.md", "docs/lessons/time.md", content=HEADINGS)
    write(root, "docs/lessons.md", content=index)
    return Workspace.open(root)


NAMES = "# Lessons\n\n- [[lessons/http]]\n- [[lessons/time|UTC]]\n"


@pytest.mark.parametrize("index", [INDEX, NAMES])
def test_the_files_of_an_index_are_the_memory(root: Path, index: str) -> None:
    workspace = lessons(root, index)
    files = ["docs/lessons/http.md", "docs/lessons/time.md"]
    assert included(workspace.found.learnings) == files
    assert included(workspace.found.link_indexes) == ["docs/lessons.md"]
    assert workspace.role_of("docs/lessons.md") is Role.INDEX
    assert {workspace.role_of(file) for file in files} == {Role.LEARNINGS}
    assert workspace.role_of("docs/lessons/other.md") is None
    write(root, "learnings.toml", content="".join(f'[[file]]\npath = "{file}"\n' for file in files))
    configured = Workspace.open(root)
    assert included(configured.found.link_indexes) == ["docs/lessons.md"]
    assert configured.role_of("docs/lessons.md") is Role.INDEX


def test_the_topics_of_a_folder_with_an_index_are_the_memory(root: Path) -> None:
    rows = "# Learnings\n\n- [a](a.md)\n- [b](b.md)\n- [old](2026-02-01-old.md)\n"
    folders = {
        "docs/learnings": True,
        ".agents/lessons": True,
        "lessons": False,
        "src/lessons": False,
    }
    for folder in folders:
        write(root, *(f"{folder}/{name}.md" for name in ("a", "b", "2026-02-01-old")))
        write(root, f"{folder}/README.md", content=rows)
    workspace = Workspace.open(root)
    expected = {f"{folder}/{name}.md" for folder in folders if folders[folder] for name in "ab"}
    assert {*included(workspace.found.learnings)} == expected
    assert workspace.role_of("docs/learnings/README.md") is Role.INDEX
    assert workspace.role_of("docs/learnings/a.md") is Role.LEARNINGS
    assert workspace.role_of("lessons/a.md") is None
    write(root, "learnings.toml", content='path = "docs/learnings/a.md"\n')
    assert "docs/learnings/README.md" in included(Workspace.open(root).found.link_indexes)


@pytest.mark.parametrize(
    "text",
    [
        "# Lessons\n\n- Never on a 409, see [http](lessons/http.md).\n- Freeze clocks.\n- UTC.\n",
        f"{HEADINGS}\n## See also\n\n- [http](lessons/http.md)\n- [time](lessons/time.md)\n",
        "# Lessons\n\n- [http](lessons/http.md)\n- [gone](lessons/gone.md)\n- [x](http://a.b/x.md)",
        "# Lessons\n\n- [one](../src/one.md)\n- [two](../src/two.md)\n",
    ],
)
def test_a_memory_with_links_is_no_index(root: Path, text: str) -> None:
    write(root, "src/one.md", "src/two.md", content=HEADINGS)
    workspace = lessons(root, text)
    assert included(workspace.found.learnings) == ["docs/lessons.md"]
    assert workspace.role_of("docs/lessons.md") is Role.LEARNINGS
    assert workspace.role_of("docs/lessons/http.md") is None


def test_a_skipped_file_names_the_command_that_takes_it(root: Path) -> None:
    write(root, "notes/a.md", "notes/b.md", content=HEADINGS)
    write(root, "MEMORY.md", content="# Memory\n\n- [a](notes/a.md)\n- [b](notes/b.md)\n")
    words = {file.path: file.taking for file in skipped_files(Workspace.open(root))}
    assert words["notes"] == "learnings init --memory notes"
