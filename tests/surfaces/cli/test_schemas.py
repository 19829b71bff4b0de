"""The JSON Schemas, and every JSON document against its schema in normal and odd states."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from learnings.surfaces.cli.commands import FORMATS
from learnings.surfaces.cli.schema import NAMES, schema_of
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.schemas import validate

pytestmark = pytest.mark.slow

FILE = "agents/learnings.md"
DOCUMENTS: dict[str, tuple[str, ...]] = {
    "ages": ("ages", FILE),
    "archive": ("archive", "--list"),
    "batch": ("batch", FILE),
    "briefing": ("memory", "brief", "--story", FILE),
    "config-report": ("config",),
    "curation": ("memory", "curate"),
    "doctor": ("doctor",),
    "due": ("due",),
    "due-brief": ("due", "--brief"),
    "findings": ("check",),
    "fleet": ("fleet", "scan", "."),
    "groups": ("groups", FILE),
    "index": ("index", FILE),
    "precheck": ("precheck", FILE),
    "replay": ("due", "--replay"),
    "report": ("report",),
    "routes": ("route", FILE),
    "rules": ("rules",),
    "statistics": ("memory", "stats"),
    "tiers-compact": ("tiers", "compact"),
    "tiers-promote": ("tiers", "promote"),
    "tiers-status": ("tiers", "status"),
    "diff": ("diff",),
    "verify": ("verify",),
}
OF_ONE_FILE = ("ages", "batch", "groups", "precheck", "routes")
KEPT_IN_FILES = ("baseline", "config")
WITH_HISTORY = {"ages", "batch", "due", "due-brief", "replay"}
FORMAT = ("--format", "json")


# --- the schemas themselves


def test_every_document_has_a_schema_and_every_schema_a_document() -> None:
    assert sorted([*DOCUMENTS, *KEPT_IN_FILES]) == NAMES
    assert {*DOCUMENTS} == {*FORMATS}


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_says_of_what(learnings: Command, nowhere: Path, name: str) -> None:
    schema = schema_of(name)
    run = learnings("schema", name, cwd=nowhere)
    assert (run.code, run.err) == (0, "")
    assert run.out == json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    number = 2 if name == "ages" else 1
    assert schema["$id"] == f"urn:learnings:schema:{name}:{number}"
    if name not in KEPT_IN_FILES:
        words = " ".join(DOCUMENTS[name]).replace(FILE, "FILE")
        assert schema["title"] == f"Output of `learnings {words} --format json`"
        document = "config" if name == "config-report" else name
        assert schema["properties"]["schema"]["const"] == f"learnings.{document}/{number}"
        assert "schema" in schema["required"]


def test_the_help_lists_every_schema(learnings: Command, nowhere: Path) -> None:
    run = learnings("schema", "--help", cwd=nowhere)
    assert ", ".join(NAMES) in " ".join(run.out.split()).replace("- ", "-")  # a wrapped name
    other = learnings("schema", "nothing", cwd=nowhere)
    assert (other.code, other.out, other.err.count("\n")) == (2, "", 1)
    assert all(name in other.err for name in NAMES)


# --- the documents


def memory(*titles: str) -> str:
    return "# Learnings\n\n" + "".join(f"## {title}\n\nText of {title}.\n\n" for title in titles)


def worked_on(repository: GitRepository) -> GitRepository:
    """Nine days without a change to the file."""
    repository.work("2026-01-10", days=9)
    return repository


def plain(repository: GitRepository) -> GitRepository:
    """Three entries, added on three days, and days of other work after them."""
    titles = ["When one", "When „zwei“", "When three"]
    for number, _ in enumerate(titles, start=1):
        repository.write(FILE, memory(*titles[:number]))
        repository.commit(date=f"2026-01-0{number}")
    return worked_on(repository)


def consolidated(repository: GitRepository) -> GitRepository:
    plain(repository).write(FILE, memory("When three"))
    repository.write("learnings.toml", "consolidation-min-removed = 2\n")
    repository.commit(date="2026-01-20")
    repository.commit(date="2026-01-21")
    return repository


def due(repository: GitRepository) -> GitRepository:
    titles = [f"When {number}" for number in range(9)]
    repository.write("learnings.toml", "keep-recent = 1\n")
    repository.write(FILE, memory(*titles) + "text\n" * 150)
    repository.commit(date="2025-12-31")
    return worked_on(repository)


def switched_off(repository: GitRepository) -> GitRepository:
    due(repository).write("learnings.toml", "due = false\nentry-level = 2\n")
    return repository


def stamped(repository: GitRepository) -> GitRepository:
    """Entries with time stamps, the newest one not committed."""
    text = "# Learnings\n\n## [2026-01-01-120000] ~~Superseded~~\n\ntext\n"
    repository.write(FILE, text)
    repository.commit(date="2026-01-04")
    worked_on(repository).write(FILE, f"{text}\n## [2026-01-03-120000] Newest\n\ntext\n")
    return repository


def shallow(repository: GitRepository) -> GitRepository:
    return consolidated(repository).clone(depth=3)


def broken(repository: GitRepository) -> GitRepository:
    text = memory("When \x1b", "When \x1b").encode() + b"\xff\n```\n<<<<<<< a"
    plain(repository).write(FILE, text)
    repository.commit(date="2026-01-21")
    return repository


OFTEN = (due, consolidated, broken)
SELDOM = (plain, switched_off, stamped)
BEFORE_THE_FIRST_DAY, AN_OLDER_COMMIT = ("--as-of", "2020-01-01"), ("--at", "HEAD~10")


def validate_parts(report: Any, part: str) -> None:  # noqa: ANN401  (a document)
    """Compare the parts of a report that come from other documents with their schemas."""
    if part == "findings":
        validate(report[part], part)
        return
    for document in (file[part] for file in report["files"] if file[part] is not None):
        several = part in ("due", "replay")
        whole = {"schema": f"learnings.{part}/1", "files": [document]} if several else document
        validate({**whole, "forms": []} if part == "due" else whole, part)


@pytest.mark.parametrize(
    ("state", "of_history"),
    [
        *((state, ()) for state in OFTEN),
        (shallow, ("--allow-shallow",)),
        *(pytest.param(state, (), marks=pytest.mark.soak) for state in SELDOM),
        pytest.param(plain, BEFORE_THE_FIRST_DAY, marks=pytest.mark.soak),
        pytest.param(plain, AN_OLDER_COMMIT, marks=pytest.mark.soak),
    ],
)
def test_every_document_is_as_its_schema_says(
    repository: GitRepository,
    learnings: Command,
    state: Callable[[GitRepository], GitRepository],
    of_history: tuple[str, ...],
) -> None:
    path = state(repository).path
    documents = {}
    for name, words in DOCUMENTS.items():
        extra = of_history if name in WITH_HISTORY else ()
        run = learnings(*words, *FORMAT, *extra, cwd=path)
        assert run.code == 0 or name == "findings", run.err
        validate(run.json, name)
        documents[name] = run.json
    for part in ("due", "ages", "replay", "groups", "findings"):
        validate_parts(documents["report"], part)
    assert (documents["due"]["files"][0]["verdict"] == "due") is (state is due)


def test_documents_of_a_repository_without_a_memory(
    repository: GitRepository, learnings: Command
) -> None:
    repository.commit()
    for name in ("due", "replay", "report", "config-report", "findings"):
        run = learnings(*DOCUMENTS[name], *FORMAT, cwd=repository.path)
        assert run.code == 0
        validate(run.json, name)
    for name in OF_ONE_FILE:
        run = learnings(DOCUMENTS[name][0], *FORMAT, cwd=repository.path)
        assert (run.code, run.json["files"]) == (0, [])
        validate(run.json, name)


def test_documents_about_several_files(repository: GitRepository, learnings: Command) -> None:
    plain(repository)
    repository.write("docs/lessons.md", memory("When one", "When two"))
    repository.commit(date="2026-01-21")
    for name in OF_ONE_FILE:
        run = learnings(DOCUMENTS[name][0], *FORMAT, cwd=repository.path)
        assert run.code == 0, run.err
        assert [document["file"] for document in run.json["files"]] == [FILE, "docs/lessons.md"]
        validate(run.json, name)
        alone = learnings(*DOCUMENTS[name], *FORMAT, cwd=repository.path)
        assert run.json["files"][0] == alone.json


def test_a_field_that_no_schema_names_is_seen() -> None:
    with pytest.raises(jsonschema.ValidationError, match="surprise"):
        validate({"schema": "learnings.due/1", "files": [], "surprise": 1}, "due")
