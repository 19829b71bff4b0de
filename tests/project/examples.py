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
TOPICS = ".claude/memory"
ARCHIVE = "agents/archive/learnings-consolidated-2026-04-02.md"
# The days on which the stories of docs/confidence.md are completed.
DAYS = ("2026-03-02", "2026-03-09", "2026-03-16")


BLOCK = "<!-- INDEX:START -->\n\n## A\n\n<!-- INDEX:END -->\n"
CURATOR = "---\nname: memory-curator\ndescription: Keeps the memory in order.\n---\n"
WRITTEN = {
    "no-commits": {"learnings.md": ENTRY},
    "untidy-agent": {
        ".claude/agents/curator.md": f"{CURATOR}First, `learnings due --form json` tells which "
        "entries are as old as\n`freshness` asks for, 8 days *(default 8)*.\n"
    },
    "blocked-index": {
        "lessons.md": f"# Lessons\n{BLOCK}\n{ENTRY}",
        "learnings.toml": 'index = "lessons.md"\nindex-form = "block"\n',
    },
}
COMMITTED = {
    "no-instructions": {MEMORY: f"# Learnings\n\n{ENTRY}"},
    "elsewhere": {"wiki/learnings.md": ENTRY, "docs/Learnings.md": ENTRY},
    "renamed-headings": {
        INDEX: f"# Memory index\n\n## {BUILDS}\n\n/when a build hangs | lock, timeout\n",
        BUILDS: "# Builds\n\n## When a long build hangs\n\nLook.\n",
    },
    "linked-index": {
        f"{TOPICS}/builds.md": "---\nname: Look at the lock\ndescription: builds that hang\n---\n",
        f"{TOPICS}/clock.md": "---\nname: Freeze the clock\ndescription: tests about dates\n---\n",
        f"{TOPICS}/MEMORY.md": "# Memory\n\n- [Look at the lock](builds.md) — builds that hang\n"
        "- [Gone](gone.md)\n",
    },
}
APPENDED = {  # to the repository of the demo
    "demo": {},
    "untracked": {"lessons.md": ENTRY},
    "missing-space": {MEMORY: "\n##When a queue fills up\n\nSlow the producer down."},
    "huge": {MEMORY: "A line.\n" * 1024**2 + "\n"},
    "configured": {"learnings.toml": f'path = "{MEMORY}"\nsize-trigger = 200\n'},
    "unknown-key": {"learnings.toml": "size-triger = 200\n"},
    "wrong-value": {"learnings.toml": 'size-trigger = "many"\n'},
    "broken-toml": {"learnings.toml": "size-trigger = \n"},
}


@dataclass
class State:
    """The place to run an example, with a method for each state that is no row above.

    The name of a method has `_` for `-`; `parcels` is the repository of the demo.
    """

    path: Path
    parcels: Path
    env: dict[str, str] = field(default_factory=dict)

    def prepare(self, state: str) -> None:
        if state in APPENDED:
            self._demo()
            for path, text in APPENDED[state].items():
                self._append(path, text)
        elif state in COMMITTED:
            self._commit(COMMITTED[state])
        elif state in WRITTEN:
            self._write(WRITTEN[state])
        elif state.startswith("story-"):
            self._story(int(state[-1]))
        else:
            getattr(self, state.replace("-", "_"))()

    @cached_property
    def _repository(self) -> GitRepository:
        return GitRepository(self.path)

    def _demo(self) -> None:
        shutil.copytree(self.parcels, self.path, symlinks=True)

    def _write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            self._repository.write(path, text)

    def _append(self, path: str, text: str) -> None:
        self._write({path: self._read(path) + text if (self.path / path).exists() else text})

    def _read(self, path: str) -> str:
        return self._repository.read(path).decode()

    def _commit(self, files: dict[str, str], date: str = "2026-03-01") -> None:
        self._write(files)
        self._repository.commit(date=date)

    def empty(self) -> None:
        GitRepository(self.path)

    def work_units(self) -> None:
        """Write the raw files of the page about learning tiers."""
        for block in documents.of("json"):
            if block.page == "docs/tiers.md":
                name = json.loads(block.text)["workId"]
                self._write({f".specwright/learnings/{name}.json": block.text})

    def duplicate(self) -> None:
        self._demo()
        text = story.entries()[story.OLD_LESSON].replace("a cache", "a Cache")
        lesson = story.entries()[story.LAST_LESSON]
        self._write({MEMORY: self._read(MEMORY).replace(f"\n{lesson}", f"\n{text}")})

    def broken_baseline(self) -> None:
        self.duplicate()
        text = '{\n  "schema": "learnings.baseline/1",\n<<<<<<< HEAD\n  "findings": []\n'
        self._write({".learnings-baseline.json": text})

    def long_target(self) -> None:
        self._demo()
        self._append(story.SERVICES, "A line.\n" * (402 - self._read(story.SERVICES).count("\n")))

    def full_target(self) -> None:
        text = "# Services\n\nWhat we know.\n\n"
        links = {"Retries": "Until [the queue](#queues) is empty.\n\n"}
        for title, lines in (("Queues", 120), ("Retries", 95), ("Logging", 190)):
            head = f"## {title}\n\n{links.get(title, '')}"
            text += head + "- A line.\n" * (lines - head.count("\n")) + "\n"
        rows = "## agents/decisions/services.md\n\nQueues — x\nRetries — y\nLogging — z\n"
        cli = "# Cli\n\n[logs](services.md#logging)\n"
        targets = {"agents/decisions/services.md": text, "agents/decisions/cli.md": cli}
        self._commit({**targets, INDEX: f"# Index\n\n{rows}"})

    def untidy_index(self) -> None:
        titles = "## When a build hangs\n\nLook.\n\n## How to read a log\n\n## .M\n\n### Caches\n"
        rows = f"## {BUILDS}\n\nCaches — what is kept\n/how read a log | output, trace\n"
        gone = "\n## agents/decisions/gone.md\n\n/when it is gone\n"
        self._write({BUILDS: f"# Builds\n\n{titles}", INDEX: f"# Memory index\n\n{rows}{gone}"})

    def other_index_form(self) -> None:
        self.untidy_index()
        table = f"| File | Key |\n|---|---|\n| {BUILDS} | When a build hangs |\n"
        self._write({INDEX: f"# Memory index\n\n{table}"})

    def older_findings(self) -> None:
        twice = f"# Learnings\n\n{ENTRY}\n{ENTRY}"
        self._commit({MEMORY: twice, story.INSTRUCTIONS: story.IMPORT})
        self._append(MEMORY, f"\n{ENTRY}")

    def shallow(self) -> None:
        GitRepository(self.parcels).clone(depth=1, path=self.path)

    def outside(self) -> None:
        self.path.mkdir(parents=True)
        (self.path / "learnings.md").write_text(ENTRY, encoding="utf-8")

    def foreign(self) -> None:
        self._demo()
        own = self.path.with_name("own.gitconfig")
        shutil.copy(os.environ["GIT_CONFIG_GLOBAL"], own)
        # git's own tests use it: git then takes every repository for someone else's.
        self.env |= {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": str(own)}

    def without_git(self) -> None:
        self._demo()
        self.env["PATH"] = str(self.path)

    def submodule(self) -> None:
        inner = GitRepository(self.path.with_name("inner"))
        inner.write("learnings.md", ENTRY)
        inner.commit()
        self._repository.git("submodule", "add", "--quiet", str(inner.path), "inner")
        self._repository.commit()

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
        self._demo()
        parent = self._repository.head("HEAD~3")
        lost = self.path / ".git" / "objects" / parent[:2] / parent[2:]
        lost.chmod(0o600)
        lost.unlink()

    def resurrected(self) -> None:
        """Merge a branch from before the consolidation, keeping both sides of the conflict."""
        self._demo()
        since = ("rev-list", "-1", "--before=2026-03-28", "HEAD", "--", MEMORY)
        self._repository.branch("late", f"{self._repository.git(*since)}~1")
        self._repository.commit(date="2026-05-04")
        self._repository.checkout("main")
        title, _ = story.CONSOLIDATED[0]
        both = f"{self._read(MEMORY)}\n{story.entries()[title]}"
        self._repository.merge("late", date="2026-05-05", resolve={MEMORY: both})

    def two_branches(self) -> None:
        """Give each branch its own entry, and another text for an entry that both have."""
        self._demo()
        self._commit({".gitattributes": f"{MEMORY} merge=learnings\n"}, "2026-05-04")
        title = "How to bisect a flaky test"
        for branch, times, entry in (("night", 200, story.OTHER_LESSON), ("day", 50, ENTRY)):
            self._repository.branch(branch, "main")
            body = f"## {title}\n\nRun it {times} times in a loop.\n"
            memory = self._read(MEMORY).replace(story.entries()[title], body)
            self._commit({MEMORY: f"{memory}\n{entry}"}, "2026-05-05")

    def union(self) -> None:
        """Keep the lines of both branches after both filled in the same form."""
        self._demo()
        self._commit({".gitattributes": f"{MEMORY} merge=union\n"}, "2026-05-04")
        form = "**Area**: builds\n**Owner**: platform\n**Status**: open\n"
        warm = f"## When the cache is cold\n\n{form}\nWarm it up before the suite.\n"
        remove = f"## When the disk is full\n\n{form}\nRemove the oldest images first.\n"
        self._repository.branch("night", "main")
        for branch, entry in (("night", warm), ("main", remove)):
            self._repository.checkout(branch)
            self._commit({MEMORY: f"{self._read(MEMORY)}\n{entry}"}, "2026-05-05")
        self._repository.merge("night", date="2026-05-06")

    def two_files(self) -> None:
        self._demo()
        self._commit({"docs/lessons.md": ENTRY})

    def notes_beside(self) -> None:
        self._demo()
        self.path.with_name("notes.md").write_text(ENTRY, encoding="utf-8")

    def lost_entry(self) -> str:
        """Remove an entry from the memory and return its text."""
        self._demo()
        before, lost = self._read(MEMORY).split("## When a job must", 1)
        text, _, after = lost.partition("\n## ")
        self._write({MEMORY: f"{before}## {after}"})
        return f"## When a job must{text}\n"

    def unstaged_archive(self) -> None:
        lost = self.lost_entry()
        self._repository.git("add", "--all")
        self._write({ARCHIVE: f"# Archive\n\n## Dropped: the queue sees to that\n\n{lost}"})

    def memory_diff(self) -> None:
        """Reword one entry, archive another with a command, and add one."""
        resent = (
            "## When a batch is resent\n\nThe carrier waits 48 hours and refuses it until then.\n"
        )
        taken = "## When a port is taken\n\nKill the old server.\n"
        slow = "\n## When a job is slow\n\nLook at the index of the table first.\n"
        self._commit({MEMORY: f"# Learnings\n\n{resent}\n{taken}"})
        self._write({MEMORY: f"# Learnings\n\n{resent.replace('48', '84')}{slow}"})
        original = f"\n~~~ markdown original\n{taken}~~~\n"
        archive = f"# Archive\n\n## Dropped: the server picks a free port now\n{original}"
        self._write({ARCHIVE: archive})

    def fleet(self) -> None:
        shutil.copytree(self.parcels, self.path / "api", symlinks=True)
        web = GitRepository(self.path / "web")
        web.write("README.md", "# Web\n")
        web.commit(date="2026-01-01")

    def edited_memory(self) -> None:
        """Commit the memory of the page, then change a confidence in it by hand."""
        self._story(3)
        self._curate(DAYS[2])
        self._repository.commit()
        principles = ".shaktra/memory/principles.yml"
        text = self._read(principles).replace("confidence: 0.76", "confidence: 0.90")
        self._write({principles: text})

    def _story(self, number: int) -> None:
        """Write what docs/confidence.md has when a story has ended, the earlier ones curated."""
        shown = [block for block in documents.of("yaml") if "file" in block.directives]
        for block, day in zip(shown[:number], DAYS, strict=False):
            path = block.directives["file"]
            handoff = path.replace(".observations.yml", "handoff.yml")
            self._write({path: block.text, handoff: f"completed: {day}\n"})
            if day != DAYS[number - 1]:
                self._curate(day)
        exports = "Exports are uploads to the object store. A worker takes them from a queue"
        self._write({"ST-004.md": f"{exports} at night.\n"})

    def _curate(self, day: str) -> None:
        Command("learnings")("memory", "curate", "--today", day, cwd=self.path)


METHODS = {name.replace("_", "-") for name in vars(State) if not name.startswith("_")}
STATES = {*WRITTEN, *COMMITTED, *APPENDED, *METHODS, "story-1", "story-2", "story-3"} - {"prepare"}
