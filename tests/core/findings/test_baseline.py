"""What is known, what is new, and what is gone."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.errors import BadSettings, FixRefused
from learnings.core.findings.baseline import (
    Baseline,
    baseline_text,
    is_known,
    pruned,
    read_baseline,
    recorded,
)
from learnings.core.findings.finding import Edit, Finding, Fix, Severity, apply, edited, in_order
from learnings.core.text import decode

ERROR = Finding("a-rule", Severity.ERROR, "a.md", 3, 1, "wrong", subject="## Title")
NOTICE = ERROR._replace(severity=Severity.NOTICE)
OTHER = ERROR._replace(rule="b-rule", subject="")
PRINT = "0123456789abcdef"
ENTRY = {"path": "a.md", "rule": "a", "about": "", "severity": "error", "fingerprint": PRINT}


def baseline(*findings: Finding) -> Baseline:
    return {record.fingerprint: record for record in recorded(in_order(findings))}


def new(findings: Sequence[Finding], known: Baseline) -> list[Finding]:
    ordered = in_order(findings)
    today = zip(ordered, recorded(ordered), strict=True)
    return [finding for finding, record in today if not is_known(record, known)]


def left(known: Baseline, *today: Finding, judged: bool = True) -> list[tuple[str, Severity]]:
    kept = pruned(known, recorded(in_order(today)), is_judged=lambda _: judged)
    return [(record.rule, record.severity) for record in kept.values()]


def test_what_is_recorded_is_known_wherever_it_moves() -> None:
    known = baseline(ERROR, OTHER)
    assert new([ERROR._replace(line=99, message="said anew"), OTHER._replace(line=7)], known) == []
    assert new([ERROR._replace(subject="## Another")], known) != []
    second = ERROR._replace(line=9)
    assert new([second, ERROR], baseline(ERROR)) == [second]
    assert new([second, ERROR], baseline(ERROR, second)) == []
    assert new([second], baseline(ERROR, second)) == []
    # A notice that is known does not cover an error.
    assert new([ERROR], baseline(NOTICE)) == [ERROR]
    assert new([NOTICE], baseline(ERROR)) == []


def test_what_is_gone_is_taken_out() -> None:
    known = baseline(ERROR, OTHER)
    assert left(known, OTHER) == [("b-rule", Severity.ERROR)]
    assert left(known) == []
    assert len(left(known, judged=False)) == 2
    assert left(baseline(ERROR), ERROR, OTHER) == [("a-rule", Severity.ERROR)]
    assert left(baseline(NOTICE), ERROR) == [("a-rule", Severity.NOTICE)]
    assert left(baseline(ERROR), NOTICE) == [("a-rule", Severity.NOTICE)]
    assert left(baseline(ERROR, ERROR._replace(line=9)), ERROR._replace(line=20)) == [
        ("a-rule", Severity.ERROR)
    ]


FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from(["a-rule", "b-rule"]),
    severity=st.sampled_from(Severity),
    path=st.binary(min_size=1, max_size=4).map(decode),
    line=st.integers(1, 9),
    column=st.just(1),
    message=st.just("wrong"),
    subject=st.one_of(st.binary(max_size=80).map(decode), st.text(max_size=80)),
)


@given(st.lists(FINDINGS, max_size=6))
def test_what_is_written_is_read_again(findings: list[Finding]) -> None:
    known = baseline(*findings)
    text = baseline_text(known)
    assert read_baseline(text.encode(), name="b") == known
    assert baseline_text(read_baseline(text.encode(), name="b")) == text
    assert text.count("\n") == 4 + len(known) + bool(known)


def test_a_finding_is_a_line_and_lines_are_sorted() -> None:
    text = baseline_text(baseline(OTHER, ERROR, ERROR._replace(path="A.md", subject="é" * 70)))
    first, second, third = [line for line in text.splitlines() if line.startswith("    {")]
    rules = [json.loads(line.rstrip(","))["rule"] for line in (first, second, third)]
    assert rules == ["a-rule", "a-rule", "b-rule"]
    assert f'"about": "{"é" * 59}…"' in first
    assert text.endswith('"}\n  ]\n}\n')
    assert baseline_text({}) == '{\n  "schema": "learnings.baseline/1",\n  "findings": []\n}\n'


def with_entries(*entries: object) -> bytes:
    return json.dumps({"schema": "learnings.baseline/1", "findings": entries}).encode()


@pytest.mark.parametrize(
    ("data", "wording"),
    [
        (b"", "b:1: is not valid JSON (Expecting value at column 1); "),
        (b'{\n  "schema": ,\n}', "b:2: is not valid JSON (Expecting value at column 13); "),
        (b"{\n<<<<<<< HEAD\n=======\n>>>>>>> x\n}", "b:2: contains a merge conflict; "),
        (b"\n\xff", "b:2: is not UTF-8; "),
        (b"[" * 200_000, "b: is nested too deeply; "),
        (b"[" + b"1" * 9_999 + b"]", "b: is not valid JSON (a number is too long); "),
        (b"[]", "b: is not a baseline: it has no schema; "),
        (b'{"schema": 1}', "b: is not a baseline: it has no schema; "),
        (b'{"schema": "learnings.baseline/2"}', "b: has the schema 'learnings.baseline/2', not "),
        (b'{"schema": "learnings.baseline/1"}', "b: has no list of findings; "),
        (with_entries(ENTRY, 1), "b: finding 2 is incomplete or invalid; "),
    ],
)
def test_a_broken_file_is_one_sentence(data: bytes, wording: str) -> None:
    with pytest.raises(BadSettings) as caught:
        read_baseline(data, name="b")
    assert str(caught.value).startswith(wording)
    assert str(caught.value).isprintable()


def test_every_part_of_a_finding_is_looked_at() -> None:
    for key in ENTRY:
        own = {"about": [], "path": [""], "rule": [""]}.get(key, ["", "ERROR", "x" * 16])
        for value in (None, 1, *own):
            with pytest.raises(BadSettings, match="finding 1 is incomplete or invalid"):
                read_baseline(with_entries({**ENTRY, key: value}), name="b")
    # Of a finding that a merge left twice the error counts.
    for both in (
        [ENTRY, {**ENTRY, "severity": "notice"}],
        [{**ENTRY, "severity": "notice"}, ENTRY],
    ):
        (record,) = read_baseline(with_entries(*both), name="b").values()
        assert record.severity is Severity.ERROR


def fix(*edits: tuple[int, str, str]) -> Fix:
    return Fix("does something", tuple(Edit(*edit) for edit in edits))


def applied(text: str, *fixes: Fix) -> str:
    return apply(text.encode(), fixes, path="a.md").decode()


@pytest.mark.parametrize(
    ("text", "edits", "after"),
    [
        ("##A\n", [(1, "##A\n", "## A\n")], "## A\n"),
        ("\ufeff##A\r\n", [(1, "\ufeff##A\r\n", "\ufeff## A\r\n")], "\ufeff## A\r\n"),
        ("a\nb", [(2, "b", "b\n")], "a\nb\n"),
        ("a\n##B", [(2, "##B", "## B"), (2, "##B", "##B\n")], "a\n## B\n"),
        ("a\n##B", [(2, "##B", "##B\n"), (2, "##B", "## B")], "a\n## B\n"),
        ("a\n##B", [(2, "##B", "## B"), (2, "##B", "## B")], "a\n## B"),
        ("##A\nb\n##C\n", [(3, "##C\n", "## C\n"), (1, "##A\n", "## A\n")], "## A\nb\n## C\n"),
        ("a\n", [(1, "a\n", "a\n")], "a\n"),
        ("a b\nc\n", [(2, "c\n", "c")], "a b\nc"),
        ("a\n", [], "a\n"),
    ],
)
def test_edits_are_made(text: str, edits: list[tuple[int, str, str]], after: str) -> None:
    assert applied(text, *(fix(edit) for edit in edits)) == after
    assert applied(text, fix(*edits)) == after


MORE = "this line would change in more than whitespace"


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ([(1, "x\n", " x\n")], "a.md:1: this line is not the line"),
        ([(3, "c", "c\n")], "a.md:3: this line is not the line"),
        ([(0, "a b\n", "a b \n")], "a.md:0: this line is not the line"),
        *(([(1, "a b\n", new)], f"a.md:1: {MORE}") for new in ("a c\n", "", "a\nb\n")),
        ([(2, "c\n", "c\n\n")], "a.md:2: this line would be joined or split"),
        ([(1, "a b\n", "a  b\n"), (1, "a b\n", "ab\n")], "conflicting fixes"),
    ],
)
def test_what_would_lose_something_is_refused(
    edits: list[tuple[int, str, str]], reason: str
) -> None:
    with pytest.raises(FixRefused, match=reason):
        applied("a b\nc\n", fix(*edits))


def test_bytes_that_are_no_text_stay() -> None:
    edit = fix((1, "##A\udcff\n", "## A\udcff\n"))
    assert apply(b"##A\xff\n\xfe", [edit], path="a.md") == b"## A\xff\n\xfe"


@pytest.mark.parametrize(
    ("lines", "edits", "after"),
    [
        (["a\n", "b\n"], [Edit(1, "a\n", "")], "b\n"),
        (["a\n", "b"], [Edit(2, "b", "b\nc\n")], "a\nb\nc\n"),
        (["a\n"], [Edit(1, "a\n", "top\na\n")], "top\na\n"),
        ([], [Edit(1, "", "a\n")], "a\n"),
    ],
)
def test_lines_come_and_go(lines: list[str], edits: list[Edit], after: str) -> None:
    assert "".join(edited(lines, edits, path="a.md")) == after


@pytest.mark.parametrize("edit", [Edit(1, "b\n", ""), Edit(3, "", "c\n"), Edit(0, "", "c\n")])
def test_an_edit_of_another_line_is_refused(edit: Edit) -> None:
    with pytest.raises(FixRefused, match="not the line"):
        edited(["a\n"], [edit], path="a.md")


def test_lines_are_restored_if_none_is_lost() -> None:
    def restored(*edits: tuple[int, str, str]) -> str:
        return applied("a\nb\nb\n", fix(*edits)._replace(restores=True))

    assert restored((1, "a\n", "b\na\n"), (2, "b\n", "")) == "b\na\nb\n"
    assert restored((3, "b\n", "")) == "a\nb\n"
    for new in ("", "c\n"):
        with pytest.raises(FixRefused, match=r"a.md:1: this line would be lost"):
            restored((1, "a\n", new))
