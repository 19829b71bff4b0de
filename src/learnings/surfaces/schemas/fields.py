"""Records of JSON documents: one record gives both a document and its JSON Schema.

A kind knows the schema of a JSON value and writes a value of ours. A record is a kind with fields;
each field is a kind, or a kind with a description and the place that its value comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from learnings.surfaces.render.writing import json_document

JsonSchema = dict[str, Any]
Find = Callable[[Any], object]
FIRST, SECOND = itemgetter(0), itemgetter(1)


def itself(value: object) -> object:
    return value


class Kind:
    """The schema of a JSON value, and the function that writes a value of ours.

    Called with a description it gives a field: `of` finds its value, by default the attribute of
    the same name. An optional field is newer than the first version of its document, or is left out
    where it is ABSENT.
    """

    def __init__(
        self,
        schema: JsonSchema,
        write: Find = itself,
        *,
        of: Find | None = None,
        required: bool = True,
    ) -> None:
        self.schema, self.write, self.of, self.required = schema, write, of, required

    def __call__(
        self, doc: str = "", *, of: str | Find | None = None, required: bool = True
    ) -> Kind:
        schema = self.schema | ({"description": doc} if doc else {})
        return Kind(schema, self.write, of=finder(of) if of else None, required=required)

    def at(self, place: str | Find) -> Kind:
        """Return the same field of a value that is found in another one."""
        of, find = self.of, finder(place)
        at = (lambda value: of(find(value))) if of else find
        return Kind(self.schema, self.write, of=at, required=self.required)

    def but(self, **keywords: object) -> Kind:
        """Return the kind with more keywords of JSON Schema, such as `minimum`."""
        return Kind(self.schema | keywords, self.write)

    @property
    def or_null(self) -> Kind:
        """This or None."""
        return self._nullable(lambda value: value is None)

    @property
    def if_any(self) -> Kind:
        """This or null, which stands for every empty value."""
        return self._nullable(lambda value: not value)

    @property
    def closed(self) -> Kind:
        """An object without other fields."""
        return self.but(**CLOSED)

    def _nullable(self, is_null: Callable[[Any], bool]) -> Kind:
        schema, write = self.schema, self.write
        return Kind(
            {**schema, "type": [schema["type"], "null"]},
            lambda value: None if is_null(value) else write(value),
        )


def finder(place: str | Find) -> Find:
    """Return the function that finds a value; a path such as `activity.as_of` ends at None."""
    if not isinstance(place, str):
        return place
    first, *names = map(attrgetter, place.split("."))

    def find(value: object) -> object:
        found = first(value)
        for name in names:
            found = None if found is None else name(found)
        return found

    return find if names else first


ABSENT = object()
"""The value of a field that is left out."""


TEXT = Kind({"type": "string"})
WORDS = TEXT.but(minLength=1)
INTEGER = Kind({"type": "integer"})
LINE = INTEGER.but(minimum=1)
NUMBER = Kind({"type": "number"}, float)
SHARE = Kind({"type": "number", "minimum": 0, "maximum": 1}, lambda score: round(score, 4))
BOOL = Kind({"type": "boolean"}, bool)
ANYTHING = Kind({})
DAY = TEXT.but(pattern=r"^\d{4}-\d{2}-\d{2}$")
COMMIT = TEXT.but(pattern="^[0-9a-f]{40,64}$")
URL = TEXT.but(format="uri")
CLOSED: JsonSchema = {"additionalProperties": False}
STAMP = TEXT.or_null.but(description="Time stamp or id as written in the file.")


def _count(value: Any) -> int:  # noqa: ANN401  (a number or a list)
    return value if isinstance(value, int) else len(value or ())


COUNT = Kind({"type": "integer", "minimum": 0}, _count)
"""A number, the length of a list, or 0 for None."""


def one_of(*words: str) -> Kind:
    return TEXT.but(enum=list(words))


def each(kind: Kind, **keywords: object) -> Kind:
    """Return the kind of a list of values of one kind."""
    write = kind.write
    schema = {"type": "array", "items": kind.schema} | keywords
    return Kind(schema, lambda values: [write(value) for value in values or ()])


def by_name(kind: Kind, *names: str) -> Kind:
    """Return the kind of an object with these names, if given, and values of one kind."""
    write = kind.write
    schema: JsonSchema = {"type": "object", "additionalProperties": kind.schema}
    schema |= {"propertyNames": {"enum": list(names)}} if names else {}
    return Kind(schema, lambda values: {name: write(value) for name, value in values.items()})


class Record(Kind):
    """A JSON object, written from a value; the fields of other records come first."""

    def __init__(self, *others: Record, **fields: Kind) -> None:
        self.fields: dict[str, Kind] = {}
        for other in others:
            self.fields |= other.fields
        for name, field in fields.items():
            self.fields[name] = field if field.of else Kind.at(field, attrgetter(name))
        of_fields = self.fields.items()
        schema = {
            "type": "object",
            "required": [name for name, field in of_fields if field.required],
            "properties": {name: field.schema for name, field in of_fields},
        }
        super().__init__(schema, self.document)

    def document(self, value: object) -> dict[str, Any]:
        document = {}
        for name, field in self.fields.items():
            found = (field.of or itself)(value)
            if found is not ABSENT:
                document[name] = field.write(found)
        return document

    def at(self, place: str | Find) -> Record:
        """Return the same fields of a value that is found in another one."""
        return Record(**{name: field.at(place) for name, field in self.fields.items()})


class Head(NamedTuple):
    """The head of a document: its schema, such as `due/1`, and the command that prints it.

    Without a command it is a file that the title describes. `several`: the command prints one
    document for a file, and for several files one with a list of these. `closed`: there are no
    other fields.
    """

    schema: str
    command: str = ""
    title: str = ""
    several: bool = False
    closed: bool = False

    def document(self, **fields: Kind) -> Document:
        name = f"learnings.{self.schema}"
        head = Record(schema=Kind({"const": name})(of=lambda _: name))
        return Document(self, name, Record(head, **fields))


class Document(NamedTuple):
    """A document of a command, written from a value."""

    head: Head
    name: str
    record: Record

    def __call__(self, value: object) -> str:
        return json_document(self.record.document(value))

    @property
    def part(self) -> Kind:
        """The kind of a value that this document describes, in another one."""
        return Kind({"type": "object"}, self.record.write)

    def text_of_files(self, values: Iterable[object]) -> str:
        files = [self.record.document(value) for value in values]
        return json_document({"schema": self.name, "files": files})

    def schema(self, name: str) -> JsonSchema:
        """Return the JSON Schema, whose identifier is made of a name."""
        title = self.head.title or f"Output of `learnings {self.head.command} --format json`"
        schema = head(name, self.name.rpartition("/")[2], title) | self.record.schema
        if self.head.several:
            files = "One document per file, unless the command is about one file."
            many = {"required": ["files"], "description": "For several files, or without a file."}
            of_files = {"type": "array", "items": {"$ref": "#"}, "description": files}
            schema["properties"] = {**schema["properties"], "files": of_files}
            schema["anyOf"] = [{"required": schema["required"][1:]}, many]
            schema["required"] = ["schema"]
        return schema | (CLOSED if self.head.closed else {})


def head(name: str, number: str, title: str) -> JsonSchema:
    """Return the first fields of a JSON Schema."""
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "$id": f"urn:learnings:schema:{name}:{number}", "title": title}


def counts(*names: str) -> Kind:
    """Return the kind of an object with these numbers, written from a mapping."""
    schema = Record(**dict.fromkeys(names, COUNT)).schema
    return Kind(schema, lambda numbers: {name: numbers[name] for name in names})
