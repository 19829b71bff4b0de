"""Raw files: which are valid, what is read of them, in which order."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.instants import instant_of
from learnings.tiers.raw_files import (
    RawFile,
    RawObservation,
    SkippedFile,
    raw_files_in_order,
    read_raw_file,
)

VALID = {"workId": "w", "timestamp": "2026-03-01T00:00:00Z", "findings": []}


def read(name: str = "one.json", **values: object) -> RawFile:
    file = read_raw_file(name, b"\xef\xbb\xbf" + json.dumps({**VALID, **values}).encode())
    assert isinstance(file, RawFile)
    return file


def one(finding: object) -> RawObservation:
    (observation,) = read(findings=[finding]).observations
    return observation


def test_a_file_without_findings_is_valid() -> None:
    wanted = RawFile("one.json", "one", "w", datetime(2026, 3, 1, tzinfo=UTC), ())
    assert read(more={"any": "thing"}) == wanted


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"1" * 5000, "is not JSON"),
        (b"[]", "is not a JSON object"),
        (b"{}", "lacks workId, timestamp, findings"),
        (b'{"workId": "", "timestamp": "x", "findings": []}', "lacks workId"),
        (b'{"workId": 1, "timestamp": null, "findings": []}', "lacks timestamp"),
        (b'{"workId": 1, "timestamp": 1, "findings": {}}', "has findings that are not a list"),
        (b" " * (LARGEST_FILE + 1), "has more than 4 MB, too large for a memory file"),
    ],
)
def test_what_is_skipped(data: bytes, reason: str) -> None:
    assert read_raw_file("one.json", data) == SkippedFile("one.json", reason)


def test_a_work_unit_has_the_name_of_its_file_or_its_id_if_that_can_be_shown() -> None:
    names = ["WU-012", "eval framework #2", "Кэш-сборки", "x" * 100]
    assert [read(f"{name}.json", workId="w").unit for name in names] == names
    assert [read("a(b).json", workId=name).unit for name in names] == names
    assert read("(1).json", workId=12).unit == "12"
    assert read("(1).json", workId="a\nb").unit == "a b"
    paths = ["../../etc/passwd", "/etc/passwd", "C:\\x", "a\\b", "a..b", "a/b", "a\x1b[31m"]
    for name in (*paths, "x" * 101, ["a"]):
        assert read("\x1b.json", workId=name).unit == "unnamed", name


def test_what_is_read_of_a_finding() -> None:
    finding = {
        "proposedRule": "P12: Freeze\n the clock",
        "description": " It   failed. ",
        "disposition": "promoted:patterns",
        "category": "testing",
    }
    assert one(finding) == RawObservation(
        "one",
        "one.json",
        1,
        "Freeze the clock",
        "It failed.",
        "promoted:patterns",
        datetime(2026, 3, 1, tzinfo=UTC),
        "w",
    )
    for rule in ("P34", None, ["x"]):
        assert one({"proposedRule": rule, "description": "It failed."}).rule == ""
    findings: list[object] = [{}, {"category": "x"}, None, 3, [], "", {"description": " "}, "said"]
    (said,) = read(findings=findings).observations
    assert (said.number, said.description) == (8, "said")


def test_dispositions_count_by_their_beginning() -> None:
    for disposition, dismissed, promoted in (
        ("Dismissed — known", True, False),
        ("Promoted:auto-memory", False, True),
        ("not dismissed, not promoted", False, False),
        (None, False, False),
        (3, False, False),
    ):
        observation = one({"description": "x", "disposition": disposition})
        assert (observation.is_dismissed, observation.is_promoted) == (dismissed, promoted)


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-03-01T12:00:00.000Z", NOON),
        ("2026-03-01T06:30:00-05:30", NOON),
        ("2026-03-01T12:00:00", NOON),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("yesterday", None),
        ("0001-01-01T00:00:00+23:59", None),
        (1772366400, None),
    ],
)
def test_time_stamps_are_instants(text: object, instant: datetime | None) -> None:
    assert instant_of(text) == instant


def test_files_are_in_the_order_of_their_instants() -> None:
    stamps = ["2026-03-01T12:00:00+02:00", "2026-03-01T10:30:00Z", "2026-03-01T09:59:59.9Z", "soon"]
    files = [read(f"{n}.json", timestamp=stamp) for n, stamp in enumerate(stamps)]
    assert [file.unit for file in raw_files_in_order(files)] == ["2", "0", "1", "3"]
