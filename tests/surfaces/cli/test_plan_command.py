"""The command `learnings plan`, in a real repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from learnings.consolidation.plan.plan import DROP, ESCALATE, KEEP, MERGE, MOVE, PlanStep
from learnings.consolidation.plan.plan_reading import read_plan
from learnings.consolidation.plan.plan_text import plan_text
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE, TARGET = "agents/learnings.md", "agents/decisions/cache.md"
MEMORY = """\
# Learnings

## When the cache key lacks the tenant

Put tenant and locale into the cache key.

## When a cache key is shared by tenants

Never share a cache key: put the tenant into the key.

## When the build is slow

~~Superseded by "When the build waits"~~

## When a token expires

Refresh the token a minute before it expires.

## When the build waits

Look at the queue of the runner first.
"""


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    repository = GitRepository(tmp_path / "r")
    repository.write(FILE, MEMORY)
    repository.write(TARGET, "# Cache\n\n## Tokens\n\nRefresh a token a minute early.\n")
    repository.commit(date="2026-01-01")
    return repository


def test_every_entry_stands_in_one_step(learnings: Command, repository: GitRepository) -> None:
    run = learnings("plan", FILE, "--all", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    reading = read_plan(run.stdout)
    assert (reading.plan.file, reading.problems) == (FILE, ())
    steps = [(step.action, [m.name for m in step.members]) for step in reading.plan.steps]
    assert steps == [
        (MERGE, ["When the cache key lacks the tenant", "When a cache key is shared by tenants"]),
        (KEEP, ["When the build is slow", "When a token expires", "When the build waits"]),
    ]
    assert reading.plan.steps[1].subject == "among the newest"
    repository.write("learnings.toml", "keep-recent = 0\nline-limit = 5\n")
    run = learnings("plan", FILE, "--all", cwd=repository.path)
    reading = read_plan(run.stdout)
    steps = [(step.action, [m.name for m in step.members]) for step in reading.plan.steps]
    assert steps == [
        (MERGE, ["When the cache key lacks the tenant", "When a cache key is shared by tenants"]),
        (DROP, ["When the build is slow"]),
        (ESCALATE, ["When a token expires"]),
        (KEEP, ["When the build waits"]),
    ]
    assert reading.plan.steps[0].is_draft
    assert f"\n> {TARGET} (full): Tokens\n" in run.out
    assert '\n- drop superseded by "When the build waits" `' in run.out
    assert f"\n  > 1 {TARGET}#Tokens\n  > “Refresh a token a minute early.”\n" in run.out


def test_the_head_lists_the_headings_of_targets_with_their_room(
    learnings: Command, repository: GitRepository
) -> None:
    twice = "## Reads\n\n### Keys\n\n### Stale [old]\n\n## Writes\n\n### Keys\n"
    repository.write(TARGET, f"# Cache\n\n{twice}\n## Last\n")
    repository.write("agents/decisions/plain.md", "Above.\n\n## One\n\n## Two\n\n#### Deep\n")
    repository.write("agents/decisions/empty.md", "")
    repository.write("learnings.toml", "line-limit = 13\n")
    plan = learnings("plan", "--all", cwd=repository.path).out
    assert re.findall(r"(?m)^> (agents.*)", plan) == [
        f"{TARGET} (full): Reads [Reads > Keys; Stale [old]]; Writes [Writes > Keys]; Last",
        "agents/decisions/empty.md (room for 13 lines)",
        "agents/decisions/plain.md (room for 6 lines): One; Two [Deep]",
    ]
    named = learnings("plan", "--only", "When the build is slow", cwd=repository.path).out
    assert TARGET not in named
    (digest,) = re.findall(r"`(\w+)` When the build is slow", named)
    repository.write("learnings.toml", "")
    learnings("plan", "--all", "--output", "tmp/p.md", cwd=repository.path)
    repository.write("tmp/d.md", f"- move {TARGET}#Writes > Keys `{digest}`\n")
    applying = ("apply", "tmp/p.md", "--decisions", "tmp/d.md", "--as-proposed")
    assert learnings(*applying, cwd=repository.path).code == 0
    assert b"### Keys\n\n#### When the build is slow\n" in repository.read(TARGET)


def test_a_title_that_the_plan_cuts_stands_in_the_text(
    learnings: Command, repository: GitRepository
) -> None:
    title = "When a session file has no slug, which was removed in version 2.1.29"
    repository.write(FILE, f"# Learnings\n\n## [2026-02-03-160000] {title}\n\nUse the id.\n")
    plan = learnings("plan", "--only", title, cwd=repository.path).out
    assert f"\n  > ## [2026-02-03-160000] {title}\n  >\n  > Use the id.\n" in plan


def test_many_headings_of_targets_are_cut_by_level(
    learnings: Command, repository: GitRepository
) -> None:
    many = "".join(f"\n## T{top}\n" + f"\n### B{top}\n" * 2 for top in range(40))
    repository.write(TARGET, f"# Cache\n{many}")
    (line,) = re.findall(r"(?m)^> (agents.*)", learnings("plan", "--all", cwd=repository.path).out)
    assert "T39" in line
    assert "B" not in line
    repository.write(TARGET, f"# Cache\n{many * 2}")
    (line,) = re.findall(r"(?m)^> (agents.*)", learnings("plan", "--all", cwd=repository.path).out)
    assert line == f"{TARGET} (full)"


def test_a_heading_without_text_is_not_among_the_newest_entries(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write(FILE, f"{MEMORY}\n## When it has no text yet\n")
    repository.write("learnings.toml", "keep-recent = 2\n")
    plan = learnings("plan", FILE, "--all", cwd=repository.path).out
    newest = re.findall(r"among the newest `\w+` (.*)", plan)
    assert newest == ["When a token expires", "When the build waits"]


def test_an_entry_has_its_text_if_something_was_found(
    learnings: Command, repository: GitRepository
) -> None:
    long = "".join(f"- step {number} of the routine\n" for number in range(1, 21))
    title = f"When {'very ' * 20}long"
    body = "A penguin colony needs ice, krill, gravel, shelter and a pebble each."
    repository.write(FILE, f"{MEMORY}\n## Routine\n\n{long}\n## {title}\n\n{body}\n")
    repository.write("learnings.toml", "keep-recent = 0\n")
    lines = learnings("plan", "--all", cwd=repository.path).out.splitlines()
    entries = [n for n, line in enumerate(lines) if re.match(r"- \w+ .*`[0-9a-f]{12}` ", line)]
    assert len(entries) == 7
    text = "\n".join(lines)  # of the whole plan
    for words in ("tenant and locale", "~~Superseded by", "a minute before it expires"):
        assert f"  > {words}" in text.replace("Put ", "").replace("Refresh the token ", "")
    [routine] = [n for n in entries if lines[n].endswith("Routine")]
    steps = [f"step {number} of the routine" for number in range(1, 6)]
    assert lines[routine + 1] == f"  > “{'. '.join(steps)}. …”"
    [cut] = [n for n in entries if "very" in lines[n]]
    assert len(lines[cut].partition("` ")[2]) == 80
    assert lines[cut + 1] == f"  > “{body}”"
    digest = lines[routine].split("`")[1]
    quoted = learnings("plan", "--only", digest, cwd=repository.path).out
    assert quoted.endswith("  >\n" + "".join(f"  > {line}\n" for line in long.splitlines()))


def test_a_decision_is_one_word_and_the_digest_names_the_entry(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("learnings.toml", "keep-recent = 0\n")
    text = learnings("plan", "--all", cwd=repository.path).out
    text = re.sub(r"(?m)^- escalate .*(`[0-9a-f]{12}`) When a token expires$", r"- move 1 \1", text)
    text = re.sub(r"(?m)^- merge (`[0-9a-f]{12}`) .*$", r"- keep as it is \1 whatever", text)
    repository.write("tmp/plan.md", text)
    run = learnings("apply", "tmp/plan.md", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Moved 1 entry, dropped 1 entry. Originals archived.\n")
    assert b"\n## When a token expires" in repository.read(TARGET)
    assert repository.read("tmp/plan.md").decode().startswith(text.rstrip())


@pytest.mark.parametrize("is_archived", [True, False])
def test_findings_that_several_entries_share_stand_once(
    learnings: Command,
    repository: GitRepository,
    is_archived: bool,
) -> None:
    """Each entry that a merge restored names the same commits."""
    kept = MEMORY.split("\n## ")
    others = [f"When {word} breaks\n\nAsk the {word} owner.\n" for word in ("fax", "lift", "gate")]
    repository.write(FILE, "\n## ".join([*kept, *others]))
    repository.commit(date="2026-01-02")
    repository.branch("other")
    repository.write(FILE, "\n## ".join(kept))
    repository.commit(date="2026-01-03")
    repository.checkout("other")
    repository.write("note.txt", "other\n")
    repository.commit(date="2026-01-04")
    repository.checkout("main")
    repository.git("merge", "--no-commit", "--no-ff", "other")
    repository.write(FILE, "\n## ".join([*kept, *others]))
    repository.commit("Merge", date="2026-01-05")
    repository.write("learnings.toml", "keep-recent = 0\n")
    for word in ("fax", "lift", "gate")[: 3 * is_archived]:
        name = f"When {word} breaks"
        words = ("archive", name, "--reason", "done", "--file", FILE)
        assert learnings(*words, cwd=repository.path).code == 0
    repository.write(FILE, "\n## ".join([*kept, *others]))
    out = learnings("plan", "--all", cwd=repository.path).out
    assert out.count("brought back by the merge") == 1
    assert out.count("\n  > now in agents/archive/learnings-consolidated-") == 3 * is_archived
    plan = read_plan(out.encode()).plan
    [step] = [step for step in plan.steps if step.notes and step.action != MERGE]
    assert step.action == (DROP if is_archived else KEEP)
    assert [member.name for member in step.members] == [
        f"When {word} breaks" for word in ("fax", "lift", "gate")
    ]


def test_only_names_the_entries_whatever_their_age(
    learnings: Command, repository: GitRepository
) -> None:
    whole = learnings("plan", "--all", cwd=repository.path).out
    [digest] = re.findall(r"`([0-9a-f]{12})` When the build waits", whole)
    cases = {
        (digest, "when a token  EXPIRES"): b"",
        ("-",): b"When a token expires\n\nWhen the build waits\r\n",
        ("-", digest): b"When a token expires",
        (digest, "--only", "When a token expires"): b"",
    }
    for names, read in cases.items():
        run = learnings("plan", FILE, "--only", *names, cwd=repository.path, stdin=read)
        assert (run.code, run.err) == (0, "")
        steps = read_plan(run.stdout).plan.steps
        found = [member.name for step in steps for member in step.members]
        assert sorted(found) == ["When a token expires", "When the build waits"]
    wrong = {
        ("--only", "When a tokens expires"): 'did you mean "When a token expires"?',
        ("--only", ""): "--only names no entry",
        ("--only", digest, "--all"): "--only and --all exclude each other",
        ("other.md",): "a plan covers one file, and other.md is a second one; leave it out",
    }
    for words, message in wrong.items():
        run = learnings("plan", FILE, *words, cwd=repository.path)
        assert (run.code, run.out) == (2, "")
        assert message in run.err


def test_a_plan_in_a_pipe_has_no_escapes(learnings: Command, repository: GitRepository) -> None:
    repository.write("learnings.toml", "keep-recent = 0\n")
    hostile = (
        "\n## When a title \x1b]0;x\x07 is set\n\n~~Superseded~~\x1b[2J and \u202e, naïve\u200b.\n"
    )
    repository.write(FILE, MEMORY + hostile)
    repository.commit()
    run = learnings("plan", FILE, "--all", cwd=repository.path)
    assert run.code == 0
    assert not {"\x1b", "\x07", "\u202e", "\u200b"} & {*run.out}
    assert "~~Superseded~~\\x1b[2J and \\u202e, naïve" in run.out
    repository.write("tmp/plan.md", run.out)
    applied = learnings("apply", "tmp/plan.md", "--as-proposed", cwd=repository.path)
    assert applied.code == 0, applied.err


def test_only_the_batch_without_all(learnings: Command, repository: GitRepository) -> None:
    run = learnings("plan", FILE, cwd=repository.path)
    assert (run.code, read_plan(run.stdout).plan.steps) == (0, ())
    assert run.err == "learnings: no entry is old enough for a batch; --all takes every entry\n"
    repository.work("2026-01-02", days=8)
    run = learnings("plan", FILE, cwd=repository.path)
    names = [member.name for step in read_plan(run.stdout).plan.steps for member in step.members]
    assert names == [
        "When the cache key lacks the tenant",
        "When a cache key is shared by tenants",
        "When the build is slow",
    ]


@pytest.mark.slow
def test_output_writes_a_new_file_and_replaces_only_a_plan_that_was_applied(
    learnings: Command, repository: GitRepository, tmp_path: Path
) -> None:
    words = ("plan", "--all", "--output", "tmp/plan.md")
    run = learnings(*words, cwd=repository.path)
    done, following = run.out.splitlines()
    counts, _, saved = done.partition(", saves up to ")
    assert (run.code, counts) == (0, "tmp/plan.md: 5 entries (merge 2, keep 3)")
    assert saved == "1 token in each session"  # the draft is nearly as long as the entries
    assert following == "next: edit it, then learnings apply tmp/plan.md --dry-run"
    whole = repository.read("tmp/plan.md")
    assert whole == learnings("plan", "--all", cwd=repository.path).stdout
    for outside in (tmp_path / "plan.md", "../elsewhere/new/plan.md"):
        assert learnings("plan", "--all", "--output", outside, cwd=repository.path).code == 0
        assert (repository.path / outside).read_bytes() == whole
    assert learnings(*words, cwd=repository.path).code == 0, "the same plan may be written again"
    edited = whole.replace(b"- keep among the newest", b"- drop old")
    plan = read_plan(whole).plan
    kept = tuple(PlanStep(KEEP, "", step.members) for step in plan.steps)
    only_kept = plan_text(plan._replace(steps=kept), keep_days=14)
    for other in (
        edited,
        only_kept.replace(b"- keep `", b"- escalate `", 1),
        b"",
        b"# Notes\n\nMine.\n",
        b"# Consolidation plan\n\nFile: agents/learnings.md\n",
    ):
        repository.write("tmp/plan.md", other)
        run = learnings(*words, cwd=repository.path)
        assert run.code == 2, other
        assert run.err.startswith("learnings: tmp/plan.md exists and is not an applied plan")
        assert repository.read("tmp/plan.md") == other
    repository.write("tmp/plan.md", edited + b"\n## result\n\n- applied: drop old\n")
    assert learnings(*words, cwd=repository.path).code == 0


def test_a_retry_begins_with_what_was_decided_about_entries_that_had_to_stay(
    learnings: Command, repository: GitRepository
) -> None:
    path, words = "tmp/plan.md", ("plan", FILE, "--output", "tmp/plan.md", "--only")
    titles = ("When a token expires", "When the build waits", "When the build is slow")
    repository.write("learnings.toml", "keep-recent = 0\n")
    assert learnings(*words[:-1], "--all", cwd=repository.path).code == 0
    members = {m.name: m for s in read_plan(repository.read(path)).plan.steps for m in s.members}
    token, waits, slow = (members[title].digest for title in titles)
    target, other = "agents/decisions/cache.md", "agents/decisions/tokens.md"
    text = "  ```markdown\n  ## Ask early\n\n  - Once for all.\n  ```\n"
    repository.write(
        "tmp/d.md", f"- move {target}#Tokens `{token}` `{waits}`\n{text}- keep `{slow}`"
    )
    repository.write("learnings.toml", "keep-recent = 0\nline-limit = 6\n")
    apply = ("apply", path, "--as-proposed")
    assert learnings(*apply, "--decisions", "tmp/d.md", cwd=repository.path).code == 1
    repository.write(other, repository.read(target))
    repository.write(target, "# Cache\n")
    repository.write("learnings.toml", "keep-recent = 0\nline-limit = 60\n")
    assert learnings(*words, *titles, cwd=repository.path).code == 0
    again = read_plan(repository.read(path)).plan
    [moved] = [step for step in again.steps if step.action == MOVE]
    assert (moved.subject, moved.text) == (f"{other}#Tokens", "## Ask early\n\n- Once for all.")
    assert repository.read(path).count(b"a minute before it expires.") == 1
    assert {member.digest for member in moved.members} == {token, waits}
    done = learnings(*apply, cwd=repository.path)
    assert (done.code, done.err) == (0, "")
    assert b"## Ask early\n\n- Once for all.\n" in repository.read(other)


def test_a_plan_without_a_step_is_written_over(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write("agents/new.md", "# Learnings\n\n## When new\n\ntext\n")
    repository.commit(date="2026-01-01")
    words = ("plan", "agents/new.md", "--output", "tmp/new.md")
    run = learnings(*words, cwd=repository.path)
    assert run.out.startswith("tmp/new.md: 0 entries of the batch\n")
    run = learnings(*words, "--all", cwd=repository.path)
    assert run.out.startswith("tmp/new.md: 1 entry (keep 1)\n")


def test_what_is_no_file_for_a_plan_is_refused(
    learnings: Command, repository: GitRepository
) -> None:
    cases: dict[tuple[str, ...], str]
    cases = {("none.md",): "none.md does not exist", ("agents",): "agents is a folder"}
    repository.write("LEARNINGS.md", MEMORY)
    cases[()] = "a plan covers one file; name one of LEARNINGS.md, agents/learnings.md"
    for words, message in cases.items():
        run = learnings("plan", *words, cwd=repository.path)
        assert (run.code, run.out) == (2, "")
        assert message in run.err


def test_without_a_history_there_is_no_batch_to_plan_for(
    learnings: Command, repository: GitRepository
) -> None:
    repository.commit(date="2026-01-02")
    shallow = repository.clone(depth=1, path=repository.path.parent / "shallow")
    run = learnings("plan", cwd=shallow.path)
    assert (run.code, run.out) == (2, "")
    assert "shallow clone" in run.err
    assert run.err.endswith("; or take every entry with --all\n")
    for words in (("--all",), ("--only", "When a token expires")):
        assert learnings("plan", *words, cwd=shallow.path).code == 0
    plan = learnings("plan", "--all", "--quiet", cwd=shallow.path).out
    assert "> ages are unknown, so the newest entries are not left out: " in plan


def test_what_would_leave_is_shown_as_a_whole(
    learnings: Command, repository: GitRepository
) -> None:
    lines = [f"Line {number} of it." for number in range(30)]
    text = "\n".join(["~~Superseded by a runbook~~", "", *lines])
    repository.write(FILE, f"{MEMORY}\n## When the old runbook is read\n\n{text}\n")
    repository.commit()
    words = ("plan", FILE, "--only", "When the old runbook is read")
    out = learnings(*words, cwd=repository.path).out
    assert "- drop superseded `" in out
    assert "".join(f"  > {line}\n" for line in lines) in out
