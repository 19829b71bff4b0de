"""Case files of the tests, mutated and given to every command that reads them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import jsonschema

from learnings.core.entries.document import read
from learnings.core.text import decode
from learnings.surfaces.cli.commands import FORMATS
from tests.fuzz.corpus import AGENT, CONFIG, INDEX, MEMORY, TARGET, corpus, settings
from tests.fuzz.mutations import mutated
from tests.fuzz.part import Part, stopped_in_time, unsound
from tests.support.command import Command, Completed
from tests.support.repository import GitRepository
from tests.support.schemas import validate

LEARNINGS = Command("learnings")
PLACES = (*(MEMORY,) * 6, *(INDEX,) * 2, TARGET, AGENT, CONFIG)
"""The files to mutate, the likely ones several times."""
# The result with formats of each call, and its words.
CALLS = (
    ("findings", ("check",)),
    ("findings", ("check", "--history")),
    ("findings", ("check", "--strict", MEMORY)),
    ("ages", ("ages", MEMORY)),
    ("due", ("due",)),
    ("replay", ("due", "--replay")),
    ("groups", ("groups", MEMORY)),
    ("precheck", ("precheck", "--all", MEMORY)),
    ("routes", ("route", "--all", MEMORY)),
    ("batch", ("batch", MEMORY)),
    ("index", ("index", MEMORY)),
    ("index", ("index", INDEX)),
    ("config-report", ("config", "--all")),
    ("doctor", ("doctor",)),
)
OF_ONE_FILE = ("ages", "batch", "groups", "precheck", "routes")
# Seconds of this process for one command: for itself, and for each byte that lies in the
# repository. The slowest shape that is linear took a tenth of that.
SECONDS, SECONDS_PER_BYTE = 3.0, 40e-6


class FilePart(Part):
    """A case is a repository with one file mutated, committed or not, and each command in it."""

    name = "files"

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self._template = GitRepository(self.templates / "template")
        files = {MEMORY: "dated-h2-with-h3-fields.md", TARGET: "when-with-bullets.md"}
        data = Path(__file__).parents[1] / "data" / "dialects"
        for path, name in files.items():
            self._template.write(path, (data / name).read_bytes())
        self._template.write(INDEX, f"# Index\n\n## {TARGET}\n\n/when a build hangs\n")
        self._template.commit(date="2026-01-01")
        self._template.work("2026-01-02", days=20)

    def case(self, number: int) -> list[str]:
        random = self.random(number)
        self.renew(self._template.path)
        repository = GitRepository(self.folder)
        self._write(repository, random)
        size = sum(path.stat().st_size for path in self.folder.glob("**/*.md"))
        problems = [*_lossless((self.folder / MEMORY).read_bytes())]
        for result, words in CALLS:
            name = random.choice([*FORMATS[result]])
            problems += self._checked(result, (*words, "--format", name), name, size)
        problems += self._fixed(size)
        self.counts["files"] += 1
        return problems

    def _write(self, repository: GitRepository, random: Random) -> None:
        path = random.choice(PLACES)
        contents = corpus()
        others = [data for group in contents.values() for data in group]
        if path == CONFIG and random.random() < 0.7:
            data = settings(random)
        else:
            data = mutated(random.choice(contents[path]), others, random)
        if path != MEMORY and random.random() < 0.5:
            repository.write(MEMORY, random.choice(contents[MEMORY]))
        repository.write(path, data)
        if random.random() < 0.3:
            repository.commit(date="2026-02-01")
            repository.write(path, mutated(data, others, random))

    def _checked(self, result: str, words: tuple[str, ...], form: str, size: int) -> list[str]:
        run, seconds = self._run(words)
        problems = unsound(run)
        if seconds > SECONDS + SECONDS_PER_BYTE * size:
            problems.append(f"took {seconds:.1f} seconds for {size} bytes")
        if form in {"json", "sarif", "gitlab"} and run.code != 2 and not problems:
            problems += _wrong_document(run, result, form)
        return [f"learnings {' '.join(words)}: {problem}" for problem in problems]

    def _run(self, words: tuple[str, ...]) -> tuple[Completed, float]:
        self.counts["commands"] += 1
        start = time.process_time()
        with stopped_in_time():
            run = LEARNINGS(*words, cwd=self.folder)
        return run, time.process_time() - start

    def _fixed(self, size: int) -> list[str]:
        """Fix, twice: the second time there is nothing to do, and no word is lost."""
        before = _contents(self.folder)
        problems = self._checked("", ("fix",), "", size)
        after = _contents(self.folder)
        problems += self._checked("", ("fix",), "", size)
        if _contents(self.folder) != after:
            problems.append("fix changes again what it has fixed")
        without_index = [path for path, data in before.items() if b"<!-- INDEX:" not in data]
        for path in {*without_index} - {INDEX}:
            if _words(before[path]) != _words(after.get(path, b"")):
                problems.append(f"fix changes words of {path}")
        return [*problems, *_lossless(after[MEMORY])]


def _lossless(data: bytes) -> Iterator[str]:
    document = read(data)
    if document.to_bytes() != data:
        yield "a file is not read without loss"
    spans = [number for span in document.spans for number in range(span.first, span.last + 1)]
    if len(spans) != len({*spans}):
        yield "two spans share a line"


def _wrong_document(run: Completed, schema: str, form: str) -> Iterator[str]:
    try:
        document = json.loads(run.stdout)
        if form == "json":
            parts = document.get("files", [document]) if schema in OF_ONE_FILE else [document]
            for part in parts:
                validate(part, schema)
    except (ValueError, jsonschema.ValidationError) as error:
        yield f"not the document that is promised: {str(error)[:500]}"


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.glob("**/*.md")
    }


def _words(data: bytes) -> str:
    """Return what `fix` must not change: everything but spaces, including no-break ones, and line
    ends."""
    return "".join(decode(data).split())
