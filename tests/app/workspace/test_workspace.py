"""The repository around a folder: its root, its settings, and the files found or skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.app.workspace import workspace as module
from learnings.app.workspace.candidate import Candidate
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import BadSettings, MissingFile, UsageProblem
from learnings.core.roles import LEARNINGS_FOLDERS, LEARNINGS_NAMES, Role
from learnings.core.text import printable

HEADINGS = "# Learnings\n\n## When one\n\ntext\n\n## When two\n\ntext\n"
STAMPED = "## [2026-02-16-120000] One\n\ntext\n\n## [2026-02-17-120000] Two\n\ntext\n"
COURSE_NOTES = "# What I learned at school\n\nNothing yet.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    return tmp_path / "repository"


def write(root: Path, *paths: str, content: str | bytes = HEADINGS) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        (root / path).write_bytes(data)


def taken(found: tuple[Candidate, ...]) -> list[str]:
    return [each.path for each in found if each.included]


def skipped(found: tuple[Candidate, ...]) -> dict[str, str]:
    return {each.path: each.reason for each in found if not each.included}


def learnings(root: Path) -> tuple[Candidate, ...]:
    return Workspace.open(root).learnings_files()


def targets(root: Path) -> tuple[Candidate, ...]:
    return Workspace.open(root).target_files()


# --- the root and the settings


def test_outside_a_repository_only_the_folder_itself_counts(tmp_path: Path) -> None:
    write(tmp_path, "learnings.toml", content="freshness = 1")
    (tmp_path / "a").mkdir()
    opened = Workspace.open(tmp_path / "a")
    assert opened.root == tmp_path / "a"
    assert opened.settings.file.freshness == 7
    assert Workspace.open(tmp_path).settings.file.freshness == 1


def test_a_start_inside_finds_root_and_configuration(root: Path) -> None:
    write(root, "pyproject.toml", content="[tool.learnings]\nfreshness = 3\n")
    (root / "a" / "b").mkdir(parents=True)
    opened = Workspace.open(root / "a" / "x" / ".." / "b")
    assert (opened.root, opened.config) == (root, root / "pyproject.toml")
    assert opened.start == root / "a" / "b"
    assert opened.settings.file.freshness == 3


def test_overrides_win_and_none_is_no_override(root: Path) -> None:
    write(root, "learnings.toml", content="freshness = 3\nmin-batch = 4\n")
    opened = Workspace.open(root, overrides={"freshness": 2, "min-batch": None})
    assert (opened.settings.file.freshness, opened.settings.file.min_batch) == (2, 4)
    assert str(opened.settings.file.origins["freshness"]) == "command line"
    assert str(opened.settings.file.origins["min-batch"]) == "learnings.toml:2"
    with pytest.raises(BadSettings, match=r"^command line: freshness takes"):
        Workspace.open(root, overrides={"freshness": "x"})


def test_paths_start_where_they_are_written(root: Path) -> None:
    write(root, "pkg/learnings.toml", content='path = "notes.md"\ntargets = ["../docs/*.md"]')
    write(root, "pkg/notes.md", "docs/a.md", "pkg/sub/mine.md")
    opened = Workspace.open(root / "pkg" / "sub")
    assert taken(opened.learnings_files()) == ["pkg/notes.md"]
    assert taken(opened.target_files()) == ["docs/a.md"]
    forced = Workspace.open(root / "pkg" / "sub", overrides={"targets": ["*.md", "../../docs/*"]})
    assert taken(forced.target_files()) == ["pkg/sub/mine.md", "docs/a.md"]


# --- learnings files


@pytest.mark.parametrize("folder", LEARNINGS_FOLDERS)
@pytest.mark.parametrize("name", LEARNINGS_NAMES)
def test_learnings_files_are_discovered(root: Path, folder: str, name: str) -> None:
    path = f"{folder}/{name}" if folder else name
    write(root, path)
    assert learnings(root) == (Candidate(path, "discovered", included=True),)
    assert Workspace.open(root).role_of(path) is Role.LEARNINGS


def test_nothing_else_is_discovered(root: Path) -> None:
    write(root, "src/learnings.md", "agents/sub/lessons.md", "Learnings.md", "README.md")
    write(root, "agents/DECISIONS.md", ".git/learnings.md")
    assert taken(learnings(root)) == []


def test_several_are_found_in_a_fixed_order(root: Path) -> None:
    write(root, "tasks/lessons.md", "lessons.md", "learnings.md", "agents/LESSONS.md")
    expected = ["learnings.md", "lessons.md", "agents/LESSONS.md", "tasks/lessons.md"]
    assert taken(learnings(root)) == expected


@pytest.mark.parametrize("content", [COURSE_NOTES, "", b"\0\xff\xfe", b"\n" * 9])
def test_discovery_wants_an_entry(root: Path, content: str | bytes) -> None:
    write(root, "learnings.md", content=content)
    assert skipped(learnings(root))["learnings.md"].startswith("no entry (")


@pytest.mark.parametrize("opening", ["<!-- newest first\n", "```\n"])
def test_file_whose_open_block_hides_all_entries_is_taken(root: Path, opening: str) -> None:
    write(root, "agents/learnings.md", content=opening + HEADINGS)
    write(root, "docs/learnings.md", content="# Notes\n\n```\n## None\n```\n")
    found = learnings(root)
    assert found[0].reason.startswith("discovered, an open block ")
    assert taken(found) == ["agents/learnings.md"]


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
    found = learnings(root)
    assert taken(found) == ["a.md"]
    reasons = skipped(found)
    assert reasons.pop("loop.md")
    assert reasons == {
        "folder.md": "no regular file",
        "missing.md": "there is no such file",
        "again.md": "the same file as a.md",
        "dangling.md": "the link leads nowhere",
    }


def test_decisions_count_beside_a_timestamped_file(root: Path) -> None:
    write(root, ".context/learnings.md", content=STAMPED)
    write(root, ".context/DECISIONS.md", "docs/learnings.md", "docs/DECISIONS.md")
    opened = Workspace.open(root)
    found = opened.learnings_files()
    assert taken(found) == ["docs/learnings.md", ".context/learnings.md", ".context/DECISIONS.md"]
    reason = "no timestamped learnings file beside it"
    assert skipped(found) == {"docs/DECISIONS.md": reason}
    assert opened.role_of(".context/DECISIONS.md") is Role.LEARNINGS
    assert opened.role_of("docs/DECISIONS.md") is None


def test_decisions_without_an_entry_do_not_count(root: Path) -> None:
    write(root, "learnings.md", content=STAMPED)
    write(root, "DECISIONS.md", content=COURSE_NOTES)
    assert taken(learnings(root)) == ["learnings.md"]
    assert Workspace.open(root).role_of("DECISIONS.md") is None


def test_decisions_are_not_looked_for_where_files_are_configured(root: Path) -> None:
    write(root, "learnings.md", "DECISIONS.md", content=STAMPED)
    write(root, "learnings.toml", content='path = "learnings.md"')
    assert Workspace.open(root).role_of("DECISIONS.md") is None


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_file_with_two_names_is_found_once(root: Path, link: object) -> None:
    write(root, "LEARNINGS.md")
    assert callable(link)
    link(root / "LEARNINGS.md", root / "learnings.md")
    found = learnings(root)
    assert len(taken(found)) == 1
    assert len(skipped(found)) == 1
    if link is os.symlink:
        assert skipped(found) == {"learnings.md": "the same file as LEARNINGS.md"}


def test_a_file_system_that_ignores_case_gives_the_name_on_disk(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a file system opens agents/ and Agents/ alike; only the listing tells the name."""
    write(root, "Agents/learnings.md", "docs/LESSONS.md")
    (root / "agents").symlink_to("Agents")
    (root / "docs" / "lessons.md").symlink_to("LESSONS.md")
    listed = os.listdir
    hidden = {"agents", "lessons.md"}
    monkeypatch.setattr(os, "listdir", lambda path: [n for n in listed(path) if n not in hidden])
    assert [found.path for found in learnings(root)] == ["docs/LESSONS.md"]


def test_links_out_of_the_repository_are_not_followed(root: Path) -> None:
    write(root.parent, "elsewhere/learnings.md", "outside.md")
    (root / "agents").symlink_to(root.parent / "elsewhere")
    (root / "learnings.md").symlink_to("../outside.md")
    assert learnings(root) == (Candidate("learnings.md", "leads out of the repository"),)


def test_a_loop_of_links_is_skipped(root: Path) -> None:
    (root / "agents").symlink_to("agents")
    (root / "learnings.md").symlink_to("learnings.md")
    assert taken(learnings(root)) == []


def test_a_submodule_is_another_repository(root: Path) -> None:
    write(root, "agents/learnings.md", "agent-core/fragments/a.md", "agents/decisions/a.md")
    write(root, "agents/.git", "agent-core/.git", content="gitdir: elsewhere\n")
    reason = "belongs to a repository inside this one"
    assert learnings(root) == (Candidate("agents/learnings.md", reason),)
    assert set(skipped(targets(root)).values()) == {reason}
    write(root, "learnings.toml", content='path = "agents/learnings.md"')
    assert taken(learnings(root)) == ["agents/learnings.md"]


def test_a_linked_worktree_is_not_taken_for_a_submodule(root: Path) -> None:
    (root / ".git").rmdir()
    write(root, ".git", content="gitdir: elsewhere\n")
    write(root, "agents/learnings.md")
    assert taken(learnings(root)) == ["agents/learnings.md"]


def test_a_giant_is_not_looked_into(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", len(HEADINGS))
    write(root, "learnings.md")
    write(root, "lessons.md", content=HEADINGS + "\n")
    found = learnings(root)
    assert taken(found) == ["learnings.md"]
    assert skipped(found)["lessons.md"].startswith("too large")


def test_an_unreadable_file_is_skipped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, mode: str) -> bytes:
        raise PermissionError(13, "Permission denied", str(self), mode)

    write(root, "learnings.md")
    monkeypatch.setattr(Path, "open", refuse)
    assert "cannot be read (Permission denied)" in skipped(learnings(root))["learnings.md"]


# --- target files


def test_default_targets(root: Path) -> None:
    expected = [
        *("agents/decisions/a.md", "agents/decisions/b.md", "agent-core/fragments/c.md"),
        *("docs/decisions/d.md", ".context/learnings/e.md", ".context/decisions/f.md"),
        *(".context/conventions/g.md", "CLAUDE.md", "AGENTS.md"),
    ]
    write(root, *expected, "agents/decisions/sub/x.md", "agents/decisions/x.txt", "docs/AGENTS.md")
    found = targets(root)
    assert [each.path for each in found if each.included] == expected
    assert found[0].reason == "default: agents/decisions/*.md"
    assert skipped(found) == {}


def test_no_target_is_no_finding(root: Path) -> None:
    assert targets(root) == ()


def test_configured_targets_and_one_that_matches_nothing(root: Path) -> None:
    write(root, "docs/a.md", "docs/deep/b.md", "CLAUDE.md", "docs/.venv/x.md", "docs/c.md/d.md")
    write(root, "learnings.toml", content='targets = ["docs/**/*.md", "no/*.md", "NO.md"]')
    found = targets(root)
    assert taken(found) == ["docs/a.md", "docs/c.md/d.md", "docs/deep/b.md"]
    assert found[0].reason == "configured (learnings.toml:1): docs/**/*.md"
    nothing = "there is no such file"
    assert skipped(found) == {"no/*.md": nothing, "NO.md": nothing}


@pytest.mark.parametrize(
    "pattern",
    ["**", "**/*", "**/*.md", "*/**", "*", "*.md", "a*/**/b.md", "**/a/**/*.md", "?.md", "a/b.md"],
)
def test_the_files_of_a_glob_are_those_that_have_the_role(root: Path, pattern: str) -> None:
    paths = ["a.md", "a/b.md", "a/a/b.md", "ab/c/b.md", ".x/b.md", "a/.x/b.md", "x/y/z", "é/ü.md"]
    write(root, *paths)
    write(root, "learnings.toml", content=f'targets = ["{pattern}"]')
    opened = Workspace.open(root)
    paths.append("learnings.toml")
    expected = sorted(path for path in paths if opened.role_of(path) is Role.TARGET)
    assert expected
    assert taken(opened.target_files()) == expected


def test_a_learnings_file_is_never_a_target(root: Path) -> None:
    write(root, "docs/learnings.md", "docs/a.md", "docs/DECISIONS.md", content=STAMPED)
    (root / "docs" / "b.md").symlink_to("learnings.md")
    write(root, "learnings.toml", content='targets = ["docs/*.md"]')
    found = targets(root)
    assert taken(found) == ["docs/a.md"]
    assert skipped(found) == {
        "docs/learnings.md": "a learnings file",
        "docs/DECISIONS.md": "a learnings file",
        "docs/b.md": "the same file as docs/learnings.md",
    }


def test_the_file_itself_goes_before_a_link_to_it(root: Path) -> None:
    write(root, "AGENTS.md")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    found = targets(root)
    assert taken(found) == ["AGENTS.md"]
    assert skipped(found) == {"CLAUDE.md": "the same file as AGENTS.md"}


def test_globs_end_and_stay_inside(root: Path) -> None:
    write(root.parent, "elsewhere/x.md")
    write(root, "docs/a.md", "nested/.git", "nested/b.md", "nested/deep/c.md")
    (root / "docs" / "up").symlink_to("..")
    (root / "docs" / "again").symlink_to(".")
    (root / "docs" / "loop").symlink_to("loop")
    (root / "out").symlink_to("../elsewhere")
    (root / "docs" / "out.md").symlink_to("../../elsewhere/x.md")
    write(root, "learnings.toml", content='targets = ["**/*.md", "*/*.md"]')
    found = targets(root)
    assert taken(found) == ["docs/a.md"]
    assert skipped(found) == {
        "docs/out.md": "leads out of the repository",
        "nested/b.md": "belongs to a repository inside this one",
    }


def test_a_glob_of_many_stars_ends(root: Path) -> None:
    write(root, "/".join(["d"] * 12) + "/a.md")
    write(root, "learnings.toml", content=f'targets = ["{"**/" * 20}a.md", "{"**/" * 20}b.md"]')
    assert len(taken(targets(root))) == 1


# --- names that are no text


def test_names_that_are_not_utf_8(root: Path) -> None:
    name = os.fsdecode(b"agents/decisions/caf\xe9.md")
    try:
        write(root, name, "agents/decisions/grün.md")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert taken(targets(root)) == [name, "agents/decisions/grün.md"]
    assert Workspace.open(root).role_of(name) is Role.TARGET
    assert printable(name) == "agents/decisions/caf\\udce9.md"


def test_a_repository_in_a_folder_that_is_not_utf_8(tmp_path: Path) -> None:
    root = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        write(root, "pkg/learnings.toml", content="freshness = 1")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (root / ".git").mkdir()
    write(root, "agents/learnings.md")
    opened = Workspace.open(root / "pkg")
    assert opened.settings.file.freshness == 1
    assert opened.the_file(None) == root / "agents" / "learnings.md"


# --- one file


def test_the_settings_of_one_file(root: Path) -> None:
    text = 'freshness = 1\n[[file]]\npath = "a.md"\nfreshness = 2\n[[file]]\npath = "b.md"\n'
    write(root, "learnings.toml", content=text)
    write(root, "a.md", "c.md")
    (root / "link.md").symlink_to("a.md")
    opened = Workspace.open(root)
    paths: list[Path | str] = [
        "a.md",
        root / "a.md",
        "./x/../a.md",
        "link.md",
        "b.md",
        "c.md",
        "gone.md",
    ]
    assert [opened.file_settings(path).freshness for path in paths] == [2, 2, 2, 2, 1, 1, 1]
    assert opened.file_settings("b.md").path == "b.md"
    assert opened.file_settings(root.parent / "a.md") == opened.settings.file


def test_a_document_is_read_as_its_settings_say(root: Path) -> None:
    text = '[[file]]\npath = "a.md"\ndialect = "heading"\nentry-level = 1\n'
    write(root, "learnings.toml", content=text)
    write(root, "a.md", "b.md")
    opened = Workspace.open(root)
    assert [entry.title for entry in opened.document("a.md").entries] == ["Learnings"]
    assert len(opened.document(root / "b.md").entries) == 2
    with pytest.raises(MissingFile, match=r"there is no file gone\.md"):
        opened.document("gone.md")


@pytest.mark.parametrize(
    ("path", "relative"),
    [("a/../b.md", "b.md"), ("a//b.md", "a/b.md"), ("../x.md", None), (".", None), ("", None)],
)
def test_paths_from_the_root(root: Path, path: str, relative: str | None) -> None:
    opened = Workspace.open(root)
    assert opened.relative(path) == relative
    assert opened.relative(root / path) == relative


def test_a_path_through_a_link_to_the_repository(root: Path) -> None:
    write(root, "agents/learnings.md")
    (root.parent / "other").symlink_to(root)
    opened = Workspace.open(root)
    assert opened.relative(root.parent / "other" / "agents" / "learnings.md") == (
        "agents/learnings.md"
    )
    through = Workspace.open(root.parent / "other" / "agents")
    assert through.the_file(None) == root.parent / "other" / "agents" / "learnings.md"
    assert through.relative(root / "agents" / "learnings.md") == "agents/learnings.md"


def test_a_file_outside_has_no_role(root: Path) -> None:
    write(root.parent, "CLAUDE.md")
    assert Workspace.open(root).role_of(root.parent / "CLAUDE.md") is None


def test_the_file_is_the_one_named(root: Path) -> None:
    write(root, "a/notes.md", "agents/learnings.md", content=COURSE_NOTES)
    opened = Workspace.open(root / "a")
    assert opened.the_file("notes.md") == root / "a" / "notes.md"
    assert opened.the_file(str(root / "a" / "notes.md")) == root / "a" / "notes.md"


def test_the_file_is_the_configured_one(root: Path) -> None:
    write(root, "notes.md", "agents/learnings.md")
    write(root, "learnings.toml", content='path = "notes.md"')
    assert Workspace.open(root).the_file(None) == root / "notes.md"


def test_the_configured_file_is_meant_even_where_it_is_missing(root: Path) -> None:
    write(root, "agents/learnings.md")
    write(root, "learnings.toml", content='path = "notes.md"')
    with pytest.raises(MissingFile, match=r"^there is no file notes\.md"):
        Workspace.open(root).the_file(None)


def test_the_file_is_the_discovered_one(root: Path) -> None:
    write(root, "tasks/lessons.md")
    write(root, "learnings.md", content=COURSE_NOTES)
    assert Workspace.open(root).the_file(None) == root / "tasks" / "lessons.md"


def test_the_file_is_the_usual_one_even_without_entries(root: Path) -> None:
    write(root, "agents/learnings.md", content=COURSE_NOTES)
    assert Workspace.open(root).the_file(None) == root / "agents" / "learnings.md"


@pytest.mark.parametrize(
    "config", ["", '[[file]]\npath = "lessons.md"\n[[file]]\npath = "agents/learnings.md"\n']
)
def test_several_files_are_listed(root: Path, config: str) -> None:
    write(root, "lessons.md", "agents/learnings.md")
    write(root, "learnings.toml", content=config)
    with pytest.raises(UsageProblem) as caught:
        Workspace.open(root).the_file(None)
    said = "there are several learnings files: lessons.md, agents/learnings.md; name one of them"
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        (None, "there is no file agents/learnings.md; check the path, or write the file first"),
        ("gone.md", "there is no file gone.md; check the path, or write the file first"),
        ("file.md/x", "there is no file file.md/x; check the path, or write the file first"),
        ("folder", "folder is a folder; name a file"),
        ("a\0b", "a\\x00b cannot be read (no valid path); correct that or name another file"),
        ("pipe", "pipe is no regular file; name one"),
    ],
)
def test_a_file_that_is_none_is_one_sentence(root: Path, argument: str | None, said: str) -> None:
    (root / "folder").mkdir()
    write(root, "file.md")
    if argument == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("needs named pipes")
        os.mkfifo(root / "pipe")
    with pytest.raises(MissingFile) as caught:
        Workspace.open(root).the_file(argument)
    assert str(caught.value) == said


def test_an_empty_argument_is_no_file(root: Path) -> None:
    with pytest.raises(UsageProblem, match=r"^FILE is empty"):
        Workspace.open(root).the_file("")


def test_a_loop_of_links_is_one_sentence(root: Path) -> None:
    (root / "loop.md").symlink_to("loop.md")
    with pytest.raises(MissingFile, match=r"^loop\.md cannot be read \("):
        Workspace.open(root).the_file("loop.md")
