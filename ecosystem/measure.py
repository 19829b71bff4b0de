"""The output of one version of `learnings` for a checkout, and its time."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 300
# docs/commands.md: 3 is a bug of ours, and so is any other code.
DOCUMENTED = (0, 1, 2)
COMMANDS = {
    "ages": ("ages", "--allow-shallow"),
    "check": ("check", "--no-baseline"),
    "due": ("due", "--allow-shallow"),
    "groups": ("groups",),
    "route": ("route",),
}


class Measured(NamedTuple):
    """The values of one checkout, all keyed by name; `crashes` and `refusals` by command."""

    entries: dict[str, str]
    findings: dict[str, int]
    verdicts: dict[str, str]
    proposals: dict[str, int]
    crashes: dict[str, str]
    refusals: dict[str, str]
    seconds: float


class Answer(NamedTuple):
    """The output of a command: its document, or {}, and the reason for a crash or a refusal."""

    document: dict[str, Any]
    crash: str = ""
    refusal: str = ""


def measured(program: Path, folder: Path, cache: Path) -> Measured:
    """Run the commands of one version in a checkout; `cache` belongs to that version."""
    began = time.monotonic()
    answers = {name: _ask(program, folder, words, cache) for name, words in COMMANDS.items()}
    seconds = time.monotonic() - began
    documents = {name: answer.document for name, answer in answers.items()}
    return Measured(
        _entries(documents["ages"]),
        dict(Counter(finding["rule"] for finding in documents["check"].get("findings", ()))),
        _verdicts(documents["due"]),
        _proposals(documents["groups"], documents["route"]),
        {name: answer.crash for name, answer in answers.items() if answer.crash},
        {name: answer.refusal for name, answer in answers.items() if answer.refusal},
        seconds,
    )


def _ask(program: Path, folder: Path, words: tuple[str, ...], cache: Path) -> Answer:
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"XDG_CACHE_HOME": str(cache), "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            [program, *words, "--format", "json"],
            cwd=folder,
            env=env,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer({}, crash=f"took longer than {SECONDS} seconds")
    said = done.stderr.decode(errors="replace").strip()
    last = said.splitlines()[-1] if said else ""
    if done.returncode not in DOCUMENTED or "Traceback (most recent call last)" in said:
        return Answer({}, crash=f"exit code {done.returncode}: {last}")
    try:
        document = json.loads(done.stdout) if done.stdout.strip() else {}
    except ValueError:
        return Answer({}, crash=f"exit code {done.returncode} and output that is not JSON")
    return Answer(document, refusal=last if done.returncode == 2 else "")


def _entries(ages: Mapping[str, Any]) -> dict[str, str]:
    """Return by path the number of entries with the dialect of the file."""
    return {
        part["file"]: f"{len(part['entries'])} {part['dialect']}"
        for part in _parts(ages)
        if "file" in part
    }


def _verdicts(due: Mapping[str, Any]) -> dict[str, str]:
    return {file["file"]: str(file["verdict"]) for file in due.get("files", ())}


def _parts(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the documents of single files in a document of several."""
    yield from document.get("files", [document])


def _proposals(groups: Mapping[str, Any], routes: Mapping[str, Any]) -> dict[str, int]:
    listed = [group for part in _parts(groups) for group in part.get("groups", ())]
    entries = [entry for part in _parts(routes) for entry in part.get("entries", ())]
    return {
        "groups": len(listed),
        "grouped entries": sum(len(group["members"]) for group in listed),
        "routed entries": sum(bool(entry["targets"]) for entry in entries),
    }


def total_entries(values: Measured) -> int:
    """Return the number of entries in all files."""
    return sum(int(text.split()[0]) for text in values.entries.values())
