"""Repositories for the examples of the documents, by the name of their state."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from demo import story
from tests.support import confidence_page, documents
from tests.support.repository import GitRepository

MEMORY = story.MEMORY
ENTRY = "## When a build hangs\n\nLook at the lock.\n"


@dataclass
class Place:
    """The place to run an example: a folder with a copy of the demo, and variables."""

    path: Path
    demo: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def repository(self) -> GitRepository:
        return GitRepository(self.path)

    def copy(self) -> GitRepository:
        """Fill the folder with the repository of the demo."""
        shutil.copytree(self.demo, self.path, symlinks=True)
        return self.repository

    def append(self, path: str, text: str) -> None:
        """Append to a file."""
        with (self.path / path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def _work_units(place: Place) -> None:
    """Create a repository with the raw files of the page about learning tiers."""
    for block in documents.of("json"):
        if block.page == "docs/tiers.md":
            name = json.loads(block.text)["workId"]
            place.repository.write(f".specwright/learnings/{name}.json", block.text)


def _duplicate(place: Place) -> None:
    place.copy()
    text = story.entries()[story.OLD_LESSON].replace("a cache", "a Cache")
    lesson = story.entries()[story.LAST_LESSON]
    memory = place.repository.read(MEMORY).decode().replace(f"\n{lesson}", f"\n{text}")
    place.repository.write(MEMORY, memory)


def _missing_space(place: Place) -> None:
    place.copy()
    place.append(MEMORY, "\n##When a queue fills up\n\nSlow the producer down.")


def _broken_baseline(place: Place) -> None:
    _duplicate(place)
    text = '{\n  "schema": "learnings.baseline/1",\n<<<<<<< HEAD\n  "findings": []\n'
    place.repository.write(".learnings-baseline.json", text)


def _long_target(place: Place) -> None:
    place.copy()
    lines = "A line.\n" * (402 - len(place.repository.read(story.SERVICES).splitlines()))
    place.append(story.SERVICES, lines)


def _full_target(place: Place) -> None:
    repository = GitRepository(place.path)
    sections = (("Queues", 120, ""), ("Retries", 95, "Until [the queue](#queues) is empty.\n\n"))
    text = "# Services\n\nWhat we know.\n\n"
    for title, lines, lead in (*sections, ("Logging", 190, "")):
        head = f"## {title}\n\n{lead}"
        text += head + "- A line.\n" * (lines - head.count("\n")) + "\n"
    repository.write("agents/decisions/services.md", text)
    repository.write("agents/decisions/cli.md", "# Cli\n\n[logs](services.md#logging)\n")
    rows = "## agents/decisions/services.md\n\nQueues — x\nRetries — y\nLogging — z\n"
    repository.write("agents/memory-index.md", f"# Index\n\n{rows}")
    repository.commit()


def _configured(place: Place) -> None:
    place.copy()
    place.append("learnings.toml", f'path = "{MEMORY}"\nsize-trigger = 200\n')


def _with_settings(text: str) -> Callable[[Place], None]:
    def prepare(place: Place) -> None:
        place.copy()
        place.append("learnings.toml", text)

    return prepare


def _untidy_index(place: Place) -> None:
    repository = place.repository
    builds = (
        "# Builds\n\n## When a build hangs\n\nLook.\n\n"
        "## How to read a log\n\n## .More\n\n### Caches\n"
    )
    repository.write("agents/decisions/builds.md", builds)
    index = (
        "# Memory index\n\n## agents/decisions/builds.md\n\nCaches — what is kept\n"
        "/how read a log | output, trace\n\n## agents/decisions/gone.md\n\n/when it is gone\n"
    )
    repository.write("agents/memory-index.md", index)


def _linked_index(place: Place) -> None:
    folder = ".claude/memory"
    for name, title, text in (
        ("builds", "Look at the lock", "builds that hang"),
        ("clock", "Freeze the clock", "tests that compare dates"),
    ):
        front = f"---\nname: {title}\ndescription: {text}\n---\n"
        place.repository.write(f"{folder}/{name}.md", f"{front}\nText.\n")
    rows = "- [Look at the lock](builds.md) — builds that hang\n- [Gone](gone.md)\n"
    place.repository.write(f"{folder}/MEMORY.md", f"# Memory\n\n{rows}")
    place.repository.commit()


def _renamed_headings(place: Place) -> None:
    repository, builds = place.repository, "agents/decisions/builds.md"
    row = "/when a build hangs | lock, timeout"
    repository.write("agents/memory-index.md", f"# Memory index\n\n## {builds}\n\n{row}\n")
    repository.write(builds, "# Builds\n\n## When a long build hangs\n\nLook.\n")
    repository.commit()


def _no_instructions(place: Place) -> None:
    place.repository.write(MEMORY, f"# Learnings\n\n{ENTRY}")
    place.repository.commit()


def _older_findings(place: Place) -> None:
    place.repository.write(MEMORY, f"# Learnings\n\n{ENTRY}\n{ENTRY}")
    place.repository.write(story.INSTRUCTIONS, story.IMPORT)
    place.repository.commit()
    place.append(MEMORY, f"\n{ENTRY}")


def _other_index_form(place: Place) -> None:
    _untidy_index(place)
    rows = "# Memory index\n\n**builds** — what is known of them → agents/decisions/builds.md\n"
    place.repository.write("agents/memory-index.md", rows)


def _untidy_agent(place: Place) -> None:
    front = "---\nname: memory-curator\ndescription: Keeps the memory in order.\n---\n"
    text = "First, `learnings due --form json` tells which entries are as old as\n"
    text += "`freshness` asks for, 8 days *(default 8)*.\n"
    place.repository.write(".claude/agents/curator.md", front + text)


def _blocked_index(place: Place) -> None:
    block = "<!-- INDEX:START -->\n\n## A\n\n<!-- INDEX:END -->\n"
    place.repository.write("lessons.md", f"# Lessons\n{block}\n{ENTRY}")
    place.repository.write("learnings.toml", 'index = "lessons.md"\nindex-form = "block"\n')


def _shallow(place: Place) -> None:
    GitRepository(place.demo).clone(depth=1, path=place.path)


def _no_commits(place: Place) -> None:
    place.repository.write("learnings.md", ENTRY)


def _untracked(place: Place) -> None:
    place.copy().write("lessons.md", ENTRY)


def _outside(place: Place) -> None:
    place.path.mkdir(parents=True)
    (place.path / "learnings.md").write_text(ENTRY, encoding="utf-8")


def _foreign(place: Place) -> None:
    place.copy()
    own = place.path.with_name("own.gitconfig")
    shutil.copy(os.environ["GIT_CONFIG_GLOBAL"], own)
    # git's own tests use it: git then takes every repository for someone else's.
    place.env |= {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": str(own)}


def _without_git(place: Place) -> None:
    place.copy()
    place.env["PATH"] = str(place.path)


def _submodule(place: Place) -> None:
    inner = GitRepository(place.path.with_name("inner"))
    inner.write("learnings.md", ENTRY)
    inner.commit()
    place.repository.git("submodule", "add", "--quiet", str(inner.path), "inner")
    place.repository.commit()


def _bare(place: Place) -> None:
    GitRepository(place.path, bare=True)


def _partial(place: Place) -> None:
    origin = GitRepository(place.path.with_name("origin"))
    shutil.rmtree(origin.path)
    shutil.copytree(place.demo, origin.path)
    origin.git("config", "uploadpack.allowFilter", "true")
    uri = origin.path.resolve().as_uri()
    origin.git("clone", "--quiet", "--filter=blob:none", uri, str(place.path))
    shutil.rmtree(origin.path)


def _damaged(place: Place) -> None:
    repository = place.copy()
    parent = repository.head("HEAD~3")
    lost = repository.path / ".git" / "objects" / parent[:2] / parent[2:]
    lost.chmod(0o600)
    lost.unlink()


def _resurrected(place: Place) -> None:
    """Merge a branch from before the consolidation, keeping both sides of the conflict."""
    repository = place.copy()
    consolidation = repository.git("rev-list", "-1", "--before=2026-03-28", "HEAD", "--", MEMORY)
    repository.branch("late", f"{consolidation}~1")
    repository.commit(date="2026-05-04")
    repository.checkout("main")
    title, _ = story.CONSOLIDATED[0]
    both = repository.read(MEMORY).decode() + f"\n{story.entries()[title]}"
    repository.merge("late", date="2026-05-05", resolve={MEMORY: both})


def _two_branches(place: Place) -> None:
    """Give each branch its own entry, and another text for an entry that both have."""
    repository = place.copy()
    repository.write(".gitattributes", f"{MEMORY} merge=learnings\n")
    repository.commit(date="2026-05-04")
    title = "How to bisect a flaky test"
    text = story.entries()[title]
    for branch, times, entry in (("night", 200, story.OTHER_LESSON), ("day", 50, ENTRY)):
        repository.branch(branch, "main")
        body = f"## {title}\n\nRun it {times} times in a loop.\n"
        memory = repository.read(MEMORY).decode().replace(text, body)
        repository.write(MEMORY, f"{memory}\n{entry}")
        repository.commit(date="2026-05-05")


def _union(place: Place) -> None:
    """Keep the lines of both branches after both filled in the same form."""
    repository = place.copy()
    repository.write(".gitattributes", f"{MEMORY} merge=union\n")
    repository.commit(date="2026-05-04")
    form = "**Area**: builds\n**Owner**: platform\n**Status**: open\n"
    lessons = {
        "night": ("When the cache is cold", "Warm it up before the suite."),
        "main": ("When the disk is full", "Remove the oldest images first."),
    }
    repository.branch("night", "main")
    for branch, (title, text) in lessons.items():
        repository.checkout(branch)
        memory = repository.read(MEMORY).decode()
        repository.write(MEMORY, f"{memory}\n## {title}\n\n{form}\n{text}\n")
        repository.commit(date="2026-05-05")
    repository.merge("night", date="2026-05-06")


def _two_files(place: Place) -> None:
    place.copy().write("docs/lessons.md", ENTRY)
    place.repository.commit()


def _elsewhere(place: Place) -> None:
    for path in ("wiki/learnings.md", "docs/Learnings.md"):
        place.repository.write(path, ENTRY)
    place.repository.commit()


def _notes_beside(place: Place) -> None:
    place.copy()
    place.path.with_name("notes.md").write_text(ENTRY, encoding="utf-8")


def _huge(place: Place) -> None:
    place.copy()
    place.append(MEMORY, "A line.\n" * 1024**2 + "\n")


def _lost_entry(place: Place) -> None:
    repository = place.copy()
    before, lost = repository.read("agents/learnings.md").decode().split("## When a job must", 1)
    after = lost.partition("\n## ")[2]
    repository.write("agents/learnings.md", f"{before}## {after}")


def _unstaged_archive(place: Place) -> None:
    _lost_entry(place)
    older = place.repository.git("show", "HEAD:agents/learnings.md")
    lost = older.partition("## When a job must")[2].partition("\n## ")[0]
    original = f"# Archive\n\n## Dropped: the queue sees to that\n\n## When a job must{lost}\n"
    place.repository.git("add", "--all")
    place.repository.write("agents/archive/learnings-consolidated-2026-04-02.md", original)


def _memory_diff(place: Place) -> None:
    """Reword one entry, archive another with a command, and add one."""
    resent = "## When a batch is resent\n\nThe carrier waits 48 hours and refuses it until then.\n"
    taken = "\n## When a port is taken\n\nKill the old server.\n"
    slow = "\n## When a job is slow\n\nLook at the index of the table first.\n"
    place.repository.write(MEMORY, f"# Learnings\n\n{resent}{taken}")
    place.repository.commit()
    place.repository.write(MEMORY, f"# Learnings\n\n{resent.replace('48', '84')}{slow}")
    fence = "~~~"
    original = f"\n{fence} markdown original\n{taken.lstrip()}{fence}\n"
    archive = f"# Archive\n\n## Dropped: the server picks a free port now\n{original}"
    place.repository.write("agents/archive/learnings-consolidated-2026-04-02.md", archive)


def _fleet(place: Place) -> None:
    shutil.copytree(place.demo, place.path / "api", symlinks=True)
    web = GitRepository(place.path / "web")
    web.write("README.md", "# Web\n")
    web.commit(date="2026-01-01")


STATES: dict[str, Callable[[Place], object]] = {
    "demo": Place.copy,
    "work-units": _work_units,
    "duplicate": _duplicate,
    "missing-space": _missing_space,
    "broken-baseline": _broken_baseline,
    "full-target": _full_target,
    "long-target": _long_target,
    "configured": _configured,
    "unknown-key": _with_settings("size-triger = 200\n"),
    "wrong-value": _with_settings('size-trigger = "many"\n'),
    "broken-toml": _with_settings("size-trigger = \n"),
    "linked-index": _linked_index,
    "untidy-index": _untidy_index,
    "renamed-headings": _renamed_headings,
    "older-findings": _older_findings,
    "no-instructions": _no_instructions,
    "other-index-form": _other_index_form,
    "untidy-agent": _untidy_agent,
    "blocked-index": _blocked_index,
    "shallow": _shallow,
    "no-commits": _no_commits,
    "untracked": _untracked,
    "outside": _outside,
    "fleet": _fleet,
    "foreign": _foreign,
    "without-git": _without_git,
    "submodule": _submodule,
    "bare": _bare,
    "partial": _partial,
    "damaged": _damaged,
    "resurrected": _resurrected,
    "two-branches": _two_branches,
    "two-files": _two_files,
    "union": _union,
    "lost-entry": _lost_entry,
    "unstaged-archive": _unstaged_archive,
    "memory-diff": _memory_diff,
    "huge": _huge,
    "elsewhere": _elsewhere,
    "notes-beside": _notes_beside,
    "empty": lambda place: place.repository,
    "story-1": confidence_page.story(1),
    "story-2": confidence_page.story(2),
    "story-3": confidence_page.story(3),
    "edited-memory": confidence_page.edited,
}
