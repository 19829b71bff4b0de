"""Types of fields that records share, and the JSON Schema of a record."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from learnings.surfaces.schemas import DOCUMENTS

JsonSchema = dict[str, Any]
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_TYPES |= {list: "array", dict: "object", Mapping: "object"}


class Keywords:
    """Keywords of JSON Schema that no type expresses: `minimum`, `pattern`, `enum`."""

    def __init__(self, **values: object) -> None:
        self.values = values


def one_of(*words: str) -> Keywords:
    return Keywords(enum=list(words))


CLOSED = Keywords(additionalProperties=False)

Count = Annotated[int, Keywords(minimum=0)]
Line = Annotated[int, Keywords(minimum=1)]
Share = Annotated[float, Keywords(minimum=0, maximum=1)]
Day = Annotated[str, Keywords(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Commit = Annotated[str, Keywords(pattern="^[0-9a-f]{40,64}$")]
Words = Annotated[str, Keywords(minLength=1)]
Url = Annotated[str, Keywords(format="uri")]
Part = Mapping[str, object]  # another command's document, with its own record
Stamp = Annotated[str | None, "Text of the time stamp or id, as it stands."]


def schema_of(name: str) -> JsonSchema:
    """Return the schema of a document of DOCUMENTS."""
    document = DOCUMENTS[name]
    module = import_module(f"learnings.surfaces.schemas.{document.module}")
    title = document.title or f"What `learnings {document.command} --format json` prints"
    if name == "config":  # has a table of keys instead of a record
        return {**_head(name, "1", title), **module.configuration_schema()}
    schema = _schema_of_record(getattr(module, f"{name.title().replace('-', '')}Document"))
    head = _head(name, schema["properties"]["schema"]["const"].rpartition("/")[2], title)
    if document.several:
        schema["properties"]["files"] = {
            "type": "array",
            "items": {"$ref": "#"},
            "description": "One document for each file, where the command is not about one file.",
        }
        many = {"required": ["files"], "description": "For several files, and for none."}
        schema["anyOf"] = [{"required": schema["required"][1:]}, many]
        schema["required"] = ["schema"]
    return head | schema | (CLOSED.values if document.closed else {})


def _head(name: str, number: str, title: str) -> JsonSchema:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "$id": f"urn:learnings:schema:{name}:{number}", "title": title}


def _schema_of_record(record: type) -> JsonSchema:
    hints = get_type_hints(record, include_extras=True)
    return {
        "type": "object",
        "required": [key for key, hint in hints.items() if get_origin(hint) is not NotRequired],
        "properties": {key: _schema_of_type(hint) for key, hint in hints.items()},
    }


def _schema_of_type(hint: Any) -> JsonSchema:  # noqa: ANN401  (any type that a field can have)
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _schema_of_record(hint)
    if origin in (Annotated, NotRequired):
        schema = _schema_of_type(arguments[0])
        for note in arguments[1:]:
            schema |= {"description": note} if isinstance(note, str) else note.values
        return schema
    if origin in (Union, UnionType):  # with None: no field has one of two other types
        schema = _schema_of_type(next(part for part in arguments if part is not NoneType))
        return schema | {"type": [schema["type"], "null"]}
    if origin is Literal:
        return {"const": arguments[0]}
    if origin in (list, dict):
        inner = "items" if origin is list else "additionalProperties"
        return {"type": _TYPES[origin], inner: _schema_of_type(arguments[-1])}
    return {} if hint is object else {"type": _TYPES[origin or hint]}
