"""Instructions that lead an agent to a memory file, and those that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.agents.loading import (
    READING_COMMANDS,
    documents_of,
    leads_to_memory,
    mentions_in,
    path_globs,
    runs_learnings,
)
from learnings.surfaces.cli.commands import COMMANDS

MEMORY = "agents/learnings.md"
# The files of a repository that has several memories.
FILES = {
    MEMORY,
    "docs/agents/lessons.md",
    "LEARNINGS.md",
    "packages/api/agents/learnings.md",
    "packages/web/learnings.md",
    ".context/LEARNINGS.md",
}


def is_named(
    text: str | bytes, path: str = MEMORY, *, source: str = "CLAUDE.md", files: set[str] = FILES
) -> bool:
    def leads_to(other: str) -> bool | None:
        return other == path if other in files | {path} else None

    data = text if isinstance(text, bytes) else text.encode()
    return leads_to_memory(mentions_in(source, data), path, leads_to)


@pytest.mark.parametrize(
    "text",
    [
        "@agents/learnings.md",
        "Memory: @./agents/learnings.md.",
        "Read agents/learnings.md before you start.",
        "`agents/learnings.md`",
        "**agents/learnings.md**",
        "[memory](agents/learnings.md#top)",
        "$CLAUDE_PROJECT_DIR/agents/learnings.md",
        "<repo>/agents/learnings.md",
        "/srv/parcels/agents/learnings.md",
        "~/parcels/agents/learnings.md",
        "agents\\learnings.md",
        "Append to learnings.md",
        "```\nagents/\n├── learnings.md   # lessons\n```",
        "Append to agents/learnings, please.",
        "See [[learnings]] and [[agents/builds|builds]]",
        "[[learnings#Builds]]",
        "Read the learnings file first.",
        "先阅读agents/learnings.md文件。",
        # The folder, where something says to read it.
        "Read all files in agents/ first.\n\n## Layout\n\n`src/`: code\n",
        "## Read before you start\n\n- `agents/`\n- `docs/architecture.md`\n",
        "Look into <repo>/agents/ at the start.",
        "开始之前阅读 `agents/` 下的所有文件。",
        # A glob that matches, with its folder or where something says to read.
        "@agents/*.md",
        "`agents/**`",
        "---\npaths: agents/**/*.md\n---\n",
        "Read **/*.md.",
        b"\xff\xfe agents/learnings.md \0",
    ],
)
def test_named(text: str | bytes) -> None:
    assert is_named(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Keep our learnings short, and share lessons.",
        "agents/learnings.md.bak",
        "agents/learnings.md-old",
        "archive/learnings.md",
        "packages/api/agents/learnings.md",
        "[[lessons]]",
        "`agents/decisions/cli.md`",
        # The folder, but nothing says to read it.
        "## Layout\n\n- `agents/`: sub-agents\n- `src/`: code\n",
        "Read the style guide.\n\n## Layout\n\n`agents/`: sub-agents\n",
        "Read `.claude/agents/` and `~/.claude/agents/`.",
        "Read `agents/decisions/`.",
        "Read the code of all agents, not only that of one agent.",
        # Globs.
        "markdownlint **/*.md",
        "Read `docs/**`.",
    ],
)
def test_not_named(text: str) -> None:
    assert not is_named(text)


@pytest.mark.parametrize(
    ("text", "source", "path", "expected"),
    [
        # A path is one from the folder of its text first.
        ("@agents/learnings.md", "packages/api/CLAUDE.md", f"packages/api/{MEMORY}", True),
        ("@agents/learnings.md", "packages/api/CLAUDE.md", MEMORY, False),
        ("@../../agents/learnings.md", "packages/api/CLAUDE.md", MEMORY, True),
        ("@agents/learnings.md", "packages/web/CLAUDE.md", MEMORY, True),
        ("`learnings.md`", "packages/web/AGENTS.md", "packages/web/learnings.md", True),
        ("`learnings.md`", "packages/web/AGENTS.md", MEMORY, False),
        ("Read `agents/`.", "packages/api/CLAUDE.md", "packages/api/agents/learnings.md", True),
        ("@../agents/learnings.md", ".claude/CLAUDE.md", MEMORY, True),
        ("@../../../parcels/agents/learnings.md", "packages/api/CLAUDE.md", MEMORY, True),
        ("@agents/*.md", "packages/api/CLAUDE.md", f"packages/api/{MEMORY}", True),
        # At the root the name alone can be that of a file in a folder.
        ("`learnings.md`", "CLAUDE.md", MEMORY, True),
        ("`agents/learnings.md`", "CLAUDE.md", "packages/api/agents/learnings.md", False),
        ("`agents/LEARNINGS.md`", "CLAUDE.md", "services/mail/agents/learnings.md", True),
        ("agents/learnings.md", "CLAUDE.md", "LEARNINGS.md", False),
        ("Read *.md.", "CLAUDE.md", "LEARNINGS.md", True),
        ("prettier *.md", "CLAUDE.md", "LEARNINGS.md", False),
        ("Read `.context/` at the start.", "AGENTS.md", ".context/LEARNINGS.md", True),
        # What `ctx` loads.
        ("Run `ctx agent --budget 4000`.", "CLAUDE.md", ".context/LEARNINGS.md", True),
        ("<!-- ctx:context -->", "CLAUDE.md", ".context/LEARNINGS.md", True),
        ('"ctx@activememory": true', ".claude/settings.json", ".context/LEARNINGS.md", True),
        ("Pass ctx context.Context first.", "CLAUDE.md", ".context/LEARNINGS.md", False),
        # A folder above, but not one at the root.
        ("Search `docs/agents/notes/`.", "AGENTS.md", "docs/agents/notes/a/lessons.md", True),
        ("See `docs/`.", "AGENTS.md", "docs/agents/lessons.md", False),
        # Other names than ours.
        ("Read notes/gelernt\\_2026.md.", "AGENTS.md", "notes/gelernt_2026.md", True),
        ("Read docs/agent notes/lessons.md", "AGENTS.md", "docs/agent notes/lessons.md", True),
        ("Read docs/(a+b)/x.md", "AGENTS.md", "docs/(a+b)/x.md", True),
    ],
)
def test_paths_start_from_the_folder_of_the_text(
    text: str, source: str, path: str, *, expected: bool
) -> None:
    assert is_named(text, path, source=source) is expected


def test_a_name_alone_at_the_root_can_be_that_of_each_file() -> None:
    assert is_named("`learnings.md`", files=FILES | {"learnings.md"})
    assert not is_named("`docs/learnings.md`", files=FILES | {"docs/learnings.md"})


def test_documents_are_candidates_from_both_folders() -> None:
    text = b"@AGENTS.md and @../docs/a.md, `guide.md`; ask ida@example.org"
    documents = {*documents_of(mentions_in("packages/api/CLAUDE.md", text))}
    assert {"packages/api/guide.md", "guide.md", "AGENTS.md", "packages/docs/a.md"} <= documents


def test_nothing_above_the_root_is_a_candidate() -> None:
    mentions = mentions_in("CLAUDE.md", b"@../secret.md @../../x.md @/etc/passwd.md @")
    assert [*documents_of(mentions)] == ["etc/passwd.md"]


def test_globs_in_front_matter() -> None:
    values = {"paths": ["src/{a,b}/*.md", "!x.md"], "globs": "a.md, '{b,c}.md'", "applyTo": ""}
    expected = {"paths": ("src/a/*.md", "src/b/*.md"), "globs": ("a.md", "b.md", "c.md")}
    assert dict(path_globs(values)) == expected
    for longest in ("x" * 999, "{a,b}" * 6):
        assert len([*path_globs({"paths": longest})]) == 1
        assert [*path_globs({"paths": longest + "{a}"})] == []


def test_what_runs_our_program() -> None:
    for text, skill, program in (
        ("Run `learnings due`.", True, True),
        ("learnings \\\n  batch", True, True),
        ("python3 bin/learning-ages.py", True, True),
        ('"learnings@learnings": true', False, True),
        ("Run `learnings check`.", False, True),
        ("learnings-check", False, False),
        ("cat docs/learnings/notes.md", False, False),
    ):
        mentions = mentions_in("x", text.encode())
        assert runs_learnings(mentions, is_program=False) is skill, text
        assert runs_learnings(mentions, is_program=True) is program, text


def test_the_commands_exist() -> None:
    assert {*READING_COMMANDS} < {*COMMANDS}


def test_much_of_the_same_takes_no_time() -> None:
    for data in (b"*a", b"[[", b"@a/", b"a/b.md "):
        assert not is_named(b"Read " + data * 100_000)


def test_a_path_of_more_than_1000_characters_is_none() -> None:
    for length in (1000, 1001):
        end = ">/agents/learnings.md"
        assert is_named(f"<{'x' * (length - 1 - len(end))}{end}") is (length == 1000)


@given(st.binary(max_size=200), st.sampled_from(["@", "`", "*", "./", "\n", " ", "("]))
def test_any_bytes_around_a_path_are_read(data: bytes, mark: str) -> None:
    assert is_named(b"\n" + data + b"\n" + mark.encode() + b"agents/learnings.md\n" + data)
