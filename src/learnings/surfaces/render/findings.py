"""Findings in each format without its own module, and the trace of a check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import learnings
from learnings.core.findings.finding import CheckReport, Severity, joined_by_cause
from learnings.core.roles import Role
from learnings.core.settings.setting_values import OFF
from learnings.core.text import counted, printable
from learnings.rules import RULES, enabled
from learnings.surfaces.actions import limited, workflow_command
from learnings.surfaces.render.writing import cell, joined_lines, table, text_lines, text_of

if TYPE_CHECKING:
    from learnings.check.repository import SelectedFile
    from learnings.check.search import Search


def rule_link(rule: str) -> str | None:
    """Return the URL of a rule's documentation for this version, or None without a home."""
    if not learnings.HOME:
        return None
    # Another page documents the findings of `learnings tiers check`.
    page = "tiers.md#what-check-finds" if rule.startswith("tiers-") else f"rules.md#{rule}"
    return f"{learnings.HOME}/blob/{learnings.REVISION}/docs/{page}"


# OSC 8: a link; terminals without links show only the text.
_LINK = "\033]8;;{}\033\\{}\033]8;;\033\\"


@joined_lines
def as_text(report: CheckReport, *, links: bool = False) -> Iterator[str]:
    """Return one line for each finding; with links (for terminals), each rule links to its page."""
    for finding in joined_by_cause(report.findings):
        link = rule_link(finding.rule) if links else None
        rule = _LINK.format(link, finding.rule) if link else finding.rule
        place = f"{printable(finding.path)}:{finding.line}:{finding.column}:"
        yield f"{place} {finding.severity.value} {rule} {printable(finding.message)}"


def as_markdown(report: CheckReport) -> str:
    if not report.findings:
        left_out = (("known", report.known), ("older", report.older))
        parts = [f"{len(part)} {word}" for word, part in left_out if part]
        beside = f" beside {' and '.join(parts)}" if parts else ""
        return f"No {beside and 'new '}findings{beside} in {counted(report.files, 'file')}.\n"
    rows = []
    for finding in joined_by_cause(report.findings):
        link = rule_link(finding.rule)
        rule = f"[{finding.rule}]({link})" if link else finding.rule
        rows.append((cell(finding.place), finding.severity.value, rule, cell(finding.message)))
    columns = ("Location", "Severity", "Rule", "Message")
    return text_of((f"**{report.counts}**", "", *table(columns, rows)))


def as_github(report: CheckReport) -> str:
    """Return a workflow command for each finding, errors first, with a link to the rule."""
    commands: dict[Severity, list[str]] = {level: [] for level in Severity}
    for finding in joined_by_cause(report.findings):
        link = rule_link(finding.rule)
        message = f"{finding.message} ({link})" if link else finding.message
        place = {"file": finding.path, "line": finding.line, "col": finding.column}
        command = workflow_command(finding.severity.value, message, **place, title=finding.rule)
        commands[finding.severity].append(command)
    return "".join(limited(level.value, commands[level]) for level in Severity)


_ROLE_NOUNS = {
    Role.LEARNINGS: "learnings file",
    Role.TARGET: "target file",
    Role.INDEX: "memory index",
    Role.AGENT: "agent file",
    Role.TOPIC: "file of a memory folder",
    None: "not a memory file, checked as text",
}


@text_lines
def trace_as_text(
    search: Search, checked: Sequence[SelectedFile], report: CheckReport, *, uses_baseline: bool
) -> Iterator[str]:
    """Return how a search with its files came to a report: files, configuration and rules."""
    workspace, settings = search.workspace, search.workspace.settings
    files = sorted((selected.file for selected in checked), key=lambda file: file.path)
    for file in files:
        reading = ""
        if file.role is Role.LEARNINGS:
            dialect = file.document.dialect
            level = f" at level {dialect.level}" if dialect.level else ""
            entries = counted(len(file.document.entries), "entry", "entries")
            reading = f", {entries}, {dialect.name}{level}: {dialect.reason}"
        yield f"{file.path}: checked, {_ROLE_NOUNS[file.role]}{reading}"
    indexes = (one.inputs["index"] for one in checked if "index" in one.inputs)
    compared = {path for index in indexes for path in index.files}
    for path in sorted(compared.difference(file.path for file in files)):
        yield f"{path}: compared with the memory index"
    for candidate in search.skipped_files():
        yield f"{candidate.path}: skipped, {candidate.words}"
    config = workspace.relative(workspace.config.path) if workspace.config else None
    yield f"configuration: {config or 'none; defaults apply'}"
    known = f"{counted(len(report.known), 'known finding')} left out"
    yield f"baseline: {f'{settings.baseline}, {known}' if uses_baseline else 'not used'}"
    running = enabled(settings)
    for rule in RULES:
        if rule.id in settings.rules:
            origin = settings.origins[f"rules.{rule.id}"]
            yield f"rule {rule.id}: {settings.rules[rule.id]} ({origin!s})"
        elif rule not in running:
            yield f"rule {rule.id}: {OFF} (default)"
