"""The commands `learnings route` and `learnings precheck`, in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.schemas import validate

FILE = "agents/learnings.md"
CACHE, DEPLOY = "agents/decisions/cache.md", "agents/decisions/deploy.md"
ENTRIES = {
    "Cache key of tenants": "The cache key holds the tenant and the locale.",
    "Crash after deploy": "Watch crashes for a day before the deploy goes on.",
    "Cache time": "Negative answers stay in the cache for ten seconds.",
    "Tokens in the cache": "Never cache access tokens in memory.",
    "Fourth": "Something else entirely.",
    "Fifth": "Still something else.",
    "Sixth": "And more of it.",
}


def memory(*titles: str) -> str:
    return "# Learnings\n\n" + "".join(f"## {title}\n\n{ENTRIES[title]}\n\n" for title in titles)


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """One entry was consolidated into the cache file; six are left, the three newest too young."""
    repository = GitRepository(tmp_path / "r")
    repository.write(FILE, memory(*ENTRIES))
    repository.write(CACHE, "# Cache\n\n## Tokens\n\nCache access tokens in memory.\n")
    repository.write(DEPLOY, "# Deploy\n\n## Rollout\n\nOne percent first.\n")
    repository.commit(date="2026-01-01")
    repository.write(FILE, memory(*list(ENTRIES)[1:]))
    added = f"\n## Keys\n\n{ENTRIES['Cache key of tenants']}\n"
    repository.write(CACHE, f"# Cache\n\n## Tokens\n\nCache access tokens in memory.\n{added}")
    repository.commit(date="2026-01-02")
    repository.work("2026-01-03", days=17)
    return repository


def test_the_batch_is_routed_with_what_history_knows(
    learnings: Command, repository: GitRepository
) -> None:
    run = learnings("route", FILE, "--format", "json", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    validate(run.json, "routes")
    document = run.json
    assert [entry["title"] for entry in document["entries"]] == list(ENTRIES)[1:4]
    time = document["entries"][1]
    assert (time["targets"][0]["path"], time["targets"][0]["full"]) == (CACHE, False)
    assert "received 1 entry before, last 2026-01-02" in time["targets"][0]["why"]


def test_every_entry_with_all_and_as_text(learnings: Command, repository: GitRepository) -> None:
    run = learnings("route", "--all", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(
        f"{FILE}: 6 entries\n\nCrash after deploy (line 3)\n  1. {DEPLOY}:1 “Deploy”, 5 lines\n"
        "     shared words: deploy\n"
    )
    assert "Sixth (line 23)\n  no target file shares a word with it\n" in run.out
    assert learnings("precheck", "--all", cwd=repository.path).code == 0
    assert repository.git("status", "--porcelain") == ""


def test_targets_can_be_named_by_full_path_or_from_elsewhere(
    learnings: Command, repository: GitRepository, nowhere: Path
) -> None:
    full = repository.path / DEPLOY
    agents = repository.path / "agents"
    for glob, cwd in ((full, agents), ("decisions/d*.md", agents), (DEPLOY, nowhere)):
        words = ("route", repository.path / FILE, "--all", "--targets", glob)
        run = learnings(*words, cwd=cwd)
        assert (run.code, run.err) == (0, "")
        assert DEPLOY in run.out
        assert CACHE not in run.out


@pytest.mark.parametrize("glob", ["../*.md", "/etc/*.md", "agents\\*.md"])
def test_targets_outside_are_refused(
    learnings: Command, repository: GitRepository, glob: str
) -> None:
    run = learnings("route", FILE, "--targets", glob, cwd=repository.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "inside the repository" in run.err


@pytest.mark.parametrize("command", ["route", "precheck"])
def test_without_targets_it_says_so(
    learnings: Command, repository: GitRepository, command: str
) -> None:
    words = (command, FILE, "--format", "json", "--targets", "none/*.md")
    run = learnings(*words, cwd=repository.path)
    assert run.code == 0
    assert run.err == (
        "learnings: none/*.md is skipped: there is no such file\n"
        "learnings: no target file for entries; name some with --targets, or configure targets\n"
    )
    validate(run.json, {"route": "routes"}.get(command, command))


def test_instructions_are_no_target_for_entries(
    learnings: Command, repository: GitRepository
) -> None:
    repository.git("rm", "-r", "--quiet", "agents/decisions")
    repository.write("CLAUDE.md", "# Notes\n\n@agents/learnings.md\n")
    repository.commit()
    run = learnings("plan", FILE, "--all", cwd=repository.path)
    assert run.code == 0
    assert "learnings: no target file for entries; name some with --targets" in run.err


def test_a_target_that_is_too_large_is_named(learnings: Command, repository: GitRepository) -> None:
    repository.write("agents/decisions/large.md", "cache key\n" * 400_001)
    run = learnings("route", FILE, "--all", cwd=repository.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "agents/decisions/large.md has more than 4 MB" in run.err


def test_folders_and_dead_links_among_the_targets_are_left_out(
    learnings: Command, repository: GitRepository
) -> None:
    (repository.path / "agents/decisions/folder.md").mkdir()
    (repository.path / "agents/decisions/dead.md").symlink_to("nowhere")
    before = learnings("route", FILE, "--all", "--format", "json", cwd=repository.path)
    paths = {target["path"] for entry in before.json["entries"] for target in entry["targets"]}
    assert (before.code, before.err, paths) == (0, "", {CACHE, DEPLOY})


def test_without_a_repository_every_entry_is_taken_and_globs_start_here(
    learnings: Command, tmp_path: Path
) -> None:
    for path, text in ((FILE, memory(*ENTRIES)), (CACHE, "The key of tenants in a cache.\n")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    for words in ((), ("--targets", CACHE)):
        run = learnings("route", FILE, *words, cwd=tmp_path)
        assert (run.code, run.err.count("\n")) == (0, 1)
        assert "every entry is taken" in run.err
        assert run.out.startswith(f"{FILE}: 7 entries")
        assert f"  1. {CACHE}:1 above its first heading, 1 line\n" in run.out
        assert learnings("route", FILE, "--all", *words, cwd=tmp_path).err == ""


def test_a_batch_without_entries(learnings: Command, repository: GitRepository) -> None:
    repository.write("learnings.toml", "freshness = 60\nstaleness-trigger = 61\n")
    run = learnings("route", cwd=repository.path)
    assert run.code == 0
    assert run.err == "learnings: no entry is old enough for a batch; --all takes every entry\n"
    assert run.out == f"{FILE}: 0 entries of the batch\n"


def test_the_learnings_file_itself_is_no_target(
    learnings: Command, repository: GitRepository
) -> None:
    run = learnings("route", FILE, "--targets", "agents/**/*.md", "--all", cwd=repository.path)
    assert f". {FILE}" not in run.out


def test_prechecks_of_the_batch(learnings: Command, repository: GitRepository) -> None:
    run = learnings("precheck", FILE, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        f"{FILE}: 3 entries of the batch, 1 finding\n\n"
        "redundancy, escalate: Tokens in the cache (line 11)\n"
        f"  against: {CACHE}:3 “Tokens”\n"
        f"  {CACHE}:3-6: 5 of 5 word pairs\n"
        "  line 13: Never cache access tokens in memory.\n"
        f"  {CACHE}:5: Cache access tokens in memory.\n"
    )
    as_json = learnings("precheck", FILE, "--format=json", cwd=repository.path)
    validate(as_json.json, "precheck")
    (finding,) = as_json.json["findings"]
    against = {name: value for name, value in finding["against"].items() if value is not None}
    assert against == {"target": CACHE, "section": "Tokens", "line": 3}


@pytest.mark.slow
def test_thresholds_are_configured(learnings: Command, repository: GitRepository) -> None:
    repository.write(DEPLOY, "# Deploy\n\nWatch crashes for a day before releases, then go on.\n")
    actions = []
    for coverage, perhaps in ((0.1, 0.05), (0.95, 0.9)):
        repository.write("learnings.toml", f"covered = {coverage}\ncoverage-perhaps = {perhaps}\n")
        findings = learnings("precheck", "--format=json", cwd=repository.path).json["findings"]
        actions.append([f["action"] for f in findings if f["check"] == "redundancy"])
    assert actions == [["drop", "escalate"], ["escalate"]]


def test_what_a_merge_brought_back_and_an_archive_has_is_dropped(
    learnings: Command, repository: GitRepository
) -> None:
    title = "Crash after deploy"
    repository.branch("old")
    repository.write(FILE, repository.read(FILE).decode() + "## Seventh\n\nOn a branch.\n")
    repository.commit(date="2026-02-01")
    repository.checkout("main")
    left = [entry for entry in ENTRIES if entry not in (title, "Cache key of tenants")]
    words = ("archive", title, "--reason", "done", "--file", FILE)
    assert learnings(*words, cwd=repository.path).code == 0
    repository.write(FILE, memory(*left))
    removed = repository.commit(date="2026-02-02")
    both = memory(title, *left) + "## Seventh\n\nOn a branch.\n"
    repository.merge("old", date="2026-02-03", resolve={FILE: both})
    repository.work("2026-02-04", days=16)
    run = learnings("precheck", "--all", "--format", "json", cwd=repository.path)
    validate(run.json, "precheck")
    finding = {finding["entry"]: finding for finding in run.json["findings"]}[title]
    assert (finding["check"], finding["action"]) == ("redundancy", "drop")
    assert finding["against"]["commit"] == removed
    (archive,) = repository.path.glob("agents/archive/*.md")
    assert finding["against"]["target"] == f"agents/archive/{archive.name}"
    assert repository.head("HEAD~16") in finding["evidence"][1]


@pytest.mark.parametrize("is_later", [True, False])
def test_only_an_older_section_gets_what_an_entry_says_beyond_it(
    learnings: Command,
    repository: GitRepository,
    is_later: bool,
) -> None:
    title, known, more = "Rain", "Watch the gauge for a day before it rains.", "Wait in a queue."
    writing = [
        (FILE, repository.read(FILE).decode() + f"## {title}\n\n{known} {more}\n"),
        (DEPLOY, f"# Deploy\n\n## {title}\n\n{known}\n"),
    ]
    for day, (path, content) in enumerate(writing if is_later else writing[::-1], start=20):
        repository.write(path, content)
        repository.commit(date=f"2026-01-{day}")
    run = learnings("precheck", "--all", "--format=json", cwd=repository.path)
    (finding,) = (found for found in run.json["findings"] if found["entry"] == title)
    assert (finding["check"], finding["text"]) == ("covered", f"- {more}")
    plan = learnings("plan", FILE, "--only", title, cwd=repository.path).out
    if is_later:
        dates = "the entry is from 2026-01-20, the section was last changed on 2026-01-21"
        assert (finding["action"], finding["evidence"][-1]) == ("drop", dates)
        assert f"- drop covered by {DEPLOY}#{title} `" in plan
        assert f"  > - only in the entry:\n  >   - {more}\n" in plan
    else:
        assert finding["action"] == "add"
        assert f"- add to {DEPLOY}#{title} `" in plan


def test_a_reader_decides_if_a_later_section_left_out_much(
    learnings: Command, repository: GitRepository
) -> None:
    known = "Watch the gauge for a day before it rains on the northern plains again."
    birds = ("Penguins huddle", "Ravens scout", "Storks nest", "Owls hunt")
    more = "".join(
        f"- {bird} near {number}0 cold rivers.\n" for number, bird in enumerate(birds, 1)
    )
    repository.write(FILE, repository.read(FILE).decode() + f"## Rain\n\n{known}\n\n{more}")
    repository.commit(date="2026-01-20")
    repository.write(DEPLOY, f"# Deploy\n\n## Rain\n\n{known}\n")
    repository.commit(date="2026-01-21")
    plan = learnings("plan", FILE, "--only", "Rain", cwd=repository.path).out
    assert f"- escalate perhaps covered by {DEPLOY}#Rain `" in plan


def test_an_entry_names_the_file_where_it_is_documented(
    learnings: Command, repository: GitRepository, tmp_path: Path
) -> None:
    rule = "Watch the gauge for a day before it rains on the northern plains."
    entries = f"## Rain\n\n{rule} Codified in `docs/weather.md`.\n\n## Snow\n\nMoved to out.md.\n"
    repository.write(FILE, f"{repository.read(FILE).decode()}{entries}")
    repository.write("docs/weather.md", f"# Weather\n\n## Rain\n\n{rule}\n")
    (tmp_path / "outside.md").write_text("# Out\n\n## Snow\n\nMoved to out.md.\n", "utf-8")
    (repository.path / "out.md").symlink_to(tmp_path / "outside.md")
    repository.commit(date="2026-01-20")
    run = learnings("precheck", "--all", "--format=json", cwd=repository.path)
    found = {finding["entry"]: finding for finding in run.json["findings"]}
    assert (found["Rain"]["action"], found["Rain"]["against"]["target"]) == (
        "drop",
        "docs/weather.md",
    )
    assert "Snow" not in found
