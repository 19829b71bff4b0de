"""JSON Schema of a document that a command prints, or of the configuration (`config`)."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path
from typing import TextIO

FOLDER = "learnings.surfaces"
SUFFIX = ".schema.json"


def names() -> list[str]:
    """Return the names of the schemas that ship."""
    folder = resources.files(FOLDER) / "schemas"
    return sorted(f.name.removesuffix(SUFFIX) for f in folder.iterdir() if f.name.endswith(SUFFIX))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings schema`."""
    parser.add_argument("name", choices=names(), metavar="NAME", help=", ".join(names()))


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the schema; exit code 0."""
    del err, cwd
    out.write((resources.files(FOLDER) / "schemas" / f"{args.name}{SUFFIX}").read_text("utf-8"))
    return 0
