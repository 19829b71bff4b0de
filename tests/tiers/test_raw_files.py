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
from tests.support.tier_stores import raw_file

VALID = {"workId": "w", "timestamp": "2026-03-01T00:00:00Z", "findings": []}


def read(value: object, name: str = "one.json") -> RawFile:
    file = read_raw_file(name, json.dumps(value).encode())
    assert isinstance(file, RawFile)
    return file


def one(finding: object) -> RawObservation:
    (observation,) = read({**VALID, "findings": [finding]}).observations
    return observation


def test_a_file_without_findings_is_valid() -> None:
    assert read(VALID) == RawFile("one.json", "w", datetime(2026, 3, 1, tzinfo=UTC), ())
    assert read({**VALID, "more": {"any": "thing"}}).unit == "w"
    assert isinstance(
        read_raw_file("x.json", b"\xef\xbb\xbf" + json.dumps(VALID).encode()), RawFile
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"1" * 5000, "is not JSON"),
        (b"[]", "is not a JSON object"),
        (b"null", "is not a JSON object"),
        (b"{}", "lacks workId, timestamp, findings"),
        (json.dumps({**VALID, "workId": ""}).encode(), "lacks workId"),
        (json.dumps({**VALID, "timestamp": None}).encode(), "lacks timestamp"),
        (json.dumps({**VALID, "findings": {}}).encode(), "has findings that are not a list"),
        (json.dumps({**VALID, "findings": "x"}).encode(), "has findings that are not a list"),
        (b" " * (LARGEST_FILE + 1), "has more than 4 MB, too large for a memory file"),
    ],
)
def test_what_is_skipped(data: bytes, reason: str) -> None:
    assert read_raw_file("one.json", data) == SkippedFile("one.json", reason)


@pytest.mark.parametrize(
    ("work_id", "unit"),
    [
        ("WU-012", "WU-012"),
        ("eval framework #2", "eval framework #2"),
        ("Кэш-сборки", "Кэш-сборки"),
        (12, "12"),
        ("../../etc/passwd", "one"),
        ("/etc/passwd", "one"),
        ("C:\\x", "one"),
        ("a\\b", "one"),
        ("a..b", "one"),
        ("a/b", "one"),
        ("a\nb", "a b"),
        ("a\x1b[31m", "one"),
        ("x" * 101, "one"),
        (["a"], "one"),
    ],
)
def test_an_id_that_is_a_path_is_not_passed_on(work_id: object, unit: str) -> None:
    assert read({**VALID, "workId": work_id}).unit == unit


def test_a_file_whose_name_is_no_id_either() -> None:
    assert read({**VALID, "workId": "../x"}, "\x1b.json").unit == "unnamed"


def test_what_is_read_of_a_finding() -> None:
    finding = {
        "proposedRule": "P12: Freeze\n the clock",
        "description": " It   failed. ",
        "disposition": "promoted:patterns",
        "category": "testing",
    }
    observation = one(finding)
    assert observation[:6] == (
        "w",
        "one.json",
        1,
        "Freeze the clock",
        "It failed.",
        "promoted:patterns",
    )
    assert one("text alone").description == "text alone"
    assert one({"proposedRule": "P34", "description": "It failed."}).rule == ""
    assert one({"proposedRule": None, "description": "It failed."}).rule == ""
    assert one({"proposedRule": ["x"], "description": "It failed."}).rule == ""


def test_what_says_nothing_is_no_observation() -> None:
    findings: list[object] = [{}, {"category": "x"}, None, 3, [], "", {"description": " "}, "said"]
    assert [o.number for o in read({**VALID, "findings": findings}).observations] == [8]


@pytest.mark.parametrize(
    ("disposition", "dismissed", "promoted"),
    [
        ("dismissed", True, False),
        ("dismissed:already-in-memory", True, False),
        ("Dismissed — known", True, False),
        ("promoted-patterns", False, True),
        ("promoted:auto-memory", False, True),
        ("learning", False, False),
        ("", False, False),
        (None, False, False),
        (3, False, False),
    ],
)
def test_dispositions_count_by_their_beginning(
    disposition: object,
    dismissed: bool,  # noqa: FBT001
    promoted: bool,  # noqa: FBT001
) -> None:
    observation = one({"description": "x", "disposition": disposition})
    assert (observation.is_dismissed, observation.is_promoted) == (dismissed, promoted)


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-03-01T12:00:00Z", NOON),
        ("2026-03-01T12:00:00.000Z", NOON),
        ("2026-03-01T13:00:00+01:00", NOON),
        ("2026-03-01T06:30:00-05:30", NOON),
        ("2026-03-01T12:00:00", NOON),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("yesterday", None),
        ("0001-01-01T00:00:00+23:59", None),
        (1772366400, None),
        (None, None),
    ],
)
def test_time_stamps_are_instants(text: object, instant: datetime | None) -> None:
    assert instant_of(text) == instant


def test_files_are_in_the_order_of_their_instants() -> None:
    stamps = {
        "b": "2026-03-01T12:00:00+02:00",
        "a": "2026-03-01T10:30:00Z",
        "c": "2026-03-01T09:59:59.999Z",
        "d": "soon",
    }
    files = [read_raw_file(f"{n}.json", raw_file(n, [], stamp)) for n, stamp in stamps.items()]
    valid = [file for file in files if isinstance(file, RawFile)]
    assert [file.unit for file in raw_files_in_order(valid)] == ["c", "b", "a", "d"]
