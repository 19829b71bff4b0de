"""What one YAML library for reading and writing would cost, on a store of 500 entries.

    python benchmarks/yaml_stores.py [--runs N]

Processor time to read the store with each parser, to edit every fifth entry and to prove the
result, and to import each library. Then the configurations of pre-commit, of 500 made-up ones, in
which ruamel.yaml changes other lines when it adds an item.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from statistics import median
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import yaml
from hypothesis import HealthCheck, Phase, given, seed, settings
from ruamel.yaml import YAML

from benchmarks.confidence import Case
from benchmarks.timing import cost_of
from learnings.confidence.documents.entries import EntryFile, edits_of, read_entries
from learnings.core.yaml import round_trip
from learnings.core.yaml.editing import AddItem, prove
from learnings.core.yaml.round_trip import edited_yaml
from tests.app.setup.test_pre_commit_step import configurations

KEY, ENTRIES, NEW, CONFIGURATIONS = "principles", 500, 4352, 500
ITEM = AddItem(("repos",), {"repo": "local", "hooks": [{"id": "a"}]})


class Measure:
    """Prints the medians of processor time."""

    def __init__(self, runs: int) -> None:
        self.runs = runs

    def of(self, title: str, action: Callable[[], object]) -> None:
        seconds = []
        for _ in range(self.runs):
            start = time.process_time()
            action()
            seconds.append(time.process_time() - start)
        low, high = 1000 * min(seconds), 1000 * max(seconds)
        print(f"{title}: {1000 * median(seconds):.0f} ms ({low:.0f} to {high:.0f})", flush=True)

    def of_import(self, module: str) -> None:
        costs = [
            cost_of(self.runs, [sys.executable, "-I", "-c", code], Path.cwd()).seconds
            for code in ("pass", f"import {module}")
        ]
        print(f"import {module}: {1000 * (costs[1] - costs[0]):.0f} ms", flush=True)


def ruamel_events(text: str, **_options: object) -> Iterator[object]:
    """Yield the events of ruamel.yaml's parser, which have the same names as PyYAML's."""
    yield from YAML(typ="safe", pure=True).parse(text)


def measure_store(measure: Measure) -> None:
    case = Case()
    entries = tuple(case.principle(number) for number in range(1, ENTRIES + 1))
    text = edited_yaml("", edits_of(EntryFile(), KEY, (), entries))
    print(f"{ENTRIES} entries, {text.count(chr(10)):,} lines, {len(text):,} characters")
    file = read_entries(text, KEY)
    after = tuple(
        entry._replace(confidence=Decimal("0.68")) if number % 5 == 0 else entry
        for number, entry in enumerate(file.entries)
    )
    edits = edits_of(file, KEY, file.entries, after)
    new = edits_of(EntryFile(), KEY, (), tuple(map(case.principle, range(1, NEW + 1))))
    measure.of(f"write {NEW:,} new entries", lambda: edited_yaml("", new))
    with patch.object(round_trip, "without_repeated", lambda edits: (edits, [])):
        measure.of("the same, ruamel.yaml for all", lambda: edited_yaml("", new))
    measure.of("read, PyYAML with libyaml", lambda: read_entries(text, KEY))
    with patch.object(yaml, "CSafeLoader", yaml.SafeLoader):
        measure.of("read, PyYAML in Python", lambda: read_entries(text, KEY))
    with patch.object(yaml, "parse", ruamel_events):
        measure.of("read, ruamel.yaml", lambda: read_entries(text, KEY))
    written = edited_yaml(text, edits)
    measure.of(f"write {len(edits)} edits, ruamel.yaml", lambda: edited_yaml(text, edits))
    measure.of("prove", lambda: prove(text, edits, written))


def measure_configurations() -> None:
    changed = []

    @seed(1)
    @settings(
        max_examples=CONFIGURATIONS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(text=configurations())
    def add_item(text: str) -> None:
        lines = edited_yaml(text, [ITEM]).splitlines()
        rest = iter(lines)
        changed.append(any(line not in rest for line in text.splitlines()))

    add_item()
    print(f"ruamel.yaml changes other lines in {sum(changed)} of {len(changed)} configurations")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    measure = Measure(parser.parse_args().runs)
    measure_store(measure)
    measure.of_import("yaml")
    measure.of_import("ruamel.yaml")
    measure_configurations()


if __name__ == "__main__":
    main()
