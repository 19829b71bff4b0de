"""`make ecosystem` over test repositories: differences, crashes, fetches."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ecosystem import checkouts, listing
from ecosystem.__main__ import main
from ecosystem.checkouts import Checkout, git
from ecosystem.comparison import Compared, differences, report
from ecosystem.measure import Measured
from learnings.core.settings.keys import DIALECTS
from tests.support.command import Program
from tests.support.repository import GitRepository

LESSONS = "# Learnings\n" + "\n## When a build hangs\n\nLook.\n" * 2
LIST = """\
repository = [
  { name = "ada/parcels", shape = "headings", used-for = ["dialect heading"], commit = "" },
  { name = "ada/Trains", shape = "bullets", commit = "" },
  { name = "ada/ctx", shape = "headings", history = false, commit = "" },
]
"""


@pytest.fixture
def material(tmp_path: Path) -> Path:
    """Return a folder with a clone, plain files and a bundle."""
    folder = tmp_path / "material"
    for path, text in (
        ("material/clones/parcels", LESSONS),
        ("ctx", LESSONS.replace("a build", "a job", 1)),
    ):
        repository = GitRepository(tmp_path / path)
        repository.write("agents/learnings.md", text)
        repository.commit("Memory", date="2026-02-01")
    GitRepository(tmp_path / "ctx").git(
        "bundle", "create", "--quiet", str(folder / "ctx-2026-02.bundle"), "--all"
    )
    plain = folder / "headings" / "ada+trains" / "docs"
    plain.mkdir(parents=True)
    (plain / "lessons.md").write_text("# Lessons\n\n- 2026-03-04: one\n- 2026-03-05: two\n")
    return folder


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "repositories.toml"
    path.write_text(LIST, encoding="utf-8")
    return path


def learnings() -> Path:
    return Program("learnings").path


def compare(listed: Path, *words: str | Path) -> int:
    return main([str(word) for word in ("--list", listed, "--program", learnings(), *words)])


def altered(folder: Path, line: str) -> Path:
    """Return a program that does what `line` says for `check`, else what ours does."""
    path = folder / f"altered-{len([*folder.iterdir()])}"
    ours = learnings().as_posix()
    script = f'#!/bin/sh\nif [ "$1" = check ]; then {line}; else exec "{ours}" "$@"; fi\n'
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.soak
def test_the_same_version_differs_nowhere(
    material: Path, listed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path for path in material.rglob("*") if ".git" not in path.parts)
    assert compare(listed, "--base-program", learnings(), "--from", material) == 0
    out = capsys.readouterr().out
    assert [line.partition(": ")[0] for line in out.splitlines()[:3]] == [
        "clones/parcels (headings, used)",
        "ctx-2026-02.bundle (headings, a bundle)",
        "headings/ada+trains (bullets, plain files, committed on one day)",
    ]
    unused, used = out.partition("\nnot used")[2].split("\nused for a dialect or rule: ")
    assert used.startswith("checkouts 1, repositories 1, that differ 0\n  entries: 2 -> 2\n")
    assert "checkouts 2, repositories 2, that differ 0\n  entries: 4 -> 4\n" in unused
    assert "  findings by rule: 1 duplicate-entry, " in used
    assert "duplicate-entry" not in unused
    assert out.count("  crashes: 0 -> 0\n") == 2
    assert sorted(path for path in material.rglob("*") if ".git" not in path.parts) == before


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
def test_a_difference_is_named_and_a_crash_of_the_change_fails(
    material: Path, listed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    only = ("--from", material / "headings", "--only", "trains")
    base = altered(tmp_path, """echo '{"findings": [{"rule": "made-up"}]}'""")
    change = altered(tmp_path, "echo wrong >&2; exit 3")
    assert compare(listed, *only, "--base-program", base, "--program", change) == 1
    out = capsys.readouterr().out
    assert "  findings made-up: 1 -> none\n" in out
    assert "  CRASH of the change: check: exit code 3: wrong\n" in out
    assert compare(listed, *only, "--base-program", change) == 0
    assert "  CRASH of the base: check: exit code 3: wrong" in capsys.readouterr().out


@pytest.mark.soak
def test_repositories_are_fetched_as_their_rows_say(
    listed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From a host on the disk; one of three repositories is not there."""
    host, cache = tmp_path / "host", tmp_path / "cache"
    heads = {}
    for name in ("parcels", "ctx"):
        source = GitRepository(host / "ada" / name)
        source.write("agents/learnings.md", LESSONS)
        source.write("code.c", "int x;\n")
        source.commit("One", date="2026-02-01")
        source.write("agents/learnings.md", f"{LESSONS}\n## More\n\nMore.\n")
        heads[f"ada/{name}"] = source.commit("Two", date="2026-02-02")
        source.git("config", "uploadpack.allowFilter", "true")
    monkeypatch.setattr(checkouts, "HOST", host.as_uri())
    words = ("--base-program", learnings(), "--cache", cache)
    assert compare(listed, *words, "--pin") == 0
    out = capsys.readouterr().out
    assert "ada/parcels (headings, used): 3 entries; " in out
    assert "ada/ctx (headings, one commit, no ages): 3 entries; " in out
    assert "\nada/Trains: not fetched: " in out
    parcels, ctx = cache / "checkouts" / "ada+parcels", cache / "checkouts" / "ada+ctx"
    assert [git(path, "rev-list", "--count", "HEAD") for path in (parcels, ctx)] == ["2", "1"]
    assert not (parcels / "code.c").exists()

    text = listed.read_text(encoding="utf-8")
    assert {row.name: row.commit for row in listing.read(text)} == {**heads, "ada/Trains": ""}
    # What is pinned stays, though there is a newer commit.
    GitRepository(host / "ada" / "parcels").commit("Three", date="2026-02-03")
    compare(listed, *words, "--only", "parcels")
    assert git(parcels, "rev-parse", "HEAD") == heads["ada/parcels"]


@pytest.mark.outside
def test_a_run_that_measures_nothing_is_no_success(
    listed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed.write_text("repository = []\n", encoding="utf-8")
    for words, said in (
        (["--base-program", sys.executable], "nothing was measured\n"),
        (["--base", "no-such-tag"], "the base no-such-tag cannot be had: "),
    ):
        assert compare(listed, *words, "--cache", tmp_path / "cache") == 2
        assert capsys.readouterr().err.startswith(f"ecosystem: {said}")


def test_every_kind_of_difference_has_a_line() -> None:
    entries, findings = {"a.md": "3 heading"}, {"x": 1}
    base = Measured(entries, findings, {"a.md": "due"}, {"groups": 2}, {}, {"route": "why"}, 0.0)
    change = Measured({"a.md": "4 bullet"}, {"x": 1, "y": 2}, {}, {"groups": 3}, {}, {}, 0.0)
    checkout = Checkout(listing.Row("ada/parcels", "headings"), "parcels", Path())
    assert differences(Compared(checkout, base, base)) == []
    assert differences(Compared(checkout, base, change)) == [
        "entries a.md: 3 heading -> 4 bullet",
        "findings y: none -> 2",
        "verdict a.md: due -> none",
        "proposals groups: 2 -> 3",
        "refusal route: why -> none",
    ]
    text = report([Compared(checkout, base, change)], {"a/b": "no such repository"})
    assert "a/b: not fetched: no such repository\n" in text
    assert "  verdicts: 1 due -> no verdicts\n" in text


def test_a_wrong_row_is_refused() -> None:
    for row in (
        '{ name = "../x/y", shape = "x" }',
        '{ name = "a/b", shape = "x", commit = "main" }',
        '{ name = "a/b", shape = "x", used = ["y"] }',
        '{ name = "a/b", shape = "x" }, { name = "A/b", shape = "x" }',
    ):
        with pytest.raises(ValueError, match=r"is no row|listed twice"):
            listing.read(f"repository = [{row}]")


def test_the_list_has_every_shape_and_enough_that_nobody_has_seen() -> None:
    rows = listing.read(listing.FILE.read_text(encoding="utf-8"))
    unused = [row for row in rows if not row.used_for]
    assert len(rows) >= 40
    assert len(unused) > len(rows) / 2
    named = {use.removeprefix("dialect ") for row in rows for use in row.used_for}
    assert {*DIALECTS} - {"auto", "identified", "bullet", "paragraph"} <= named
    assert listing.pinned(LIST, {"ada/ctx": "0" * 40}).count("0" * 40) == 1
