"""Test repositories, each in one text file: the fault, the expectations and the files.

The form is that of Go's txtar, since folders full of `.claude`, `package.json` and hook
configurations would be taken for parts of this project by the tools that work on it. A line
`-- v1/notes/learnings.md --` begins a file. The files below `v1`, `v2`, … become commits, one on
top of the other; those below `right` and `wrong` are the first changes that somebody makes after
`learnings init`. In brackets behind the path, where a text cannot say it: `utf-16`, `cr` (lines end
with a carriage return alone), `no newline` (at the end), `deleted`, and `copy of` a file or folder
of this project.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from tests.support.guard import ROOT
from tests.support.repository import GitRepository

FIRST_DAY = date(2026, 1, 1)
FOLDER = Path(__file__).with_name("repositories")
_FILE = re.compile(r"^-- (?P<stage>v\d+|right|wrong)/(?P<path>.+?)(?: \((?P<form>[^)]+)\))? --$")
_FACT = re.compile(r"(?m)^(?P<name>[a-z]+): (?P<value>.+)$")
_BYTES: Mapping[str, Callable[[str], bytes]] = {
    "as it is": str.encode,
    "utf-16": lambda text: text.encode("utf-16"),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "no newline": lambda text: text.rstrip("\n").encode(),
}
Content = bytes | None
"""The bytes of a file, or None for a deleted file."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A repository: its fault in words, the facts of its head, and its files by stage."""

    name: str
    fault: str
    facts: Mapping[str, Sequence[str]]
    stages: Mapping[str, Mapping[str, Content]]

    def build(self, path: Path) -> GitRepository:
        """Make the repository at `path`, the n-th version committed on the n-th of January."""
        repository = GitRepository(path)
        versions = sorted(stage for stage in self.stages if stage not in ("right", "wrong"))
        for number, version in enumerate(versions):
            self.write(repository, version)
            repository.commit(version, date=str(FIRST_DAY + timedelta(days=number)))
        for days in self.facts.get("days", []):
            repository.work(str(FIRST_DAY + timedelta(days=len(versions))), int(days))
        return repository

    def write(self, repository: GitRepository, stage: str) -> None:
        for path, content in self.stages[stage].items():
            if content is None:
                (repository.path / path).unlink()
            else:
                repository.write(path, content)


def archives() -> list[Archive]:
    return [read(path) for path in sorted(FOLDER.glob("*.txtar"))]


def read(path: Path) -> Archive:
    head, *texts = re.split(r"(?m)^(?=-- (?:v\d+|right|wrong)/.+ --$)", path.read_text("utf-8"))
    facts: dict[str, list[str]] = {}
    for fact in _FACT.finditer(head):
        facts.setdefault(fact["name"], []).append(fact["value"])
    stages: dict[str, dict[str, Content]] = {}
    for line, _, text in (text.partition("\n") for text in texts):
        file = _FILE.match(line)
        assert file, line
        contents = _contents(file["path"], file["form"] or "as it is", text)
        stages.setdefault(file["stage"], {}).update(contents)
    return Archive(path.stem, " ".join(_FACT.sub("", head).split()), facts, stages)


def _contents(path: str, form: str, text: str) -> Iterator[tuple[str, Content]]:
    if form == "deleted":
        yield path, None
    elif form.startswith("copy of "):
        yield from _copied(ROOT / form.removeprefix("copy of "), path)
    else:
        yield path, _BYTES[form](text)


def _copied(source: Path, path: str) -> Iterator[tuple[str, Content]]:
    if source.is_file():
        yield path, source.read_bytes()
    for file in sorted(source.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield f"{path}/{file.relative_to(source).as_posix()}", file.read_bytes()
