"""Named tuples whose class is made in a tenth of the time that typing.NamedTuple takes.

That one compiles the annotation of each field, which is text in every module here, and a function
for each class: 0.16 ms a class, of which a report that takes some tens of milliseconds loads forty.
To make a tuple takes as long where all values are given by position, else some microseconds.

To a type checker this is typing.NamedTuple, and it is used in the same way. Only a class with type
parameters needs the other one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NamedTuple
else:
    # What named tuples of the standard library read their fields with; a property takes longer.
    from collections import _tuplegetter as field_getter

    _new_tuple = tuple.__new__

    class _NamedTupleType(type):
        """Makes the annotated names of a class the fields of its tuples."""

        def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> type:
            fields = tuple(members.get("__annotations__", ()))
            if fields:  # else the base itself, or a class that adds methods to another
                defaults = {field: members[field] for field in fields if field in members}
                members |= {field: field_getter(n, None) for n, field in enumerate(fields)}
                members |= {"_fields": fields, "_field_defaults": defaults}
                members |= {"__match_args__": fields, "__new__": _constructor(fields)}
            return super().__new__(cls, name, bases, {**members, "__slots__": ()})

    class NamedTuple(tuple, metaclass=_NamedTupleType):  # noqa: SLOT001  (its type sets them)
        """The base of a class that lists its fields, with their types and defaults."""

        @classmethod
        def _make(cls, values: Iterable[object]) -> NamedTuple:
            """Return a tuple of the values, one for each field."""
            return cls(*values)

        def _replace(self, /, **changed: object) -> NamedTuple:
            """Return a copy with other values in the fields that are named."""
            values = [*map(changed.pop, self._fields, self)]
            return type(self)(*values, **changed)

        def _asdict(self) -> dict[str, object]:
            """Return the values by field."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    def _constructor(fields: tuple[str, ...]) -> Callable[..., NamedTuple]:
        """Return __new__ of a class, which takes values as a function with these parameters."""
        count = len(fields)

        def __new__(cls: type[NamedTuple], /, *values: object, **named: object) -> NamedTuple:  # noqa: N807
            if named or len(values) != count:
                values += _remaining(cls, len(values), named)
            return _new_tuple(cls, values)

        return __new__

    def _remaining(
        cls: type[NamedTuple], given: int, named: dict[str, object]
    ) -> tuple[object, ...]:
        """Return values for the fields that are not given by position, named ones and defaults."""
        rest, defaults = cls._fields[given:], cls._field_defaults
        try:
            values = [named.pop(field) if field in named else defaults[field] for field in rest]
        except KeyError as error:
            raise TypeError(f"{cls.__name__} needs a value for {error}") from None
        if named or given > len(cls._fields):
            extra = ", ".join(named) or f"{given} values"
            raise TypeError(f"{cls.__name__} has no field for {extra}, or it is given twice")
        return tuple(values)
