"""The front matter of an agent file: its values, the lines of its keys, and its problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import front_matter_end, opens_front_matter
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, printable
from learnings.core.yaml.parsing import BadYaml, load

# A key at the left margin, with its colon.
_KEY = lazy_pattern(r"([A-Za-z_][\w-]*)[ \t]*:(?:\s|$)")
# A line `key: text` that every reader takes as YAML and as text: the text begins with a letter and
# contains neither another key nor a comment.
_PLAIN = lazy_pattern(r"([A-Za-z_][\w-]*):[ \t]+([A-Za-z](?:[^:#]|:(?=[^\s])|(?<=[^\s])#)*)")
# Values that begin with a letter and that YAML does not read as text.
_CONSTANTS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
# Text for the host although not for YAML: a hint of several brackets, all tools, globs.
_HOST_TEXT = lazy_pattern(
    r"(argument-hint[ \t]*:[ \t]+)([^|>\s].*)|((?:allowed-)?tools[ \t]*:[ \t]+)(\*[ \t]*)"
    r"|((?:globs|paths|applyTo)[ \t]*:[ \t]+)([*{][^'\"]*)"
)


class FrontMatter(NamedTuple):
    """A front matter; last is its last line, 0 if there is none.

    values are None if the front matter cannot be read; problem then says why, and line where. keys
    maps each key to its first line; repeated maps later lines to the keys that they repeat.
    """

    last: int
    values: Mapping[str, object] | None
    keys: Mapping[str, int]
    repeated: Mapping[int, str]
    problem: str = ""
    line: int = 1


def read_front_matter(lines: Sequence[str]) -> FrontMatter:
    """Return the front matter at the top of a file; never raises."""
    last = front_matter_end(lines, certain=True)
    if not last:
        is_open = opens_front_matter(lines)
        problem = "the front matter is never closed; end it with ---" if is_open else ""
        return FrontMatter(0, None, {}, {}, problem)
    inner = [chomp(line) for line in lines[1 : last - 1]]
    keys: dict[str, int] = {}
    repeated: dict[int, str] = {}
    for number, text in enumerate(inner, start=2):
        key = _KEY.match(text)
        if key and key[1] in keys:
            repeated[number] = key[1]
        elif key:
            keys[key[1]] = number
    values, problem, line = _values(inner)
    return FrontMatter(last, values, keys, repeated, problem, line)


def _values(inner: Sequence[str]) -> tuple[Mapping[str, object] | None, str, int]:
    plain = [_PLAIN.fullmatch(text) for text in inner]
    values = {match[1]: match[2].rstrip() for match in plain if match}
    if all(plain) and _CONSTANTS.isdisjoint(value.lower() for value in values.values()):
        return values, "", 1  # the usual case, and a hundred times as fast as YAML
    return _yaml_values("\n".join(map(_as_yaml, inner, [*inner[1:], ""])), len(inner))


def _as_yaml(line: str, following: str) -> str:
    """Quote a value that only the host reads as text; keep the line if the value continues."""
    match = _HOST_TEXT.fullmatch(line)
    if match is None or following[:1] in (" ", "\t"):
        return line
    key, value = filter(None, match.groups())
    doubled = str(value).rstrip().replace("'", "''")
    return f"{key}'{doubled}'"


def _yaml_values(text: str, lines: int) -> tuple[Mapping[str, object] | None, str, int]:
    try:
        values = load(text)
    except BadYaml as error:
        detail = printable(" ".join(error.detail.split()))
        reason = f"is not YAML ({detail})" if detail else error.reason
        problem = f"the front matter {reason}; correct it, or put the value in quotes"
        return None, problem, min(error.line, lines + 1) + 1
    if values is None:
        return {}, "", 1
    if not isinstance(values, dict):
        return None, "the front matter holds no keys; write `key: value` lines", 2
    return {str(key): value for key, value in values.items()}, "", 1
