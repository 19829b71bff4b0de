"""Print the JSON Schema of a document that a command prints, or of the configuration (`config`)."""

from __future__ import annotations

from learnings.surfaces import schemas
from learnings.surfaces.cli.commands import FORMATS, Args, Context, document_of
from learnings.surfaces.schemas.fields import JsonSchema

KEPT_IN_FILES = {
    "baseline": lambda: schemas.checks.BASELINE.schema,
    "config": lambda: schemas.settings.configuration_schema,
}
"""Documents that no command prints, each with the function that returns its schema."""
NAMES = sorted([*FORMATS, *KEPT_IN_FILES])


def schema_of(name: str) -> JsonSchema:
    """Return the schema with one of these names."""
    return (KEPT_IN_FILES[name]() if name in KEPT_IN_FILES else document_of(name).schema)(name)


ARGUMENTS = f"name={'|'.join(NAMES)}"


def run(args: Args, context: Context) -> None:
    import json  # noqa: PLC0415  (the parser alone needs none of it)

    context.out.write(json.dumps(schema_of(args.name), indent=2, ensure_ascii=False) + "\n")
