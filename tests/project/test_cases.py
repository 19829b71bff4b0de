"""A table of cases in one test: every row is tried, and every failure is told with its row."""

from __future__ import annotations

from inspect import signature

import pytest

from tests.support.cases import cases


def test_every_row_is_tried() -> None:
    tried = []

    @cases("number", [1, 2])
    @cases(("text", "length"), [("a", 1), ("bb", 2)], ids=["short", "long"])
    def test(number: int, text: str, length: int) -> None:
        tried.append((number, text, length))

    test()
    assert tried == [(1, "a", 1), (1, "bb", 2), (2, "a", 1), (2, "bb", 2)]


def test_every_failure_is_told_with_its_row() -> None:
    @cases("text, length", [("a", 1), ("b", 2), ("c", 3)])
    def test(text: str, length: int) -> None:
        if length == 3:
            pytest.fail("three")
        assert len(text) == length

    with pytest.RaisesGroup(AssertionError, pytest.fail.Exception) as failures:
        test()
    notes = [error.__notes__ for error in failures.value.exceptions]
    assert notes == [["case: text='b', length=2"], ["case: text='c', length=3"]]


def test_a_single_failure_is_raised_as_it_is() -> None:
    @cases(["number"], [[0], [1]], ids=["nothing", "one"])
    def test(number: int) -> None:
        assert number == 0

    with pytest.raises(AssertionError) as failure:
        test()
    assert failure.value.__notes__ == ["case: one"]


def test_a_row_has_to_fit_and_there_has_to_be_one() -> None:
    with pytest.raises(ValueError, match="argument"):
        cases("one, two", [(1, 2, 3)])
    with pytest.raises(AssertionError, match="no cases"):
        cases("one", [])


def test_fixtures_are_left_to_pytest() -> None:
    @cases("number", [1, 2])
    def test(number: int, fixture: str) -> None:
        assert (number, fixture) != (2, "wrong")

    assert [*signature(test).parameters] == ["fixture"]
    test(fixture="right")
    with pytest.raises(AssertionError):
        test(fixture="wrong")
