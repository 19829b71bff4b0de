from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.supersession import Order
from learnings.consolidation.routes import Route, TargetIndex, target_activity_of
from learnings.consolidation.text.sections import target_of
from learnings.core.due.history_facts import Transfer, Transfers
from learnings.core.entries.document import read

WORDS = """
cache key never tenant not before after — ## - ** : instead of 3 42 кэш не ключ 缓存 不要 键
キャッシュ
مفتاح لا | ``` İ ß 0xff_fe camelCase kebab-case Anti-pattern: Supersedes: ~~Superseded~~
"""
SIGNS = ["\n", "\n\n", "\r", "\n- ", "\n## ", "\n```\n"]
TEXT = st.lists(st.sampled_from([*WORDS.split(), *SIGNS]), max_size=40).map(" ".join) | st.text(
    max_size=80
)


@pytest.mark.slow
@settings(max_examples=150)
@given(TEXT, st.lists(TEXT, max_size=3))
def test_no_text_is_too_odd(memory: str, targets: list[str]) -> None:
    document = read(f"## one\n\n{memory}\n\n## two\n\n{memory}".encode("utf-8", "replace"))
    read_targets = [
        target_of(f"{number}.md", text.encode("utf-8", "replace"))
        for number, text in enumerate(targets)
    ]
    entries = document.entries
    known = {entry.identity for entry in entries}
    index = TargetIndex(read_targets, 10)
    for route in (Route(index, entry) for entry in entries):
        assert len({one.section.path for one in route.candidates}) == len(route.candidates) <= 5
    findings = prechecks(entries, read_targets, Order(entries, {}))
    assert len({finding.entry.identity for finding in findings}) == len(findings)
    assert all(finding.entry.identity in known and 0 <= finding.score <= 1 for finding in findings)
    added = {target.path: (target.sections[0].text,) for target in read_targets if target.sections}
    target_activity_of(Transfers((Transfer("c", "2026-01-01", entries, added),)))


SCRIPT = """
from learnings.consolidation.groups.groups import propose
from learnings.consolidation.checks.supersession import Order
from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.routes import Route, TargetIndex
from learnings.consolidation.text.sections import target_of
from learnings.core.entries.document import read
words = "cache key tenant locale retry budget upload jitter deploy crash never not lock".split()
text = "".join(
    f"## {words[n % 13]} {words[n * 5 % 13]} {words[n * 7 % 13]}\\n\\n"
    + " ".join(words[n * k % 13] for k in range(2, 12)) + f" own{n % 20}a own{n % 20}b.\\n\\n"
    for n in range(40)
)
entries = read(text.encode()).entries
targets = [target_of(f"{n}.md", text[n * 100 : n * 100 + 900].encode()) for n in range(7)]
grouping = propose(entries)
print([(one.score, one.shared, one.own_words) for one in grouping.groups], grouping.neighbours)
index = TargetIndex(targets, 9)
print([Route(index, entry).candidates for entry in entries])
print(prechecks(entries, targets, Order(entries, {})))
"""


@pytest.mark.slow
def test_hash_seed_and_locale_change_nothing() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale},
            capture_output=True,
            check=True,
        ).stdout
        for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("4242", "tr_TR.UTF-8"))
    }
    assert len(said) == 1
    assert all(name in next(iter(said)) for name in (b"Entry(", b"RouteCandidate", b"Precheck"))
