from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import BOM, FENCE, run


@pytest.mark.parametrize(
    ("source", "position"),
    [("## A", (1, 5)), ("## A\r\n\r\ntext", (3, 5)), (f"{FENCE}\ncode\n{FENCE}", (3, 4))],
)
def test_missing(source: str, position: tuple[int, int]) -> None:
    (finding,) = run("final-newline", source)
    assert (finding.line, finding.column) == position


@pytest.mark.parametrize("source", ["", "## A\n", "## A\r\n"])
def test_present(source: str) -> None:
    assert run("final-newline", source) == []


@pytest.mark.parametrize("role", [*Role, None])
def test_every_memory_file_and_no_other(role: Role | None) -> None:
    is_memory = role not in (Role.AGENT, Role.TOPIC, None)
    assert bool(run("final-newline", "text", role=role)) is is_memory


@pytest.mark.parametrize(
    ("source", "new"),
    [
        ("## A\n\ntext", "text\n"),
        ("## A\r\n\r\ntext\r", "text\r\n"),
        ("## A\r\nb\nc\r\nd", "d\r\n"),
    ],
)
def test_fix_adds_a_newline_of_the_kind_of_the_file(source: str, new: str) -> None:
    (finding,) = run("final-newline", source)
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert (edit.line, edit.old, edit.new) == (finding.line, edit.old, new)
    assert source.endswith(edit.old)
    assert run("final-newline", source[: -len(edit.old)] + edit.new) == []


@pytest.mark.parametrize(
    ("data", "position", "wording"),
    [
        (b"## Caf\xe9\n", (1, 7), "byte 0xE9"),
        ("## Ä".encode() + b"\xfc\n", (1, 5), "byte 0xFC"),
        (b"\xed\xa0\x80\n", (1, 1), "byte 0xED"),
        (b"## A\n\nnul \0 nul \0\n", (3, 5), "NUL byte cannot occur in text (2 such bytes"),
    ],
)
def test_first_bad_byte_is_named(data: bytes, position: tuple[int, int], wording: str) -> None:
    (finding,) = run("invalid-encoding", data)
    assert wording in finding.message
    assert (finding.line, finding.column) == position


@pytest.mark.parametrize("text", ["## Café\n", "日本語\n", "\ufffd\n"])
def test_utf_8_is_fine(text: str) -> None:
    assert run("invalid-encoding", text) == []


RULE = "replacement-characters"
LOST = "\ufffd"


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        (f"## A\n\ncaf{LOST} closes\n", 3, 4),
        (f"{BOM}## {LOST}ber\n", 1, 5),
        (f"## A\n\nthis {LOST} that\n", 3, 6),
        (f"## A\n\n> caf{LOST}\n", 3, 6),
    ],
)
def test_lost(source: str, line: int, column: int) -> None:
    (finding,) = run(RULE, source)
    assert (finding.line, finding.column) == (line, column)


@pytest.mark.parametrize(
    "source",
    [
        "## Über Züge\n",
        f"## A\n\n{FENCE}\ncaf{LOST}\n{FENCE}\n",
        f"## A\n\nThe replacement character {LOST} means a wrong encoding.\n",
    ],
)
def test_nothing_lost(source: str) -> None:
    assert run(RULE, source) == []


def test_one_finding_a_file_that_counts() -> None:
    (finding,) = run(RULE, f"## A\n\nf{LOST}r {LOST}{LOST}ber\n\nf{LOST}r\n")
    assert "(4 on 2 lines)" in finding.message
    (finding,) = run(RULE, f"f{LOST}r\n")
    assert "(1 on 1 line)" in finding.message


@pytest.mark.parametrize("role", [*Role, None])
def test_files_of_every_role_but_those_of_agents(role: Role | None) -> None:
    assert bool(run(RULE, f"f{LOST}r\n", role=role)) is (role is not Role.AGENT)


def test_bytes_that_are_not_utf_8_are_another_matter() -> None:
    assert run(RULE, b"## caf\xe9\n") == []
