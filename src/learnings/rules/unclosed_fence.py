"""A code fence is opened and never closed.

Everything down to the end of the file is then code: the entries below disappear, for every Markdown
reader and for this tool.

The closing fence stands on its own line, has at least as many of the same character, and has no
text after it. Markdown that shows a fence therefore needs a longer fence around it; otherwise the
end of the inner fence also ends the outer one. The rule skips fences inside a list item or a
quotation, because they end with it.

Fix: close the fence at the end of the code. Around code that contains fences, write four backticks.

Bad:

  ````markdown
  ## When a build hangs

  ```sh
  make --debug

  ## When a test is slow

  Profile it first.
  ````

Good:

  ````markdown
  ## When a build hangs

  ```sh
  make --debug
  ```

  ## When a test is slow

  Profile it first.
  ````
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.markdown.outline import Block
from learnings.core.patterns import lazy_pattern
from learnings.rules.rule import MEMORY, CheckedFile, Rule

RULE = Rule("unclosed-fence", Severity.ERROR, MEMORY)

_USUAL = 4  # length of a fence around an ordinary fence
# A line that opens or closes a fence: up to three blanks, the fence, the text after it. A backtick
# after backticks would make the line code in a paragraph.
_FENCE = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def check(file: CheckedFile) -> Iterator[Finding]:
    for block in file.document.outline.fences:
        if not block.closed:
            message = f"this code fence is never closed{file.swallowed(block)}"
            advice = _of_nested(file, block) or _of_below(file, block)
            yield file.finding(RULE, block.first, f"{message}; {advice}")


def _of_nested(file: CheckedFile, block: Block) -> str | None:
    """Return advice for a fence that was meant to close a fence around another fence.

    The inner fence has ended the outer one, so the end of the outer one opens a new fence.
    """
    mark, info = _fence(file.line(block.first))
    above = [fence for fence in file.document.outline.fences if fence.first < block.first]
    for outer in () if info else reversed(above):
        outer_mark, _ = _fence(file.line(outer.first))
        for number in range(outer.first + 1, outer.last):
            inner_mark, inner_info = _fence(file.line(number))
            if inner_info and inner_mark[0] == outer_mark[0] == mark[0]:
                count = max(len(inner_mark) + 1, len(outer_mark))
                name = "backticks" if mark[0] == "`" else "tildes"
                longer = f"{'four' if count == _USUAL else count} {name}"
                return (
                    f"the fence on line {outer.first} contains another on line {number} and ends "
                    f"with it on line {outer.last}: open the outer one and close it here with "
                    f"{longer}"
                )
    return None


def _of_below(file: CheckedFile, block: Block) -> str:
    """Return advice for a fence if a line below looks like its end or like the next fence."""
    mark, _ = _fence(file.line(block.first))
    for number in range(block.first + 1, block.last + 1):
        other, info = _fence(file.line(number))
        if other[:1] != mark[:1] or not other:
            continue
        if info:
            return f"close it above line {number}, which opens another or has text after its end"
        return f"line {number} is too short to close it: write {mark} there"
    return "close it"


def _fence(line: str) -> tuple[str, str]:
    match = _FENCE.match(line)
    return (match[1], match[2].strip()) if match else ("", "")
