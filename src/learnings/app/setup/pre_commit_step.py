"""The hooks in .pre-commit-config.yaml: a new file, or one more item in its list `repos`.

The list may be in block or in flow style. Any other edit is left to the user, who gets the lines
to add: a YAML library for round trips moves comments and quotes, and to edit each form that YAML
allows takes more code than it is worth. What is written is parsed again: its values have to differ
by what was added and by nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import yaml

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
from learnings.app.setup.yaml_text import (
    UneditableYaml,
    end_of,
    is_block_list,
    is_flow_list,
    line_after,
    line_end,
    list_under,
    parse_yaml,
    with_flow_item,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, newline_of

PRE_COMMIT_FILE = ".pre-commit-config.yaml"
_OTHER_FORM = "it is written in a form that is not edited"
# A line end and another one behind nothing but blanks.
_BLANK_LINE = lazy_pattern(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)")


def with_pre_commit_hooks(text: str | None, hooks: Sequence[str] = CHOSEN) -> EditedText:
    """Return the configuration of pre-commit with some of our hooks; None stands for no file.

    Raises ManualEditRequired, with the lines to add, for a text in a form that is not edited.
    """
    bare = (text or "").removeprefix(BOM)
    mark = BOM if bare != (text or "") else ""
    try:
        data, root = parse_yaml(bare)
        if isinstance(data, dict) and "repos" not in data:
            bare = insert_lines(bare, len(bare), ["repos: []"])
            data, root = parse_yaml(bare)
    except UneditableYaml as error:
        _refuse(str(error))
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
    """Return the types of hooks that a configuration installs by default, None for no such key."""
    data = parse_yaml(text.removeprefix(BOM)).data
    return data.get(TYPES_KEY) if isinstance(data, dict) else None


def _extended(
    text: str, data: dict[str, Any], root: yaml.Node | None, hooks: list[str]
) -> tuple[str, dict[str, Any]]:
    """Return the text with our hooks at the end of `repos`, and the values that it should have."""
    repos, python = list_under(root, "repos"), python_for(data)
    expected = {**data, "repos": [*data["repos"], repository_value(hooks, python)]}
    if repos is None or not (is_block_list(text, repos) or is_flow_list(text, repos)):
        _refuse(_OTHER_FORM, data)
    if TYPES_KEY not in data:
        expected[TYPES_KEY] = [*HOOK_TYPES]
    types = [] if TYPES_KEY in data else [types_line()]
    if is_block_list(text, repos):
        lines = _block_lines(text, repos, hooks, python)
        return insert_lines(text, line_after(text, repos), [*lines, *types]), expected
    start, end = repos.start_mark.index, repos.end_mark.index
    if not repos.value:  # `repos: []` becomes a list in block style
        key = text[:start].rstrip(" ")
        bare, lines = key + text[end:], [*repository_lines(hooks, python), *types]
        return insert_lines(bare, line_end(bare, len(key)), lines), expected
    item = repository_in_flow_style(hooks, python)
    added = with_flow_item(text, repos, item, newline=newline_of(text))
    after = line_end(added, end + len(added) - len(text))
    return insert_lines(added, after, types), expected


def _block_lines(
    text: str, repos: yaml.SequenceNode, hooks: list[str], python: str | None
) -> list[str]:
    """Return our item for a list in block style, laid out as the others are."""
    column, last = repos.start_mark.column, repos.value[-1].start_mark
    gap = max(last.column - column, len("- "))
    layout = ItemLayout(column, gap, _hooks_indent(text, repos))
    before_last = text[end_of(text, repos.value[-2]) : last.index] if len(repos.value) > 1 else ""
    blank = [""] if _BLANK_LINE.search(before_last) else []
    return [*blank, *repository_lines(hooks, python, layout=layout)]


def _hooks_indent(text: str, repos: yaml.SequenceNode) -> int:
    """Return the indent of the dashes of hooks from the key `hooks`, in the last block list."""
    for repo in reversed(repos.value):
        for key, value in repo.value:
            if key.value == "hooks" and is_block_list(text, value):
                return int(value.start_mark.column - key.start_mark.column)
    return 2


def _verified(text: str, expected: dict[str, Any]) -> str:
    """Return the text. Raises ManualEditRequired unless it holds the expected values."""
    try:
        is_expected = parse_yaml(text).data == expected
    except UneditableYaml:
        is_expected = False
    if not is_expected:
        _refuse(_OTHER_FORM, expected)
    return text


def _refuse(reason: str, data: object = None) -> NoReturn:
    """Raise ManualEditRequired, with lines that suit the data of the file, if it can be read."""
    python = python_for(data) if isinstance(data, dict) else None
    advice = "add the lines above yourself, then run `learnings init --no-hooks`"
    sentence = f"{PRE_COMMIT_FILE} is left as it is, because {reason}; {advice}"
    raise ManualEditRequired(sentence, file_lines(python)) from None
