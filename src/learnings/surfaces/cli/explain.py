"""Explain a rule or a setting: what it finds or does, with an example."""

from __future__ import annotations

from learnings.core.settings.keys import FEATURE_KEYS, FILE_KEYS, GENERAL_KEYS
from learnings.rules import RULES
from learnings.surfaces.cli.commands import Args, Context, coloured
from learnings.surfaces.render.rules import page, setting_page

_IN_TABLES = {
    f"{table}.{name}": (key, table)
    for table, keys in FEATURE_KEYS.items()
    if table != "rules"
    for name, key in keys.items()
}
SETTINGS = {name: (key, "") for name, key in (FILE_KEYS | GENERAL_KEYS).items()} | _IN_TABLES
"""Each setting as in the configuration (`freshness`, `tiers.path`), with its table."""


NAMES = "|".join(dict.fromkeys([*(rule.id for rule in RULES), *SETTINGS]))
ARGUMENTS = f"""
name=RULE:{NAMES}  id of a rule, as in findings, or a setting, such as freshness or tiers.path
"""


def run(args: Args, context: Context) -> None:
    pages = [page(rule) for rule in RULES if rule.id == args.name]
    if args.name in SETTINGS:
        pages.append(setting_page(*SETTINGS[args.name]))
    context.out.write(coloured("\n".join(pages), "markdown", context.out))
