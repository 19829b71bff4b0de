"""The command `learnings apply`, in real repositories."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from learnings.consolidation.plan.plan import member_of
from learnings.core.entries.archives import originals_in
from learnings.core.entries.document import read
from tests.support.command import Command, Completed
from tests.support.repository import GitRepository

learnings = Command("learnings")
FILE, TARGET, PLAN = "agents/learnings.md", "agents/decisions/cache.md", "tmp/plan.md"
ARCHIVE = "agents/archive/learnings-consolidated-2026-05-01.md"
DECISIONS = "agents/archive/learnings-decisions.md"
NOW = ("--now", "2026-05-01T12:00:00")
TITLES = ("Cache key", "Cache tenant", "Slow build", "Token", "Rollback")
MEMORY = "# Learnings\n\n" + "\n".join(f"## {title}\n\nAbout {title}.\n" for title in TITLES)
CACHE = "# Cache\n\n## Tokens\n\nOld text.\n\n### Inner\n\nMore.\n\n## Keys\n\nLast.\n"
MERGE = "\n```markdown\n- Put the tenant into the key.\n```\n"


def plan(steps: Mapping[str, str], memory: str = MEMORY, file: str = FILE) -> str:
    """Return a plan: headings with the text below them; {Title} is the line of an entry."""
    lines = {e.title: "- `{}` {}".format(*member_of(e)[:2]) for e in read(memory.encode()).entries}
    body = "".join(
        f"\n## {heading}\n\n{text.format_map(lines)}\n" for heading, text in steps.items()
    )
    return f"# Plan\n\nFile: {file}\n{body}"


def merge(*titles: str) -> str:
    return "\n".join(f"{{{title}}}" for title in titles) + "\n" + MERGE


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "r")
    repository.write(FILE, MEMORY)
    repository.write(TARGET, CACHE)
    repository.commit(date="2026-03-01")
    return repository


def apply(repository: GitRepository, steps: Mapping[str, str], *words: str) -> Completed:
    repository.write(PLAN, plan(steps))
    return learnings("apply", PLAN, *NOW, *words, cwd=repository.path)


def undo_commands(out: str) -> list[list[str]]:
    """Return the words of each command that undoes a run."""
    lines = out.partition("Undo: ")[2].splitlines(keepends=True)
    indented = [line for line in lines[1:] if line.startswith(" ") and "(" not in line]
    return [shlex.split(line) for line in (*lines[:1], *indented)]


EVERYTHING = {
    "merge Cache keys": merge("Cache key", "Cache tenant"),
    f"move to {TARGET}#Tokens": "{Token}",
    "drop false since the new runner": "{Slow build}",
    "keep": "{Rollback}",
}


def test_all_actions_at_once(repository: GitRepository) -> None:
    run = apply(repository, EVERYTHING)
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        "Consolidated 2 entries into 1, moved 1 entry, dropped 1 entry. Originals archived.\n"
        f"These files belong to the commit:\n  {ARCHIVE}\n  {DECISIONS}\n  {TARGET}\n  {FILE}\n"
        f"Undo: git restore -- {TARGET} {FILE}\n"
        f"      rm -- {DECISIONS}\n"
        f"      ({ARCHIVE} stays)\n"
        "1 entry kept: it rests for 14 active days.\n"
    )
    assert repository.read(FILE).decode() == (
        "# Learnings\n\n## Rollback\n\nAbout Rollback.\n\n## Cache keys (consolidated)\n\n"
        "**Consolidated from**: 2 entries (2026-03-01)\n\n- Put the tenant into the key.\n"
    )
    assert repository.read(TARGET).decode() == CACHE.replace(
        "## Keys", "### Token\n\nAbout Token.\n\n## Keys"
    )
    originals = originals_in(repository.read(ARCHIVE))
    assert [(o.heading, o.data.decode().splitlines()[0]) for o in originals] == [
        ("Group: Cache keys", "## Cache key"),
        ("Group: Cache keys", "## Cache tenant"),
        (f"Group: moved to {TARGET}#Tokens", "## Token"),
        ("Dropped: false since the new runner", "## Slow build"),
    ]


def test_entries_that_move_to_one_section_stay_in_order(repository: GitRepository) -> None:
    repository.write(TARGET, f"{CACHE}\n## Ends\n\nThe end.\n")
    token = member_of(read(MEMORY.encode()).entries[3])
    late = f"\n## Entries\n\n- move {TARGET}#Keys `{token.digest}`\n"
    repository.write(PLAN, plan({f"move to {TARGET}#Keys": "{Cache key}\n{Slow build}"}) + late)
    assert learnings("apply", PLAN, *NOW, cwd=repository.path).code == 0
    titles = re.findall(r"(?m)^## (.+)$", repository.read(TARGET).decode())
    assert titles == ["Tokens", "Keys", "Cache key", "Slow build", "Token", "Ends"]


def test_links_of_an_entry_that_moves_lead_to_where_they_led(repository: GitRepository) -> None:
    text = "See [the key](decisions/keys.md#Old) and [us](../README.md).\n\n```md\n[a](b.md)\n```\n"
    memory = f"{MEMORY}\n## Linked\n\n{text}"
    repository.write(FILE, memory)
    repository.write(PLAN, plan({f"move to {TARGET}#Keys": "{Linked}"}, memory))
    assert learnings("apply", PLAN, *NOW, cwd=repository.path).code == 0
    moved = text.replace("decisions/keys", "keys").replace("../README", "../../README")
    assert f"\n## Linked\n\n{moved}" in repository.read(TARGET).decode()
    assert text in repository.read(ARCHIVE).decode()
    assert learnings("archive", "--restore", "Linked", cwd=repository.path).code == 0
    assert f"## Linked\n\n{text}" in repository.read(FILE).decode()


DRAFT = "<!-- draft: edit the lines below, then remove this line -->"


@pytest.mark.parametrize("name", ["All", "NAME"])
def test_a_draft_that_is_cut_is_refused_and_a_group_without_a_name_stays(
    repository: GitRepository, name: str
) -> None:
    memory = "# Learnings\n\n## Long\n\nWait for the queue until it is empty.\n"
    repository.write(FILE, memory)
    text = f"{{Long}}\n\n```\n{DRAFT}\n- Long: Wait for the queue until it\n```\n"
    repository.write(PLAN, plan({f"merge {name}": text}, memory))
    run = learnings("apply", PLAN, *NOW, cwd=repository.path)
    expected = "--as-proposed" if name == "All" else "write a title for NAME"
    assert (run.code, run.out, expected in run.err) == (2, "", True)
    run = learnings("apply", PLAN, *NOW, "--as-proposed", cwd=repository.path)
    expected = "ends inside a sentence" if name == "All" else "the plan has no name"
    assert (run.code, expected in run.err) == (2 if name == "All" else 0, True)
    assert repository.read(FILE).decode() == memory


def test_items_of_one_line_become_one(repository: GitRepository) -> None:
    items = ("- 2026-01-02: Pin the runner", "- 2026-02-03: Pin the image, too")
    memory = "# Learnings\n\n" + "\n".join((*items, "- 2026-03-01: Ask first", ""))
    repository.write("learnings.toml", "keep-recent = 0\n")
    repository.write(FILE, memory)
    repository.commit(date="2026-03-02")
    text = "Pin the runner and the base image."
    first, second = (f"{{{item.partition(': ')[2]}}}" for item in items)
    repository.write(PLAN, plan({"merge Pins": f"{first}\n{second}\n\n```\n{text}\n```"}, memory))
    run = learnings("apply", PLAN, *NOW, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    note = "(consolidated from 2, 2026-01-02 to 2026-02-03)"
    assert repository.read(FILE).decode() == (
        f"# Learnings\n\n- 2026-03-01: Ask first\n- 2026-05-01: {text} {note}\n"
    )
    assert f"## Group: {text}" in repository.read(ARCHIVE).decode()
    assert learnings("verify", "--base", "HEAD", cwd=repository.path).code == 0
    groups = learnings("groups", FILE, "--format=json", cwd=repository.path).json
    assert [e["consolidated"] for e in groups["ungrouped"]] == [False, True]


def test_a_second_run_has_nothing_left_to_do(repository: GitRepository) -> None:
    apply(repository, EVERYTHING)
    before = repository.git("diff"), repository.read(ARCHIVE), repository.read(PLAN)
    run = learnings("apply", PLAN, "--now", "2026-05-02T12:00:00", cwd=repository.path)
    assert (run.code, run.out) == (0, "Nothing left to do.\n")
    assert (repository.git("diff"), repository.read(ARCHIVE), repository.read(PLAN)) == before
    assert re.search(rb"\n- applied: merge Cache keys: [0-9a-f]{12} [0-9a-f]{12}\n", before[2])
    learnings("apply", PLAN, "--stage", cwd=repository.path)
    staged = repository.git("diff", "--cached", "--name-only").splitlines()
    assert staged == [ARCHIVE, DECISIONS, TARGET, FILE]


def test_a_dry_run_says_what_it_would_do_and_writes_nothing(repository: GitRepository) -> None:
    summary = apply(repository, EVERYTHING, "--dry-run").out
    assert summary.startswith(
        "Dry run: nothing is written. Without --dry-run:\nConsolidated 2 entr"
    )
    assert "+++" not in summary
    run = apply(repository, EVERYTHING, "--dry-run", "--verbose")
    assert run.code == 0
    assert run.out.startswith(f"{summary}\n")
    assert "+## Cache keys (consolidated)\n" in run.out
    assert repository.git("status", "--porcelain") == "?? tmp/"
    (repository.path / "patch").write_bytes(run.stdout)
    repository.git("apply", "patch")
    patched = repository.read(FILE), repository.read(TARGET), repository.read(ARCHIVE)
    repository.git("checkout", "--quiet", ".")
    apply(repository, EVERYTHING)
    assert (repository.read(FILE), repository.read(TARGET), repository.read(ARCHIVE)) == patched


@pytest.mark.parametrize("options", [(), ("--stage",)])
def test_the_undo_that_is_named_takes_everything_back(
    repository: GitRepository, options: tuple[str, ...]
) -> None:
    run = apply(repository, EVERYTHING, *options)
    staged = repository.git("diff", "--cached", "--name-only").splitlines()
    assert staged == ([ARCHIVE, DECISIONS, TARGET, FILE] if options else [])
    for command in undo_commands(run.out):
        subprocess.run(command, cwd=repository.path, check=True)
    assert not (repository.path / DECISIONS).exists()
    assert (repository.read(FILE).decode(), repository.read(TARGET).decode()) == (MEMORY, CACHE)
    assert repository.git("diff", "HEAD", "--name-only") == ""
    again = apply(repository, EVERYTHING)
    assert again.out.startswith("Consolidated 2 entries")


def test_the_undo_has_two_commands_where_only_the_source_was_changed_before(
    repository: GitRepository,
) -> None:
    repository.write(FILE, MEMORY + "\n## When new\n\nNew.\n")
    before = repository.read(FILE)
    run = apply(repository, EVERYTHING)
    first, second, third = undo_commands(run.out)
    assert first[:3] == ["learnings", "archive", "--restore"]
    assert second == ["git", "restore", "--", TARGET]
    assert third == ["rm", "--", DECISIONS]
    assert learnings(*first[1:], cwd=repository.path).code == 0
    repository.git(*second[1:])
    assert repository.read(TARGET).decode() == CACHE
    assert {*before.splitlines()} <= {*repository.read(FILE).splitlines()}


def test_the_undo_never_takes_back_what_is_not_committed(repository: GitRepository) -> None:
    repository.write(TARGET, CACHE + "\nMore.\n")
    run = apply(repository, EVERYTHING)
    (_, *words), _ = undo_commands(run.out)
    assert words[:2] == ["archive", "--restore"]
    assert learnings(*words, cwd=repository.path).code == 0
    entries = {e.title: e.text.rstrip() for e in read(repository.read(FILE)).entries}
    assert {
        e.title: e.text.rstrip() for e in read(MEMORY.encode()).entries
    }.items() <= entries.items()
    assert repository.read(TARGET).endswith(b"\nMore.\n")


def test_without_git_it_works_but_stages_nothing(tmp_path: Path) -> None:
    for path, text in ((FILE, MEMORY), (TARGET, CACHE), (PLAN, plan(EVERYTHING))):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    run = learnings("apply", PLAN, "--stage", cwd=tmp_path)
    assert (run.code, (tmp_path / FILE).read_text()) == (2, MEMORY)
    assert "is not in a git repository; leave --stage out" in run.err
    assert learnings("apply", PLAN, *NOW, cwd=tmp_path).code == 0
    assert "**Consolidated from**: 2 entries\n" in (tmp_path / FILE).read_text()


def test_a_target_without_room_is_skipped_and_the_rest_is_done(repository: GitRepository) -> None:
    repository.write("pyproject.toml", "[tool.learnings]\nline-limit = 17\n")
    steps = {f"move to {TARGET}#Tokens": "{Token}\n{Rollback}", "drop old": "{Slow build}"}
    run = apply(repository, steps)
    assert run.code == 1
    skipped = f'Skipped: {TARGET} has 17 lines, 21 with "Rollback", the limit is 17\n'
    assert run.out.startswith("Moved 1 entry, dropped 1 entry. Originals archived.\n"), run.out
    assert skipped in run.out
    assert b"## Rollback" in repository.read(FILE)
    assert b"### Token\n" in repository.read(TARGET)
    repository.write("pyproject.toml", "[tool.learnings]\nline-limit = 30\n")
    run = learnings("apply", PLAN, *NOW, cwd=repository.path)
    assert (run.code, run.out.splitlines()[0]) == (0, "Moved 1 entry. Originals archived.")


def test_a_target_without_room_is_named_once(repository: GitRepository) -> None:
    repository.write("pyproject.toml", "[tool.learnings]\nline-limit = 13\n")
    run = apply(repository, {f"move to {TARGET}": "{Token}\n{Rollback}\n{Slow build}"})
    lines = repository.read(TARGET).count(b"\n")
    stay = f"3 entries stay, since {TARGET} has {lines} lines, the limit is 13"
    assert (run.code, run.out.startswith(f"Skipped: {stay}\n")) == (1, True)
    assert f"`learnings split {TARGET}`" in run.out


REFUSED = {
    "merge A": ("{Token}\n", "has no text"),
    "merge B": ("{Token}\n\n```\n## Another\n```\n", "would begin another entry"),
    "merge C": ("{Token}\n\n````\n```\n````\n", "without an end"),
    "move to ../outside.md": ("{Token}", "is not in this repository"),
    "move to /etc/passwd": ("{Token}", "is not in this repository"),
    "move to .git/config": ("{Token}", "is a file of git"),
    "move to a\0b.md": ("{Token}", "a\\x00b.md does not exist"),
    f"move to {FILE}": ("{Token}", "the file that the entries leave"),
    f"move to {ARCHIVE}": ("{Token}", "is an archive"),
    "move to agents/decisions/cash.md": ("{Token}", f"did you mean {TARGET}?"),
    f"move to {TARGET}#Token": ("{Token}", 'the nearest is "Tokens"'),
    "drop E": ("- `000000000000` Token", "has changed since the plan was made"),
    "drop F": ("- `000000000000` Toke", "if you meant the nearest, write `"),
    "move to Makefile": ("{Token}", "Makefile is not a Markdown file"),
}


def test_each_refusal_names_the_line_and_leaves_every_file_as_it_is(
    repository: GitRepository,
) -> None:
    repository.write("Makefile", "all:\n")
    repository.commit("Add a Makefile")
    for heading, (text, message) in REFUSED.items():
        run = apply(repository, {heading: text, "drop old": "{Slow build}"})
        status = repository.git("status", "--porcelain")
        assert (run.code, run.out, run.err.count("\n"), status) == (2, "", 1, "?? tmp/"), run
        assert run.err.startswith(f"learnings: {PLAN}:")
        assert message in run.err
    run = apply(repository, {"merge A": "{Token}", "move to none.md": "{Rollback}"})
    assert [line.split(":")[2] for line in run.err.splitlines()] == ["5", "9"]


def test_an_ignored_archive_is_named_before_the_work_with_the_line_to_add(
    repository: GitRepository,
) -> None:
    repository.write(".gitignore", "archive/\n")
    commands = (("init", "--dry-run"), ("plan", "--all"), ("apply", PLAN, "--dry-run"))
    said = {apply(repository, EVERYTHING).err}
    for words in commands:
        said.add(learnings(*words, cwd=repository.path).err)
    lines = {text.partition("add the line ")[2].partition(" at the end of")[0] for text in said}
    assert lines == {"!/agents/archive/"}
    assert repository.read(FILE).decode() == MEMORY
    repository.write(".gitignore", f"archive/\n{lines.pop()}\n")
    assert "archive" not in learnings(*commands[1], cwd=repository.path).err
    assert apply(repository, EVERYTHING).code == 0
    assert "agents/archive/" in repository.git("status", "--porcelain", "-uall")


def test_files_of_others_in_the_archive_folder_are_named_and_stay(
    repository: GitRepository,
) -> None:
    repository.write("agents/archive/run-7/story.json", "{}\n")
    for command in ("plan", "init"):
        run = learnings(command, cwd=repository.path)
        assert "the folder agents/archive has other files (run-7); nothing to do" in run.err
    assert apply(repository, EVERYTHING).code == 0
    assert repository.read("agents/archive/run-7/story.json") == b"{}\n"
    assert "has other files" not in learnings("plan", "--all", cwd=repository.path).err


def test_a_plan_that_cannot_be_written_to_is_applied_all_the_same(
    repository: GitRepository, tmp_path: Path
) -> None:
    path = tmp_path / "plan.md"
    path.write_text(plan(EVERYTHING))
    path.chmod(0o444)
    run = learnings("apply", path, *NOW, cwd=repository.path / "agents")
    assert run.code == 0
    assert "cannot record the result in the plan" in run.err
    assert "Undo: git restore -- decisions/cache.md learnings.md\n" in run.out


@pytest.mark.parametrize("obstacle", ["folder", "outside", "nothing", "protected", "binary"])
def test_a_target_that_cannot_be_written_leaves_everything_as_it_is(
    repository: GitRepository, tmp_path: Path, obstacle: str
) -> None:
    target, outside = repository.path / TARGET, tmp_path / "outside.md"
    outside.write_text(CACHE)
    if obstacle == "protected":
        target.chmod(0o444)
    elif obstacle == "binary":
        target.write_bytes(b"\x00\xff")
    else:
        target.unlink()
        if obstacle == "folder":
            target.mkdir()
        else:
            target.symlink_to(outside if obstacle == "outside" else "nothing.md")
    run = apply(repository, EVERYTHING)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert apply(repository, EVERYTHING, "--dry-run") == run
    assert repository.read(FILE).decode() == MEMORY
    assert not (repository.path / ARCHIVE).exists()
    assert outside.read_text() == CACHE


def test_a_link_to_a_target_in_the_repository_is_followed(repository: GitRepository) -> None:
    repository.write("docs/real.md", CACHE)
    (repository.path / TARGET).unlink()
    (repository.path / TARGET).symlink_to("../../docs/real.md")
    assert apply(repository, EVERYTHING).code == 0
    assert (repository.path / TARGET).is_symlink()
    assert b"### Token" in repository.read("docs/real.md")


def test_rows_of_the_indexes_follow(repository: GitRepository) -> None:
    index = "agents/memory-index.md"
    block = "<!-- INDEX:START -->\n| Entry |\n|---|\n| Cache key |\n| Token |\n<!-- INDEX:END -->\n"
    rows = "Tokens — old text", "Keys — last"
    repository.write(index, "\n".join(("# Index", "", f"## {TARGET}", "", *rows, "")))
    memory = MEMORY.replace("# Learnings\n", f"# Learnings\n\n{block}")
    repository.write(FILE, memory)
    repository.write(PLAN, plan(EVERYTHING, memory))
    run = learnings("apply", PLAN, *NOW, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert f"  {index}\n" in run.out
    lines = repository.read(index).decode().splitlines()[4:]
    assert lines == [rows[0], "Token — About Token", rows[1]]
    assert b"| Cache keys (consolidated) |\n" in repository.read(FILE)
    assert b"| Cache key |" not in repository.read(FILE)
    assert b"- index: agents/memory-index.md\n" in repository.read(PLAN)


def test_an_entry_that_is_appended_in_between_stays(repository: GitRepository) -> None:
    repository.write(PLAN, plan({"drop old": "{Rollback}"}))
    repository.write(FILE, f"{MEMORY}\n---\n\n## Newer\n\nMore.\n")
    run = learnings("apply", PLAN, *NOW, cwd=repository.path)
    assert run.code == 0
    assert b"## Newer\n\nMore.\n" in repository.read(FILE)
    assert b"## Rollback" not in repository.read(FILE)


@pytest.mark.soak
def test_of_two_runs_at_once_one_does_it(repository: GitRepository) -> None:
    repository.write(PLAN, plan(EVERYTHING))
    with ThreadPoolExecutor(4) as pool:
        runs = list(
            pool.map(
                lambda _: learnings.process("apply", PLAN, *NOW, cwd=repository.path), range(4)
            )
        )
    assert sorted({run.code for run in runs}) in ([0], [0, 2])
    assert sum(run.out.startswith("Consolidated") for run in runs) == 1
    assert all("another process changed" in run.err for run in runs if run.code)
    assert repository.read(FILE).count(b"(consolidated)") == 1
    assert repository.read(TARGET).count(b"### Token") == 1
    assert len(originals_in(repository.read(ARCHIVE))) == 4
    assert repository.read(DECISIONS).count(b"\n- kept ") == 1
