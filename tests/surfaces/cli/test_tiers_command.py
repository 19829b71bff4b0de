"""`learnings tiers` in real repositories: its actions, the disk, other runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.tier_stores import FOLDER, raw_file

NOW = ("--now", "2026-04-07T12:00:00Z")
CACHE = [
    ("Put the tenant into the cache key", "One customer saw the prices of another."),
    ("Put the locale into the cache key of a page", "German visitors got English pages."),
    ("Put the schema version into the cache key", "Old objects could not be read."),
]
INDEX = f"{FOLDER}/INDEX.md"
THEME = f"{FOLDER}/themes/cache-key.md"
POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="works otherwise on Windows")


@pytest.fixture
def store(repository: GitRepository) -> GitRepository:
    """Return a repository with three raw files on one topic."""
    for number, finding in enumerate(CACHE):
        data = raw_file(f"WU-{number}", [finding], f"2026-03-0{number + 1}T00:00:00Z")
        repository.write(f"{FOLDER}/WU-{number}.json", data)
    repository.commit()
    return repository


def contents(repository: GitRepository) -> dict[str, bytes]:
    folder = repository.path / FOLDER
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_no_folder_and_only_invalid_files_are_silent(
    repository: GitRepository, learnings: Command
) -> None:
    for action in ("status", "check", "compact", "promote"):
        run = learnings("tiers", action, "--verbose", cwd=repository.path)
        assert (run.code, run.both) == (0, b"")
    for number in range(9):
        repository.write(f"{FOLDER}/{number}.json", "no JSON")
    for action in ("check", "compact", "promote"):
        run = learnings("tiers", action, cwd=repository.path)
        assert (run.code, run.both) == (0, b"")
    verbose = learnings("tiers", "compact", "--verbose", cwd=repository.path)
    assert verbose.err.count(" is skipped: it is not JSON\n") == 9


def test_the_trigger_counts_valid_files_and_is_configured(
    repository: GitRepository, learnings: Command
) -> None:
    for number in range(5):
        repository.write(f"{FOLDER}/{number}.json", raw_file(f"w{number}", []))
    for name, text in (("bad", "{"), ("list", "[]"), ("empty", "{}")):
        repository.write(f"{FOLDER}/{name}.json", text)
    repository.write(INDEX, "---\nrawFilesProcessed: 3\n---\n")
    for setting, due in (("false", False), ("true", True)):
        repository.write("learnings.toml", f"[tiers]\nstrict-trigger = {setting}\n")
        status = learnings("tiers", "status", "--format", "json", cwd=repository.path).json
        assert (status["valid"], status["due"], len(status["skipped"])) == (5, due, 3)
        assert bool(learnings("tiers", "compact", *NOW, cwd=repository.path).out) == due


def test_a_compaction_and_a_second_run(store: GitRepository, learnings: Command) -> None:
    before = contents(store)
    run = learnings("tiers", "compact", *NOW, cwd=store.path)
    assert run.code == 0
    assert run.out == (
        "Compacted 3 new raw files into 1 theme.\n"
        "  new    cache-key: 3 findings of 3 work units\n"
        "New themes are drafts; `learnings tiers status` lists them until they are rewritten.\n"
        f"These files belong to the commit:\n  {THEME}\n  {INDEX}\n"
    )
    written = contents(store)
    again = learnings("tiers", "compact", "--now", "2027-01-01T00:00:00Z", cwd=store.path)
    assert (again.code, again.both, contents(store)) == (0, b"", written)
    assert before.items() <= written.items()
    status = learnings("tiers", "status", cwd=store.path).out
    assert "  themes     1\n             cache-key: draft\n" in status
    assert "  findings   3: 3 in themes, 0 waiting, 0 dismissed\n" in status
    assert learnings("tiers", "check", cwd=store.path).both == b""


def test_what_is_in_no_theme_is_listed(store: GitRepository, learnings: Command) -> None:
    store.write(INDEX, "".join(f"line {number}\n" for number in range(20)))
    out = learnings("tiers", "compact", cwd=store.path).out
    lines = [f"    - WU-{number}.json#1 {rule}\n" for number, (rule, _) in enumerate(CACHE)]
    assert f"Waiting for a theme: 3 findings.\n{''.join(lines)}" in out


def test_what_waits_is_in_the_status_until_a_plan_names_its_theme(
    store: GitRepository, learnings: Command
) -> None:
    alone = [("Ask for a sample order", ""), ("Freeze prices at midnight", "")]
    store.write(f"{FOLDER}/alone.json", raw_file("alone", alone))
    learnings("tiers", "compact", cwd=store.path)
    assert [path.name for path in (store.path / FOLDER / "themes").iterdir()] == ["cache-key.md"]
    waiting = [f"alone.json#{number} {rule}\n" for number, (rule, _) in enumerate(alone, start=1)]
    status = learnings("tiers", "status", cwd=store.path).out
    said = "  findings   5: 3 in themes, 2 waiting, 0 dismissed\n"
    assert f"{said}{' ' * 13}{waiting[0]}" in status
    document = learnings("tiers", "status", "--format=json", cwd=store.path).json
    assert [one["number"] for one in document["waiting"]] == [1, 2]
    learnings("tiers", "compact", "--plan", "--output", "plan.md", cwd=store.path)
    text = store.read("plan.md").decode().replace("## none", "## orders")
    store.write("plan.md", text.replace(f"- {waiting[1]}", f"## other\n- {waiting[1]}"))
    out = learnings("tiers", "compact", "--apply", "plan.md", cwd=store.path).out
    assert "  new    orders: 1 finding of 1 work unit\n" in out
    assert "5 in themes, 0 waiting" in learnings("tiers", "status", cwd=store.path).out
    # Later, the rest may go to a theme.
    store.path.joinpath("plan.md").unlink()
    learnings("tiers", "compact", "--plan", "--output", "plan.md", cwd=store.path)
    store.write("plan.md", store.read("plan.md").replace(b"## other: Other", b""))
    out = learnings("tiers", "compact", "--apply", "plan.md", cwd=store.path).out
    assert "  gone   other: its findings left it\n" in out
    assert "themes/other.md" not in out  # git does not know it
    assert learnings("tiers", "check", cwd=store.path).both == b""


def test_a_plan_writes_nothing(store: GitRepository, learnings: Command) -> None:
    before = contents(store)
    run = learnings("tiers", "compact", "--plan", *NOW, cwd=store.path)
    assert run.out.startswith("Would compact 3 new raw files into 1 theme.\n")
    assert "".join(f"    - WU-{n}.json#1 {rule}\n" for n, (rule, _) in enumerate(CACHE)) in run.out
    document = learnings("tiers", "compact", "--plan", *NOW, "--format=json", cwd=store.path).json
    assert contents(store) == before
    learnings("tiers", "compact", *NOW, cwd=store.path)
    assert document["index"].encode() == store.read(INDEX)
    assert document["themes"][0]["text"].encode() == store.read(THEME)


def test_a_plan_is_edited_and_applied(store: GitRepository, learnings: Command) -> None:
    before = contents(store)
    plan = store.path / "tmp/plan.md"
    plan.parent.mkdir()
    words = ("tiers", "compact", "--plan", "--output", "tmp/plan.md")
    out = learnings(*words, *NOW, cwd=store.path).out
    command = "learnings tiers compact --apply tmp/plan.md"
    assert out == f"next: edit tmp/plan.md, then {command}\n"
    text = plan.read_text()
    plan.write_text(text.replace("cache-key: Cache Key", "keys") + "- a.json#9\n")
    again = learnings(*words, cwd=store.path)
    assert again.err.startswith("learnings: tmp/plan.md exists and is not an applied plan; ")
    assert again.out == ""
    run = learnings(*command.split()[1:], cwd=store.path)
    assert (run.code, run.out) == (2, "")
    line = len(text.splitlines()) + 1
    assert run.err.startswith(f'learnings: tmp/plan.md:{line}: unknown finding "a.json#9"')
    assert contents(store) == before
    plan.write_text(text.replace("cache-key: Cache Key", "keys"))
    run = learnings(*command.split()[1:], *NOW, cwd=store.path)
    assert (run.code, "  new    keys: 3 findings of 3 work units\n" in run.out) == (0, True)
    assert learnings("tiers", "check", cwd=store.path).both == b""
    again = learnings(*command.split()[1:], cwd=store.path)
    assert (again.code, again.out) == (0, "")
    assert "tmp/plan.md: nothing to do" in again.err
    # Due or not, there can be another plan, in the place of one that was applied.
    document = learnings(*words, "--format=json", cwd=store.path).json
    assert (document["due"], plan.is_file()) == (False, True)
    plan.unlink()
    assert learnings(*words, cwd=store.path).out.startswith("next: edit tmp/plan.md")
    assert "## keys: Keys\n" in plan.read_text()


def test_a_plan_for_a_skill_is_not_written_if_compaction_is_off(
    store: GitRepository, learnings: Command
) -> None:
    store.write("learnings.toml", "[tiers]\nauto-compact = false\n")
    words = ("tiers", "compact", "--plan", "--output", "plan.md")
    run = learnings(*words, "--auto", cwd=store.path)
    assert (run.code, run.both, (store.path / "plan.md").exists()) == (0, b"", False)
    assert learnings(*words, cwd=store.path).out.startswith("next: edit plan.md")


def test_lines_below_a_text_of_somebody_are_to_be_worked_in(
    store: GitRepository, learnings: Command
) -> None:
    own = "A tenant, a locale, a schema version: all go into the cache key."
    own = f"# Cache Key\n\n{own} {'word ' * 185}\n"
    store.write(THEME, f"{own}\n## Related Work Units\n- WU-0\n- WU-1\n- WU-2\n")
    finding = ("Put the currency into the cache key", "Prices in dollars were shown in euros.")
    store.write(f"{FOLDER}/WU-3.json", raw_file("WU-3", [finding]))
    out = learnings("tiers", "compact", *NOW, cwd=store.path).out
    assert "Waiting for a theme: 1 finding.\n" in out  # there is no room
    learnings("tiers", "compact", "--plan", "--output", "plan.md", cwd=store.path)
    text = store.read("plan.md").decode()
    line = next(line for line in text.splitlines() if "WU-3.json#1" in line)
    text = text.replace(f"{line}\n", "").replace("\n## none", f"{line}\n\n## none")
    store.write("plan.md", text)
    out = learnings("tiers", "compact", "--apply", "plan.md", *NOW, cwd=store.path).out
    assert "  grown  cache-key: 1 finding added, of 1 work unit\n" in out
    over = len(store.read(THEME).split()) - 225
    assert f"    {over} words over the limit of 225; shorten it\n" in out
    assert " ".join([f"- {finding[0]}.", finding[1]]).encode() in store.read(THEME)
    status = learnings("tiers", "status", cwd=store.path)
    assert f"             cache-key: added lines, {over} words over the limit\n" in status.out
    document = learnings("tiers", "status", "--format=json", cwd=store.path).json
    assert (document["findings"], document["in_themes"]) == (4, 4)
    assert document["themes"][0]["added_lines"] is True


def test_another_folder_is_configured_and_git_is_not_needed(
    tmp_path: Path, learnings: Command
) -> None:
    folder = tmp_path / "notes/raw"
    folder.mkdir(parents=True)
    for number in range(3):
        (folder / f"{number}.json").write_bytes(raw_file(f"w{number}", [CACHE[number]]))
    text = '[tool.learnings.tiers]\npath = "notes/raw"\n'
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    run = learnings("tiers", "compact", cwd=tmp_path)
    assert "  notes/raw/themes/cache-key.md\n" in run.out
    assert (folder / "INDEX.md").is_file()
    assert learnings("tiers", "check", cwd=tmp_path).both == b""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tiers"], "learnings tiers needs ACTION, one of status"),
        (["tiers", "compct"], "did you mean compact?"),
        (["tiers", "status", "--plan"], "--dry-run needs `learnings tiers compact`"),
        (["tiers", "compact", "--output", "p.md"], "--output needs --plan; add it"),
        (["tiers", "compact", "--apply", "p", "--auto"], "--apply and --auto exclude each other"),
        (["tiers", "compact", "--now", "noon"], "noon is not an instant; write it as 2026-02-12"),
    ],
)
def test_wrong_usage(store: GitRepository, learnings: Command, words: list[str], said: str) -> None:
    run = learnings(*words, cwd=store.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err


def test_an_index_ahead_of_the_files_is_a_finding_of_the_command_and_the_hook(
    store: GitRepository, learnings: Command
) -> None:
    hook = Command("learning-tiers")
    learnings("tiers", "compact", *NOW, cwd=store.path)
    assert hook(cwd=store.path).both == b""
    store.write(INDEX, store.read(INDEX).replace(b"Processed: 3", b"Processed: 4"))
    run = learnings("tiers", "check", cwd=store.path)
    assert (run.code, run.err) == (1, "")
    assert run.out == (
        f"{INDEX}:3:1: error tiers-index-ahead rawFilesProcessed is 4, but the folder has 3 valid "
        "raw files; restore the missing files or correct the number\n"
    )
    run = hook("--format=json", cwd=store.path)
    assert run.code == 1
    (finding,) = run.json["findings"]
    assert finding["url"] is None or finding["url"].endswith("/docs/tiers.md#what-check-finds")


def test_a_raw_file_that_was_changed_or_deleted(store: GitRepository, learnings: Command) -> None:
    learnings("tiers", "compact", *NOW, cwd=store.path)
    store.write(f"{FOLDER}/bad.json", "{")
    store.commit()
    store.write(f"{FOLDER}/bad.json", raw_file("bad", []))  # it was none
    store.write(f"{FOLDER}/new.json", raw_file("new", []))
    store.write(f"{FOLDER}/WU-0.json", raw_file("WU-0", []))
    (store.path / FOLDER / "WU-1.json").unlink()
    for _ in "in the work tree", "staged":
        out = learnings("tiers", "check", cwd=store.path).out
        changed = [line for line in out.splitlines() if "tiers-raw-changed" in line]
        paths = [line.partition(":")[0] for line in changed]
        assert paths == [f"{FOLDER}/WU-0.json", f"{FOLDER}/WU-1.json"]
        store.git("add", "--all")


@POSIX_ONLY
def test_a_theme_that_leads_out_is_not_read_and_not_written(
    store: GitRepository, learnings: Command, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# Cache Key\nsecret\n")
    (store.path / FOLDER / "themes").mkdir()
    (store.path / THEME).symlink_to(outside)
    run = learnings("tiers", "compact", *NOW, cwd=store.path)
    assert (run.code, outside.read_text()) == (0, "# Cache Key\nsecret\n")
    assert (store.path / FOLDER / "themes/cache-key-2.md").is_file()
    check = learnings("tiers", "check", cwd=store.path)
    assert "tiers-theme-name" in check.out
    assert "secret" not in check.out


@POSIX_ONLY
@pytest.mark.parametrize("link", [FOLDER, f"{FOLDER}/themes"])
def test_a_folder_that_leads_out_is_refused(
    store: GitRepository, learnings: Command, tmp_path: Path, link: str
) -> None:
    outside = tmp_path / "outside"
    if link == FOLDER:
        (store.path / FOLDER).rename(outside)
    else:
        outside.mkdir()
    (store.path / link).symlink_to(outside)
    before = sorted(path.name for path in outside.rglob("*"))
    run = learnings("tiers", "compact", cwd=store.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "leads out of the repository" in run.err
    assert sorted(path.name for path in outside.rglob("*")) == before


@POSIX_ONLY
def test_files_that_cannot_be_read_are_skipped(
    store: GitRepository, learnings: Command, tmp_path: Path
) -> None:
    folder = store.path / FOLDER
    (folder / "folder.json").mkdir()
    (folder / "gone.json").symlink_to(folder / "nothing")
    secret = tmp_path / "secret.json"
    secret.write_bytes(raw_file("secret", [CACHE[0]]))
    (folder / "out.json").symlink_to(secret)
    with (folder / "huge.json").open("wb") as file:
        file.truncate(100_000_000)
    os.mkfifo(folder / "pipe.json")
    run = learnings("tiers", "compact", "--verbose", *NOW, cwd=store.path)
    assert run.code == 0
    assert [line.partition(f"{FOLDER}/")[2] for line in run.err.splitlines()] == [
        "folder.json is skipped: it is a folder",
        "gone.json is skipped: it is a broken link",
        "huge.json is skipped: it has more than 4 MB, too large for a memory file",
        "out.json is skipped: it is a link that leads out of its folder",
        "pipe.json is skipped: it is not a regular file",
    ]
    assert "secret" not in store.read(THEME).decode()
    assert "Compacted 3 new raw files into 1 theme." in run.out


def test_promotion(store: GitRepository, learnings: Command) -> None:
    rule, nameless = "Freeze the clock in tests that expire", "Caching, polling, pinning"
    for unit, seen, disposition in (
        ("x", "The coupon test failed at night.", ""),
        ("y", "The voucher test failed on Sunday.", "promoted:patterns"),
    ):
        dismissed = ("Ask for a sample order", "", "dismissed: again")
        findings = [(rule, seen, disposition), (nameless, ""), dismissed]
        store.write(f"{FOLDER}/{unit}.json", raw_file(unit, findings))
    run = learnings("tiers", "promote", cwd=store.path)
    assert run.code == 0
    assert "## Freeze Clock" in run.out
    assert "- x: The coupon test failed at night.\n" in run.out
    assert "- y: The voucher test failed on Sunday. [promoted:patterns]\n" in run.out
    assert f"- {rule} (x, y)\n" in run.out
    assert f"\n## {nameless}\n" in run.out
    assert "sample" not in run.out
    for unit in ("v", "w"):
        done = [("Retry on a lost connection", f"Lost in {unit}.", "promoted:patterns")]
        store.write(f"{FOLDER}/{unit}.json", raw_file(unit, done))
    theme = f"# Time\n\n- {rule}. The coupon test failed at night.\n"
    store.write(
        f"{FOLDER}/themes/time.md", theme + f"- {rule}. The voucher test failed on Sunday.\n"
    )
    run = learnings("tiers", "promote", cwd=store.path)
    assert "\n## Time\n" in run.out
    assert run.out.endswith("\nPromoted before, so not listed: Retry Lost Connection.\n")
    store.write(".specwright/patterns.md", f"# Patterns\n\n{rule}.\n")
    assert "Freeze" not in learnings("tiers", "promote", cwd=store.path).out
