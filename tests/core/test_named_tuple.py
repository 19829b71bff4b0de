"""Our named tuples do what those of the standard library do."""

from __future__ import annotations

import copy
import pickle
import re
import typing
from typing import Any

import pytest

from learnings.core.named_tuple import NamedTuple
from tests.support.guard import ROOT


class Point(NamedTuple):
    """Coordinates."""

    x: int
    y: int = 2
    label: str = ""

    @property
    def total(self) -> int:
        return self.x + self.y


class Standard(typing.NamedTuple):
    x: int
    y: int = 2
    label: str = ""


class LabelledPoint(Point):
    """A class that adds a method to another."""

    def shown(self) -> str:
        return f"{self.label}{self.total}"


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1, 5, "a"), {}),
    ((1,), {}),
    ((1,), {"label": "a"}),
    ((), {"label": "a", "x": 1}),
    # Those below are refused.
    ((), {}),
    ((), {"y": 1}),
    ((1, 2, "a", 4), {}),
    ((1,), {"x": 1}),
    ((1,), {"z": 1}),
    ((1, 2, "a"), {"z": 1}),
    ((1, 2, "a"), {"label": "a"}),
]


def outcome(
    kind: type[tuple[object, ...]], values: tuple[Any, ...], named: dict[str, Any]
) -> object:
    """The plain tuple that a class makes of the arguments; None where it refuses them."""
    try:
        return tuple(kind(*values, **named))
    except TypeError:
        return None


def test_it_takes_what_the_standard_one_takes() -> None:
    failures = []
    for values, named in ARGUMENTS:
        ours, standard = (outcome(kind, values, named) for kind in (Point, Standard))
        if ours != standard:
            failures.append(f"{values} {named}: {ours} instead of {standard}")
    assert "\n".join(failures) == ""
    assert sum(outcome(Point, *arguments) is None for arguments in ARGUMENTS) == 7


def test_it_is_a_tuple_of_its_fields() -> None:
    point = Point(1, label="a")
    x, y, label = point
    assert (x, y, label) == point == (1, 2, "a")
    assert (point.x, point.label, point.total) == (1, "a", 3)
    assert {point: 1}[Point(1, 2, "a")] == 1
    assert repr(point) == "Point(x=1, y=2, label='a')"
    assert point._asdict() == {"x": 1, "y": 2, "label": "a"}
    assert point._replace(y=7) == (1, 7, "a")
    assert Point._make([1, 2, "a"]) == point
    assert (Point._fields, Point._field_defaults) == (("x", "y", "label"), {"y": 2, "label": ""})
    assert Point.__doc__ == "Coordinates."


def test_it_cannot_be_changed() -> None:
    point: Any = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2
    with pytest.raises(AttributeError):
        point.other = 2


def test_a_copy_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError, match="Point has no field for z"):
        Point(1)._replace(z=1)  # type: ignore[call-arg]


def test_a_match_statement_knows_its_fields() -> None:
    match Point(1, 5):
        case Point(x, 5):
            assert x == 1
        case _:
            pytest.fail("no match")


def test_it_is_copied_and_pickled_as_it_is() -> None:
    point = Point(1, label="a")
    for twin in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert (twin, type(twin)) == (point, Point)


def test_a_class_can_add_methods_to_another() -> None:
    point = LabelledPoint(1, label="a")
    assert (point.shown(), point._replace(x=2).shown()) == ("a3", "a4")
    assert type(point._replace(x=2)) is LabelledPoint


def test_no_module_takes_the_slow_one_without_need() -> None:
    slow = re.compile(r"^from typing import [^#\n]*\bNamedTuple\b", re.MULTILINE)
    failures = []
    for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "hooks").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if slow.search(text) and "NamedTuple, Generic[" not in text:
            failures.append(f"{path.relative_to(ROOT)}: take NamedTuple of core/named_tuple.py")
    assert "\n".join(failures) == ""
