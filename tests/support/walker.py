"""An agent that follows the instructions of agent-core by the letter, and whose judgement is given.

It reads which commands to run, and in which order, off the instructions.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.agent_core import PLUGIN
from tests.support.command import Command
from tests.support.prose import REPORT_SECTIONS, Prose
from tests.support.repository import GitRepository

HANDOFF = Prose(PLUGIN / "skills/handoff/SKILL.md")
TASK = Prose(PLUGIN / "agents/remember-task.md")
REFACTOR = Prose(PLUGIN / "agents/memory-refactor.md")
FILE = "agents/learnings.md"
REPORT = "tmp/consolidation-report.md"
SKIPPED = "Consolidation skipped:"
LIMIT = 400
# A call of `learnings` with words in which a shell would find nothing of its own.
_PLAIN_CALL = re.compile(r"learnings(?: [\w./=-]+)*")


class Failed(Exception):
    """A command failed, and the instructions say to stop."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A command as it stands in the instructions, and what came of it."""

    command: str
    code: int
    out: str
    err: str

    @property
    def message(self) -> str:
        """What it says went wrong, without the name of the program in front."""
        last = (self.err.strip() or f"exit code {self.code}").splitlines()[-1]
        return re.sub(r"^(?:learnings|learning-ages\.py): ", "", last)


@dataclass
class Session:
    """A session of an agent: what it ran, what it told the person, and its judgement.

    drafts are the text for each entry with the file that receives it; cuts are the new files of a
    split, each with the headings of its sections. path is where programs are looked for; failing is
    a command of `learnings` that finds no space left.
    """

    repository: GitRepository
    drafts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    cuts: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    path: str = ""
    failing: str = ""
    ran: list[Ran] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    blockers: list[str] = field(default_factory=list)
    tasks: list[list[str]] = field(default_factory=list)

    def run(self, command: str, **words: str) -> Ran:
        """Run a command with its words in capitals filled in, in a shell at the root."""
        filled = command
        for name, value in {"FILE": FILE, **words}.items():
            filled = value.join(re.split(rf"(?<![\w-]){name}(?![A-Z])", filled))
        self.ran.append(Ran(command, *(self._called(filled) or self._in_a_shell(filled))))
        return self.ran[-1]

    def _called(self, command: str) -> tuple[int, str, str] | None:
        """Run a call of `learnings` that needs no shell; it is in place of one on the path."""
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
        done = self.run(command, **words)
        if done.code:
            name = " ".join(command.split()[:2])
            raise Failed(f"{name} failed: {done.message}")
        return done

    @property
    def commands(self) -> list[str]:
        """What was run."""
        return [ran.command for ran in self.ran]

    def text(self, path: str) -> str:
        """A file of the repository."""
        return self.repository.read(path).decode()


def handoff(session: Session) -> None:
    """Walk the handoff from its first step to its last one."""
    for command in HANDOFF.commands("Step 1: Gather"):
        session.run(command)
    for command in HANDOFF.commands("Step 4: Append learnings"):
        session.run(command)
    try:
        _consolidation(session)
    except Failed as problem:
        session.said.append(f"{SKIPPED} {problem}")
    for command in HANDOFF.commands("Step 5: Size check"):
        session.run(command)


def _consolidation(session: Session) -> None:
    ages, due = HANDOFF.commands("4c.1 Ask")
    _asked(session, ages)
    (verdict,) = json.loads(_asked(session, due).out)["files"]
    if verdict["verdict"] == "starved":
        session.said.append(_starved(verdict["conditions"]))
    if verdict["verdict"] == "due":
        (command,) = HANDOFF.commands("4c.2 Take the batch")
        done = _asked(session, command)
        skipped = _delegated(
            session, re.findall(r"^<!-- line .* -->\n## (.+)$", done.out, re.MULTILINE)
        )
        retry = [title for target in skipped for title in _split(session, target, skipped[target])]
        again = _delegated(session, retry) if retry else {}
        session.blockers += [title for titles in again.values() for title in titles]


def _asked(session: Session, command: str) -> Ran:
    """Run a command whose message, if it fails, is told as it is."""
    done = session.run(command)
    if done.code:
        raise Failed(done.message)
    return done


def _starved(conditions: list[dict[str, Any]]) -> str:
    """The line of the instructions, with the numbers of the condition `batch`."""
    (line,) = HANDOFF.blocks("4c.1 Ask", "text")
    (batch,) = [condition for condition in conditions if condition["name"] == "batch"]
    numbers = iter((batch["value"], batch["threshold"]))
    return re.sub(r"\d+", lambda _: str(next(numbers)), line)


def _delegated(session: Session, titles: list[str]) -> dict[str, list[str]]:
    """Run the task, and read its report: the entries that were skipped, by their targets."""
    session.tasks.append(titles)
    path = remember_task(session, titles)
    if path != REPORT:
        raise Failed(path)
    report = _sections(session.text(path))
    assert tuple(report) == REPORT_SECTIONS
    counts = dict(re.findall(r"^- (\w+): (\d+)$", report["Summary"], re.MULTILINE))
    session.said.append(
        f"Consolidated {counts['Consolidated']} of {counts['Processed']} entries; report: {path}"
    )
    escalated = re.findall(r'^- "(.+?)"', report["Contradictions (ESCALATION)"], re.MULTILINE)
    session.blockers += [f"Contradiction: {title}" for title in escalated]
    _, *limits = re.split(r"^- `(.+?)`.*$", report["File Limits (ESCALATION)"], flags=re.MULTILINE)
    return {
        target: re.findall(r'skipped: "(.+?)"', text)
        for target, text in zip(limits[::2], limits[1::2], strict=True)
    }


def _split(session: Session, target: str, titles: list[str]) -> list[str]:
    """Have a full target split; the entries that can be tried again."""
    returned = memory_refactor(session, target)
    if target in returned:
        return titles
    session.blockers += [*returned, *titles]
    return []


def _sections(report: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)\n", report, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def remember_task(session: Session, titles: list[str]) -> str:
    """Consolidate entries as the sub-agent does; return what it returns."""
    try:
        return _remember_task(session, titles)
    except Failed as problem:
        return f"remember-task: {problem}"


def _remember_task(session: Session, titles: list[str]) -> str:
    for command in TASK.commands("Before the first step"):
        session.must(command)
    (precheck,) = TASK.commands("Pre-checks")
    findings = json.loads(session.must(precheck).out)["findings"]
    *before, listing = TASK.commands("Step 1: Understand")
    for command in before:
        session.must(command)
    lines = _lines(session, session.must(listing).out, titles)
    for command in TASK.commands("Step 2: Route"):
        session.must(command)
    plan = _plan(session, titles, findings)
    if plan.leaving:
        _apply(session, plan, lines)
        for command in TASK.commands("Step 4a: Update discovery"):
            session.run(command)
    session.must(TASK.inline("Step 4a: Update discovery", "rm -f"))
    session.repository.write(REPORT, _report(plan, titles, lines))
    return REPORT


def _lines(session: Session, listed: str, titles: list[str]) -> dict[str, tuple[str, str]]:
    """First and last line of each entry; of those not listed, as the index of the file has them."""
    lines = {
        title: (first, last)
        for first, last, title in (line.split(" ", 2) for line in listed.splitlines())
    }
    if not set(titles) <= set(lines):
        command = TASK.inline("Step 1: Understand", "learnings index")
        for heading in json.loads(session.must(command).out)["headings"]:
            lines.setdefault(heading["title"], (str(heading["line"]), str(heading["last_line"])))
    return {title: lines[title] for title in titles}


@dataclass
class Plan:
    """What becomes of the entries, and the targets as they will be."""

    moved: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, dict[str, Any]] = field(default_factory=dict)
    escalated: dict[str, dict[str, Any]] = field(default_factory=dict)
    skipped: dict[str, list[str]] = field(default_factory=dict)

    @property
    def leaving(self) -> list[str]:
        """The entries that leave the file."""
        return [*self.moved, *self.dropped]


def _plan(session: Session, titles: list[str], findings: list[dict[str, Any]]) -> Plan:
    plan = Plan()
    known = {finding["entry"]: finding for finding in reversed(findings)}  # the first one counts
    for title in titles:
        finding = known.get(title)
        if finding is not None:
            (plan.dropped if finding["action"] == "drop" else plan.escalated)[title] = finding
            continue
        target, text = session.drafts[title]
        longer = plan.texts.get(target, session.text(target)) + text
        if longer.count("\n") > LIMIT:
            plan.skipped.setdefault(target, []).append(title)
        else:
            plan.texts[target] = longer
            plan.moved.append(title)
    return plan


def _apply(session: Session, plan: Plan, lines: Mapping[str, tuple[str, str]]) -> None:
    """Step 4: its blocks are archive, copy without the entries, verification, replacement."""
    changed = session.repository.git("diff", "--name-only").splitlines()
    copying, cutting, verifying, replacing = TASK.shell("Step 4: Apply and verify")
    day = session.run("date +%Y-%m-%d").out.strip()
    words = {"ARCHIVE": f"agents/archive/learnings-consolidated-{day}.md"}
    header, copy, *rest = copying
    groups = [("Group: Moved", plan.moved)] if plan.moved else []
    groups += [(f"Dropped: {finding['check']}", [title]) for title, finding in plan.dropped.items()]
    for number, (heading, titles) in enumerate(groups):
        begun = header.replace("Group: NAME", heading)
        session.must(begun.replace(" > ", " >> ") if number else begun)
        for title in titles:
            session.must(copy.replace("FIRST,LAST", ",".join(lines[title])))
    for command in rest:
        session.must(command, **words)
    for target, text in plan.texts.items():
        session.repository.write(target, text)
    (cut,) = cutting
    parts = " -e ".join(f"'{','.join(lines[title])}d'" for title in plan.leaving)
    session.must(cut.replace("'FIRST,LASTd'", parts))
    *silent, counted = verifying
    for command in silent:
        assert session.must(command, **words).out == "", command
    numbers = [line.split("\t") for line in session.must(counted).out.splitlines()]
    assert all(removed == "0" for _, removed, path in numbers if path not in (FILE, *changed))
    for command in replacing:
        session.must(command)


def _report(plan: Plan, titles: list[str], lines: Mapping[str, tuple[str, str]]) -> str:
    """The report with the sections of the instructions' own example."""
    skipped = [title for entries in plan.skipped.values() for title in entries]
    by_check: dict[str, list[str]] = {"supersession": [], "redundancy": []}
    for title, finding in plan.dropped.items():
        by_check[finding["check"]].append(f'- Dropped "{title}" (line {lines[title][0]})')
    numbers = {
        "Processed": len(titles),
        "Consolidated": len(plan.moved),
        "Dropped": len(plan.dropped),
        "Escalated": len(plan.escalated),
        "Skipped": len(skipped),
    }
    lines_of = {
        "Summary": [f"- {name}: {number}" for name, number in numbers.items()],
        "Supersession Decisions": by_check["supersession"],
        "Redundancy Decisions": by_check["redundancy"],
        "Contradictions (ESCALATION)": [f'- "{title}"' for title in plan.escalated],
        "File Limits (ESCALATION)": [
            line
            for target, entries in plan.skipped.items()
            for line in (f"- `{target}`: full", *(f'  - skipped: "{title}"' for title in entries))
        ],
        "Consolidation Details": [f'- "{title}"' for title in plan.moved],
    }
    example = TASK.blocks("Report", "markdown")
    headings = [line[3:] for line in example if line.startswith("## ")]
    texts = {heading: "\n".join(lines_of.get(heading) or ["None."]) for heading in headings}
    parts = [example[0], *(f"## {heading}\n\n{text}" for heading, text in texts.items())]
    return "\n\n".join(parts) + "\n"


def memory_refactor(session: Session, target: str) -> list[str]:
    """Split a target as the sub-agent does; return the paths, or the one message."""
    words = {"TARGET": target}
    *before, index = REFACTOR.commands("Step 2: Judge the cut")
    for command in (*REFACTOR.commands("Step 1: See whether the file is full"), *before):
        session.run(command, **words)
    headings = json.loads(session.must(index, **words).out)["headings"]
    ranges = {heading["title"]: f"{heading['line']},{heading['last_line']}" for heading in headings}
    if target not in session.cuts:
        return [f"memory-refactor: {target} has one topic and cannot be cut"]
    cuts = session.cuts[target]
    title_command, copy = REFACTOR.commands("Step 3: Write the new files")
    for new, sections in cuts.items():
        session.must(title_command, NEWFILE=new, TITLE=Path(new).stem)
        for section in sections:
            session.must(copy.replace("FIRST,LAST", ranges[section]), NEWFILE=new, **words)
    verifying, replacing = REFACTOR.shell("Step 4: Verify, then shorten the original")
    moved = [ranges[section] for sections in cuts.values() for section in sections]
    for command in verifying:
        parts = " -e ".join(f"'{lines}d'" for lines in moved)
        filled = command.replace("'FIRST,LASTd'", parts)
        done = session.must(filled, NEWFILE=" ".join(cuts), **words)
        assert done.out == "" or command.startswith("wc"), command
    for command in replacing:
        session.must(command, **words)
    see = "".join(f"See [{Path(new).name}]({Path(new).name}).\n" for new in cuts)
    session.repository.write(target, session.text(target) + see)
    for command in REFACTOR.commands("Step 5: Index"):
        session.run(command)
    return [*cuts, target]
