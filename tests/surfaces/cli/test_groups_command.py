"""The command `learnings groups`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.command import Command

TEXT = """\
# Learnings

## Hook scripts lose permissions

rsync drops the execute bit.

## Check permissions of hook scripts

~~Superseded by the above~~

The execute bit again.

## Hook scripts and permissions (consolidated)

**Consolidated from**: 2 entries (2026-01-15)

## Caches grow

Without any limit.
"""

SHOWN = """\
a.md: 1 group of 2 entries, 2 ungrouped

Hook scripts lose permissions (2 entries, score 0.82)
  line 3: Hook scripts lose permissions
  line 7: Check permissions of hook scripts (superseded)
  because of
    “hook” in lines 3, 7
    “permissions” in lines 3, 7
    “scripts” in lines 3, 7
    “bit” in lines 5, 11
    “execute” in lines 5, 11

Ungrouped
  line 13: Hook scripts and permissions (consolidated)
  line 17: Caches grow
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_text(learnings: Command, file: Path) -> None:
    run = learnings("groups", "a.md", cwd=file.parent)
    assert (run.code, run.out, run.err) == (0, SHOWN, "")


def test_document(learnings: Command, file: Path) -> None:
    document = learnings("groups", "a.md", "--format", "json", cwd=file.parent).json
    assert (document["schema"], document["file"]) == ("learnings.groups/1", "a.md")
    (group,) = document["groups"]
    assert group["topic"] == "Hook scripts lose permissions"
    assert [(entry["line"], entry["superseded"]) for entry in group["members"]] == [
        (3, False),
        (7, True),
    ]
    assert group["why"][0] == {"word": "hook", "lines": [3, 7]}
    assert [(entry["line"], entry["consolidated"]) for entry in document["ungrouped"]] == [
        (13, True),
        (17, False),
    ]
    assert [entry["line"] for entry in document["neighbours"]] == [3, 7, 13, 17]
    assert [entry["line"] for entry in document["neighbours"][0]["nearest"]] == [7]
    words = ("groups", "a.md", "--include-consolidated", "--format", "json")
    (group,) = learnings(*words, cwd=file.parent).json["groups"]
    assert [entry["line"] for entry in group["members"]] == [3, 7, 13]


def test_eagerness_is_a_setting(learnings: Command, tmp_path: Path) -> None:
    pair = "\n## Hook scripts\n\nalpha bravo\n\n## Hook bits\n\nalpha charlie\n"
    words = ["alder", "birch", "cedar", "hazel", "larch", "maple", "pine", "rowan"]
    text = pair + "".join(f"\n## {word}\n\n{word[::-1]}\n" for word in words)
    (tmp_path / "a.md").write_text(f"# L\n{text}", "utf-8")
    (tmp_path / "learnings.toml").write_text('path = "a.md"\n', "utf-8")
    assert learnings("groups", cwd=tmp_path).out.startswith("a.md: 1 group of 2 entries, 8 ")
    (tmp_path / "learnings.toml").write_text('path = "a.md"\neagerness = 0.1\n', "utf-8")
    assert learnings("groups", cwd=tmp_path).out.startswith("a.md: 0 groups of 0 entries, 10 ")


def test_file_without_entries(learnings: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_bytes(b"")
    run = learnings("groups", "empty.md", cwd=tmp_path)
    assert (run.code, run.out) == (0, "empty.md: 0 groups of 0 entries, 0 ungrouped\n")


def test_a_file_of_too_many_entries_is_refused(learnings: Command, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# L\n\n" + "- 2026-03-04 **Retry** it\n" * 5001, "utf-8")
    run = learnings("groups", "a.md", cwd=tmp_path)
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        "learnings: a.md has 5,001 entries, too many to compare (at most 5,000); split it\n"
    )


def test_file_is_read_as_configured(learnings: Command, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# L\n\n## Kind\n\n### Hook bit\n\n### Bit of a hook\n", "utf-8")
    (tmp_path / "learnings.toml").write_text('path = "a.md"\nentry-level = 2\n', "utf-8")
    assert learnings("groups", cwd=tmp_path).out.startswith("a.md: 0 groups of 0 entries, 1 ")
    (tmp_path / "learnings.toml").write_text('path = "a.md"\nentry-level = 3\n', "utf-8")
    assert learnings("groups", cwd=tmp_path).out.startswith("a.md: 1 group of 2 entries, 0 ")


def test_of_many_entries_without_a_group_the_first_are_listed(
    tmp_path: Path, learnings: Command
) -> None:
    text = "".join(f"\n## {5 * letter}\n\n{7 * letter}.\n" for letter in "abcdefghijk")
    (tmp_path / "a.md").write_text(f"# Learnings\n{text}", encoding="utf-8")
    lines = learnings("groups", "a.md", cwd=tmp_path).out.splitlines()
    listed = lines[lines.index("Ungrouped") + 1 :]
    assert len(listed) == 11
    assert listed[-1] == "  and 1 more: `learnings ages` lists all entries"
