"""The steps of the set-up that edit text: TOML files, .gitignore, .pre-commit-config.yaml.

The list `repos` in .pre-commit-config.yaml may be in block or flow style. The user makes any other
edit and gets the lines to add: a round-trip YAML library moves comments and quotes, and code for
every form of YAML is not worth it. The result is parsed again; its values may differ only by the
addition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

from learnings.app.setup.hooks import (
    CHOSEN,
    HOOK_TYPES,
    PRE_COMMIT_FILE,
    PREK_FILE,
    TYPES_KEY,
    ItemLayout,
    file_lines,
    hook_values,
    is_list_of_tables,
    missing_hooks,
    python_for,
    repository_in_flow_style,
    repository_lines,
    repository_value,
    type_notes,
    types_line,
)
from learnings.core.errors import BadSettings, LearningsError
from learnings.core.file_names import LEFTOVERS, PAGES
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, newline_of, printable, split_lines
from learnings.core.yaml.nodes import YamlList, YamlMapping, YamlNode, YamlScalar, followed
from learnings.core.yaml.parsing import BadYaml, load, parse
from learnings.workspace.config_file import SECTION, SHARED_FILE, key_lines


class EditedText(NamedTuple):
    """The new text of a file, and notes for the user."""

    text: str
    notes: tuple[str, ...] = ()


class ManualEditRequired(LearningsError):
    """A file in a form that is not edited; the user should add `lines` to it."""

    def __init__(self, sentence: str, lines: Iterable[str]) -> None:
        super().__init__(sentence)
        self.lines = tuple(lines)


def insert_lines(text: str, offset: int, lines: Iterable[str]) -> str:
    """Insert lines before the offset of a line, or at the end, with the text's line endings."""
    newline = newline_of(text)
    first = newline if offset and text[offset - 1] not in "\r\n" else ""
    inserted = first + "".join(line + newline for line in lines)
    return text[:offset] + inserted + text[offset:]


# The header `[tool.learnings]`, with the white space that TOML allows.
_HEADER = lazy_pattern(r"[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*learnings[ \t]*\]")


def parsed_toml(text: str, name: str) -> dict[str, Any]:
    """Return the values of a file; raises BadSettings with its name."""
    import tomllib  # noqa: PLC0415  (for this command only)

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{name} is not valid TOML ({error}); correct it and run again") from None


def with_key(text: str, line: str, section: Sequence[str] = ()) -> str:
    """Insert a key at the top of its section."""
    lines = key_lines(text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    if section:
        first = starts[lines[tuple(section)] - 1] if tuple(section) in lines else len(text)
        if _HEADER.match(text, first) is None:
            return with_lines_at_end(text, [f"[{'.'.join(section)}]", line])
        offset = text.find("\n", first) + 1 or len(text)
    else:
        offset = starts[min(lines.values()) - 1] if lines else len(text)
    return insert_lines(text, offset, [line])


def with_lines_at_end(text: str, lines: Sequence[str]) -> str:
    """Append lines to a text, after a blank line."""
    # A line end followed by a blank line that ends the text.
    ends_with_blank_line = re.search(r"\n[ \t\r]*\n\Z", text) is not None
    gap = [""] if text.strip() and not ends_with_blank_line else []
    return insert_lines(text, len(text), [*gap, *lines])


IGNORE_FILE = ".gitignore"


def with_leftovers(text: str | None) -> EditedText:
    """Return the ignore file with these files added; text is None if there is no file."""
    present = text or ""
    lines = [chomp(line).rstrip(" ") for line in split_lines(present)]
    patterns = {line.removeprefix("**/").removeprefix("/") for line in lines}
    missing = []
    for files in (LEFTOVERS, PAGES):
        folder, _, name = files.partition("/")
        # The patterns that certainly ignore all of these files; an extra line is harmless.
        covering = {files, name, folder, f"{folder}/", f"{folder}/*", f"{folder}/**"}
        missing += [files] if patterns.isdisjoint(covering) else []
    return EditedText(insert_lines(present, len(present), missing) if missing else present)


def with_files(text: str | None, paths: Sequence[str], *, name: str) -> EditedText:
    """Return a configuration that names the learnings files; text is None if there is no file.

    The text must not name any yet. Raises ManualEditRequired with the lines to add.
    """
    present = (text or "").removeprefix(BOM)
    mark = BOM if present != (text or "") else ""
    before = parsed_toml(present, name)
    section = SECTION if name == SHARED_FILE else ()
    if len(paths) == 1:
        line = f"path = {_quoted(paths[0])}"
        edited = with_key(present, line, section)
        new: dict[str, object] = {"path": paths[0]}
        to_add = [*([f"[{'.'.join(section)}]"] if section else []), line]
    else:
        header = ".".join((*section, "file"))
        tables = (("", f"[[{header}]]", f"path = {_quoted(path)}") for path in paths)
        to_add = [line for table in tables for line in table][1:]
        edited = with_lines_at_end(present, to_add)
        new = {"file": [{"path": path} for path in paths]}
    try:
        values = parsed_toml(edited, "")
    except BadSettings:
        values = None
    else:
        table = before
        for key in section:
            table = table.setdefault(key, {})
        table.update(new)
    if values != before:
        sentence = f"{name} was not changed, because `learnings init` cannot edit its layout"
        raise ManualEditRequired(f"{sentence}; add the lines above yourself", to_add)
    return EditedText(mark + edited)


def _quoted(path: str) -> str:
    """Return a path as a TOML string with invisible characters escaped."""
    quoted = json.dumps(path, ensure_ascii=False)
    return "".join(c if printable(c) == c else f"\\U{ord(c):08x}" for c in quoted)


def with_prek_hooks(text: str | None, hooks: Sequence[str] = CHOSEN) -> EditedText:
    """Return prek's configuration with our hooks; raises BadSettings, ManualEditRequired."""
    present = (text or "").removeprefix(BOM)
    mark = BOM if present != (text or "") else ""
    data = parsed_toml(present, PREK_FILE)
    repos = data.get("repos", [])
    if not is_list_of_tables(repos):
        _refuse(PREK_FILE, _NO_REPOSITORIES, data)
    missing, notes = missing_hooks(repos, PREK_FILE, hooks)
    if missing:
        python = python_for(data)
        expected = {**data, "repos": [*repos, repository_value(missing, python)]}
        expected.setdefault(TYPES_KEY, [*HOOK_TYPES])
        present = with_lines_at_end(present, _repository_lines(missing, python))
        if TYPES_KEY not in data:
            present = with_key(present, _types_line())
        present = _verified(present, PREK_FILE, expected)
    notes += type_notes(data, PREK_FILE, is_extended=bool(missing))
    return EditedText(mark + present, tuple(notes))


def _repository_lines(hooks: Sequence[str], python: str | None) -> list[str]:
    value = repository_value(hooks, python)
    tables = [
        ", ".join(f'{key} = "{text}"' for key, text in hook.items())
        for hook in hook_values(hooks, python)
    ]
    head = ["[[repos]]", *(f'{key} = "{value[key]}"' for key in ("repo", "rev"))]
    return [*head, "hooks = [", *(f"    {{ {table} }}," for table in tables), "]"]


def _types_line() -> str:
    return f"{TYPES_KEY} = {json.dumps(HOOK_TYPES)}"


# Characters; real configurations have about 20,000 at most.
_LARGEST = 100_000
_NO_REPOSITORIES = "its `repos` is not a list of repositories"
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
        _refuse(PRE_COMMIT_FILE, f"it {error.reason}{where}")
    if data is None:
        expected = {TYPES_KEY: [*HOOK_TYPES], "repos": [repository_value(hooks)]}
        new = insert_lines(bare, len(bare), file_lines(hooks=hooks))
        return EditedText(mark + _verified(new, PRE_COMMIT_FILE, expected))
    if not isinstance(data, dict) or not is_list_of_tables(data.get("repos")):
        _refuse(PRE_COMMIT_FILE, _NO_REPOSITORIES, data)
    missing, notes = missing_hooks(data["repos"], PRE_COMMIT_FILE, hooks)
    if missing:
        bare, expected = _extended(bare, data, root, missing)
        bare = _verified(bare, PRE_COMMIT_FILE, expected)
    notes += type_notes(data, PRE_COMMIT_FILE, is_extended=bool(missing))
    return EditedText(mark + bare, tuple(notes))


def types_in(text: str, name: str) -> object:
    """Return the hook types that a configuration installs by default, or None without the key."""
    data = _values(text.removeprefix(BOM), name)
    return data.get(TYPES_KEY) if isinstance(data, dict) else None


def _values(text: str, name: str) -> Any:  # noqa: ANN401  (any value of YAML)
    return parsed_toml(text, name) if name == PREK_FILE else _read(text)[0]


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
        _refuse(PRE_COMMIT_FILE, _OTHER_FORM, data)
    expected.setdefault(TYPES_KEY, [*HOOK_TYPES])
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


def _verified(text: str, name: str, expected: dict[str, Any]) -> str:
    try:
        is_expected = _values(text, name) == expected
    except (BadSettings, BadYaml):
        is_expected = False
    if not is_expected:
        _refuse(name, _OTHER_FORM, expected)
    return text


def _refuse(name: str, reason: str, data: object = None) -> NoReturn:
    python = python_for(data) if isinstance(data, dict) else None
    lines = file_lines(python)
    if name == PREK_FILE:
        lines = [_types_line(), "", *_repository_lines(CHOSEN, python)]
    advice = "add the lines above yourself, then run `learnings init --no-hooks`"
    sentence = f"{name} was not changed, because {reason}; {advice}"
    raise ManualEditRequired(sentence, lines) from None
