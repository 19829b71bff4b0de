"""The project's documents: their blocks and links, and the parts generated from the code.

`python -m tests.support.documents` writes the generated parts.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import getsource
from pathlib import Path

from learnings.core.settings.keys import (
    CONFIDENCE_KEYS,
    FILE_KEYS,
    GENERAL_KEYS,
    ISSUE_KEYS,
    TIER_KEYS,
    Key,
)
from learnings.rules import RULES
from learnings.rules.index import ORPHAN_ROW, IndexRule
from learnings.rules.rule import Rule
from learnings.surfaces.cli.arguments import command_with
from learnings.surfaces.cli.commands import COMMANDS, FORMATS, document_of
from tests.support.guard import ROOT

_BLOCK = re.compile(
    r"^(?:<!-- (?P<directives>\w+: .*) -->\n)?(?P<indent> *)(?P<fence>```+)(?P<language>\w*)\n"
    r"(?P<body>(?:.*\n)*?)(?P=indent)(?P=fence)$",
    re.MULTILINE,
)
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
    name, text = page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        lines = tuple(line.removeprefix(match["indent"]) for line in match["body"].splitlines())
        parts = match["directives"].split(", ") if match["directives"] else ()
        directives = dict(part.split(": ", 1) for part in parts)
        number = text.count("\n", 0, match.start("fence")) + 1
        yield Block(name, number, match["language"], lines, directives)


def links(page: Path) -> list[str]:
    """Return the targets of the links of a page, except those in code."""
    text = page.read_text(encoding="utf-8")
    return _LINK.findall(re.sub(r"`[^`\n]+`", "", _BLOCK.sub("", text)))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page: those of its headings, and explicit ones."""
    text = _BLOCK.sub("", page.read_text("utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    of_headings = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in titles}
    return of_headings.union(_ANCHOR.findall(text))


def settings_table() -> list[str]:
    """Return the table of all settings."""
    return _of_settings([*FILE_KEYS.values(), *GENERAL_KEYS.values()], unset="see below")


def issue_table() -> list[str]:
    """Return the table of the settings of the consolidation issue."""
    return _of_settings(ISSUE_KEYS.values(), unset="none")


def confidence_table() -> list[str]:
    """Return the table of the settings of a confidence memory."""
    return _of_settings(CONFIDENCE_KEYS.values())


def tiers_table() -> list[str]:
    """Return the table of the settings of learning tiers."""
    return _of_settings(TIER_KEYS.values())


def _of_settings(keys: Iterable[Key], *, unset: str = "") -> list[str]:
    rows = ["| key | takes | default | meaning |", "|---|---|---|---|"]
    for key in keys:
        takes = key.kind.wants.replace('"auto"', "`auto`")
        if key.default is None:
            default = '`"auto"`' if takes.startswith("`auto`") else unset
        else:
            value = dict(key.default) if isinstance(key.default, Mapping) else key.default
            default = f"`{json.dumps(value)}`"
        rows.append(f"| `{key.name}` | {takes} | {default} | {key.doc} |")
    return rows


def commands_table() -> list[str]:
    """Return the table of all commands with the options of their parsers."""
    rows = ["| command | does | options |", "|---|---|---|"]
    for name, says in COMMANDS.items():
        parser = argparse.ArgumentParser(add_help=False)
        command_with(parser, name)
        usage, options, thresholds = f"learnings {name}", [], []
        for action in parser._actions:
            if action.help == argparse.SUPPRESS:
                continue
            if not action.option_strings:
                word = f"{action.metavar} …" if action.nargs == "*" else str(action.metavar)
                usage += f" {word}" if action.nargs is None else f" [{word}]"
            elif action.dest.replace("_", "-") in FILE_KEYS:
                thresholds = ["every threshold by its key"]
            else:
                options.append(f"`{action.option_strings[0]}`")
        rows.append(f"| `{usage}` | {says} | {', '.join(options + thresholds) or 'none'} |")
    return rows


def rules_table() -> list[str]:
    """Return the table of all rules; the id in a row is an anchor, since findings link to it."""
    rows = ["| rule | severity | finds | fixed |", "|---|---|---|---|"]
    for rule in RULES:
        needs = "; off by default" if rule.is_opt_in else ""
        needs += "; only with `--history`" if rule.needs_history else ""
        says = rule.says.removesuffix(".").replace("|", "\\|")
        name = f'<a id="{rule.id}"></a>`{rule.id}`'
        rows.append(f"| {name} | {rule.severity.value} | {says}{needs} | {_fixed(rule)} |")
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
    for name, formats in FORMATS.items():
        document = document_of(name)
        others = [f"`{word}`" for word in formats if word != "json"]
        listed = ", ".join([f"{word} (default)" for word in others[:1]] + others[1:])
        command = f"learnings {document.head.command} --format json"
        rows.append(f"| `{command}` | `{document.name}` | {listed} |")
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
