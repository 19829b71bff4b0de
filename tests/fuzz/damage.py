"""Repositories with a damaged git folder or cache: the right answer, or exit code 2."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

from tests.fuzz.part import Part, stopped_in_time, unsound
from tests.support.command import Command, Completed
from tests.support.repository import GitError, GitRepository

LEARNINGS = Command("learnings")
MEMORY, OTHER = "agents/learnings.md", "tools/agents/learnings.md"
CALLS = (
    ("ages", MEMORY, "--format=json"),
    ("due", "--format=json"),
    ("due", "--replay", "--format=json"),
    ("batch", MEMORY, "--format=json"),
    ("check", "--history", "--format=json"),
    ("route", MEMORY, "--format=json"),
)
# What a case damages, as globs below `.git`.
PLACES: Mapping[str, Sequence[str]] = {
    "cache": ("learnings/*.json",),
    "loose object": ("objects/[0-9a-f][0-9a-f]/*",),
    "pack": ("objects/pack/*.pack",),
    "pack index": ("objects/pack/*.idx", "objects/pack/*.rev"),
    "commit-graph": ("objects/info/commit-graph", "objects/info/commit-graphs/*"),
    "reference": ("HEAD", "refs/heads/*", "packed-refs"),
    "index": ("index",),
}
Damage = Callable[[Path, Random], object]


def flip(path: Path, random: Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 1, 4, 40)) if data else 0):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    _replace(path, bytes(data))


def truncate(path: Path, random: Random) -> None:
    data = path.read_bytes()
    _replace(path, data[: random.randrange(len(data))] if data and random.random() < 0.8 else b"")


def zero(path: Path, random: Random) -> None:
    """Lose a block, as after a power failure."""
    data = path.read_bytes()
    at = random.randrange(len(data) + 1)
    block = random.choice((16, 512, 4096))
    _replace(path, data[:at] + bytes(min(block, len(data) - at)) + data[at + block :])


def append(path: Path, random: Random) -> None:
    _replace(path, path.read_bytes() + random.randbytes(random.choice((1, 30, 4096))))


def remove(path: Path, _: Random) -> None:
    path.unlink()


def swap(path: Path, random: Random) -> None:
    """Replace a file by the content of its neighbour."""
    neighbours = [file for file in sorted(path.parent.iterdir()) if file.is_file()]
    _replace(path, random.choice(neighbours).read_bytes())


def become_folder(path: Path, _: Random) -> None:
    path.unlink()
    path.mkdir()


def _replace(path: Path, data: bytes) -> None:
    path.unlink()  # objects are write-protected
    path.write_bytes(data)


DAMAGES: Sequence[Damage] = (flip, flip, flip, truncate, zero, append, remove, become_folder)


class DamagePart(Part):
    """A case is a repository with one file of git's or of the cache damaged, and a few commands."""

    name = "damage"

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self._template = cache(self._new_template)
        self._right = cache(self._right_answer)

    def case(self, number: int) -> list[str]:
        random = self.random(number)
        kind, is_warm = random.choice(("loose", "packed")), random.random() < 0.5
        template = self._template(kind, is_warm=is_warm)
        self.renew(template)
        place = random.choice([*PLACES])
        files = [file for glob in PLACES[place] for file in (self.folder / ".git").glob(glob)]
        files = sorted(file for file in files if file.is_file())
        if not files:
            return []
        # What lies under another object's name no disk has damaged; git itself does not notice it.
        damages = (*DAMAGES, swap) if place == "cache" else DAMAGES
        damage, file = random.choice(damages), random.choice(files)
        damage(file, random)
        # Git checks no checksum when it reads the graph: its own history is another one then.
        if place == "commit-graph" and self._is_other_history():
            self.counts[f"of the {place}, believed by git"] += 1
            return []
        self.counts[f"of the {place}"] += 1
        path = file.relative_to(self.folder).as_posix()
        what = f"{template.name}: {damage.__name__} {path}"
        return [
            f"{what}: learnings {' '.join(words)}: {problem}"
            for words in random.sample(CALLS, 3)
            for problem in self._wrong(words, self._right(words))
        ]

    def _is_other_history(self) -> bool:
        """Return True if git prints another history than before the damage, and no error."""
        log = ("log", "--format=%H %P %ad")
        try:
            printed = GitRepository(self.folder).git(*log)
        except GitError:
            return False
        return printed != GitRepository(self._template("loose", is_warm=False)).git(*log)

    def _wrong(self, words: Sequence[str], right: Completed) -> Iterator[str]:
        return wrong_answer(self._run(words, self.folder), right, by_texts=words[0] == "route")

    def _new_template(self, kind: str, *, is_warm: bool) -> Path:
        """Make a repository, the objects loose or packed, the cache empty or full."""
        if is_warm:
            cold = self._template(kind, is_warm=False)
            warm = cold.with_name(f"{cold.name}-warm")
            shutil.copytree(cold, warm, symlinks=True)
            for words in CALLS:
                self._run(words, warm)
            return warm
        repository = GitRepository(self.templates / kind)
        build(repository)
        if kind == "packed":
            repository.git("repack", "-a", "-d", "-q")
            repository.git("pack-refs", "--all")
            repository.git("commit-graph", "write", "--reachable")
        return repository.path

    def _right_answer(self, words: Sequence[str]) -> Completed:
        folder = self.templates / "right"
        if not folder.exists():
            shutil.copytree(self._template("loose", is_warm=False), folder, symlinks=True)
        return self._run(words, folder)

    @staticmethod
    def _run(words: Sequence[str], folder: Path) -> Completed:
        with stopped_in_time():
            return LEARNINGS(*words, cwd=folder)


def build(repository: GitRepository) -> None:
    """Make a history with everything that answers come from: merges, a consolidation, ages."""
    titles = [f"When case {number} is met" for number in range(8)]
    repository.write(".claude/CLAUDE.md", f"@../{MEMORY}\n@../{OTHER}\n")  # so nothing is found
    for number, _ in enumerate(titles, start=1):
        repository.write(MEMORY, memory(titles[:number]))
        repository.write(OTHER, memory([f"How to {title}" for title in titles[:number]]))
        repository.commit(date=f"2026-01-{number:02}")
    repository.branch("side")
    repository.write(MEMORY, memory([*titles, "When on a branch"]))
    repository.commit(date="2026-01-11")
    repository.checkout("main")
    repository.write("agents/decisions/a.md", memory(titles[:3]))
    repository.write(MEMORY, memory(titles[3:]))
    repository.commit(date="2026-01-12")
    repository.merge("side", date="2026-01-13", resolve={MEMORY: memory([*titles[3:], "When on"])})
    repository.work("2026-01-14", days=20)
    repository.write(OTHER, memory(titles[4:]))
    repository.commit(date="2026-02-10")


def memory(titles: Sequence[str]) -> str:
    return "# Learnings\n\n" + "".join(f"## {title}\n\nLook at {title}.\n\n" for title in titles)


def wrong_answer(run: Completed, right: Completed, *, by_texts: bool) -> Iterator[str]:
    """Yield the errors in an answer that is neither correct nor a refusal.

    by_texts: without history the command uses only the texts.
    """
    yield from unsound(run)
    is_right = (run.code, run.stdout) == (right.code, right.stdout)
    if run.code != 2 and not is_right and not by_texts:
        yield f"another answer, exit code {run.code}: {run.out[:300]!r} {run.err[:300]!r}"
