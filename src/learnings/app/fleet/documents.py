"""Documents `learnings.fleet/1`, read from files that the jobs of a fleet have left."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from learnings.app.workspace.disk import read_start
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.fleet import STATES, UNKNOWN, Fleet, RepositoryRow
from learnings.core.text import printable

SCHEMA = "learnings.fleet/1"
# Bytes of a document: a row takes some 400, so that 100,000 repositories fit several times.
_LARGEST = 256_000_000
_TEXTS = ("name", "state")
_NUMBERS = ("overdue", "files", "entries", "lines", "words", "errors", "notices")


def read_documents(names: Sequence[str], cwd: Path) -> Iterator[Fleet]:
    """Give the fleet in each document; one that cannot be read is a row with the reason."""
    for name in names:
        try:
            yield fleet_of(read_start(cwd / name, _LARGEST + 1, shown=name), shown=name)
        except LearningsError as error:
            yield Fleet((RepositoryRow(name, UNKNOWN, (str(error),)),))


def fleet_of(data: bytes, *, shown: str) -> Fleet:
    """Return the fleet in a document. Raises UsageProblem where it is not one."""
    if len(data) > _LARGEST:
        raise UsageProblem(f"{shown} has more than {_LARGEST} bytes; merge in several steps")
    try:
        return _fleet(json.loads(data))
    except (ValueError, KeyError, TypeError, RecursionError):
        advice = "write it with `learnings fleet scan --format json`"
        raise UsageProblem(f"{shown} is not a document {SCHEMA}; {advice}") from None


def repositories_in(data: bytes, *, shown: str) -> list[str]:
    """Return the repositories that a file lists, one a line; `#` begins a comment.

    Raises UsageProblem where it lists none, or one twice.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    names = [name for line in lines if (name := line.partition("#")[0].strip())]
    if not names:
        raise UsageProblem(f"{shown} lists no repository; write one a line, such as owner/name")
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise UsageProblem(f"{shown} lists {printable(twice)} twice; remove one of them")
    return names


def _fleet(document: Any) -> Fleet:  # noqa: ANN401  (what JSON holds)
    """Return the fleet in a document; raises what a wrong type raises."""
    if document["schema"] != SCHEMA:
        raise ValueError
    return Fleet(tuple(map(_row, document["repositories"])))


def _row(item: Any) -> RepositoryRow:  # noqa: ANN401  (as above)
    """Return a row; raises what a wrong type raises."""
    texts = {key: _of_type(item[key], str) for key in _TEXTS}
    numbers = {key: _of_type(item[key], int) for key in _NUMBERS}
    reasons = tuple(_of_type(reason, str) for reason in item["reasons"])
    as_of = None if item["as_of"] is None else _of_type(item["as_of"], str)
    if texts["state"] not in STATES:
        raise ValueError
    return RepositoryRow(**texts, **numbers, reasons=reasons, as_of=as_of)


def _of_type(value: Any, kind: type) -> Any:  # noqa: ANN401
    if type(value) is not kind:
        raise TypeError
    return value
