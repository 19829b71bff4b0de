"""Agent instructions give a default value that differs from the setting's default.

When the default of a setting changes, a number in a text stays behind, and the agent follows the
text. Write the number as `*(default 14)*` next to the key of the setting in a code span, and the
rule compares it with the default in this version.

- The number belongs to the nearest key before it in the same sentence, or else to the nearest key
  after it. If the sentence has no key, the rule skips the number.
- A key may be written as an option, with `--` before it.
- A key that many tools use as a setting, such as `coverage`, counts only as an option, or if the
  number is in italics.

The rule checks only files that run a `learnings` command or `learning-ages.py` in code, or that
name one of our hooks or sub-agents in code.

Fix: write the default of this version, or the key that you mean.

Bad:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  `learnings due` looks at `freshness` *(default 8)* first.
  ```

Good:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  `learnings due` looks at `freshness` *(default 7)* first.
  ```
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity
from learnings.core.patterns import lazy_pattern
from learnings.rules.rule import AGENTS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.agents.file_facts import AgentFacts
    from learnings.core.markdown.passages import Passage

RULE = Rule("agent-default-number", Severity.ERROR, AGENTS, "agent")

# The number in `(default 14)` and `(default: 0.4; …)`.
_STATED = lazy_pattern(r"\(default:?\s+(\d+(?:\.\d+)?)(?=[\s;,)])")
# The key of a setting, also as an option or with a value: `--keep-recent`, `freshness = 7`.
_KEY = lazy_pattern(r"(--)?([a-z]+(?:-[a-z]+)*)(?:\s*=.*)?")
# Keys that are also settings of many other tools.
_COMMON = frozenset({"baseline", "coverage", "covered", "index", "insert", "path", "targets"})


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    if not facts.is_ours or b"(default" not in file.data:
        return
    from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS  # noqa: PLC0415  (few files state a default)

    settings = {**GENERAL_KEYS, **FILE_KEYS}
    for passage in facts.instructions.passages:
        if passage.language is not None or "(default" not in passage.text:
            continue
        for number in _STATED.finditer(passage.text):
            key = _meant(passage, number.start(), settings)
            if key is None:
                continue
            value = settings[key].default
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            default = float(value) if is_number else None  # type: ignore[arg-type]  # a number
            if default != float(number[1]):
                has = "is not a number" if default is None else f"is {default:g}"
                message = f"{number[1]} is not the default of {key}, which {has}; correct it"
                line, column = passage.position(number.start())
                yield file.finding(RULE, line, message, column=column)


def _meant(passage: Passage, offset: int, settings: Container[str]) -> str | None:
    from learnings.core.markdown.passages import code_spans  # noqa: PLC0415  (as above)

    start, end = passage.sentence(offset)
    matches = [(span.start, _KEY.fullmatch(span.text)) for span in code_spans(passage)]
    is_ours = passage.text[:offset].endswith("*")
    keys = [
        (position, key[2])
        for position, key in matches
        if key and start <= position < end and key[2] in settings
        if is_ours or key[1] or key[2] not in _COMMON
    ]
    before = [key for position, key in keys if position < offset]
    return before[-1] if before else next((key for _, key in keys), None)
