"""Tables of cases that one test goes through: all failures are reported, each with its case.

pytest.mark.parametrize makes a test of each row, which takes 4 ms before it does anything. It stays
for rows that need fixtures of their own (a repository, a folder) or take long; `cases` is for pure
functions.

    @cases(("text", "expected"), [("a", 1), ("b", 2)])
    def test_it(text: str, expected: int) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]


def cases(
    names: str | Sequence[str], table: Iterable[Any], *, ids: Iterable[str] | None = None
) -> Callable[[Test], Test]:
    """Return a decorator that calls a test with each row of a table, as parametrize would.

    `names` are its parameters, as a sequence or with commas between; where there is only one, a row
    is its value. `ids` name the rows in failures. What else the test takes are fixtures, the same
    for all rows. The decorator can be used twice, for all pairs of two tables.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    single = isinstance(names, str) and len(columns) == 1
    rows = [dict(zip(columns, [row] if single else row, strict=True)) for row in table]
    labels = [*ids] if ids is not None else [None] * len(rows)
    assert rows, "no cases"

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**given: Any) -> None:  # noqa: ANN401
            failures = [
                failure
                for label, row in zip(labels, rows, strict=True)
                for failure in _failures(test, given, row, label)
            ]
            if len(failures) == 1:
                raise failures[0]
            if failures:
                message = f"{len(failures)} cases failed"
                raise BaseExceptionGroup(message, failures)

        kept = signature(test)
        parameters = [value for name, value in kept.parameters.items() if name not in columns]
        run.__signature__ = kept.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def _failures(
    test: Test, given: Mapping[str, Any], row: Mapping[str, Any], label: str | None
) -> Iterator[BaseException]:
    """Run one case; give what it raised, with the case in a note."""
    try:
        test(**given, **row)
    except (Exception, pytest.fail.Exception, BaseExceptionGroup) as error:  # noqa: BLE001
        error.add_note(_note(row, label))
        yield error


def _note(row: Mapping[str, Any], label: str | None) -> str:
    values = ", ".join(f"{name}={value!r}" for name, value in row.items())
    return f"case: {label or values}"


def first_measured(values: Iterable[Any]) -> list[Any]:
    """Return parameters of a test that coverage measures with the first of them alone.

    For those that take long and run the same lines: coverage makes them two to three times slower.
    """
    first, *others = values
    return [first, *(pytest.param(value, marks=pytest.mark.no_cover) for value in others)]
