"""The faults that measure the tests (benchmarks/fault_sites.py)."""

from __future__ import annotations

from pathlib import Path

from benchmarks.fault_sites import KINDS, choose, faults_of, with_faults
from benchmarks.faults import pools_of

SOURCE = """\
def cut(text: str, most: int = 3) -> str:
    if not text and len(text) <= most:
        return ""
    print(most, text)
    return f"{text[:1]}…"
"""


def test_each_fault_is_one_change_of_what_runs() -> None:
    found = [
        (fault.line, fault.kind, with_faults(SOURCE.encode(), [fault]).decode())
        for fault in faults_of("cut.py", SOURCE.encode())
    ]
    expected = [
        (1, "off by one", SOURCE.replace("most: int = 3", "most: int = 4")),
        (2, "and/or, not", SOURCE.replace(
            "not text and len(text) <= most", "(not text or len(text) <= most)"
        )),
        (2, "and/or, not", SOURCE.replace("not text", "(text)")),
        (2, "comparison", SOURCE.replace("len(text) <= most", "(len(text) < most)")),
        (3, "deleted line", SOURCE.replace('return ""', "pass")),
        (4, "deleted line", SOURCE.replace("print(most, text)", "pass")),
        (4, "swapped arguments", SOURCE.replace("most, text", "text, most")),
        (5, "deleted line", SOURCE.replace('return f"{text[:1]}…"', "pass")),
    ]  # fmt: skip
    assert sorted(found) == sorted(expected)


def test_a_seed_chooses_the_same_faults_and_as_many_of_each_kind(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/cut.py").write_text(SOURCE * 5, encoding="utf-8")
    chosen = choose(tmp_path, len(KINDS) * 2, 7)
    assert chosen == choose(tmp_path, len(KINDS) * 2, 7) != choose(tmp_path, len(KINDS) * 2, 8)
    assert {kind: [fault.kind for fault in chosen].count(kind) for kind in KINDS} == dict.fromkeys(
        KINDS, 2
    )


def test_faults_of_a_pool_change_different_parts() -> None:
    faults = [*faults_of("cut.py", SOURCE.encode()), *faults_of("other.py", SOURCE.encode())]
    pools = pools_of(faults)
    assert sorted(fault for pool in pools for fault in pool) == sorted(faults)
    for pool in pools:
        changed = with_faults(SOURCE.encode(), [f for f in pool if f.path == "cut.py"]).decode()
        compile(changed, "cut.py", "exec")
        assert all(fault.text in changed for fault in pool if fault.path == "cut.py")
