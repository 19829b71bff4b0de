"""Holds what is sent and answered against GitHub's description of its API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import unquote

import jsonschema

from tests.support.github.description import Description, description

ALWAYS_POSSIBLE = {"401", "403", "429", "500", "502", "503", "504"}
"""Answers that any operation may get, whether they are described or not."""


class Operation(NamedTuple):
    """One thing that can be asked for, and the values in its path."""

    path: str
    method: str
    values: Mapping[str, str]


class Contract:
    """The description as something that finds faults; none where it is not to be had."""

    def __init__(self, told: Description) -> None:
        self._told = told
        self._validator = cache(self._made_validator)

    def operation(self, method: str, path: str) -> Operation | None:
        """Return what a request asks for, None for what is not known here."""
        for template, methods in self._told.paths.items():
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(template))
            found = re.fullmatch(pattern, path)
            if found and method.lower() in methods:
                values = {name: unquote(value) for name, value in found.groupdict().items()}
                return Operation(template, method.lower(), values)
        return None

    def wrong_request(
        self, operation: Operation, query: Mapping[str, str], body: object
    ) -> Iterator[str]:
        """Give what is wrong with a request; its body is None where it has none."""
        told = self._of(operation)
        known = {each["name"]: each for each in map(self._resolved, told.get("parameters", []))}
        for name, text in {**operation.values, **query}.items():
            if name not in known:
                yield f"{operation.path} takes no {name}"
            else:
                yield from self._wrong_text(text, known[name]["schema"], name)
        content = told.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None and body is not None:
            yield f"{operation.method} {operation.path} takes no body"
        elif content is not None:
            yield from self._wrong(body, content["schema"], "the body")
            unknown = set(body or ()) - set(content["schema"]["properties"])  # type: ignore[call-overload]
            yield from (f"the body has no field {name}" for name in sorted(unknown))

    def wrong_answer(self, operation: Operation, status: int, body: object) -> Iterator[str]:
        """Give what is wrong with an answer of ours."""
        answers = self._of(operation)["responses"]
        if str(status) not in answers:
            if str(status) not in ALWAYS_POSSIBLE:
                yield f"{operation.method} {operation.path} never answers {status}"
            return
        content = self._resolved(answers[str(status)]).get("content", {}).get("application/json")
        if content is not None:
            yield from self._wrong(body, content["schema"], f"the answer {status}")

    def _of(self, operation: Operation) -> dict[str, Any]:
        found: dict[str, Any] = self._told.paths[operation.path][operation.method]
        return found

    def _resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in node:
            return node
        _, _, kind, name = node["$ref"].split("/")
        found: dict[str, Any] = self._told.components[kind][name]
        return found

    def _wrong_text(self, text: str, schema: dict[str, Any], name: str) -> Iterator[str]:
        is_number = self._resolved(schema).get("type") == "integer"
        if is_number and not text.isdecimal():
            yield f"{name} is no number: {text!r}"
        else:
            yield from self._wrong(int(text) if is_number else text, schema, name)

    def _wrong(self, value: Any, schema: dict[str, Any], name: str) -> Iterator[str]:  # noqa: ANN401
        for error in self._validator(_Key(schema)).iter_errors(value):
            place = "/".join(map(str, error.absolute_path))
            yield f"{name} at /{place}: {error.message[:300]}"

    def _made_validator(self, key: _Key) -> jsonschema.protocols.Validator:
        whole = {"components": self._told.components, "allOf": [key.schema]}
        return jsonschema.Draft202012Validator(whole)


class _Key:
    """A schema as the key of a cache: the same object is the same schema."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.schema is self.schema


def contract() -> Contract:
    """Return the contract; raises NotToBeHad."""
    return Contract(description())
