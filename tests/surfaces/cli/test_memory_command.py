"""`learnings memory`: a confidence memory is curated, checked, counted and briefed."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from learnings.confidence.curation import stories_in_order
from learnings.forms.confidence.loaded_memory import load_memory, stories_of
from learnings.forms.confidence.memory_folder import memory_folder_of
from learnings.workspace.workspace import Workspace
from tests.support.command import Command, Completed
from tests.support.repository import GitRepository
from tests.support.scored_memory import check, observation, observations, write_memory

MEMORY = ".shaktra/memory"
PRINCIPLES = f"{MEMORY}/principles.yml"
APPLIED = f"{MEMORY}/.learnings-applied.yml"
STORY = ".shaktra/stories/ST-1/.observations.yml"
ONE = "principles:\n- id: PR-001\n  text: Cap retries.\n  confidence: 0.6\n"
TODAY = ("--today", "2026-06-01")


def confidences(repository: GitRepository, file: str = PRINCIPLES) -> dict[str, str]:
    """Return the written confidences by id."""
    text = repository.read(file).decode()
    ids = re.findall(r"\bid: \"?([A-Z]+-\d+)", text)
    return dict(zip(ids, re.findall(r"confidence: ([\d.]+)", text), strict=True))


def story(repository: GitRepository, name: str, *items: str, completed: str = "") -> str:
    """Write a story with its handoff file; return the path of its observations."""
    folder = f".shaktra/stories/{name}"
    if completed:
        repository.write(f"{folder}/handoff.yml", f"completed: {completed}\n")
    repository.write(f"{folder}/.observations.yml", observations(*items))
    return f"{folder}/.observations.yml"


# --- curate


def test_a_memory_of_thirty_entries(repository: GitRepository, learnings: Command) -> None:
    write_memory(repository)
    dry = learnings("memory", "curate", "--dry-run", cwd=repository.path)
    assert f"would be written:\n  {APPLIED}\n  {PRINCIPLES}\n" in dry.out
    assert (dry.code, repository.git("status", "--porcelain")) == (0, "")
    run = learnings("memory", "curate", *TODAY, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines()[:4] == [
        ".shaktra/stories/ST-1/.observations.yml",
        "  OB-001   reinforced   PR-005 0.45 -> 0.53",
        "  OB-002   reinforced   PR-004 0.44 -> 0.52",
        "  OB-003   contradicted PR-007 0.47 -> 0.27",
    ]
    changed = repository.git("diff", "-U0", "--", PRINCIPLES).splitlines()[4:]
    removed = [line.removeprefix("-").strip(" -") for line in changed if line.startswith("-")]
    expected = ["confidence: 0.41", "status: active", *map("confidence: 0.4{}".format, (4, 5, 7))]
    assert removed == expected
    assert {"+    status: archived", "+    last_reinforced: 2026-06-01"} < {*changed}
    repository.commit(date="2026-06-01")
    again = learnings("memory", "curate", cwd=repository.path)
    assert (again.code, again.out, again.err) == (0, "nothing to curate\n", "")
    assert repository.git("status", "--porcelain") == ""
    report = learnings("memory", "check", cwd=repository.path)
    assert (report.code, report.out) == (0, "")


def test_the_mark_of_a_captured_file_does_not_make_it_newer(
    repository: GitRepository, learnings: Command
) -> None:
    for number, name in enumerate("ab", start=1):
        text = observation(1, "incident-learning", f"Queue {name} grew.", tags="queue, memory")
        repository.write(f".shaktra/incidents/{name}/.observations.yml", observations(text))
        repository.commit(date=f"2026-05-0{number}")
    named = ".shaktra/incidents/a/.observations.yml"
    assert learnings("memory", "curate", named, *TODAY, cwd=repository.path).code == 0
    repository.commit(date="2026-05-05")
    folder = memory_folder_of(Workspace.open(repository.path))
    ordered = stories_in_order(stories_of(load_memory(folder)))
    assert [(one.id, one.is_new) for one in ordered] == [("a", False), ("b", True)]


def test_a_check_of_a_review_is_accepted(repository: GitRepository, learnings: Command) -> None:
    write_memory(repository)
    story(repository, "ST-3", check(1, "plan-sprint", "reinforce"))
    assert learnings("memory", "check", cwd=repository.path).out == ""
    run = learnings("memory", "curate", *TODAY, cwd=repository.path)
    assert (run.code, "OB-001   ignored      (it is about a review" in run.out) == (0, True)


def test_the_command_line_wins_over_the_settings_file_over_the_defaults(
    repository: GitRepository, learnings: Command
) -> None:
    settings = "memory:\n  confidence_start: 0.5\n  confidence_reinforce: '0.10'\nother: 1\n"
    repository.write(".shaktra/settings.yml", settings)
    repository.write(PRINCIPLES, ONE)
    text = "Amounts are whole cents and never floats."
    story(
        repository,
        "ST-1",
        observation(1, "fix-rationale", text, tags="money"),
        check(2, "PR-001", "reinforce"),
        check(3, "PR-001", "weaken"),
    )
    words = ("memory", "curate", "--dry-run", "--format", "json")
    by_file = learnings(*words, cwd=repository.path).json["changes"]
    assert [change["after"] for change in by_file] == [0.5, 0.7, 0.62]
    run = learnings(*words, "--confidence-start=0.55", cwd=repository.path)
    assert [change["after"] for change in run.json["changes"]] == [0.55, 0.7, 0.62]


def test_stories_are_ordered_by_completion_then_by_commit(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, ONE)
    story(repository, "A", check(1, "PR-001", "reinforce"))
    repository.commit(date="2026-05-02")
    story(repository, "B", check(1, "PR-001", "reinforce"), completed="2026-05-03")
    story(repository, "C", check(1, "PR-001", "reinforce"), completed="2026-05-01T09:00:00+02:00")
    repository.commit(date="2026-05-09")
    story(repository, "Z", check(1, "PR-001", "reinforce"))
    story(repository, "X", check(1, "PR-001", "reinforce"))
    run = learnings("memory", "curate", cwd=repository.path)
    assert re.findall(r"stories/(\w)/\.obs", run.out) == ["C", "A", "B", "X", "Z"]


def test_only_the_named_file_is_curated_with_what_is_new_in_it(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, ONE)
    first = story(repository, "ST-1", check(1, "PR-001", "reinforce"))
    story(repository, "ST-2", check(1, "PR-001", "weaken"))
    run = learnings("memory", "curate", ".observations.yml", cwd=(repository.path / first).parent)
    assert (run.code, confidences(repository)) == (0, {"PR-001": "0.68"})
    assert not (repository.path / ".shaktra/stories/ST-2/handoff.yml").exists()
    assert learnings("memory", "curate", first, cwd=repository.path).out == "nothing to curate\n"
    story(repository, "ST-1", check(1, "PR-001", "reinforce"), check(2, "PR-001", "weaken"))
    (repository.path / ".shaktra/stories/ST-2/.observations.yml").unlink()
    assert learnings("memory", "curate", cwd=repository.path).out == "nothing to curate\n"
    learnings("memory", "curate", first, cwd=repository.path)
    assert confidences(repository) == {"PR-001": "0.60"}


@pytest.mark.parametrize("text", [None, "# nothing yet\n", "observations: []\n"])
def test_without_observations_the_story_is_captured(
    repository: GitRepository, learnings: Command, text: str | None
) -> None:
    repository.write(".shaktra/stories/ST-1/plan.md", "x")
    if text is not None:
        repository.write(STORY, text)
    run = learnings("memory", "curate", STORY, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    handoff = repository.read(".shaktra/stories/ST-1/handoff.yml")
    assert handoff == b"memory_captured: true\n"
    assert not (repository.path / MEMORY).exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("memory_captured: false  # no\na: 1\n", "memory_captured: true  # no\na: 1\n"),
        ("# of ada\na: 1\n", "# of ada\nmemory_captured: true\na: 1\n"),
        ("---\r\na: 1\r\n", "---\r\nmemory_captured: true\r\na: 1\r\n"),
        ("memory_captured:\na: 1", "memory_captured: true\na: 1"),
        ('{"a": 1}', '{"memory_captured": true, "a": 1}'),
        ("\ufeff# only a comment", "\ufeff# only a comment\nmemory_captured: true\n"),
        ("  a: |\n    text\n", "  memory_captured: true\n  a: |\n    text\n"),
    ],
)
def test_the_mark_is_all_that_changes_in_a_handoff_file(
    repository: GitRepository, learnings: Command, before: str, after: str
) -> None:
    repository.write(STORY, "observations:\n")
    handoff = repository.write(".shaktra/stories/ST-1/handoff.yml", before)
    assert learnings("memory", "curate", cwd=repository.path).code == 0
    assert handoff.read_bytes().decode() == after


def test_incidents_count_more_and_workflows_skip_checks(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, ONE)
    said = observations(check(1, "PR-001", "reinforce"))
    repository.write(".shaktra/incidents/BUG-1/.observations.yml", said)
    repository.write(".shaktra/observations/review.yml", said)
    learnings("memory", "curate", cwd=repository.path)
    assert confidences(repository) == {"PR-001": "0.72"}
    assert repository.read(".shaktra/observations/review.yml").startswith(b"memory_captured: true")
    story(repository, "ST-1", check(1, "PR-001", "reinforce"))
    learnings("memory", "curate", "--workflow-type", "incident", cwd=repository.path)
    assert confidences(repository) == {"PR-001": "0.84"}, "a story has no type of its own"


def test_another_folder(repository: GitRepository, learnings: Command) -> None:
    repository.write("learnings.toml", "[confidence]\npath = 'docs/scores'\n")
    repository.write("docs/scores/stories/A/.observations.yml", "observations:\n")
    assert learnings("memory", "curate", cwd=repository.path / "docs").code == 0
    assert (repository.path / "docs/scores/stories/A/handoff.yml").exists()


def test_without_a_memory_there_is_nothing_to_do(
    repository: GitRepository, learnings: Command
) -> None:
    for words in (["curate"], ["check"], ["stats"], ["brief", "--story", "x"]):
        run = learnings("memory", *words, cwd=repository.path)
        sentence = "learnings: no folder .shaktra here, so there is nothing to do\n"
        assert (run.code, run.out, run.err) == (0, "", sentence)


@pytest.mark.soak
def test_two_runs_at_once_apply_everything_once(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, ONE)
    for number in range(4):
        story(repository, f"ST-{number}", check(1, "PR-001", "weaken"))
    with ThreadPoolExecutor() as pool:
        runs = list(
            pool.map(lambda _: learnings.process("memory", "curate", cwd=repository.path), range(4))
        )
    assert [(run.code, run.err) for run in runs] == [(0, "")] * 4
    assert confidences(repository) == {"PR-001": "0.28"}
    assert repository.read(APPLIED).count(b"action: weakened") == 4


# --- where it is seen besides


def test_the_overview_and_due_say_how_it_is(repository: GitRepository, learnings: Command) -> None:
    write_memory(repository)
    sentence = (
        ".shaktra: 30 principles active, 0 near archive (below 0.35), 4 files to curate; next: "
        "learnings memory curate\n"
    )
    run = learnings(cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert f"memory    {sentence}" in run.out
    step = "next      run `learnings memory curate` to add 4 observations files to .shaktra\n"
    assert run.out.endswith(step)
    due = learnings("due", "--exit-code", cwd=repository.path)
    assert (due.code, due.out, due.err) == (0, sentence, "")
    assert learnings("due", "--format=json", cwd=repository.path).json["memory"] == {
        "path": ".shaktra",
        "active": {"principles": 30, "anti_patterns": 0, "procedures": 0},
        "near_archive": 0,
        "waiting": [
            ".shaktra/incidents/BUG-7/.observations.yml",
            ".shaktra/observations/plan-sprint.yml",
            ".shaktra/stories/ST-1/.observations.yml",
            ".shaktra/stories/ST-2/.observations.yml",
        ],
    }
    markdown = learnings("due", "--format=markdown", cwd=repository.path).out
    assert "Confidence memory `.shaktra`: 30 principles active, 0 near archive" in markdown


def test_near_archive_is_a_number_and_makes_nothing_due(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, ONE.replace("0.6", "0.34"))
    run = learnings("due", "--exit-code", cwd=repository.path)
    assert run.code == 0
    assert run.out == ".shaktra: 1 principle active, 1 near archive (below 0.35)\n"


def test_a_job_checks_it_against_what_a_change_starts_from(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, ONE)
    base = repository.commit()
    assert learnings("ci", cwd=repository.path).code == 0
    repository.write(PRINCIPLES, ONE.replace("0.6", "0.9"))
    repository.commit()
    run = learnings("ci", "--base", base, cwd=repository.path)
    assert run.code == 1
    assert "error memory-confidence-changed the confidence of PR-001 went from 0.60" in run.out
    assert ".shaktra: 1 principle active, 0 near archive (below 0.35)\n" in run.out


def test_the_overview_says_that_a_file_is_broken(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, "principles: [\n")
    run = learnings(cwd=repository.path)
    assert run.code == 0
    assert "1 problem" in run.out
    assert "`learnings memory check` to list the problems in .shaktra" in run.out


# --- bad input

REST = check(9, "PR-001", "weaken")
OBSERVATIONS = [
    (observation(1, "guess", "x"), 3, "OB-001: type takes one of discovery, quality-loop-finding"),
    (observation(1, "discovery", "x", more="    importance: high\n"), 5, "whole number from 1 to"),
    (observation(1, "discovery", "x", more="    importance: 11\n"), 5, "from 1 to 10, not"),
    (observation(1, "discovery", "[x]"), 4, "OB-001: text takes a string, not a list"),
    (observation(1, "discovery", "x", more="    tags: retry\n"), 5, "tags takes a list of strings"),
    (observation(1, "discovery", "x", more="    resolved: yes\n"), 5, "resolved takes true or"),
    (observation(1, "discovery", "x", more="    text: y\n"), 5, 'duplicate key "text"'),
    (observation(1, "discovery", "!!python/object:os.system x"), 4, "a value with the tag"),
    (check(1, "PR-001", "praise"), 6, "relationship takes one of reinforce, weaken, contradict"),
    ("  - OB-001\n", 2, "observations: item 1 takes keys with values"),
    ("  - text: x\n    type: discovery\n", 2, "item 1: id is missing; add it"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "line", "sentence"), OBSERVATIONS)
def test_an_observation_with_a_wrong_value_is_named_and_the_rest_applied(
    repository: GitRepository, learnings: Command, item: str, line: int, sentence: str
) -> None:
    repository.write(PRINCIPLES, ONE)
    story(repository, "ST-1", item, REST)
    run = learnings("memory", "curate", cwd=repository.path)
    assert run.code == 1
    assert f"{STORY}:{line}: " in run.err
    assert sentence in run.err
    assert confidences(repository) == {"PR-001": "0.52"}
    assert not (repository.path / ".shaktra/stories/ST-1/handoff.yml").exists(), "forgotten"
    report = learnings("memory", "check", cwd=repository.path)
    assert report.code == 1
    assert f"{STORY}:{line}:1: error memory-wrong-value " in report.out
    # Mended, it is applied, and what was applied before is not applied again.
    story(repository, "ST-1", check(1, "PR-001", "weaken"), REST)
    assert learnings("memory", "curate", cwd=repository.path).code == 0
    assert confidences(repository) == {"PR-001": "0.44"}


FILES: list[tuple[str | bytes, str]] = [
    ("observations: [\n", ":2: is not valid YAML"),
    ("a: 1\na: 2\n", ':2: the file: duplicate key "a"'),
    (b"a: \xff\n", ":1: is not UTF-8; save it as UTF-8"),
    ("just text\n", ":1: takes keys with values, not"),
    ("a: \x00\n", ":1: is not UTF-8"),
]


@pytest.mark.parametrize(("content", "sentence"), FILES)
def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    repository: GitRepository, learnings: Command, content: str | bytes, sentence: str
) -> None:
    repository.write(PRINCIPLES, ONE)
    bad = repository.write(STORY, content)
    story(repository, "ST-2", REST)
    words = ("memory", "curate", "--dry-run", "--format=json")
    [problem] = learnings(*words, cwd=repository.path).json["problems"]
    assert (problem["path"], f":{problem['line']}:") == (STORY, sentence[:3])
    run = learnings("memory", "curate", cwd=repository.path)
    assert run.code == 1
    assert f"{STORY}{sentence}" in run.err
    assert confidences(repository) == {"PR-001": "0.52"}
    expected = content if isinstance(content, bytes) else content.encode()
    assert bad.read_bytes() == expected


FOLDER = (None, ":1: is a folder instead of a file")
OTHERS = (f"{MEMORY}/procedures.yml", APPLIED, ".shaktra/settings.yml")


@pytest.mark.parametrize(
    ("path", "content", "sentence"),
    [(PRINCIPLES, *file) for file in (*FILES, FOLDER)] + [(path, *FILES[0]) for path in OTHERS],
)
def test_a_broken_file_of_the_memory_is_refused_and_nothing_changed(
    repository: GitRepository,
    learnings: Command,
    path: str,
    content: str | bytes | None,
    sentence: str,
) -> None:
    repository.write(PRINCIPLES, ONE)
    story(repository, "ST-1", REST)
    (repository.path / path).unlink(missing_ok=True)
    repository.write(f"{path}/x" if content is None else path, content or "x")
    before = snapshot(repository.path)
    run = learnings("memory", "curate", cwd=repository.path)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"learnings: {path}{sentence}")
    assert run.err.endswith("nothing was changed\n")
    assert snapshot(repository.path) == before
    report = learnings("memory", "check", cwd=repository.path)
    assert report.code == 1
    assert f"{path}:" in report.out


def snapshot(root: Path) -> dict[str, bytes]:
    """Return all files of the memory with their bytes."""
    return {str(p): p.read_bytes() for p in (root / ".shaktra").rglob("*") if p.is_file()}


ENTRIES = [
    ("confidence: 1e400", 4, "memory-wrong-value PR-001: confidence takes a number from"),
    ("confidence: 4e-77", 2, "memory-"),
    ("confidence: 0.5\n  created: 2026-02-30", 5, "created takes a date (YYYY-MM-DD), not"),
    ("confidence: 0.5\n  status: gone", 5, "status takes one of active, archived, superseded"),
    ("confidence: 0.5\n  confidence: 0.6", 5, 'duplicate key "confidence"; keep one'),
    ("confidence: 0.5\n- id: PR-001\n  text: b\n  confidence: 1", 5, "memory-duplicate-id"),
]


@pytest.mark.parametrize(("fields", "line", "sentence"), ENTRIES)
def test_what_is_wrong_with_an_entry_is_said_with_its_line(
    repository: GitRepository, learnings: Command, fields: str, line: int, sentence: str
) -> None:
    repository.write(PRINCIPLES, f"principles:\n- id: PR-001\n  text: Cap retries.\n  {fields}\n")
    run = learnings("memory", "check", cwd=repository.path)
    assert run.code == 1
    assert f"{PRINCIPLES}:{line}:1: error " in run.out
    assert sentence in run.out


def test_broken_entries_keep_their_place_and_stop_nothing(
    repository: GitRepository, learnings: Command
) -> None:
    wrong = "- id: PR-007\n  text: x\n  confidence: lots  # really\n"
    wrong += "- id: PR-002\n  text: x\n  confidence: 0.6\n  created: 2026-02-30\n  note: ~\n"
    repository.write(PRINCIPLES, ONE + wrong)
    told = "Amounts are whole cents and never floats."
    story(repository, "ST-1", observation(1, "fix-rationale", told, tags="money"), REST)
    run = learnings("memory", "curate", cwd=repository.path)
    assert (run.code, "PR-007: confidence takes a number" in run.err) == (1, True)
    assert "PR-002: created takes a date (YYYY-MM-DD)" in run.err
    after = repository.read(PRINCIPLES).decode()
    assert after.startswith(ONE.replace("0.6", "0.52") + wrong)
    assert "- id: PR-008\n" in after


def test_a_file_of_a_hundred_megabytes(repository: GitRepository, learnings: Command) -> None:
    repository.write(PRINCIPLES, ONE)
    large = repository.write(STORY, "observations:\n")
    with large.open("ab") as file:
        file.truncate(100_000_000)
    story(repository, "ST-2", REST)
    run = learnings("memory", "curate", cwd=repository.path)
    assert run.code == 1
    assert f"{STORY}:1: has more than 4 MB, too large for a memory file; split it" in run.err
    assert confidences(repository) == {"PR-001": "0.52"}


def test_a_key_that_stands_twice_in_another_entry_keeps_the_file_as_it_is(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, f"{ONE}- id: PR-002\n  text: x\n  text: y\n  confidence: 0.6\n")
    story(repository, "ST-1", REST)
    before = snapshot(repository.path)
    run = learnings("memory", "curate", cwd=repository.path)
    assert (run.code, run.out) == (2, "")
    assert f"{PRINCIPLES}:7: cannot be written: found duplicate key" in run.err
    assert snapshot(repository.path) == before
    report = learnings("memory", "check", cwd=repository.path)
    assert f"{PRINCIPLES}:7:1: error memory-wrong-value PR-002: duplicate key" in report.out


def test_the_rows_may_grow_further_than_a_file_of_people(
    repository: GitRepository, learnings: Command
) -> None:
    row = "  - {source: .shaktra/stories/ST-0/.observations.yml, id: OB-001}\n"
    repository.write(PRINCIPLES, ONE)
    repository.write(APPLIED, f"# {'x' * 4_000_000}\napplied:\n{row}")
    story(repository, "ST-1", REST)
    assert learnings("memory", "curate", cwd=repository.path).code == 0
    assert confidences(repository) == {"PR-001": "0.52"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["curate", "--max-principles=-1"], "--max-principles takes a whole number of at least 0"),
        (["curate", "--confidence-start=2"], "--confidence-start takes a number from 0 to 1"),
        (["curate", "--today=2026-02-30"], "2026-02-30 is not a date"),
        (["curate", "nowhere/x.yml"], "nowhere/x.yml is not an observations file"),
        (["curate", "../x.yml"], "is outside of the repository"),
        (["curate", "--format=sarif"], "memory curate has no format sarif; choose text or json"),
        (["stats", "x.yml"], "memory stats takes no FILE, which is for curate"),
        (["check", "--dry-run"], "memory check takes no --dry-run, which is for curate"),
        (["brief"], "memory brief needs --story FILE"),
        (["brief", "--story", "none.md"], "none.md does not exist"),
    ],
)  # fmt: skip
def test_wrong_usage(
    repository: GitRepository, learnings: Command, words: list[str], sentence: str
) -> None:
    repository.write(PRINCIPLES, ONE)
    run = learnings("memory", *words, cwd=repository.path)
    assert (run.code, run.out) == (2, "")
    assert sentence in run.err


# --- check against the last commit


def test_what_was_changed_by_hand(repository: GitRepository, learnings: Command) -> None:
    repository.write(PRINCIPLES, ONE)
    repository.commit()
    repository.write(PRINCIPLES, ONE.replace("0.6", "0.9"))
    run = learnings("memory", "check", cwd=repository.path)
    assert run.code == 1
    assert "memory-confidence-changed the confidence of PR-001 went from 0.60 to 0.90" in run.out


def test_too_many_observations(repository: GitRepository, learnings: Command) -> None:
    repository.write(PRINCIPLES, ONE)
    items = [check(number, "PR-001", "reinforce") for number in range(1, 32)]
    story(repository, "ST-1", *items)
    run = learnings("memory", "check", cwd=repository.path)
    assert (run.code, run.out.count("memory-observation-limit")) == (1, 1)
    more = learnings("memory", "check", "--max-observations-per-story=31", cwd=repository.path)
    assert more.code == 0


# --- stats and brief


def test_stats(repository: GitRepository, learnings: Command) -> None:
    write_memory(repository)
    lines = learnings("memory", "stats", cwd=repository.path).out.splitlines()
    assert lines[0] == "principles: 30 active of 200 at most, 0 archived"
    assert lines[3:5] == ["strongest", "  PR-030  0.70  Labels of depot 30 follow runbook 30."]
    assert "near archive (below 0.35): 0" in lines


def test_a_briefing(repository: GitRepository, learnings: Command) -> None:
    write_memory(repository)
    repository.write("story.md", "# Import orders again\n\nRepeat the import of orders.\n")
    run = learnings("memory", "brief", "--story", "story.md", cwd=repository.path)
    assert run.code == 0
    first = run.out.splitlines()[0]
    assert first.startswith("PR-009 (0.49): Imports of orders can be repeated")
    assert run.out.splitlines()[-1] == "and 15 entries less important; see --max-briefing-entries"


def test_what_is_broken_is_left_out_of_a_briefing_and_said(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(PRINCIPLES, f"{ONE}- id: PR-002\n  text: y\n  confidence: x\n")
    repository.write("story.md", "Cap the retries.\n")
    run: Completed = learnings("memory", "brief", "--story", "story.md", cwd=repository.path)
    assert run.code == 1
    assert run.out == "PR-001 (0.60): Cap retries.\n"
    assert f"learnings: {PRINCIPLES}:7: PR-002: confidence takes a number" in run.err
