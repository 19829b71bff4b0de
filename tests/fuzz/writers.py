"""The commands that write, each with a repository in which it has something to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from learnings.core.entries.document import digest_of, read
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.scored_memory import write_memory
from tests.support.tier_stores import FOLDER, raw_file

MEMORY, TARGET, INDEX = "agents/learnings.md", "agents/decisions/cli.md", "agents/memory-index.md"
PLAN = "docs/plan.md"
APPLY = ("apply", PLAN, "--as-proposed", "--now=2026-03-02T14:05:00")
GONE = "When this leaves"
HOOKS = "repos:\n-   repo: local\n    hooks: []\n"
TOPICS = ("a cache is cold", "a queue is full", "a build hangs", "a lock is old", "a disk fills")

Prepare = Callable[[GitRepository, Random], object]


class Writer(NamedTuple):
    """A call of a command or hook; `prepare` writes and commits the files that it is called for.

    falls_back: where something fails it does less, and says so: it is killed only.
    """

    words: tuple[str, ...]
    prepare: Prepare
    program: str = "learnings"
    env: Mapping[str, str] = {}
    falls_back: bool = False


def raw_files(repository: GitRepository, random: Random) -> None:
    """Findings of three to eight work units, of which those about one thing become a theme."""
    for number in range(random.randint(3, 8)):
        topics = random.sample(TOPICS, random.randint(1, 3))
        findings = [(f"Look first when {topic}", f"It failed on day {number}.") for topic in topics]
        repository.write(f"{FOLDER}/WU-{number}.json", raw_file(f"WU-{number}", findings))
    repository.commit(date="2026-01-01")


def entries(random: Random, *, faulty: bool = True) -> str:
    """Return entries of a memory, some with what `fix` fixes."""
    lines = []
    for number, topic in enumerate(random.sample(TOPICS, random.randint(3, 5))):
        marks = "##" if faulty and (number == 0 or random.random() < 0.3) else "## "
        lines.append(f"{marks}When {topic}\n\n{'Look at it. ' * random.randint(1, 400)}\n")
    text = "\n".join(lines)
    return text.rstrip("\n") if faulty and random.random() < 0.5 else text


def memory(repository: GitRepository, random: Random) -> None:
    """Write files with findings, in one to three folders.

    Instructions name them, because the rule `memory-not-loaded` finds nothing if the disk fails.
    """
    paths = [f"{folder}{MEMORY}" for folder in ("", "docs/", "tools/deep/")[: random.randint(1, 3)]]
    for path in paths:
        repository.write(path, f"# Learnings\n\n{entries(random)}")
    repository.write("AGENTS.md", "\n".join(f"- {path}" for path in paths))
    repository.write(TARGET, f"# Decisions\n\n{entries(random, faulty=False)}")
    repository.commit(date="2026-01-01")


def with_baseline(repository: GitRepository, random: Random) -> None:
    repository.write(MEMORY, "# Learnings\n\n## When nothing holds\n\ntext\n\n" * 2)
    Command("learnings")("baseline", cwd=repository.path)
    memory(repository, random)


def index(repository: GitRepository, random: Random) -> None:
    """A memory index that lacks rows and has orphans."""
    memory(repository, random)
    repository.write(INDEX, f"# Index\n\n## {TARGET}\n\n/when nothing is left\n")
    repository.commit(date="2026-01-02")


def due(repository: GitRepository, random: Random) -> None:
    repository.write(MEMORY, f"# Learnings\n\n{entries(random, faulty=False)}")
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=random.randint(15, 30))


def with_tasks(repository: GitRepository, random: Random) -> None:
    due(repository, random)
    repository.write("TASKS.md", "# Tasks\n\n- [ ] Something else\n")
    repository.commit(date="2026-01-01")


def to_set_up(repository: GitRepository, random: Random) -> None:
    """A repository in which nothing is set up, with a hook configuration or without."""
    memory(repository, random)
    if random.random() < 0.7:
        repository.write(".pre-commit-config.yaml", HOOKS)
        repository.write(".gitignore", "build/\n")
    repository.commit(date="2026-01-02")


def three_sides(repository: GitRepository, random: Random) -> None:
    """The three files that git hands to a merge driver: both sides added an entry."""
    base = f"# Learnings\n\n{entries(random, faulty=False)}\n"
    repository.write("base.md", base)
    repository.write("ours.md", f"{base}## When ours is added\n\nours\n")
    repository.write("theirs.md", f"{base}## When theirs is added\n\ntheirs\n")
    repository.commit(date="2026-01-01")


def planned(repository: GitRepository, random: Random) -> None:
    """Write the same with a target file, and a plan that drops one entry and moves another."""
    repository.write(TARGET, "# Decisions\n\n## When caches fail\n\ntext\n")
    due(repository, random)
    Command("learnings")("plan", MEMORY, "--output", PLAN, cwd=repository.path)
    plan = repository.read(PLAN).decode()
    for step in ("## drop nobody needs it", f"## move to {TARGET}"):
        plan = plan.replace("\n## keep\n", f"\n{step}\n", 1)
    repository.write(PLAN, plan)
    repository.commit(date="2026-03-01")


def leaving(repository: GitRepository, random: Random) -> None:
    leaves = f"## {GONE}\n\ntext\n\n"
    repository.write(MEMORY, f"# Learnings\n\n{leaves}{entries(random, faulty=False)}")
    repository.commit(date="2026-01-01")


def archived(repository: GitRepository, random: Random) -> None:
    leaving(repository, random)
    Command("learnings")("archive", GONE, "--reason=gone", cwd=repository.path)
    repository.commit(date="2026-02-21")


def decided(repository: GitRepository, random: Random) -> None:
    leaving(repository, random)
    text = f"# Plan\n\nFile: {MEMORY}\n\n## keep\n\n"
    entry = next(e for e in read(repository.read(MEMORY)).entries if e.heading == GONE)
    repository.write(PLAN, f"{text}- `{digest_of(entry)}` {GONE}\n")
    Command("learnings")("apply", PLAN, cwd=repository.path)
    repository.commit(date="2026-02-21")


def applied(repository: GitRepository, random: Random) -> None:
    planned(repository, random)
    Command("learnings")(*APPLY, cwd=repository.path)
    repository.commit(date="2026-03-02")


def scored(repository: GitRepository, random: Random) -> None:
    """A confidence memory with stories that were not captured yet."""
    del random
    write_memory(repository)


def full_target(repository: GitRepository, random: Random) -> None:
    """A full target file with links between its sections, an index of it, and a link into it."""
    sections = "".join(
        f"## When {topic}\n\n[it](#when-{TOPICS[0].replace(' ', '-')})\n"
        + "- Look at it.\n" * random.randint(80, 290)
        + "\n"
        for topic in TOPICS
    )
    repository.write(TARGET, f"# Decisions\n\n{sections}")
    rows = "\n".join(f"/when {topic}" for topic in TOPICS)
    repository.write(INDEX, f"# Index\n\n## {TARGET}\n\n{rows}\n")
    name = TARGET.rpartition("/")[2]
    repository.write(f"{TARGET}.links.md", f"[it]({name}#when-a-build-hangs)\n")
    repository.commit(date="2026-01-01")


WRITERS = (
    Writer(("fix",), memory),
    Writer(("fix",), with_baseline),
    Writer(("check", "--fix"), memory),
    Writer(("fix", "--role=index", "--add-missing"), index),
    Writer((INDEX,), index, program="memory-index-fix"),
    Writer((MEMORY,), memory, program="learnings-fix"),
    Writer(("init",), to_set_up),
    Writer(("init", "--github"), to_set_up),
    Writer(("init", "--gitlab"), to_set_up),
    Writer(("baseline",), memory),
    Writer(("baseline", "--prune"), with_baseline),
    Writer(("notify", "file"), due),
    Writer(("notify", "file"), with_tasks),
    Writer(("notify", "file", "--commit"), with_tasks),
    Writer(("plan", MEMORY, "--output", PLAN), due, falls_back=True),
    Writer(APPLY, planned),
    Writer(("archive", GONE, "--reason=gone"), leaving),
    Writer(("report", PLAN, "--consolidation"), applied),
    Writer(("archive", GONE, "--restore"), archived),
    Writer(("resolve", GONE), decided),
    Writer(("report", "--output=page.html"), due, falls_back=True),
    Writer(("report", "--badge", "--output=badge.svg"), due, falls_back=True),
    Writer(("fleet", "scan", ".", "--output=fleet.txt"), due, falls_back=True),
    Writer(("memory", "curate", "--today=2026-06-01"), scored, falls_back=True),
    Writer(("split", TARGET, "--apply"), full_target),
    Writer(("tiers", "compact", "--now=2026-04-07T12:00:00Z"), raw_files, falls_back=True),
    Writer(
        ("merge-driver", "base.md", "ours.md", "theirs.md", MEMORY), three_sides, falls_back=True
    ),
    Writer(("ages", "--format=json"), due),  # the last three write the cache
    Writer(("due", "--format=json"), due),
    Writer(("batch", "--format=json"), due),
)

BY_WAY_OF = {"lsp": "archive"}
"""Commands that write only by running another one, which is tried above."""


def build(writer: Writer, folder: Path, random: Random) -> None:
    writer.prepare(GitRepository(folder), random)
