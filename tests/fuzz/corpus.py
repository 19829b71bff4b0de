"""The files that are mutated: all case files of the tests, by the role that they are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random

from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
from learnings.rules import RULES
from tests.first_day.archive import archives
from tests.rules.cases import examples, role_for
from tests.support.guard import ROOT

MEMORY, TARGET = "agents/learnings.md", "agents/decisions/cli.md"
INDEX, AGENT = "agents/memory-index.md", "CLAUDE.md"
CONFIG = "learnings.toml"
ROLES = {"learnings": MEMORY, "target": TARGET, "index": INDEX, "agent": AGENT}
# fmt: off
VALUES = (
    "0", "1", "-1", "150", "99999999999999999999", "1.5", "nan", "inf", "true", "false", '""', "[]",
    '"auto"', '"off"', '"when-how"', '"bullet"', '"heading"', '"timestamped"', '"table"', '"block"',
    '"agents/learnings.md"', '"../x"', '"/etc/hostname"', '".git/config"', '"**/*.md"', '"["',
    '"agents/*.md"', '["agents/*.md", "!agents/x.md"]', '["When ", ""]', '["(", "["]', "[[]]", "{}",
    "1979-05-27", '"\\u0000"', '"\\uFFFF"', f'"{"a" * 300}"', "{a = 1}", '"a\\nb"', '"**"',
)
# fmt: on


@cache
def corpus() -> Mapping[str, Sequence[bytes]]:
    contents: dict[str, list[bytes]] = {path: [] for path in (*ROLES.values(), CONFIG)}
    for file in sorted((ROOT / "tests" / "data" / "dialects").glob("*.md")):
        contents[MEMORY].append(file.read_bytes())
    for rule in RULES:
        path = ROLES[role_for(rule).value]
        contents[path] += [data for _, data in examples(rule.__doc__ or "")]
    for name, data in _first_day():
        if name.endswith(CONFIG):
            contents[CONFIG].append(data)
        elif name.endswith(".md"):
            contents[INDEX if "index" in name.lower() else MEMORY].append(data)
    return contents


def _first_day() -> Iterator[tuple[str, bytes]]:
    for archive in archives():
        for files in archive.stages.values():
            for path, data in files.items():
                if data:
                    yield path, data


def settings(random: Random) -> bytes:
    """Return a configuration in which most values are wrong."""
    names = (*FILE_KEYS, *GENERAL_KEYS, "issue", "severity", "file", "targts")
    lines = [_setting(random, names) for _ in range(random.choice((1, 2, 6)))]
    if random.random() < 0.4:
        lines += ["[[file]]", f'path = "{MEMORY}"', _setting(random, (*FILE_KEYS,))]
    return "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")


def _setting(random: Random, names: Sequence[str]) -> str:
    return f"{random.choice(names)} = {random.choice(VALUES)}"
