"""The command `learnings diff`, in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

learnings = Command("learnings")
FILE, TARGET = "agents/learnings.md", "agents/decisions/queues.md"
ARCHIVE = "agents/archive/learnings-consolidated-2026-03-02.md"
RETRY = "## When a job is retried\n\nGive it a key, so that the second run finds the first one.\n\n"
LOCK = (
    "## When a lock is held\n\nWait 30 seconds at most, then fail with the name of its owner.\n\n"
)
CLOCK = (
    "## When clocks differ\n\nCompare the monotonic times of one machine and never two walls.\n\n"
)
CACHE = "## When a cache is cold\n\nWarm it from the last snapshot before traffic is let in.\n\n"
HEAD = "# Learnings\n\n"
MERGED = (
    "## Time and locks (consolidated)\n\n- Never compare two walls; wait 30 seconds at most.\n\n"
)


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, HEAD + RETRY + LOCK + CLOCK)
    repository.write(TARGET, "# Queues\n\nThey are small.\n")
    repository.commit()
    return repository


def archive(*parts: tuple[str, str]) -> str:
    blocks = (f"## {part}\n\n~~~ markdown original\n{entry}~~~\n\n" for part, entry in parts)
    return f"# Archive\n\n{''.join(blocks)}"


def kinds(memory: GitRepository, *words: str) -> dict[str, str]:
    done = learnings("diff", *words, "--format", "json", cwd=memory.path)
    assert (done.code, done.err) == (0, "")
    return {change["title"]: change["kind"] for change in done.json["changes"]}


def test_each_way_that_an_entry_can_go(memory: GitRepository) -> None:
    memory.write(FILE, HEAD + LOCK.replace("30", "90") + CACHE)
    memory.write(TARGET, f"# Queues\n\nThey are small.\n\n{RETRY}")
    memory.write(ARCHIVE, archive(("Dropped: one machine is left", CLOCK)))
    assert kinds(memory) == {
        "When a job is retried": "moved",
        "When a lock is held": "reworded",
        "When clocks differ": "dropped",
        "When a cache is cold": "added",
    }
    done = learnings("diff", cwd=memory.path)
    change = '"held Wait 30 seconds at" is now "held Wait 90 seconds at"'
    assert done.out.splitlines() == [
        f'{FILE}:3: moved: "When a job is retried": to {TARGET}:5',
        f'{FILE}:7: reworded: "When a lock is held": {change}',
        f'{FILE}:7: added: "When a cache is cold"',
        f'{FILE}:11: dropped: "When clocks differ": one machine is left ({ARCHIVE}:6)',
        "Adds 1 entry, rewords 1, moves 1, drops 1.",
    ]


def test_merged_lost_and_back_again(memory: GitRepository) -> None:
    memory.write(FILE, HEAD + CACHE + MERGED)
    memory.write(
        ARCHIVE, archive(("Group: Time and locks", LOCK), ("Group: Time and locks", CLOCK))
    )
    memory.commit()
    first = kinds(memory, "HEAD~1", "HEAD")
    assert first == {
        "When a job is retried": "lost",
        "When a lock is held": "merged",
        "When clocks differ": "merged",
        "When a cache is cold": "added",
        "Time and locks (consolidated)": "added",
    }
    memory.write(FILE, HEAD + CACHE + MERGED + CLOCK)
    assert kinds(memory) == {"When clocks differ": "came-back"}
    markdown = learnings("diff", "HEAD~1", "--format", "markdown", cwd=memory.path).out
    assert markdown.startswith("Adds 2 entries, merges 1, loses 1.\n\n- **lost** `When a job")


def test_an_entry_in_the_archive_left_as_its_part_says(memory: GitRepository) -> None:
    parts = (f"Group: moved to {TARGET}", LOCK), ("Group: joined When a job is retried", CLOCK)
    memory.write(FILE, HEAD + RETRY)
    memory.write(ARCHIVE, archive(*parts))
    done = learnings("diff", cwd=memory.path)
    assert [line.partition(": ")[2].rpartition(" (")[0] for line in done.out.splitlines()[:2]] == [
        f'moved: "When a lock is held": to {TARGET}',
        'merged: "When clocks differ": into When a job is retried',
    ]


def test_an_entry_of_a_renamed_file_moves_once(memory: GitRepository) -> None:
    memory.git("mv", FILE, "LEARNINGS.md")
    assert learnings("diff", cwd=memory.path).out.splitlines() == [
        f'{FILE}:{line}: moved: "{title}": to LEARNINGS.md:{line}'
        for line, title in ((3, "When a job is retried"), (7, "When a lock is held"))
    ] + [f'{FILE}:11: moved: "When clocks differ": to LEARNINGS.md:11', "Moves 3 entries."]


def test_nothing_to_show(memory: GitRepository) -> None:
    memory.write(FILE, HEAD + CLOCK + LOCK.replace("most, then", "most,\nthen") + RETRY)
    done = learnings("diff", cwd=memory.path)
    assert (done.code, done.out, done.err) == (0, "No entry changed.\n", "")


@pytest.mark.parametrize("words", [("no-such",), ("HEAD", "no-such"), ("-x",)])
def test_a_name_of_no_commit(memory: GitRepository, words: tuple[str, ...]) -> None:
    done = learnings("diff", *words, cwd=memory.path)
    assert (done.code, done.out) == (2, "")


TEXT = """\
# Title

#### Deep

## When `x` hangs

### .Group

```
## no heading
```

##

## Last
"""


NESTED = """\
- `Title` (line 1)
  - `Deep` (line 3)
  - ``When `x` hangs`` (line 5)
    - `.Group` (line 7)
  - `Last` (line 15)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((), NESTED),
        (
            ("--depth", "2"),
            "- `Title` (line 1)\n  - ``When `x` hangs`` (line 5)\n  - `Last` (line 15)\n",
        ),
        (("--depth=1",), "- `Title` (line 1)\n"),
    ],
)
def test_list(learnings: Command, file: Path, words: tuple[str, ...], shown: str) -> None:
    run = learnings("index", "a.md", *words, cwd=file.parent)
    assert (run.code, run.out, run.err) == (0, shown, "")


def test_document(learnings: Command, file: Path) -> None:
    run = learnings("index", "a.md", "--format", "json", "--depth", "3", cwd=file.parent)
    assert run.json["file"] == "a.md"
    headings = [tuple(heading.values()) for heading in run.json["headings"]]
    assert headings == [
        ("Title", 1, 1, 15, False),
        ("When `x` hangs", 2, 5, 12, False),
        (".Group", 3, 7, 12, True),
        ("Last", 2, 15, 15, False),
    ]


@pytest.mark.parametrize("depth", ["0", "7", "x", ""])
def test_depth_is_a_level(learnings: Command, file: Path, depth: str) -> None:
    run = learnings("index", "a.md", "--depth", depth, cwd=file.parent)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("data", [b"", b"\0\xff", b"\xef\xbb\xbf## \x1b[31mred\n", b"# \xff\n"])
def test_any_bytes(learnings: Command, file: Path, data: bytes) -> None:
    file.write_bytes(data)
    for form in ("markdown", "json"):
        run = learnings("index", "a.md", "--format", form, cwd=file.parent)
        assert (run.code, run.err) == (0, "")
        assert "\x1b" not in run.out
    assert file.read_bytes() == data


@pytest.mark.parametrize("name", ["gone.md", ".", ""])
def test_what_is_not_a_file_is_one_sentence(learnings: Command, file: Path, name: str) -> None:
    run = learnings("index", name, cwd=file.parent)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
