"""The text that `learnings apply` adds to sections and entries, and separate decision files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.surfaces.cli.test_apply_command import (
    ARCHIVE,
    CACHE,
    FILE,
    MEMORY,
    NOW,
    PLAN,
    TARGET,
    TITLES,
    apply,
    merge,
    plan,
    repository,
)

learnings = Command("learnings")
__all__ = ["repository"]
LESSON = "- Refresh a token early.\n- Ask again before it expires.\n"


def test_a_text_is_added_to_its_section_and_the_entry_leaves(repository: GitRepository) -> None:
    steps = {f"add to {TARGET}#Tokens": "{Token}\n{Rollback}\n\n```\n- Left of both.\n```"}
    run = apply(repository, steps)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Added 2 entries. Originals archived.\n")
    added = CACHE.replace("Old text.\n", "Old text.\n\n- Left of both.\n")
    assert repository.read(TARGET).decode() == added
    assert f"## Group: added to {TARGET}#Tokens" in repository.read(ARCHIVE).decode()
    assert b"## Token" not in repository.read(FILE)
    again = learnings("apply", PLAN, *NOW, cwd=repository.path)
    assert (again.code, repository.read(TARGET).decode()) == (0, added)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_first_entry_is_not_lost_below_a_byte_order_mark(
    repository: GitRepository, newline: str
) -> None:
    entries = MEMORY.removeprefix("# Learnings\n\n").replace("\n", newline)
    first, second = TITLES[:2]
    for is_merged in (True, False):
        repository.write(FILE, f"\ufeff{entries}")
        repository.commit()
        if is_merged:
            done = apply(repository, {"merge Both": merge(first, second)}, "--stage")
        else:
            words = ("archive", first, "--reason", "old", "--stage")
            done = learnings(*words, cwd=repository.path)
        assert done.code == 0
        text = repository.read(FILE).decode()
        assert (text[0], text.count("\ufeff")) == ("\ufeff", 1)
        assert "\n" not in text.replace(newline, "")
        assert learnings("verify", "--staged", cwd=repository.path).code == 0


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("- Left of both.", ['"Token"', '"Rollback"']),
        ("- A token, refreshed.", ['"Rollback"']),
        ("## Both\n\n- Left of both.", []),
    ],
)
def test_a_note_names_the_titles_that_a_moved_text_leaves_out(
    repository: GitRepository, text: str, lost: list[str]
) -> None:
    moved = f"{{Token}}\n{{Rollback}}\n\n```\n{text}\n```"
    repository.write(PLAN, plan({f"move to {TARGET}#Tokens": moved}))
    run = learnings("apply", PLAN, "--dry-run", *NOW, cwd=repository.path)
    assert run.code == 0
    assert ("has no heading" in run.err) is bool(lost)
    assert [title for title in ('"Token"', '"Rollback"') if title in run.err] == lost


def test_without_git_a_note_says_that_the_dates_are_missing(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "{Token}\n{Rollback}\n\n```\n- One rule of both.\n```"
    repository.write(PLAN, plan({"merge Access": text}))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    run = learnings("apply", PLAN, "--dry-run", "--verbose", *NOW, cwd=repository.path)
    assert "merged entries get no date of their originals: cannot find git" in run.err
    assert (run.code, "**Consolidated from**: 2 entries\n" in run.out) == (0, True)


def test_entries_join_one_that_an_earlier_consolidation_wrote(repository: GitRepository) -> None:
    joined = "## Keys (consolidated)\n\n**Consolidated from**: 2 entries (2026-01-01)\n\n- One.\n"
    memory = MEMORY.replace("## Token", f"{joined}\n## Token")
    repository.write(FILE, memory)
    repository.commit(date="2026-03-02")
    text = "{Cache key}\n\n```\n- Put the tenant into the key.\n```"
    repository.write(PLAN, plan({"merge into Keys (consolidated)": text}, memory))
    run = learnings("apply", PLAN, *NOW, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Joined 1 entry. Originals archived.\n")
    after = joined.replace("2 entries (2026-01-01)", "3 entries (2026-01-01 to 2026-03-01)")
    expected = memory.replace("## Cache key\n\nAbout Cache key.\n\n", "")
    expected = expected.replace(joined, f"{after}- Put the tenant into the key.\n")
    assert repository.read(FILE).decode() == expected
    assert learnings("verify", "--base", "HEAD", cwd=repository.path).code == 0
    undone = learnings("archive", "--restore", "Cache key", cwd=repository.path)
    assert undone.code == 0
    assert b"## Cache key\n\nAbout Cache key.\n" in repository.read(FILE)


def test_an_entry_to_join_has_to_be_there_and_to_stay(repository: GitRepository) -> None:
    text = "{Cache key}\n\n```\n- x\n```"
    cases = {
        'there is no entry "Cache tennant"': {"merge into Cache tennant": text},
        '"Cache tenant" leaves the file in this plan': {
            "merge into Cache tenant": text,
            "drop old": "{Cache tenant}",
        },
        '"Cache key" leaves the file in this plan': {"merge into Cache key": text},
        "the merged entry has no text": {"merge into Cache tenant": "{Cache key}"},
    }
    for message, steps in cases.items():
        run = apply(repository, steps)
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1), steps
        assert f"{PLAN}:5: {message}" in run.err
    assert repository.read(FILE).decode() == MEMORY


def test_a_name_that_the_check_would_refuse_is_refused(repository: GitRepository) -> None:
    repository.write("learnings.toml", 'preset = "when-how"\n')
    text = "{Cache key}\n{Cache tenant}\n\n```\n- x\n```"
    run = apply(repository, {"merge Queue and worker": text})
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f'learnings: {PLAN}:5: "Queue and worker (consolidated)" does not')
    assert run.err.endswith("retitle the entry (entry-title-form)\n")
    assert repository.read(FILE).decode() == MEMORY
    repository.write(PLAN, plan({"merge When a queue is shared": text}))
    assert learnings("apply", PLAN, *NOW, cwd=repository.path).code == 0


def test_a_plan_of_when_how_titles_passes_the_check_as_it_is_proposed(
    repository: GitRepository,
) -> None:
    repository.write("learnings.toml", 'preset = "when-how"\nkeep-recent = 0\n')
    memory = (
        "# Learnings\n\n"
        "## When the cache key lacks the tenant\n\nPut tenant and locale into the cache key.\n\n"
        "## When a cache key is shared by tenants\n\nPut the tenant into the cache key.\n\n"
        "## When the build waits\n\nLook at the queue of the runner.\n"
    )
    repository.write(FILE, memory)
    repository.commit(date="2026-03-02")
    proposed = learnings("plan", "--all", FILE, cwd=repository.path).out
    assert "\n## merge When " in proposed
    edited = proposed.replace("<!-- draft: edit the lines below, then remove this line -->\n", "")
    repository.write(PLAN, edited)
    run = learnings("apply", PLAN, *NOW, cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert learnings("check", cwd=repository.path).code == 0


@pytest.fixture
def proposed(repository: GitRepository) -> str:
    """Return the digest of each entry in file order, and write the plan to its file."""
    repository.write("learnings.toml", "keep-recent = 0\n")
    run = learnings("plan", "--all", FILE, "--output", PLAN, cwd=repository.path)
    assert run.code == 0
    return repository.read(PLAN).decode()


def digest(text: str, title: str) -> str:
    (line,) = [line for line in text.splitlines() if line.endswith(f"` {title}")]
    return line.split("`")[1]


def test_decisions_are_put_into_the_plan_first(repository: GitRepository, proposed: str) -> None:
    slow, token = digest(proposed, "Slow build"), digest(proposed, "Token")
    decisions = f"- drop old `{slow}` `{token}`\n"
    repository.write("tmp/decisions.md", decisions)
    words = ("apply", PLAN, *NOW, "--as-proposed", "--decisions")
    piped = learnings(*words, "-", "--dry-run", cwd=repository.path, stdin=decisions.encode())
    assert (piped.code, repository.read(PLAN).decode()) == (0, proposed)
    run = learnings(*words, "tmp/decisions.md", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Dropped 2 entries.")
    assert "Dropped 2 entries." in piped.out
    text = repository.read(PLAN).decode()
    assert text.startswith(proposed.partition("\n## ")[0])
    assert f"\n- drop old `{slow}` Slow build\n" in text
    assert "\n## result\n" in text
    assert learnings("report", "--consolidation", PLAN, cwd=repository.path).code == 0


def test_decisions_that_are_refused_change_nothing_or_stand_in_the_plan(
    repository: GitRepository, proposed: str
) -> None:
    words = ("apply", PLAN, *NOW, "--decisions", "-")
    run = learnings(*words, cwd=repository.path, stdin=b"\n- drop old `ffffffffffff`\n")
    assert (run.code, run.out) == (2, "")
    assert run.err == ("learnings: standard input:2: the plan has no entry `ffffffffffff`\n")
    assert repository.read(PLAN).decode() == proposed
    token, slow = digest(proposed, "Token"), digest(proposed, "Slow build")
    line = f"- move nowhere.md `{token}` `{slow}`\n"
    run = learnings(*words, "--as-proposed", cwd=repository.path, stdin=line.encode())
    assert (run.code, run.out) == (2, "")
    assert re.fullmatch(r"learnings: standard input:1: nowhere\.md does not exist; .*\n", run.err)
    assert f"- move nowhere.md `{token}` Token\n" in repository.read(PLAN).decode()
    assert repository.read(FILE).decode() == MEMORY


@pytest.mark.parametrize("option", ["--as-proposed", "--dry-run"])
def test_a_refusal_names_the_line_that_somebody_has_written(
    repository: GitRepository, proposed: str, option: str
) -> None:
    token, slow = digest(proposed, "Token"), digest(proposed, "Slow build")
    written = proposed.replace(f"- keep `{token}`", f"- move no.md `{token}`")
    repository.write(PLAN, written)
    decisions = f"""\
## merge into Nothing

- `{slow}`

```
- A text.
```

- move {TARGET}#Gone `{digest(proposed, "Rollback")}`
"""
    repository.write("tmp/decisions.md", decisions)
    words = ("apply", PLAN, *NOW, option, "--decisions", "tmp/decisions.md")
    run = learnings(*words, cwd=repository.path)
    assert (run.code, run.out) == (2, "")
    cited = re.findall(r"(?m)^(?:learnings: )?([^:]+):(\d+): ", run.err)
    lines = repository.read(PLAN).decode().splitlines()
    moved = next(n for n, line in enumerate(lines, 1) if line == f"- move no.md `{token}` Token")
    decided = [("tmp/decisions.md", "1"), ("tmp/decisions.md", "9")]
    assert sorted(cited) == [*decided, (PLAN, str(moved))]
