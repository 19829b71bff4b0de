"""GitHub's description of its API: fetched once, cut down to the used parts, kept in build/.

`python -m tests.support.github.description` fetches it. The tests run this in a separate process,
because they may not open connections themselves.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from tests.support.outside import failure_of

# Not through the guard, which would then be active here, too.
ROOT = Path(__file__).resolve().parents[3]
PACKAGE, VERSION = "@octokit/openapi", "23.0.2"
MEMBER = "package/generated/api.github.com.json"
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

_CUT = crc32(repr(USED).encode())  # another list keeps another part
KEPT = ROOT / "build" / f"github-api-{VERSION}-{_CUT:08x}.json"

PROSE = ("description", "example", "examples", "externalDocs", "x-github")


class NotAvailable(Exception):
    """The description is not here and cannot be fetched."""


class Description(NamedTuple):
    """The operations by path and method, with the components they refer to."""

    paths: dict[str, dict[str, Any]]
    components: dict[str, dict[str, Any]]


@cache
def description() -> Description:
    """Return the description; raises NotAvailable."""
    if not KEPT.exists():
        _fetch_elsewhere()
    return Description(**json.loads(KEPT.read_text(encoding="utf-8")))


def _fetch_elsewhere() -> None:  # pragma: no cover (once, in a process of its own)
    failure = failure_of("tests.support.github.description")
    if failure is not None:
        raise NotAvailable(f"GitHub's description cannot be fetched: {failure}")


def fetch() -> None:  # pragma: no cover (once, in a process of its own)
    """Fetch the package and keep the used parts of it."""
    KEPT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
        archive = _by_npm(Path(folder))
        with tarfile.open(archive) as opened:
            member = opened.extractfile(MEMBER)
            assert member is not None
            whole = json.load(member)
        part = Path(folder) / KEPT.name
        part.write_text(json.dumps(cut(whole)._asdict(), sort_keys=True), encoding="utf-8")
        part.replace(KEPT)


def _by_npm(folder: Path) -> Path:  # pragma: no cover (once, in a process of its own)
    npm = shutil.which("npm")
    if npm is None:
        raise NotAvailable("there is no npm")
    subprocess.run(
        [npm, "pack", "--silent", "--ignore-scripts", f"{PACKAGE}@{VERSION}"],
        cwd=folder,
        check=True,
        timeout=300,
    )
    return next(folder.glob("*.tgz"))


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


if __name__ == "__main__":
    try:
        fetch()
    except (NotAvailable, OSError, subprocess.SubprocessError) as error:
        raise SystemExit(str(error)) from error
