"""The title of an entry does not have the form that is wanted here.

Off unless it is configured, with one of these settings or more:

- `title-prefixes`: each title begins with one of these texts, capitals counted;
- `title-max-words`: it has at most so many words, those of the beginning included;
- `title-min-content-words`: at least so many words stand behind the beginning.

`preset = "when-how"` stands for `When ` and `How to `, 7 and 2: a title that says when an entry
applies can be found at that moment. Settings of your own win over the preset. Time stamps and ids
are no part of a title, nor is `(consolidated)`, and signs alone (`—`, `&`) are no words.

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
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

ID = "entry-title-form"
SEVERITY = Severity.ERROR
ROLES = LEARNINGS
NEEDS = Needs.FILE


def check(file: CheckedFile) -> Iterator[Finding]:
    form = file.file_settings
    if not (form.title_prefixes or form.title_min_content_words or form.title_max_words != "off"):
        return
    for entry in file.document.entries:
        title = entry.title.removesuffix(CONSOLIDATED).rstrip()
        problems = list(_problems(title, form))
        if problems and _words(title):
            message = f"{quoted(entry.title)} {' and '.join(problems)}; retitle the entry"
            yield file.finding(ID, SEVERITY, entry.first, message)


def _problems(title: str, form: FileSettings) -> Iterator[str]:
    matching = [prefix for prefix in form.title_prefixes if title.startswith(prefix)]
    prefix = max(matching, default="")
    if form.title_prefixes and not matching:
        wanted = " or ".join(map(_exact, form.title_prefixes))
        folded = tuple(start.casefold() for start in form.title_prefixes)
        hint = " (capitals count)" if title.casefold().startswith(folded) else ""
        yield f"does not begin with {wanted}{hint}"
    words, limit = _words(title), form.title_max_words
    if isinstance(limit, int) and words > limit:
        yield f"has {counted(words, 'word')}, more than {limit}"
    content = _words(title[len(prefix) :])
    if content < form.title_min_content_words and (matching or not form.title_prefixes):
        behind = f" behind {_exact(prefix)}" if prefix else ""
        yield f"has {counted(content, 'word')}{behind}, fewer than {form.title_min_content_words}"


def _exact(prefix: str) -> str:
    return f'"{printable(prefix)}"'


def _words(text: str) -> int:
    """Count what has a letter or a digit between white space."""
    return sum(any(map(str.isalnum, word)) for word in text.split())
