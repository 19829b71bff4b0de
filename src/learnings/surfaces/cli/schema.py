"""Print the JSON Schema of a document that a command prints, or of the configuration (`config`)."""

from __future__ import annotations

import argparse

from learnings.surfaces.cli.commands import Context
from learnings.surfaces.schemas import DOCUMENTS
from learnings.surfaces.schemas.record_fields import schema_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=[*DOCUMENTS], metavar="NAME", help=", ".join(DOCUMENTS))


def run(args: argparse.Namespace, context: Context) -> int:
    import json  # noqa: PLC0415  (the parser alone needs none of it)

    context.out.write(json.dumps(schema_of(args.name), indent=2, ensure_ascii=False) + "\n")
    return 0
