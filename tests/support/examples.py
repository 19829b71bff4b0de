"""Repositories for the examples of the documents, by the name of their state."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from demo import story
from tests.support import documents
from tests.support.command import Command
from tests.support.repository import GitRepository

MEMORY = story.MEMORY
ENTRY = "## When a build hangs\n\nLook at the lock.\n"
INDEX, BUILDS = "agents/memory-index.md", "agents/decisions/builds.md"
ARCHIVE = "agents/archive/learnings-consolidated-2026-04-02.md"
# The days on which the stories of docs/confidence.md are completed.
DAYS = ("2026-03-02", "2026-03-09", "2026-03-16")


@dataclass
class Place:
    """The place to run an example: a folder, the repository of the demo, and variables."""

    path: Path
    parcels: Path
    env: dict[str, str] = field(default_factory=dict)

    @cached_property
    def repository(self) -> GitRepository:
        return GitRepository(self.path)

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            self.repository.write(path, text)

    def append(self, path: str, text: str) -> None:
        self.write({path: self.read(path) + text if (self.path / path).exists() else text})

    def read(self, path: str) -> str:
        return self.repository.read(path).decode()

    def commit(self, files: dict[str, str], date: str = "2026-03-01") -> None:
        self.write(files)
        self.repository.commit(date=date)

    def beside(self, name: str) -> GitRepository:
        return GitRepository(self.path.with_name(name))


class State(Place):
    """A place with a method for each state, which has `-` for `_` in its name."""

    def empty(self) -> None:
        GitRepository(self.path)

    def demo(self) -> None:
        """Fill the folder with the repository of the demo."""
        shutil.copytree(self.parcels, self.path, symlinks=True)

    def work_units(self) -> None:
        """Write the raw files of the page about learning tiers."""
        for block in documents.of("json"):
            if block.page == "docs/tiers.md":
                name = json.loads(block.text)["workId"]
                self.write({f".specwright/learnings/{name}.json": block.text})

    def duplicate(self) -> None:
        self.demo()
        text = story.entries()[story.OLD_LESSON].replace("a cache", "a Cache")
        lesson = story.entries()[story.LAST_LESSON]
        self.write({MEMORY: self.read(MEMORY).replace(f"\n{lesson}", f"\n{text}")})

    def missing_space(self) -> None:
        self.demo()
        self.append(MEMORY, "\n##When a queue fills up\n\nSlow the producer down.")

    def broken_baseline(self) -> None:
        self.duplicate()
        text = '{\n  "schema": "learnings.baseline/1",\n<<<<<<< HEAD\n  "findings": []\n'
        self.write({".learnings-baseline.json": text})

    def long_target(self) -> None:
        self.demo()
        self.append(story.SERVICES, "A line.\n" * (402 - self.read(story.SERVICES).count("\n")))

    def full_target(self) -> None:
        sections = (
            ("Queues", 120, ""),
            ("Retries", 95, "Until [the queue](#queues) is empty.\n\n"),
        )
        text = "# Services\n\nWhat we know.\n\n"
        for title, lines, lead in (*sections, ("Logging", 190, "")):
            head = f"## {title}\n\n{lead}"
            text += head + "- A line.\n" * (lines - head.count("\n")) + "\n"
        rows = "## agents/decisions/services.md\n\nQueues — x\nRetries — y\nLogging — z\n"
        cli = "# Cli\n\n[logs](services.md#logging)\n"
        targets = {"agents/decisions/services.md": text, "agents/decisions/cli.md": cli}
        self.commit({**targets, INDEX: f"# Index\n\n{rows}"})

    def configured(self) -> None:
        self._set(f'path = "{MEMORY}"\nsize-trigger = 200\n')

    def unknown_key(self) -> None:
        self._set("size-triger = 200\n")

    def wrong_value(self) -> None:
        self._set('size-trigger = "many"\n')

    def broken_toml(self) -> None:
        self._set("size-trigger = \n")

    def _set(self, settings: str) -> None:
        self.demo()
        self.append("learnings.toml", settings)

    def untidy_index(self) -> None:
        titles = (
            "## When a build hangs\n\nLook.\n\n## How to read a log\n\n## .More\n\n### Caches\n"
        )
        rows = f"## {BUILDS}\n\nCaches — what is kept\n/how read a log | output, trace\n"
        gone = "\n## agents/decisions/gone.md\n\n/when it is gone\n"
        self.write({BUILDS: f"# Builds\n\n{titles}", INDEX: f"# Memory index\n\n{rows}{gone}"})

    def other_index_form(self) -> None:
        self.untidy_index()
        self.write({INDEX: f"# Memory index\n\n**builds** — what is known of them → {BUILDS}\n"})

    def linked_index(self) -> None:
        folder = ".claude/memory"
        rows = "- [Look at the lock](builds.md) — builds that hang\n- [Gone](gone.md)\n"
        lock = "---\nname: Look at the lock\ndescription: builds that hang\n---\n"
        clock = "---\nname: Freeze the clock\ndescription: tests that compare dates\n---\n"
        topics = {f"{folder}/builds.md": lock, f"{folder}/clock.md": clock}
        files = {name: f"{front}\nText.\n" for name, front in topics.items()}
        self.commit({**files, f"{folder}/MEMORY.md": f"# Memory\n\n{rows}"})

    def renamed_headings(self) -> None:
        index = f"# Memory index\n\n## {BUILDS}\n\n/when a build hangs | lock, timeout\n"
        self.commit({INDEX: index, BUILDS: "# Builds\n\n## When a long build hangs\n\nLook.\n"})

    def no_instructions(self) -> None:
        self.commit({MEMORY: f"# Learnings\n\n{ENTRY}"})

    def older_findings(self) -> None:
        twice = f"# Learnings\n\n{ENTRY}\n{ENTRY}"
        self.commit({MEMORY: twice, story.INSTRUCTIONS: story.IMPORT})
        self.append(MEMORY, f"\n{ENTRY}")

    def untidy_agent(self) -> None:
        front = "---\nname: memory-curator\ndescription: Keeps the memory in order.\n---\n"
        text = "First, `learnings due --form json` tells which entries are as old as\n"
        text += "`freshness` asks for, 8 days *(default 8)*.\n"
        self.write({".claude/agents/curator.md": front + text})

    def blocked_index(self) -> None:
        block = "<!-- INDEX:START -->\n\n## A\n\n<!-- INDEX:END -->\n"
        settings = 'index = "lessons.md"\nindex-form = "block"\n'
        self.write({"lessons.md": f"# Lessons\n{block}\n{ENTRY}", "learnings.toml": settings})

    def shallow(self) -> None:
        GitRepository(self.parcels).clone(depth=1, path=self.path)

    def no_commits(self) -> None:
        self.write({"learnings.md": ENTRY})

    def untracked(self) -> None:
        self.demo()
        self.write({"lessons.md": ENTRY})

    def outside(self) -> None:
        self.path.mkdir(parents=True)
        (self.path / "learnings.md").write_text(ENTRY, encoding="utf-8")

    def foreign(self) -> None:
        self.demo()
        own = self.path.with_name("own.gitconfig")
        shutil.copy(os.environ["GIT_CONFIG_GLOBAL"], own)
        # git's own tests use it: git then takes every repository for someone else's.
        self.env |= {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": str(own)}

    def without_git(self) -> None:
        self.demo()
        self.env["PATH"] = str(self.path)

    def submodule(self) -> None:
        inner = self.beside("inner")
        inner.write("learnings.md", ENTRY)
        inner.commit()
        self.repository.git("submodule", "add", "--quiet", str(inner.path), "inner")
        self.repository.commit()

    def bare(self) -> None:
        GitRepository(self.path, bare=True)

    def partial(self) -> None:
        origin = self.path.with_name("origin")
        shutil.copytree(self.parcels, origin)
        repository = GitRepository(origin)
        repository.git("config", "uploadpack.allowFilter", "true")
        uri = origin.resolve().as_uri()
        repository.git("clone", "--quiet", "--filter=blob:none", uri, str(self.path))
        shutil.rmtree(origin)

    def damaged(self) -> None:
        self.demo()
        parent = self.repository.head("HEAD~3")
        lost = self.path / ".git" / "objects" / parent[:2] / parent[2:]
        lost.chmod(0o600)
        lost.unlink()

    def resurrected(self) -> None:
        """Merge a branch from before the consolidation, keeping both sides of the conflict."""
        self.demo()
        since = ("rev-list", "-1", "--before=2026-03-28", "HEAD", "--", MEMORY)
        self.repository.branch("late", f"{self.repository.git(*since)}~1")
        self.repository.commit(date="2026-05-04")
        self.repository.checkout("main")
        title, _ = story.CONSOLIDATED[0]
        both = f"{self.read(MEMORY)}\n{story.entries()[title]}"
        self.repository.merge("late", date="2026-05-05", resolve={MEMORY: both})

    def two_branches(self) -> None:
        """Give each branch its own entry, and another text for an entry that both have."""
        self.demo()
        self.commit({".gitattributes": f"{MEMORY} merge=learnings\n"}, "2026-05-04")
        title = "How to bisect a flaky test"
        for branch, times, entry in (("night", 200, story.OTHER_LESSON), ("day", 50, ENTRY)):
            self.repository.branch(branch, "main")
            body = f"## {title}\n\nRun it {times} times in a loop.\n"
            memory = self.read(MEMORY).replace(story.entries()[title], body)
            self.commit({MEMORY: f"{memory}\n{entry}"}, "2026-05-05")

    def union(self) -> None:
        """Keep the lines of both branches after both filled in the same form."""
        self.demo()
        self.commit({".gitattributes": f"{MEMORY} merge=union\n"}, "2026-05-04")
        form = "**Area**: builds\n**Owner**: platform\n**Status**: open\n"
        warm = f"## When the cache is cold\n\n{form}\nWarm it up before the suite.\n"
        remove = f"## When the disk is full\n\n{form}\nRemove the oldest images first.\n"
        self.repository.branch("night", "main")
        for branch, entry in (("night", warm), ("main", remove)):
            self.repository.checkout(branch)
            self.commit({MEMORY: f"{self.read(MEMORY)}\n{entry}"}, "2026-05-05")
        self.repository.merge("night", date="2026-05-06")

    def two_files(self) -> None:
        self.demo()
        self.commit({"docs/lessons.md": ENTRY})

    def elsewhere(self) -> None:
        self.commit({"wiki/learnings.md": ENTRY, "docs/Learnings.md": ENTRY})

    def notes_beside(self) -> None:
        self.demo()
        self.path.with_name("notes.md").write_text(ENTRY, encoding="utf-8")

    def huge(self) -> None:
        self.demo()
        self.append(MEMORY, "A line.\n" * 1024**2 + "\n")

    def lost_entry(self) -> str:
        """Remove an entry from the memory and return its text."""
        self.demo()
        before, lost = self.read(MEMORY).split("## When a job must", 1)
        text, _, after = lost.partition("\n## ")
        self.write({MEMORY: f"{before}## {after}"})
        return f"## When a job must{text}\n"

    def unstaged_archive(self) -> None:
        lost = self.lost_entry()
        self.repository.git("add", "--all")
        self.write({ARCHIVE: f"# Archive\n\n## Dropped: the queue sees to that\n\n{lost}"})

    def memory_diff(self) -> None:
        """Reword one entry, archive another with a command, and add one."""
        resent = (
            "## When a batch is resent\n\nThe carrier waits 48 hours and refuses it until then.\n"
        )
        taken = "## When a port is taken\n\nKill the old server.\n"
        slow = "\n## When a job is slow\n\nLook at the index of the table first.\n"
        self.commit({MEMORY: f"# Learnings\n\n{resent}\n{taken}"})
        self.write({MEMORY: f"# Learnings\n\n{resent.replace('48', '84')}{slow}"})
        original = f"\n~~~ markdown original\n{taken}~~~\n"
        archive = f"# Archive\n\n## Dropped: the server picks a free port now\n{original}"
        self.write({ARCHIVE: archive})

    def fleet(self) -> None:
        shutil.copytree(self.parcels, self.path / "api", symlinks=True)
        web = GitRepository(self.path / "web")
        web.write("README.md", "# Web\n")
        web.commit(date="2026-01-01")

    def story_1(self) -> None:
        self._story(1)

    def story_2(self) -> None:
        self._story(2)

    def story_3(self) -> None:
        self._story(3)

    def edited_memory(self) -> None:
        """Commit the memory of the page, then change a confidence in it by hand."""
        self._story(3)
        self._curate(DAYS[2])
        self.repository.commit()
        principles = ".shaktra/memory/principles.yml"
        text = self.read(principles).replace("confidence: 0.76", "confidence: 0.90")
        self.write({principles: text})

    def _story(self, number: int) -> None:
        """Write what docs/confidence.md has when a story has ended, the earlier ones curated."""
        shown = [block for block in documents.of("yaml") if "file" in block.directives]
        for block, day in zip(shown[:number], DAYS, strict=False):
            path = block.directives["file"]
            handoff = path.replace(".observations.yml", "handoff.yml")
            self.write({path: block.text, handoff: f"completed: {day}\n"})
            if day != DAYS[number - 1]:
                self._curate(day)
        exports = "Exports are uploads to the object store. A worker takes them from a queue"
        self.write({"ST-004.md": f"{exports} at night.\n"})

    def _curate(self, day: str) -> None:
        Command("learnings")("memory", "curate", "--today", day, cwd=self.path)


STATES = {
    name.replace("_", "-"): prepare
    for name, prepare in vars(State).items()
    if callable(prepare) and not name.startswith("_")
}
