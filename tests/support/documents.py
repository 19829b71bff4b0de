"""The project's documents: their blocks and links, and the parts generated from the code.

`python -m tests.support.documents` writes the generated parts.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import getsource
from pathlib import Path

from learnings.core.settings.feature_tables import CONFIDENCE_KEYS, ISSUE_KEYS, TIER_KEYS
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
from learnings.rules import RULES
from learnings.rules.index import ORPHAN_ROW, IndexRule
from learnings.rules.rule import Rule
from learnings.surfaces.cli.commands import COMMANDS
from learnings.surfaces.cli.formats import FORMATS
from learnings.surfaces.render.rules import facts
from learnings.surfaces.schemas import DOCUMENTS
from learnings.surfaces.schemas.record_fields import schema_of
from tests.support.guard import ROOT

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+)(?P<language>\w*)$")
_DIRECTIVE = re.compile(r"^<!-- (\w+: .*) -->$")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
FIRST_COMMANDS = ("init", "check", "fix", "due", "plan", "apply")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its place, its language, its lines, and the comment above it."""

    page: str
    line: int
    language: str
    lines: tuple[str, ...]
    directives: dict[str, str]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """Return the documents that people read."""
    top = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


@cache
def blocks() -> tuple[Block, ...]:
    """Return the fenced blocks of all documents."""
    return tuple(block for page in pages() for block in blocks_of(page))


def of(language: str) -> list[Block]:
    """Return the blocks in a language."""
    return [block for block in blocks() if block.language == language]


def blocks_of(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    name = page.relative_to(ROOT).as_posix()
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        opening = _FENCE.match(lines[number])
        number += 1
        if opening is None:
            continue
        start = number
        while lines[number] != opening["indent"] + opening["fence"]:
            number += 1
        body = tuple(line.removeprefix(opening["indent"]) for line in lines[start:number])
        yield Block(name, start, opening["language"], body, _directives(lines[start - 2]))
        number += 1


def _directives(line: str) -> dict[str, str]:
    match = _DIRECTIVE.match(line)
    parts = match[1].split(", ") if match else []
    return dict(part.split(": ", 1) for part in parts)


def links(page: Path) -> list[str]:
    """Return the targets of the links of a page, except those in code."""
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"^ *(```+).*?^ *\1$|`[^`\n]+`", "", text, flags=re.DOTALL | re.MULTILINE)
    return _LINK.findall(prose)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page: those of its headings, and explicit ones."""
    text = re.sub(r"^(```+).*?^\1$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    of_headings = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in titles}
    return of_headings.union(_ANCHOR.findall(text))


def settings_table() -> list[str]:
    """Return the table of all settings."""
    rows = ["| key | takes | default | meaning |", "|---|---|---|---|"]
    for key in (*FILE_KEYS.values(), *GENERAL_KEYS.values()):
        takes = key.kind.wants.replace('"auto"', "`auto`")
        rows.append(f"| `{key.name}` | {takes} | {_default(key.default, takes)} | {key.doc} |")
    return rows


def issue_table() -> list[str]:
    """Return the table of the settings of the consolidation issue."""
    rows = ["| key | takes | default | meaning |", "|---|---|---|---|"]
    for key in ISSUE_KEYS.values():
        default = "none" if key.default is None else _default(key.default, "")
        rows.append(f"| `{key.name}` | {key.kind.wants} | {default} | {key.doc} |")
    return rows


def confidence_table() -> list[str]:
    """Return the table of the settings of a confidence memory."""
    rows = ["| key | takes | default | meaning |", "|---|---|---|---|"]
    for key in CONFIDENCE_KEYS.values():
        default = "`{}`" if key.name == "tag-categories" else _default(key.default, "")
        rows.append(f"| `{key.name}` | {key.kind.wants} | {default} | {key.doc} |")
    return rows


def tiers_table() -> list[str]:
    """Return the table of the settings of learning tiers."""
    rows = (
        f"| `{key.name}` | {key.kind.wants} | {_default(key.default, '')} | {key.doc} |"
        for key in TIER_KEYS.values()
    )
    return ["| key | takes | default | meaning |", "|---|---|---|---|", *rows]


def _default(value: object, takes: str) -> str:
    if value is None:
        return '`"auto"`' if takes.startswith("`auto`") else "see below"
    return f"`{json.dumps(list(value) if isinstance(value, tuple) else value)}`"


def commands_table() -> list[str]:
    """Return the table of all commands with the options of their parsers."""
    rows = ["| command | does | options |", "|---|---|---|"]
    for name, says in COMMANDS.items():
        positional, options = _arguments(name)
        usage = " ".join(["learnings", name, *positional])
        rows.append(f"| `{usage}` | {says} | {', '.join(options) or 'none'} |")
    return rows


def _arguments(name: str) -> tuple[list[str], list[str]]:
    parser = argparse.ArgumentParser(add_help=False)
    import_module(f"learnings.surfaces.cli.{name.replace('-', '_')}").add_arguments(parser)
    positional, options = [], []
    thresholds = False
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        if not action.option_strings:
            word = f"{action.metavar} …" if action.nargs == "*" else str(action.metavar)
            positional.append(word if action.nargs is None else f"[{word}]")
        elif action.dest.replace("_", "-") in FILE_KEYS:
            thresholds = True
        else:
            options.append(f"`{action.option_strings[0]}`")
    return positional, [*options, *(["every threshold by its key"] if thresholds else [])]


def rules_table() -> list[str]:
    """Return the table of all rules; the id in a row is an anchor, since findings link to it."""
    rows = ["| rule | severity | finds | fixed |", "|---|---|---|---|"]
    for rule in RULES:
        known = facts(rule)
        needs = "; off by default" if known["extra"] else ""
        needs += "; only with `--history`" if known["history"] else ""
        says = known["says"].removesuffix(".").replace("|", "\\|")
        name = f'<a id="{rule.id}"></a>`{rule.id}`'
        rows.append(f"| {name} | {known['severity']} | {says}{needs} | {_fixed(rule)} |")
    return rows


def _fixed(rule: Rule) -> str:
    """Return how `learnings fix` treats findings of a rule, according to the rule's fixes."""
    if isinstance(rule, IndexRule):
        if rule.fix and rule.fix.on_request:
            return "with `--add-missing`"
        if rule.fix or rule.id == ORPHAN_ROW.id:  # a reworded heading
            return "yes"
        return "index block" if rule.block_fix else ""
    calls = re.findall(r"\bFix\(.*\)", getsource(import_module(rule.check.__module__)))
    if any("rewrites" in call for call in calls):
        return "with `--history`"
    return "yes" if calls else ""


def with_table(text: str, name: str, rows: list[str]) -> str:
    """Return a document with the table below the comment `<!-- table: name -->` replaced."""
    mark = f"<!-- table: {name} -->\n"
    before, separator, rest = text.partition(mark)
    assert separator, f"no {mark}"
    after = re.sub(r"\A(\|.*\n)*", "", rest)
    return before + mark + "".join(f"{row}\n" for row in rows) + after


def commands_in_short() -> list[str]:
    """Return the commands for the first steps, without their options."""
    rows = (f"| `learnings {name}` | {COMMANDS[name]} |" for name in FIRST_COMMANDS)
    return ["| command | does |", "|---|---|", *rows]


def documents_table() -> list[str]:
    """Return the table of the JSON documents of commands, and their other formats."""
    rows = ["| command | document | other formats |", "|---|---|---|"]
    for name, document in DOCUMENTS.items():
        if document.command:
            kind = schema_of(name)["properties"]["schema"]["const"]
            others = [f"`{word}`" for word in FORMATS[document.result] if word != "json"]
            formats = ", ".join([f"{word} (default)" for word in others[:1]] + others[1:])
            rows.append(f"| `learnings {document.command} --format json` | `{kind}` | {formats} |")
    return rows


TABLES = {
    "README.md": {"commands-in-short": commands_in_short},
    "docs/ci.md": {"issue": issue_table},
    "docs/commands.md": {"commands": commands_table},
    "docs/configuration.md": {"settings": settings_table, "confidence": confidence_table},
    "docs/contracts.md": {"documents": documents_table},
    "docs/rules.md": {"rules": rules_table},
    "docs/tiers.md": {"tiers": tiers_table},
}
"""The generated tables, by page and name."""


def as_derived(page: str) -> str:
    """Return a page of TABLES with its tables generated anew."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, rows in TABLES[page].items():
        text = with_table(text, name, rows())
    return text


if __name__ == "__main__":
    for name in TABLES:
        (ROOT / name).write_text(as_derived(name), encoding="utf-8")
