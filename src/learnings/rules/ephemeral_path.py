"""An entry relies on a file in `tmp/`, which will not last.

Files in `tmp/` are not in the repository. The next clone, session or clean-up does not have them,
and the entry then refers to nothing. The rule reports `/tmp/` only if the line sends the reader
there (with `see`, `details`, `evidence`, a link and the like).

The rule gives one finding per entry. It skips

- advice to write a file to `tmp/`, or to read a file that the same entry writes there;
- entries whose title is about `tmp`, and superseded entries;
- placeholders and patterns (`tmp/<name>`, `tmp/*.log`), code blocks and comments;
- `tmp/consolidation-report.md`, which each consolidation writes again.

Fix: commit the file at another place, or copy the important part into the entry.

Bad:

  ```markdown
  ## When a build hangs

  Look at the lock; the analysis is in tmp/locks.md.
  ```

Good:

  ```markdown
  ## When a build hangs

  Look at the lock; the analysis is in docs/locks.md. Write traces to tmp/trace.log.
  ```
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from learnings.core.entries.document import Entry
from learnings.core.file_names import REPORT
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.patterns import lazy_pattern
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("ephemeral-path", Severity.NOTICE, LEARNINGS)

# A path in tmp/ that is not the end of a longer path, and the character after it.
_PATH = lazy_pattern(r"(?<![\w/.~$}-])(?:\./)?(?P<root>/?)(?P<path>tmp/[\w./@+-]*+)(?P<more>.?)")
# Characters that continue a pattern or a placeholder.
_MORE = frozenset("*<{$…[\\")
# The consolidation report; with several files, each has its own.
_REPORT = lazy_pattern(rf"{re.escape(REPORT.removesuffix('.md'))}(?:-[^/]+)?\.md")
_NEAR = 200  # characters before a path that may state its purpose; chosen, about two sentences
# The extension of a file.
_FILE = lazy_pattern(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")
# Names that stand for any file.
_NO_NAME = lazy_pattern(r"(?:foo|bar|baz|example|file|name|output|something|x|y)(?:\.\w+)?$")
# A title about temporary files in general.
_ABOUT_TMP = lazy_pattern(r"\b(?:tmp(?!/\w)|temporary|temp)\b", re.IGNORECASE)
# Words that send the reader to a file.
_REFERS = lazy_pattern(
    r"\b(?:see|details?|documented|described|recorded|noted|notes?|report|analysis|evidence|logged"
    r"|saved|written|stored|kept|source|full|found)\b|\]\($",
    re.IGNORECASE,
)
# Words that create, move or remove a file, or mark a path as an example or to be avoided.
_ACTS = lazy_pattern(
    r"\b(?:writ(?:e|es|ing)|sav(?:e|es|ing)|stor(?:e|es|ing)|creat(?:e|es|ing)|put(?:s|ting)?"
    r"|dump(?:s|ing)?|redirect(?:s|ing)?|log(?:s|ging)? to|output(?:s|ting)?|cop(?:y|ies|ying)"
    r"|mov(?:e|es|ing)|delet(?:e|es|ing)|remov(?:e|es|ing)|clean(?:s|ing)?|ignor(?:e|es|ing)"
    r"|exclud(?:e|es|ing)|default|never|not|don't|avoid|instead|anti-pattern|e\.g\.|like|such as)\b"
    r"|>[ \t]*[`\"']?$",
    re.IGNORECASE,
)


def check(file: CheckedFile) -> Iterator[Finding]:
    if b"tmp/" not in file.data:
        return
    hidden = file.document.hidden_lines
    for entry in file.document.entries:
        if entry.superseded or _ABOUT_TMP.search(entry.title):
            continue
        first = next(_paths(entry, hidden), None)
        if first is not None:
            line, column, path = first
            message = f"the entry relies on {quoted(path)}, which is not in the repository"
            advice = "commit the file elsewhere, or copy the important part here"
            yield file.finding(RULE, line, f"{message}; {advice}", column=column)


def _paths(entry: Entry, hidden: Container[int]) -> Iterator[tuple[int, int, str]]:
    """Yield line, column and path of each tmp/ file that the entry relies on but does not make."""
    made: set[str] = set()
    for number, line in enumerate(entry.lines, start=entry.first):
        if "tmp/" in line and number not in hidden:
            for match in _PATH.finditer(line):
                path, root = match["path"].rstrip("./"), match["root"]
                name = path.rpartition("/")[2]
                before = line[max(match.start() - _NEAR, 0) : match.start()]
                if _ACTS.search(before):
                    made.add(path)
                if path in made or path == "tmp" or _NO_NAME.match(name):
                    continue
                if match["more"] in _MORE or _REPORT.fullmatch(path):
                    continue
                if _REFERS.search(before) or (not root and _FILE.search(name)):
                    yield number, match.start() + 1, root + path
