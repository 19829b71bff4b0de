"""An agent that follows the instructions of agent-core literally, with given judgements.

It reads the commands to run, and their order, from the instructions.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.agent_core.agent_files import PLUGIN
from tests.agent_core.prose import REPORT_SECTIONS, Prose
from tests.support.command import Command
from tests.support.repository import GitRepository

HANDOFF = Prose(PLUGIN / "skills/handoff/SKILL.md")
TASK = Prose(PLUGIN / "agents/remember-task.md")
REFACTOR = Prose(PLUGIN / "agents/memory-refactor.md")
FILE = "agents/learnings.md"
REPORT = "tmp/consolidation-report.md"
PLAN, DECISIONS = "tmp/consolidation-plan.md", "tmp/decisions.md"
SKIPPED, STARVED = "Consolidation skipped:", "Consolidation starved"
# The start of a finding beside an entry that asks for a decision.
_ASKS = re.compile(r"> (?:supersession|redundancy|dead-reference), look(?=: )")
# The line of an entry in a plan.
_ENTRY = re.compile(r"(?m)^- (?P<verb>\w+).*?`(?P<digest>[0-9a-f]{12})` (?P<name>.*)")
# A call of `learnings` whose words mean nothing special to a shell.
_PLAIN_CALL = re.compile(r"learnings(?: [\w./=-]+)*")


class FullTarget(NamedTuple):
    """A line below *File Limits*: a target, its lines now and with the entries, the entries."""

    path: str
    lines: int
    needed: int
    titles: list[str]


class Failed(Exception):
    """A failed command after which the instructions say to stop."""


class Ran(NamedTuple):
    """A command from the instructions, and its result."""

    command: str
    code: int
    out: str
    err: str

    @property
    def message(self) -> str:
        """Return the error message without the program name."""
        last = (self.err.strip() or f"exit code {self.code}").splitlines()[-1]
        return re.sub(r"^(?:learnings|learning-ages\.py): ", "", last)


@dataclass
class Session:
    """A session of an agent: its commands, its messages to the person, and its judgement.

    drafts are the target and the text of moved entries. path is the search path of programs;
    failing is a command of `learnings` that finds no space left. returned is the text of the
    sub-agent around the path of its report.
    """

    repository: GitRepository
    drafts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    path: str = ""
    failing: str = ""
    returned: str = "{path}"
    ran: list[Ran] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    blockers: list[str] = field(default_factory=list)
    tasks: list[list[str]] = field(default_factory=list)

    def run(self, command: str, **words: str) -> Ran:
        """Run a command in a shell at the root, with its words in capitals filled in."""
        filled = command
        for name, value in {"FILE": FILE, **words}.items():
            filled = value.join(re.split(rf"(?<![\w-]){name}(?![A-Z])", filled))
        self.ran.append(Ran(command, *(self._called(filled) or self._in_a_shell(filled))))
        return self.ran[-1]

    def _called(self, command: str) -> tuple[int, str, str] | None:
        """Run a call of `learnings` that needs no shell, instead of the program on the path."""
        if self.path or not _PLAIN_CALL.fullmatch(command):
            return None
        name, *words = command.split()
        if words[0] == self.failing:
            return 2, "", "learnings: no space left\n"
        done = Command(name)(*words, cwd=self.repository.path)
        return done.code, done.out, done.err

    def _in_a_shell(self, command: str) -> tuple[int, str, str]:
        search = self.path or os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.repository.path,
            env={**os.environ, "PATH": search, "CLAUDE_PLUGIN_ROOT": str(PLUGIN)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def must(self, command: str, **words: str) -> Ran:
        """Run a command whose failure ends the task."""
        return self._checked(self.run(command, **words), least=1)

    def unless_refused(self, command: str, **words: str) -> Ran:
        """Run a command; only exit code 2 ends the task."""
        return self._checked(self.run(command, **words), least=2)

    def _checked(self, done: Ran, *, least: int) -> Ran:
        if done.code >= least:
            raise Failed(f"{' '.join(done.command.split()[:2])} failed: {done.message}")
        return done

    @property
    def commands(self) -> list[str]:
        """Return the commands that were run."""
        return [ran.command for ran in self.ran]

    def text(self, path: str) -> str:
        """Return the text of a file of the repository."""
        return self.repository.read(path).decode()


def handoff(session: Session) -> None:
    """Walk the handoff from its first step to its last one; no entry turns out to be false."""
    for command in (
        *HANDOFF.commands("Step 1: Gather"),
        *HANDOFF.commands("Step 4: Append learnings"),
    ):
        session.run(command)
    try:
        _consolidation(session)
    except Failed as problem:
        session.said.append(f"{SKIPPED} {problem}")
    for command in HANDOFF.commands("Step 5: Size check"):
        session.run(command)


def remove_false(session: Session, title: str, reason: str) -> str:
    """Walk step 4b for one entry; return the output of the first command."""
    (archiving,) = HANDOFF.commands("Step 4b: Remove learnings that became false")
    title, reason = (text.replace("'", "'\\''") for text in (title, reason))
    words = {"TITLE": title, "REASON": reason, "COMMIT": "4de5734"}
    done = session.must(archiving, **words)
    return done.out


def _consolidation(session: Session) -> None:
    tracked, *asking = HANDOFF.commands("4c.1 Ask")
    asked = session.run(tracked)
    if asked.code or not asked.out:
        return
    for command in asking:
        asked = session.run(command)
        if asked.code:
            raise Failed(asked.message)  # passed on unchanged
    (verdict,) = json.loads(asked.out)["files"]
    if verdict["verdict"] == "starved":
        session.said.append(f"{HANDOFF.inline('4c.1 Ask', STARVED)} {verdict['reason']}")
    if verdict["verdict"] == "due":
        retry = [title for full in _delegated(session, []) for title in _split(session, full)]
        again = _delegated(session, retry) if retry else []
        session.blockers += [title for full in again for title in full.titles]


def _delegated(session: Session, titles: list[str]) -> list[FullTarget]:
    """Run the task, and read its report; return the targets without room.

    titles are the entries of a retry; none means the batch.
    """
    returned = remember_task(session, titles)
    if REPORT not in returned:
        raise Failed(returned)
    _, *parts = re.split(r"(?m)^## (.+)\n", session.text(REPORT))
    report = dict(zip(parts[::2], parts[1::2], strict=True))
    assert tuple(report) == REPORT_SECTIONS
    counts = dict(re.findall(r"(?m)^- (\w+): (\d+)$", report["Summary"]))
    session.said.append(
        f"Consolidated {counts['Consolidated']} of {counts['Processed']} entries; report: {REPORT}"
    )
    escalated = re.findall(r"(?m)^- Escalated `(.+?)`", report["Consolidation Details"])
    session.blockers += [f"Escalated: {title}" for title in escalated]
    limit = r'(?m)^- Kept `.+`: `(\S+) has (\d+) lines, (\d+) with (".+"), the limit'
    return [
        FullTarget(path, int(lines), int(needed), re.findall(r'"(.+?)"', names))
        for path, lines, needed, names in re.findall(limit, report["File Limits (ESCALATION)"])
    ]


def _split(session: Session, full: FullTarget) -> list[str]:
    """Have a full target split; return the entries to try again."""
    returned = memory_refactor(session, full)
    if full.path in returned:
        return full.titles
    session.blockers += [*returned, *full.titles]
    return []


def remember_task(session: Session, titles: list[str], *, file: str = FILE) -> str:
    """Consolidate entries as the sub-agent does, and return its answer."""
    try:
        return _remember_task(session, titles, file)
    except Failed as problem:
        return f"remember-task: {problem}"


def _remember_task(session: Session, titles: list[str], file: str) -> str:
    (planning,) = TASK.commands("Step 1: Understand")
    session.must(" ".join([planning, *(f"--only '{title}'" for title in titles)]), FILE=file)
    plan = session.text(PLAN)
    session.tasks.append([line["name"] for line in _ENTRY.finditer(plan)])
    applying, verify, check = TASK.commands("Step 4: Apply and verify")
    decisions = _decisions(session, plan)
    if decisions:
        session.repository.write(DECISIONS, decisions)
    else:
        applying = applying.replace(f" --decisions {DECISIONS}", "")
    applied = session.unless_refused(applying)
    for proof in (verify, check):
        done = session.run(proof)
        if done.code:
            for line in re.findall(r"(?m)^(?:Undo:|     ) ([^(].*)", applied.out):
                session.run(line)
            session.unless_refused(proof)
            raise AssertionError(done.out)
    (reporting,) = TASK.commands("Step 4a: Update discovery")
    return session.returned.format(path=session.must(reporting).out.strip())


def _decisions(session: Session, plan: str) -> str:
    """Return the decisions of the sub-agent that differ from the plan.

    Drops stay, open findings are escalated, entries with a draft are moved, and the rest is kept.
    """
    decided = []
    for part in re.split(r"(?m)^(?=- |## |```)", plan):
        line = _ENTRY.match(part)
        if line is None or line["verb"] in ("drop", "add"):
            continue
        digest, draft = line["digest"], session.drafts.get(line["name"])
        if line["verb"] == "escalate" or any(map(_ASKS.search, part.splitlines())):
            decided.append(f"- escalate both sides read `{digest}`\n")
        elif draft is not None:
            text = draft[1].replace("\n\n", "\n\n  ")
            decided.append(f"- move {draft[0]} `{digest}`\n  ```markdown\n  {text}\n  ```\n")
        elif line["verb"] != "keep":
            decided.append(f"- keep `{digest}`\n")
    return "".join(decided)


def memory_refactor(session: Session, full: FullTarget) -> list[str]:
    """Split a target as the sub-agent does; return the paths, or the one message."""
    words = {"TARGET": full.path, "LINES": str(full.needed - full.lines)}
    check, showing = REFACTOR.commands("Step 1: See whether the file is full")
    session.unless_refused(check)
    shown = session.unless_refused(showing, **words)
    if shown.code:
        return [shown.out.strip()]
    splitting, again = REFACTOR.commands("Step 3: Split")
    done = session.must(splitting, **words)
    session.run(again)
    return re.findall(r"^  (\S+\.md)$", done.out, re.MULTILINE)
