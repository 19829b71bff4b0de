"""The hooks in .pre-commit-config.yaml: a new file, or one more item in its list `repos`.

The list may be in block or flow style. The user makes any other edit and gets the lines to add: a
round-trip YAML library moves comments and quotes, and code for every form of YAML is not worth it.
The result is parsed again; its values may differ only by the addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from learnings.app.setup.hook_files import PRE_COMMIT_FILE
from learnings.app.setup.hook_table import (
    CHOSEN,
    HOOK_TYPES,
    TYPES_KEY,
    ItemLayout,
    file_lines,
    is_list_of_tables,
    missing_hooks,
    python_for,
    repository_in_flow_style,
    repository_lines,
    repository_value,
    type_notes,
    types_line,
)
from learnings.app.setup.text_steps import EditedText, ManualEditRequired, insert_lines
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, newline_of
from learnings.core.yaml.nodes import YamlList, YamlMapping, YamlNode, YamlScalar, followed
from learnings.core.yaml.parsing import BadYaml, load, parse

# Characters; real configurations have about 20,000 at most.
_LARGEST = 100_000
_OTHER_FORM = "`learnings init` cannot edit its layout"
# A line end, or the end of the text.
_LINE_END = lazy_pattern(r"\r\n?|\n|\Z")
# A line end followed by a blank line.
_BLANK_LINE = lazy_pattern(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)")


def with_pre_commit_hooks(text: str | None, hooks: Sequence[str] = CHOSEN) -> EditedText:
    """Return a new or extended configuration with hooks; raises ManualEditRequired."""
    bare = (text or "").removeprefix(BOM)
    mark = BOM if bare != (text or "") else ""
    try:
        data, root = _read(bare)
        if isinstance(data, dict) and "repos" not in data:
            bare = insert_lines(bare, len(bare), ["repos: []"])
            data, root = _read(bare)
    except BadYaml as error:
        where = f" on line {error.line}: {error.detail}" if error.line and error.detail else ""
        _refuse(f"it {error.reason}{where}")
    if data is None:
        expected = {TYPES_KEY: [*HOOK_TYPES], "repos": [repository_value(hooks)]}
        lines = file_lines(hooks=hooks)
        return EditedText(mark + _verified(insert_lines(bare, len(bare), lines), expected))
    if not isinstance(data, dict) or not is_list_of_tables(data.get("repos")):
        _refuse("its `repos` is not a list of repositories", data)
    missing, notes = missing_hooks(data["repos"], PRE_COMMIT_FILE, hooks)
    if missing:
        bare = _verified(*_extended(bare, data, root, missing))
    notes += type_notes(data, PRE_COMMIT_FILE, is_extended=bool(missing))
    return EditedText(mark + bare, tuple(notes))


def pre_commit_types_in(text: str) -> object:
    """Return the hook types that a configuration installs by default, or None without the key."""
    data, _ = _read(text.removeprefix(BOM))
    return data.get(TYPES_KEY) if isinstance(data, dict) else None


def _read(text: str) -> tuple[Any, YamlNode | None]:
    if len(text) > _LARGEST:
        raise BadYaml(0, "is too large")
    return load(text), parse(text)


def _extended(
    text: str, data: dict[str, Any], root: YamlNode | None, hooks: list[str]
) -> tuple[str, dict[str, Any]]:
    python = python_for(data)
    expected = {**data, "repos": [*data["repos"], repository_value(hooks, python)]}
    is_block = isinstance(root, YamlMapping) and not root.is_flow and root.duplicate is None
    repos = root.own("repos") if isinstance(root, YamlMapping) and is_block else None
    if not isinstance(repos, YamlList) or text[repos.start] not in "-[":  # an anchor or a tag
        _refuse(_OTHER_FORM, data)
    if TYPES_KEY not in data:
        expected[TYPES_KEY] = [*HOOK_TYPES]
    types = [] if TYPES_KEY in data else [types_line()]
    if not repos.is_flow:
        last = repos.items[-1]
        gap = max(last.indent - repos.indent, len("- "))
        layout = ItemLayout(repos.indent, gap, _hooks_indent(text, repos))
        lines = [*repository_lines(hooks, python, layout=layout), *types]
        above = text[_end(text, repos.items[-2]) : last.start] if len(repos.items) > 1 else ""
        blank = [""] if _BLANK_LINE.search(above) else []
        return insert_lines(text, _line_after(text, repos), [*blank, *lines]), expected
    if not repos.items:  # `repos: []` becomes a list in block style
        key = text[: repos.start].rstrip(" ")
        bare, lines = key + text[repos.end :], [*repository_lines(hooks, python), *types]
        return insert_lines(bare, _line_end(bare, len(key)), lines), expected
    item = repository_in_flow_style(hooks, python)
    added = _with_flow_item(text, repos, item)
    after = _line_end(added, repos.end + len(added) - len(text))
    return insert_lines(added, after, types), expected


def _hooks_indent(text: str, repos: YamlList) -> int:
    for item in reversed(repos.items):
        repo = followed(item)
        for key, value in repo.pairs if isinstance(repo, YamlMapping) else ():
            is_hooks = isinstance(key, YamlScalar) and key.text == "hooks"
            if is_hooks and isinstance(value, YamlList) and text[value.start] == "-":
                return value.indent - key.indent
    return 2


def _line_after(text: str, repos: YamlList) -> int:
    """Return the offset of the line after a block list and the comments with its indent.

    A comment at the margin may belong to the next key, so it stays below.
    """
    offset = _end(text, repos)
    if text[offset - 1] not in "\r\n":
        offset = _line_end(text, offset)
    position = offset
    while position < len(text):
        end = _line_end(text, position)
        line = text[position:end]
        comment = line.lstrip()
        if comment and not comment.startswith("#"):
            break
        if comment:
            if len(line) - len(comment) < max(repos.indent, 1):
                break
            offset = end
        position = end
    return offset


def _with_flow_item(text: str, repos: YamlList, item: str) -> str:
    """Return the text with an item added to a non-empty list in brackets.

    The item goes below the last one if the bracket closes on its own line, so that comments stay in
    place; else beside it.
    """
    last = repos.items[-1]
    rest = text[last.end : _line_end(text, last.end)]
    if last.end + len(rest) >= repos.end:
        return f"{text[: last.end]}, {item}{text[last.end :]}"
    has_comma = rest.lstrip().startswith(",")
    first, second = ("", ",") if has_comma else (",", "")
    below = text[last.end + len(rest) :]
    added = f"{' ' * last.indent}{item}{second}{newline_of(text)}"
    return f"{text[: last.end]}{first}{rest}{added}{below}"


def _end(text: str, node: YamlNode) -> int:
    """Return the offset after a value, without blank lines that a block scalar drops."""
    while isinstance(node, YamlList | YamlMapping) and not node.is_flow:
        node = node.items[-1] if isinstance(node, YamlList) else node.pairs[-1][1]
    is_block = isinstance(node, YamlScalar) and node.style in ("|", ">")
    if is_block and "+" not in text[node.start : _line_end(text, node.start)]:
        return node.start + len(text[node.start : node.end].rstrip())
    return node.end


def _line_end(text: str, offset: int) -> int:
    match = _LINE_END.search(text, offset)
    return match.end() if match else len(text)


def _verified(text: str, expected: dict[str, Any]) -> str:
    try:
        is_expected = _read(text)[0] == expected
    except BadYaml:
        is_expected = False
    if not is_expected:
        _refuse(_OTHER_FORM, expected)
    return text


def _refuse(reason: str, data: object = None) -> NoReturn:
    python = python_for(data) if isinstance(data, dict) else None
    advice = "add the lines above yourself, then run `learnings init --no-hooks`"
    sentence = f"{PRE_COMMIT_FILE} was not changed, because {reason}; {advice}"
    raise ManualEditRequired(sentence, file_lines(python)) from None
