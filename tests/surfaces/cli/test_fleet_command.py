"""The command `learnings fleet`, over real checkouts and documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.schemas import validate
from tests.surfaces.cli.test_report_page import ATTRIBUTES, ELEMENTS, HOSTILE, Page, memory

learnings = Command("learnings")
FILE = "agents/learnings.md"


@pytest.fixture
def fleet(repository: GitRepository, tmp_path: Path) -> Path:
    """Return a folder with checkouts: due, shallow, broken, empty, with an error, hostile."""
    repository.write(FILE, memory(*(f"When build {number} hangs" for number in range(6))))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=20)
    folder = tmp_path / "acme"
    folder.mkdir()
    due = repository.clone(path=folder / "due")
    repository.clone(path=folder / "shallow", depth=1)
    for name in ("broken", "absent", "errors", "hostile", "huge"):
        made = due.clone(path=folder / name)
        made.write("learnings.toml", "size-trigger = 'x'\n" if name == "broken" else "")
        if name == "absent":
            made.remove(FILE)
        if name == "errors":
            made.write(FILE, memory("When a build hangs", "When a build hangs"))
        if name == "hostile":
            made.write(FILE, memory(*HOSTILE))
            made.write("learnings.toml", "path = '<script>alert(1)</script>.md'\n")
        if name == "huge":
            made.write(FILE, "# Learnings\n" + "## A\n\ntext\n" * 400_000)
        made.commit(date="2026-03-01")
    return folder


def scanned(fleet: Path) -> dict[str, Any]:
    names = sorted(path.name for path in fleet.iterdir())
    run = learnings("fleet", "scan", *names, "nowhere", "--format=json", cwd=fleet)
    assert (run.code, run.err) == (0, "")
    below = learnings("fleet", "scan", ".", "--format=json", cwd=fleet).json["repositories"]
    assert [row for row in run.json["repositories"] if row["name"] != "nowhere"] == below
    validate(run.json, "fleet")
    return {row["name"]: row for row in run.json["repositories"]}


@pytest.mark.slow
def test_each_checkout_is_a_row_and_what_fails_says_why(fleet: Path) -> None:
    rows = scanned(fleet)
    assert {name: row["state"] for name, row in rows.items()} == {
        "due": "due",
        "shallow": "unknown",
        "broken": "unknown",
        "hostile": "unknown",
        "huge": "unknown",
        "nowhere": "unknown",
        "errors": "errors",
        "absent": "absent",
    }
    assert rows["due"]["overdue"] == 7  # active days: the fifteenth day without consolidation on
    assert (rows["due"]["entries"], rows["due"]["files"]) == (6, 1)
    assert "learnings.toml:1: size-trigger" in rows["broken"]["reasons"][0]
    assert "--unshallow" in rows["shallow"]["reasons"][0]
    assert rows["errors"]["reasons"][0] == "1 × duplicate-entry"
    assert rows["nowhere"]["reasons"] == ["no such folder"]


def test_the_size_of_a_log_of_which_a_section_is_memory(repository: GitRepository) -> None:
    steps = "".join(f"\n## Iteration {n}\n\nBuilt part {n} of the shop.\n" for n in range(1, 9))
    items = "- **Tags**: sign them\n- **Builds**: restart the worker\n\n"
    repository.write("progress.txt", f"## Codebase Patterns\n\n{items}{steps}")
    repository.commit(date="2026-01-01")
    [row] = learnings("fleet", "scan", ".", "--format=json", cwd=repository.path).json[
        "repositories"
    ]
    [judged] = learnings("due", "--format=json", cwd=repository.path).json["files"]
    assert row["lines"] == judged["conditions"][0]["value"] == 4
    assert "2 entries (sections) in 4 lines" in learnings(cwd=repository.path).out


@pytest.mark.slow
def test_documents_are_merged_to_a_table_and_a_page(fleet: Path) -> None:
    names = sorted(path.name for path in fleet.iterdir())
    rows = scanned(fleet)
    for name in names:
        run = learnings("fleet", "scan", name, "--format=json", f"--output={name}.json", cwd=fleet)
        assert (run.code, run.out) == (0, f"{name}.json\n")
    documents = [f"{name}.json" for name in names]
    whole = learnings("fleet", "merge", *documents, "--format=json", cwd=fleet).json
    again = learnings("fleet", "merge", *documents[::-1], "--format=json", cwd=fleet).json
    assert whole == again
    assert {row["name"]: row for row in whole["repositories"]} == {
        name: row for name, row in rows.items() if name != "nowhere"
    }
    page = Page(learnings("fleet", "merge", *documents, "--format=html", cwd=fleet).out)
    assert set(page.elements) <= {*ELEMENTS.split()}
    assert {name for name, _ in page.attributes} <= {*ATTRIBUTES.split(), "data-label"}
    assert page.texts["h1"] == ["1 due, 4 could not be judged, 1 with errors"]
    table = learnings("fleet", "merge", *documents, "--format=markdown", cwd=fleet).out
    assert table.splitlines()[4].startswith("| `due` | due for 7 active days | 0 | ")


def test_a_document_that_cannot_be_read_is_a_row(tmp_path: Path) -> None:
    row = {"name": "a", "state": "due", "reasons": [], "overdue": 1, "files": 1, "entries": 1}
    row |= {"lines": 1, "words": 1, "tokens": 1, "errors": 0, "notices": 0, "as_of": None}
    good = {"schema": "learnings.fleet/1", "repositories": [row]}
    for name, content in {
        "good": json.dumps(good),
        "no-json": "{",
        "list": "[]",
        "other": '{"schema": "learnings.due/1", "files": []}',
        "state": json.dumps(good | {"repositories": [row | {"state": "fine"}]}),
        "number": json.dumps(good | {"repositories": [row | {"words": True}]}),
        "deep": "[" * 100_000,
    }.items():
        (tmp_path / f"{name}.json").write_text(content, encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    names = sorted(path.name for path in tmp_path.glob("*.json"))
    run = learnings("fleet", "merge", *names, "gone.json", "--format=json", cwd=tmp_path)
    assert (run.code, run.err) == (0, "")
    states = {row["name"]: row["state"] for row in run.json["repositories"]}
    wrong = {name: "unknown" for name in [*names, "gone.json"] if name != "good.json"}
    assert states == {"a": "due", **wrong}
    assert all(row["reasons"] for row in run.json["repositories"] if row["name"] != "a")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("tokens", -1, "has a number `tokens` outside 0 to 1,000,000,000"),
        ("overdue", 10**400, "has a number `overdue` outside 0 to 1,000,000,000"),
        ("as_of", "2026-02-31", "has an `as_of` that is not a date like 2026-03-11"),
        ("as_of", "9998-01-01", "has the date 9998-01-01, which is in the future"),
    ],
)
def test_a_document_with_a_wrong_value_displaces_no_row(
    tmp_path: Path, field: str, value: object, reason: str
) -> None:
    row = dict.fromkeys(("overdue", "files", "entries", "lines", "words", "tokens"), 1)
    row |= {"errors": 0, "notices": 0}
    honest = {**row, "name": "acme/web", "state": "due", "reasons": [], "as_of": "2026-02-10"}
    for name, rows in {
        "honest": [honest],
        "wrong": [honest | {"state": "absent", field: value}],
    }.items():
        document = {"schema": "learnings.fleet/1", "repositories": rows}
        (tmp_path / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    words = ("fleet", "merge", "wrong.json", "honest.json")
    for form in ("text", "markdown", "html"):
        assert learnings(*words, "--format", form, cwd=tmp_path).code == 0
    good, wrong = learnings(*words, "--format=json", cwd=tmp_path).json["repositories"]
    assert (good["name"], good["state"]) == ("acme/web", "due")
    advice = "write it with `learnings fleet scan --format json`"
    assert wrong["reasons"] == [f"wrong.json: the row of acme/web {reason}; {advice}"]


def matrix(folder: Path, *words: str) -> str:
    run = learnings("fleet", "matrix", "repositories.txt", *words, cwd=folder)
    assert (run.code, run.err) == (0, "")
    return run.out


def test_a_matrix_has_a_job_for_each_repository_up_to_256(tmp_path: Path) -> None:
    for count in (1, 256, 257, 5000):
        names = [f"acme/r{number}" for number in range(count)]
        listed = "# ours\n\n" + "".join(f"{name}  # one\n" for name in names)
        (tmp_path / "repositories.txt").write_text(listed, encoding="utf-8")
        text = matrix(tmp_path)
        jobs = json.loads(text)["include"]
        assert len(jobs) == min(count, 256)
        assert len(text) < 1_000_000  # what an output of a job may hold
        shares = [jobs[0], jobs[-1]]
        parts = [matrix(tmp_path, "--shard", job["shard"]).split() for job in shares]
        assert (parts[0][0], parts[-1][-1]) == (names[0], names[-1])
        assert jobs[0]["name"] == " to ".join(dict.fromkeys([parts[0][0], parts[0][-1]]))


def test_what_a_matrix_cannot_be_made_of(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("# none\n", encoding="utf-8")
    (tmp_path / "twice.txt").write_text("acme/a\nacme/b\nacme/a\n", encoding="utf-8")
    (tmp_path / "two.txt").write_text("acme/a\nacme/b\n", encoding="utf-8")
    for words, reason in {
        ("matrix", "gone.txt"): "gone.txt does not exist",
        ("matrix", "empty.txt"): "lists no repository",
        ("matrix", "twice.txt"): "lists acme/a twice",
        ("matrix", "two.txt", "empty.txt"): "takes one file",
        ("matrix", "two.txt", "--shard=3/2"): "3/2 is not a shard of this list",
        ("matrix", "two.txt", "--shard=1/3"): "1/3 is not a shard of this list",
        ("matrix", "two.txt", "--shard=x"): "x is not a shard of this list",
        ("scan", ".", "--shard=1/2"): "--shard needs matrix",
    }.items():
        run = learnings("fleet", *words, cwd=tmp_path)
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1), words
        assert reason in run.err
