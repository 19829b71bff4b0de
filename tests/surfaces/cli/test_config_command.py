"""`learnings config`, and the JSON Schemas of configuration and report against the code."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.errors import BadSettings
from learnings.core.settings.keys import (
    CONFIDENCE_KEYS,
    FILE_KEYS,
    GENERAL_KEYS,
    ISSUE_KEYS,
    TIER_KEYS,
)
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import SettingsSource
from learnings.surfaces.cli.schema import schema_of
from tests.core.settings.test_reader import values_of
from tests.support.command import Command

SCHEMA = schema_of("config")
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
REPORT = jsonschema.Draft202012Validator(schema_of("config-report"))
ALL_KEYS = FILE_KEYS | GENERAL_KEYS

CONFIG = """\
[tool.learnings]
size-trigger = 100
targets = ["docs/*.md", "CLAUDE.md", "no.md"]

[[tool.learnings.file]]
path = "agents/learnings.md"
freshness = 3

[[tool.learnings.file]]
path = "notes.md"
dialect = "bullet"

[[tool.learnings.file]]
path = "gone.md"
"""
OF_TABLES = len(ISSUE_KEYS) + len(CONFIDENCE_KEYS) + len(TIER_KEYS)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for folder in (".git", "agents/decisions", "docs"):
        (root / folder).mkdir(parents=True)
    (root / "agents" / "learnings.md").write_text("## When a\n\nx\n\n## When b\n\ny\n")
    return root


@pytest.fixture
def full(root: Path) -> Path:
    (root / "pyproject.toml").write_text(CONFIG)
    (root / "notes.md").write_text("- one\n- two\n- three\n")
    (root / "docs" / "a.md").touch()
    (root / "CLAUDE.md").symlink_to("agents/learnings.md")
    return root


def printed(cwd: Path, *arguments: str) -> str:
    run = Command("learnings")("config", *arguments, cwd=cwd)
    assert (run.code, run.err) == (0, "")
    return run.out


def document(cwd: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(printed(cwd, "--format", "json"))
    REPORT.validate(report)
    return report


def test_all_settings(root: Path) -> None:
    text = printed(root, "--all")
    blocks = dict(block.split("\n", 1) for block in text.rstrip("\n").split("\n\n")[1:])
    kinds = ["settings", "consolidation issue", "confidence memory", "learning tiers"]
    assert [*blocks][-4:] == kinds
    lines = blocks["settings"].splitlines()
    assert [line.split()[0] for line in lines if line[2] != " "] == [
        k for k in ALL_KEYS if k != "path"
    ]
    assert "  size-trigger               150           default" in lines
    assert lines[lines.index("  ignore-authors             []            default") - 1] == (
        "  ignore-revs-file           none          default"
    )
    first = next(number for number, line in enumerate(lines) if line.startswith("  targets "))
    assert lines[first : first + 2] == [
        '  targets                    "agents/decisions/*.md"  default',
        '                             "agent-core/fragments/*.md"',
    ]
    for kind, keys in zip(kinds[1:], (ISSUE_KEYS, CONFIDENCE_KEYS, TIER_KEYS), strict=True):
        assert [line.split()[0] for line in blocks[kind].splitlines()] == [*keys]
    assert text.startswith(printed(root).rpartition("\n\n")[0])
    assert printed(root, "--all", "--format", "json") == printed(root, "--format", "json")


def test_text_with_configuration(full: Path) -> None:
    count = len(ALL_KEYS) - len({"path"}) + OF_TABLES - 2
    assert printed(full).splitlines()[1:] == [
        "configuration  pyproject.toml",
        "",
        "learnings files and memory folders",
        "  agents/learnings.md: included, configured (pyproject.toml:6)",
        "    2 entries, heading at level 2: 2 H2",
        "      When a",
        "      When b",
        "    freshness                  3             pyproject.toml:7",
        "  notes.md: included, configured (pyproject.toml:10)",
        "    3 entries, bullet: configured",
        "      one",
        "      two",
        "      three",
        '    dialect                    "bullet"      pyproject.toml:11',
        "  gone.md: skipped, there is no such file",
        "",
        "target files",
        "  docs/a.md: included, configured (pyproject.toml:3): docs/*.md",
        "  CLAUDE.md: skipped, the same file as agents/learnings.md",
        "  no.md: skipped, there is no such file",
        "",
        "memory index",
        "  none found",
        "",
        "settings",
        "  size-trigger               100           pyproject.toml:2",
        '  targets                    "docs/*.md"   pyproject.toml:3',
        '                             "CLAUDE.md"',
        '                             "no.md"',
        "",
        f"{count} settings at the default: `learnings config --all`",
    ]


def test_what_is_set_for_the_issue_and_the_rules(root: Path) -> None:
    (root / "learnings.toml").write_text('[issue]\nlabel = "memory"\n[rules]\nsoft-limit = "off"\n')
    assert printed(root).splitlines()[-7:-2] == [
        "consolidation issue",
        '  label                      "memory"      learnings.toml:2',
        "",
        "rules",
        '  soft-limit                 "off"         learnings.toml:4',
    ]


def test_a_reading_that_is_in_doubt(root: Path) -> None:
    days = (f"\n## 2026-03-0{n}\n\n- never retry on {n}\n- delete cache {n}\n" for n in (4, 9))
    (root / "agents" / "learnings.md").write_text(f"# Learnings\n{''.join(days)}")
    (file,) = document(root)["learnings"]
    assert 'set dialect = "' in file["read"]["doubt"]
    assert f"    doubtful: {file['read']['doubt']}\n" in printed(root)


def test_of_many_files_the_first(root: Path) -> None:
    for number in range(98):
        (root / "agents" / "decisions" / f"{number:02}.md").touch()
    lines = printed(root).splitlines()
    start = lines.index("target files")
    assert len(lines) < 40
    assert lines[start + 10].startswith("  agents/decisions/09.md: ")
    assert lines[start + 11] == "  and 88 more: `learnings config --all`"
    assert printed(root, "--all").count("  agents/decisions/") == 98


def test_the_index_that_agents_load_and_an_index_block(root: Path) -> None:
    assert document(root)["loaded_indexes"] == []
    file = root / ".claude" / "memory" / "MEMORY.md"
    file.parent.mkdir(parents=True)
    file.write_text("# Memory\n\n- [A](a.md) — a\n")
    path = ".claude/memory/MEMORY.md"
    assert f"\n\nindexes that agents load\n  {path}: included, loaded by agents\n" in printed(root)
    report = document(root)
    assert [(one["path"], one["taken"]) for one in report["loaded_indexes"]] == [(path, True)]
    assert report["index"] == []
    (root / "agents" / "decisions" / "a.md").write_text("## One\n")
    (root / "learnings.toml").write_text('index-form = "block"\nindex = "agents/learnings.md"\n')
    report = document(root)
    assert [file["taken"] for file in report["index"]] == [True]
    assert report["indexed"] == []


def test_nothing_found_and_a_broken_configuration(tmp_path: Path) -> None:
    text = printed(tmp_path)
    assert text.startswith(f"repository     {tmp_path}\nconfiguration  none; defaults apply\n")
    assert (
        "learnings files and memory folders\n  none found\n\ntarget files\n  none found\n" in text
    )
    assert "memory index\n  none found\n\n" in text
    assert document(tmp_path)["config"] is None
    (tmp_path / "learnings.md").write_text("# Course notes\n")
    assert "  learnings.md: skipped, holds no entry (" in printed(tmp_path)
    (tmp_path / "learnings.toml").write_text("size-triger = 1")
    assert Command("learnings")("config", cwd=tmp_path).code == 2


def test_index_and_the_files_that_it_lists(root: Path) -> None:
    for path in ("agents/decisions/a.md", "docs/b.md", "docs/c.md", "docs/outside.md"):
        (root / path).write_text("## One\n")
    (root / "docs" / "outside.md").unlink()
    (root / "docs" / "outside.md").symlink_to(root.parent / "other")
    (root.parent / "other").touch()
    (root / "agents" / "memory-index.md").write_text("## docs/b.md\n\nOne — first\n")
    listed = printed(root).partition("\nmemory index\n")[2].splitlines()
    assert listed[:-2] == [
        "  agents/memory-index.md: included, default",
        "",
        "files that the index lists",
        "  agents/decisions/a.md: included, default: agents/decisions/*.md",
        "  docs/b.md: included, named in the index",
    ]
    (root / "learnings.toml").write_text('indexed = ["docs/[co]*.md"]\n')
    report = document(root)
    assert [file["path"] for file in report["index"]] == ["agents/memory-index.md"]
    origin = "configured (learnings.toml:1): docs/[co]*.md"
    assert report["indexed"] == [
        {"path": "docs/c.md", "reason": origin, "taken": True},
        {"path": "docs/outside.md", "reason": "leads out of the repository", "taken": False},
        {"path": "docs/b.md", "reason": "named in the index", "taken": True},
    ]


def test_index_that_is_not_there_or_cannot_be_read(root: Path) -> None:
    (root / "learnings.toml").write_text('index = "docs/index.md"\n')
    report = document(root)
    (missing,) = report["index"]
    assert report["settings"]["index"]["value"] == "docs/index.md"
    assert (missing["path"], missing["taken"]) == ("docs/index.md", False)
    assert missing["reason"].startswith("learnings.toml:1: docs/index.md does not exist;")
    (root / "learnings.toml").write_text('index = ["docs/index.md", "docs/gone.md"]\n')
    (root / "docs" / "index.md").write_bytes(b"x" * 4_000_001)
    report = document(root)
    large, missing = report["index"]
    assert "docs/index.md has more than 4 MB" in large["reason"]
    assert missing["path"] == "docs/gone.md"
    assert report["settings"]["index"]["value"] == ["docs/index.md", "docs/gone.md"]
    assert document(root)["indexed"] == []


def test_json(full: Path) -> None:
    report = document(full)
    assert (report["schema"], report["root"]) == ("learnings.config/1", str(full))
    assert report["config"] == "pyproject.toml"
    assert set(report["settings"]) == set(ALL_KEYS) - {"path"}
    assert report["settings"]["size-trigger"] == {"value": 100, "origin": "pyproject.toml:2"}
    assert report["settings"]["ignore-revs-file"] == {"value": None, "origin": "default"}
    first, second, gone = report["learnings"]
    read = {"dialect": "heading", "level": 2, "reason": "2 H2", "entries": 2, "lines": 7}
    assert first["read"] == {**read, "titles": ["When a", "When b"], "doubt": None}
    assert first["settings"]["freshness"] == {"value": 3, "origin": "pyproject.toml:7"}
    assert first["settings"]["size-trigger"] == {"value": 100, "origin": "pyproject.toml:2"}
    assert second["settings"]["freshness"] == {"value": 7, "origin": "default"}
    assert (gone["taken"], gone["reason"], gone["read"]) == (False, "there is no such file", None)
    assert [target["path"] for target in report["targets"] if target["taken"]] == ["docs/a.md"]


def test_names_that_no_terminal_takes(root: Path) -> None:
    name = os.fsdecode(b"docs/caf\xe9\x1b[31m.md")
    try:
        (root / name).touch()
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (root / "learnings.toml").write_text('targets = ["docs/*.md"]')
    text = printed(root)
    text.encode("utf-8")
    assert "  docs/caf\\udce9\\x1b[31m.md: included" in text
    assert document(root)["targets"][0]["path"] == name


# --- the JSON Schema


def test_the_defaults_of_the_schema_are_those_of_the_code() -> None:
    properties: dict[str, dict[str, object]] = SCHEMA["properties"]
    table = {name: schema["default"] for name, schema in properties.items() if "default" in schema}
    assert set(table) == {*ALL_KEYS} - {"path", "targets", "ignore-revs-file"}
    source = SettingsSource("learnings.toml")
    settings = settings_from(table, source=source)
    assert values_of(settings) == values_of(settings_from({}, source=source))


def accepts(table: Mapping[str, object]) -> bool:
    try:
        settings_from(table, source=SettingsSource("learnings.toml"))
    except BadSettings:
        return False
    return True


PLAIN = (
    st.booleans()
    | st.integers(-1, 12)
    | st.floats(allow_nan=False).filter(lambda value: not value.is_integer())
    | st.text(max_size=4)
    | st.sampled_from(["auto", "heading", "a.md", "docs/*.md", "/a.md", "c:a.md", "a/", 10**9 + 1])
)
VALUES = PLAIN | st.lists(PLAIN, max_size=3) | st.dictionaries(st.text(max_size=3), PLAIN)
TABLES = st.dictionaries(st.sampled_from([*ALL_KEYS, "size_trigger"]), VALUES, max_size=3)
FILES = st.dictionaries(st.sampled_from([*FILE_KEYS, "targets"]), PLAIN, max_size=3)


@given(TABLES, st.lists(FILES, max_size=2))
def test_what_the_code_takes_the_schema_takes(
    table: dict[str, object], tables: list[dict[str, object]]
) -> None:
    document = {**table, "file": tables} if tables else table
    if accepts(document):
        VALIDATOR.validate(document)


@given(st.sampled_from([*ALL_KEYS]), VALUES)
def test_one_value_is_judged_alike(name: str, value: object) -> None:
    """They agree except for facts no schema can express: two compared keys, and path targets."""
    relation = name in {"freshness", "staleness-trigger"} and type(value) is int
    relation |= name in {"coverage", "covered", "coverage-perhaps"} and type(value) is float
    if not relation and not leads_nowhere(name, value):
        assert accepts({name: value}) == VALIDATOR.is_valid({name: value})


def leads_nowhere(name: str, value: object) -> bool:
    """Return True if only the parts of a path on disk can judge it."""
    texts = value if isinstance(value, list) else [value]
    parts = {part for text in texts if isinstance(text, str) for part in text.split("/")}
    is_path = name in {"path", "targets", "exclude", "ignore-revs-file"}
    return is_path and (bool(parts & {".", ".."}) or any("\0" in part for part in parts))
