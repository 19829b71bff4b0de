"""Compare requests and responses with GitHub's description of its API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

import jsonschema
from jsonschema.protocols import Validator

from tests.support.github.description import Description, description

ALWAYS_POSSIBLE = {"401", "403", "429", "500", "502", "503", "504"}
"""Responses that every operation may return, described or not."""


class Operation(NamedTuple):
    """An operation, and the values in its path."""

    path: str
    method: str
    values: Mapping[str, str]


class Contract:
    """The description as a checker."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._validators: dict[int, Validator] = {}

    def operation(self, method: str, path: str) -> Operation | None:
        """Return the operation of a request, or None if it is not described."""
        for template, methods in self._description.paths.items():
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(template))
            match = re.fullmatch(pattern, path)
            if match and method.lower() in methods:
                values = {name: unquote(value) for name, value in match.groupdict().items()}
                return Operation(template, method.lower(), values)
        return None

    def wrong_request(
        self, operation: Operation, query: Mapping[str, str], body: object
    ) -> Iterator[str]:
        """Yield the problems of a request; body is None if it has none."""
        described = self._of(operation)
        parameters = map(self._resolved, described.get("parameters", []))
        known = {parameter["name"]: parameter for parameter in parameters}
        for name, text in {**operation.values, **query}.items():
            if name not in known:
                yield f"{operation.path} takes no {name}"
            else:
                yield from self._wrong_text(text, known[name]["schema"], name)
        content = described.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None and body is not None:
            yield f"{operation.method} {operation.path} takes no body"
        elif content is not None:
            yield from self._wrong(body, content["schema"], "the body")
            unknown = set(body or ()) - set(content["schema"]["properties"])  # type: ignore[call-overload]
            yield from (f"the body has no field {name}" for name in sorted(unknown))

    def wrong_answer(self, operation: Operation, status: int, body: object) -> Iterator[str]:
        """Yield the problems of a response of the stand-in."""
        answers = self._of(operation)["responses"]
        if str(status) not in answers:
            if str(status) not in ALWAYS_POSSIBLE:
                yield f"{operation.method} {operation.path} never answers {status}"
            return
        content = self._resolved(answers[str(status)]).get("content", {}).get("application/json")
        if content is not None:
            yield from self._wrong(body, content["schema"], f"the answer {status}")

    def _of(self, operation: Operation) -> dict[str, Any]:
        described: dict[str, Any] = self._description.paths[operation.path][operation.method]
        return described

    def _resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in node:
            return node
        _, _, kind, name = node["$ref"].split("/")
        component: dict[str, Any] = self._description.components[kind][name]
        return component

    def _wrong_text(self, text: str, schema: dict[str, Any], name: str) -> Iterator[str]:
        is_number = self._resolved(schema).get("type") == "integer"
        if is_number and not text.isdecimal():
            yield f"{name} is not a number: {text!r}"
        else:
            yield from self._wrong(int(text) if is_number else text, schema, name)

    def _wrong(self, value: Any, schema: dict[str, Any], name: str) -> Iterator[str]:  # noqa: ANN401
        validator = self._validators.get(id(schema)) or self._made_validator(schema)
        for error in validator.iter_errors(value):
            path = "/".join(map(str, error.absolute_path))
            yield f"{name} at /{path}: {error.message[:300]}"

    def _made_validator(self, schema: dict[str, Any]) -> Validator:
        whole = {"components": self._description.components, "allOf": [schema]}
        return self._validators.setdefault(id(schema), jsonschema.Draft202012Validator(whole))


def read_contract() -> Contract:
    """Return the contract; raises NotAvailable."""
    return Contract(description())
