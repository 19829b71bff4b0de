"""GitHub's description of its API, from a package of npm: the parts that the product uses."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from tests.support.npm import installed

PACKAGE, VERSION = "@octokit/openapi", "23.0.2"
REPOSITORY = "/repos/{owner}/{repo}"
ISSUE = f"{REPOSITORY}/issues/{{issue_number}}"
USED = {
    REPOSITORY: ("get",),
    f"{REPOSITORY}/issues": ("get", "post"),
    ISSUE: ("get", "patch"),
    f"{ISSUE}/comments": ("get", "post"),
    f"{REPOSITORY}/git/ref/{{ref}}": ("get",),
    f"{REPOSITORY}/labels": ("post",),
    f"{REPOSITORY}/labels/{{name}}": ("get",),
}
"""The operations that the product calls; the stand-in fails for any other."""
PROSE = ("description", "example", "examples", "externalDocs", "x-github")


class Description(NamedTuple):
    """The operations by path and method, with the components they refer to."""

    paths: dict[str, dict[str, Any]]
    components: dict[str, dict[str, Any]]


@cache
def description() -> Description:
    """Return the description; raises NotAvailable."""
    folder = installed(f"github-api-{VERSION}", f"{PACKAGE}@{VERSION}") / "node_modules" / PACKAGE
    path = folder / "generated/api.github.com.json"
    for other in {*path.parent.iterdir()} - {path}:  # 370 MB about other servers
        other.unlink(missing_ok=True)
    return cut(json.loads(path.read_bytes()))


def cut(whole: dict[str, Any]) -> Description:
    """Return the used operations with every component that they refer to."""
    paths = {
        path: {method: as_json_schema(whole["paths"][path][method]) for method in methods}
        for path, methods in USED.items()
    }
    components: dict[str, dict[str, Any]] = {}
    todo = _references(paths)
    while todo:
        _, _, kind, name = todo.pop().split("/")
        if name not in components.setdefault(kind, {}):
            component = as_json_schema(whole["components"][kind][name])
            components[kind][name] = component
            todo |= _references(component)
    return Description(paths, components)


def _references(node: object) -> set[str]:
    if isinstance(node, list):
        return {name for item in node for name in _references(item)}
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
    return own | {name for item in node.values() for name in _references(item)}


def as_json_schema(node: Any) -> Any:  # noqa: ANN401  (any part of the description)
    """Return a part of the description with its own form of null in JSON Schema's form."""
    if isinstance(node, list):
        return [as_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: {name: as_json_schema(inner) for name, inner in value.items()}
        if key == "properties"
        else as_json_schema(value)
        for key, value in node.items()
        if key not in PROSE and key != "nullable"
    }
    if node.get("nullable") is not True:
        return kept
    if "type" in kept and "enum" not in kept:
        return kept | {"type": [kept["type"], "null"]}
    return {"anyOf": [kept, {"type": "null"}]}
