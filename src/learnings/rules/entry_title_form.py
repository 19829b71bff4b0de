"""An entry title does not follow the configured format.

The rule runs only if you configure one or more of these settings:

- `title-prefixes`: each title begins with one of these texts; case matters;
- `title-max-words`: a title has at most this many words, including those of the prefix;
- `title-min-content-words`: a title has at least this many words after the prefix.

`preset = "when-how"` sets them to `When ` and `How to `, 7 and 2. If a title says when the entry
applies, a reader in that situation finds it. Your own settings override the preset. Timestamps, ids
and `(consolidated)` are not part of a title, and punctuation alone (`—`, `&`) is not a word.

Fix: retitle the entry.

Bad:

  ```markdown
  ## Locks

  A build that hangs waits for one.
  ```

Good:

  ```markdown
  ## When a build hangs

  Look at the lock.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.entries.titles import CONSOLIDATED
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import counted, printable
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("entry-title-form", Severity.ERROR, LEARNINGS)


def check(file: CheckedFile) -> Iterator[Finding]:
    form = file.file_settings
    if not (form.title_prefixes or form.title_min_content_words or form.title_max_words != "off"):
        return
    for entry in file.document.entries:
        title = entry.title.removesuffix(CONSOLIDATED).rstrip()
        problems = list(_problems(title, form))
        if problems and _words(title):
            message = f"{quoted(entry.title)} {' and '.join(problems)}; retitle the entry"
            yield file.finding(RULE, entry.first, message)


def _problems(title: str, form: FileSettings) -> Iterator[str]:
    matching = [prefix for prefix in form.title_prefixes if title.startswith(prefix)]
    prefix = max(matching, default="")
    if form.title_prefixes and not matching:
        wanted = " or ".join(map(_exact, form.title_prefixes))
        folded = tuple(start.casefold() for start in form.title_prefixes)
        hint = " (case matters)" if title.casefold().startswith(folded) else ""
        yield f"does not begin with {wanted}{hint}"
    words, limit = _words(title), form.title_max_words
    if isinstance(limit, int) and words > limit:
        yield f"has {counted(words, 'word')}, more than {limit}"
    content = _words(title[len(prefix) :])
    if content < form.title_min_content_words and (matching or not form.title_prefixes):
        behind = f" after {_exact(prefix)}" if prefix else ""
        yield f"has {counted(content, 'word')}{behind}, fewer than {form.title_min_content_words}"


def _exact(prefix: str) -> str:
    return f'"{printable(prefix)}"'


def _words(text: str) -> int:
    """Count the words that contain a letter or a digit."""
    return sum(any(map(str.isalnum, word)) for word in text.split())
