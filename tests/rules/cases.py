"""Runs a rule over text, and takes the examples out of a rule's documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from learnings import rules
from learnings.agents.imports import Files, Import, imports_in
from learnings.agents.loading import leads_to_memory, mentions_in
from learnings.core.cost import cost_of
from learnings.core.entries.document import ReadOptions, read
from learnings.core.findings.finding import Finding
from learnings.core.instruction_paths import follows_imports
from learnings.core.roles import Role, matches
from learnings.core.settings.setting_values import FileSettings, Settings
from learnings.core.text import decode
from learnings.index.comparison import problems_of
from learnings.index.headings import headings_of
from learnings.index.links import indexed_links, problems_of_links
from learnings.index.problems import IndexProblem
from learnings.index.rows import read_index
from learnings.rules.rule import (
    CheckedFile,
    IndexFacts,
    LoadingFacts,
    Obstacle,
    Rule,
    RuleInputs,
    SessionFacts,
    TreeFacts,
)
from tests.rules.agent_cases import AGENT_RULES, facts_around
from tests.rules.history_cases import facts_in, gone_in, references_in_example

BOM = "\ufeff"
FRONT = "---\ntitle: Memory\n---\n"
FENCE = "```"
# An index with one row, which ends where more rows can follow, and the file that it lists.
INDEX = "<!-- agents/memory-index.md -->\n## agents/decisions/cli.md\n\n/when a build hangs\n"
CLI = "<!-- agents/decisions/cli.md -->\n"
# Where examples need more than a file of the usual name and settings, by the id of the rule.
NEEDED: dict[str, dict[str, Any]] = {
    "entry-title-form": {
        "title_prefixes": ("When ", "How to "),
        "title_max_words": 7,
        "title_min_content_words": 2,
    },
    "load-limit": {"path": ".claude/MEMORY.md"},
    "dead-import": {"path": "CLAUDE.md"},
    "unmatched-paths": {"path": ".claude/rules/python.md"},
    "unreadable-front-matter": {"path": ".claude/rules/python.md"},
    **{rule: {"path": "agent-core/agents/memory-curator.md"} for rule in AGENT_RULES},
    "section-without-content": {"extra_rules": ("section-without-content",)},
}
_FILE = re.compile(rb"^<!-- (\S+\.md) -->\n", re.MULTILINE)
# What the instructions at the root say.
_INSTRUCTIONS = re.compile(rb"^<!-- CLAUDE\.md: (.+) -->$", re.MULTILINE)
# Which files there are.
_FILES_THERE = re.compile(rb"^<!-- files: (.+) -->$", re.MULTILINE)
# Another file that has the first entry.
_COPY = re.compile(rb"<!-- also in (\S+):(\d+) -->")
# A link that leads nowhere: nothing follows.
_LINK = re.compile(rb"<!-- \S+ -> (\S+) -->\n")
_BUDGET = re.compile(rb"^<!-- token-budget = (\d+) -->$", re.MULTILINE)
_EXAMPLE = re.compile(
    r"^(?P<label>Bad|Good):\n\n(?P<indent> *)(?P<fence>`{3,})(?P<language>\w+)\n"
    r"(?P<text>.*?)^(?P=indent)(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)


class Case(NamedTuple):
    """A file and what its rules need."""

    file: CheckedFile
    inputs: RuleInputs

    def findings(self, *chosen: Rule) -> list[Finding]:
        """What the chosen rules find; all that are enabled, if none is chosen."""
        return list(rules.check(self.file, chosen or None, inputs=self.inputs))


def case(
    source: str | bytes,
    *,
    path: str = "agents/learnings.md",
    role: Role | None = Role.LEARNINGS,
    **settings: Any,  # noqa: ANN401  (values of any key)
) -> Case:
    """What rules get for a file with this content; settings by the names of their fields."""
    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogateescape")
    inputs: RuleInputs = {}
    if _FILE.search(data):
        path, data, problems = index_of(data, form=settings.get("index_form", "rows"))
        inputs["index"] = IndexFacts(problems, {})
    if match := _BUDGET.search(data):
        settings["token_budget"] = int(match[1])
        tokens = cost_of(decode(data)).tokens
        inputs["session"] = SessionFacts(path, tokens, ((path, tokens),))
    file = checked_file(data, path=path, role=role, **settings)
    if role is Role.AGENT:
        inputs["agent"] = facts_around(path, file.document)
    if history := facts_in(data):
        inputs["history"] = history
    if references := references_in_example(path, file.document):
        inputs["references"] = references
    if gone := gone_in(file.document):
        inputs["committed"] = gone
    if match := _INSTRUCTIONS.search(data):
        mentions = mentions_in("CLAUDE.md", match[1])
        is_named = leads_to_memory(mentions, path, lambda other: other == path or None)
        inputs["loading"] = LoadingFacts(path, lambda: is_named)
    return Case(file, inputs | _around(path, file))


def _around(path: str, file: CheckedFile) -> RuleInputs:
    """What comments in an example say of other files."""
    inputs, data = RuleInputs(), file.data
    if match := _COPY.search(data):
        line = next(entry.first for entry in file.document.entries)
        inputs["copies"] = {match[1].decode(): [(line, int(match[2]))]}
    if match := _LINK.fullmatch(data):
        inputs["obstacle"] = Obstacle("broken link", link=match[1].decode())
    if match := _FILES_THERE.search(data):
        inputs["tree"] = tree_of(path, match[1].decode().split(", "))
    return inputs


def tree_of(path: str, files: Sequence[str]) -> TreeFacts:
    """What a tree with these files says to instructions at a path."""

    def is_matched(globs: Sequence[str]) -> bool:
        return any(matches(file, glob) for file in files for glob in globs)

    def failed(data: bytes) -> Iterator[tuple[str, Import]]:
        there = Files(files.__contains__, files.__contains__)
        for one in imports_in(path, data, there, strict=follows_imports(path)):
            if one.fault:
                yield path, one._replace(chain=(path,))

    return TreeFacts(path, failed, is_matched)


def checked_file(
    source: str | bytes,
    *,
    path: str = "agents/learnings.md",
    role: Role | None = Role.LEARNINGS,
    **settings: Any,  # noqa: ANN401  (values of any key)
) -> CheckedFile:
    """A file with this content; settings by the names of their fields."""
    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogateescape")
    own = {name for name in settings if name in FileSettings._fields}
    file_settings = FileSettings(**{name: settings.pop(name) for name in own})
    document = read(data, ReadOptions.of(file_settings))
    general = Settings(file=file_settings, **settings)
    return CheckedFile(path, role, data, document, general, file_settings)


def index_of(data: bytes, *, form: str = "rows") -> tuple[str, bytes, tuple[IndexProblem, ...]]:
    """Take an example of several files apart, each below its path in a comment.

    The first one is the index: give its path, its content, and what is wrong with it.
    """
    parts = _FILE.split(data)[1:]
    (path, source), *others = zip(parts[::2], parts[1::2], strict=True)
    if path.endswith(b"/MEMORY.md"):
        contents = {name.decode(): text for name, text in others}
        links = indexed_links(path.decode(), source, contents, contents.__contains__)
        return path.decode(), source, tuple(problems_of_links(links) if links else ())
    index = read_index(source, form=form, path=path.decode())
    files = [headings_of(name.decode(), text) for name, text in others]
    return index.path, source, tuple(problems_of(index, files))


def role_for(rule: Rule) -> Role:
    """A role whose files the rule looks at: the one its examples are about."""
    order = (Role.INDEX, Role.LEARNINGS, Role.TARGET, Role.AGENT)
    if rule.id.startswith("index-") or rule.id == "load-limit":
        return order[0]
    return next(role for role in order[1:] if role in rule.roles)


def run(rule: str, source: str | bytes, **options: Any) -> list[Finding]:  # noqa: ANN401  (as above)
    """What one rule finds, as the command runs it."""
    (chosen,) = (candidate for candidate in rules.RULES if rule == candidate.id)
    return case(source, **options).findings(chosen)


def lines(rule: str, source: str | bytes, **options: Any) -> list[int]:  # noqa: ANN401  (as above)
    """The lines of what one rule finds."""
    return [finding.line for finding in run(rule, source, **options)]


def examples(documentation: str) -> Iterator[tuple[str, bytes]]:
    """Give label and content of each example; Python ones are expressions for bytes."""
    for match in _EXAMPLE.finditer(documentation):
        text = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
        is_python = match["language"] == "python"
        data = eval(text.strip(), {"__builtins__": {}}) if is_python else text.encode()
        assert isinstance(data, bytes)
        yield match["label"], data
