"""The rules about the memory index: how its rows agree with the headings of the files it lists.

All of them are about one comparison, whose problems `learnings.index` gives as values. The text of
each rule is its documentation, as it is printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

if TYPE_CHECKING:  # most checks meet no index
    from learnings.core.findings.fixes import Fix
    from learnings.index.index_problems import IndexProblem


_RENAME = "changes the row to the new words of the heading, and keeps its other text"
"""The fix of an orphan row and of the heading that it was meant for."""


class IndexRule:
    """A rule about one kind of problem of an index.

    fix says what `learnings fix` does about it (if is_fixed_on_request, with an option only), and
    block_fix what it does in an index block; both are empty if it leaves the problem.
    """

    ROLES = INDEX
    NEEDS = Needs.INDEX

    def __init__(
        self,
        kind: str,
        documentation: str,
        *,
        severity: Severity = Severity.ERROR,
        fix: str = "",
        block_fix: str = "",
        is_fixed_on_request: bool = False,
    ) -> None:
        self.ID = rule_id(kind)
        self.SEVERITY = severity
        self.__doc__ = documentation
        self.kind = kind
        self.fix = fix
        self.block_fix = block_fix
        self.is_fixed_on_request = is_fixed_on_request

    def check(self, _: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
        """Give the problems of this kind as findings."""
        for problem in index.problems:
            if problem.kind == self.kind:
                severity = Severity.NOTICE if problem.is_notice else self.SEVERITY
                where = (problem.path, problem.line, 1)
                about = (problem.message, self.fix_of(problem), problem.subject)
                yield Finding(self.ID, severity, *where, *about)

    def fix_of(self, problem: IndexProblem) -> Fix | None:
        """Return what `learnings fix` does about a problem, None where it leaves it."""
        if not problem.is_fixable:
            return None
        from learnings.core.findings.fixes import Fix  # noqa: PLC0415  (for findings only)

        if problem.is_renamed:
            return Fix(_RENAME)
        if problem.in_block:
            return Fix(self.block_fix)
        return Fix(self.fix, on_request=self.is_fixed_on_request)


def rule_id(kind: str) -> str:
    """Return the id of the rule about a kind of index problem."""
    return f"index-{kind}"


AMBIGUOUS_HEADING = IndexRule(
    "ambiguous-heading",
    """Two headings of the indexed files read the same.

A row names its heading by words alone. Where two headings have the same words, in one file or in
two, no row can say which of them it means. The finding is at the second one.

Titles of level 1, what stands above the first heading of level 2, and structural headings (their
title starts with a dot) do not count.

Fix: reword one of the two headings, and its row.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## agents/decisions/web.md

  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  <!-- agents/decisions/web.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## agents/decisions/web.md

  /when a page hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  <!-- agents/decisions/web.md -->
  ## When a page hangs
  ```
""",
)


COLLISION = IndexRule(
    "collision",
    """Two rows are similar to the same heading.

With `fuzzy-threshold` a row whose words are similar to those of a heading is not an orphan. When
that heading has a row already, one of the two is left over from a heading that was reworded.

Without `fuzzy-threshold`, which is off unless configured, such a row is an `index-orphan-row`.

Fix: keep the row with the words of the heading, and remove the other.

Bad:

  ```markdown
  <!-- fuzzy-threshold = 0.8 -->
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when the build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- fuzzy-threshold = 0.8 -->
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
""",
)


DUPLICATE_ROW = IndexRule(
    "duplicate-row",
    """A heading has two rows with the same words, or a file two rows of an index of links.

What stands behind the `|` or the dash is not part of the key. `/when x` and `/how x` differ: the
second one reads "how to x".

Fix: join what the two rows say, and keep one. From an index block, `memory-index-fix` removes the
second.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when a build hangs | lock

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /how a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to a build hangs
  ```
""",
    block_fix="removes the row from the index block",
)


HOOK_DIFFERS = IndexRule(
    "hook-differs",
    """A row of an index of links has no word in common with what its file says about itself.

An agent chooses by the words of the row which file it reads. They are compared with the title, the
`description` in the front matter and the name of the file, where row and description have three
longer words or more each.

Fix: correct the row, or the description.

Bad:

  ```markdown
  <!-- .claude/memory/MEMORY.md -->
  # Memory

  - [Builds](builds.md) — colours of buttons in dark mode

  <!-- .claude/memory/builds.md -->
  ---
  name: Builds
  description: the lock of the package manager stays behind
  ---
  ```

Good:

  ```markdown
  <!-- .claude/memory/MEMORY.md -->
  # Memory

  - [Builds](builds.md) — locks that a package manager leaves behind

  <!-- .claude/memory/builds.md -->
  ---
  name: Builds
  description: the lock of the package manager stays behind
  ---
  ```
""",
    severity=Severity.NOTICE,
)


MISSING_FILE = IndexRule(
    "missing-file",
    """The index lists a file that is not there.

The file was deleted or renamed, and the index has not followed. The finding is at the section, or
at the row in forms whose rows name files; it counts the rows that lead nowhere with it. Sections
whose heading is not a path are notes, which this rule does not look at. In an index of links
(`- [Title](file.md) — what it says`) it is each file that a link leads to, once.

Fix: name the file by its new path, or remove the section. A link that is written as from the root,
and one to a file that stands elsewhere in the memory folder and has no row, is corrected by
`learnings fix`.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## agents/decisions/gone.md

  /when it is gone

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## Notes

  Some text.

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
""",
    fix="writes the path of the file that is meant",
)


MISSING_ROW = IndexRule(
    "missing-row",
    """A heading of an indexed file has no row.

A reader of the index alone does not learn that the heading exists. In an index of links it is a
file of the memory folder that no link, `[[name]]` or `` `name.md` `` names, which is a notice. The
finding is at the heading, in its own file. Words are compared without regard to case; a row in
similar words does not count, but where it has no heading itself, the finding asks whether it was
meant.

Indexed are the files of `indexed` and all that the index names. A heading needs a row from level 2
on, unless its title starts with a dot or it stands above the first heading of level 2.

Fix: add a row; `memory-index-fix --add-missing` does it, and for an index of links `learnings fix
--add-missing`, for the index block of a learnings file
without that option. If one row was meant and no other, and it was meant for no other heading, the
heading was renamed: `memory-index-fix` changes the row to its new words, and keeps the rest.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to read a trace
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /how read a trace

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to read a trace
  ```
""",
    fix="adds a row, if --add-missing is given",
    is_fixed_on_request=True,
    block_fix="adds a row to the index block",
)


ORDER = IndexRule(
    "order",
    """The rows of a file are not in the order of its headings.

In the same order, index and file can be read side by side, and a change to both makes one small
difference. There is one finding for each group of rows, at the first that is too low.

Fix: `memory-index-fix` puts the rows into order.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /how read a trace
  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to read a trace
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /how read a trace

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to read a trace
  ```
""",
    severity=Severity.NOTICE,
    fix="puts the rows in the order of the headings",
    block_fix="puts the rows in the order of the headings",
)


ORPHAN_ROW = IndexRule(
    "orphan-row",
    """A row names a heading that its file does not have.

The heading was reworded, removed or moved to a file that is not indexed, so the row leads readers
nowhere. A heading in similar words that has no row is named as the one that was probably meant.
Notes are not rows: list items, quotes, lines with bold words, lines of a paragraph, and what names
no heading in a section that names no file.

Fix: give the row the words of the heading as it is now, or remove it. If exactly one heading can be
meant, and no other row for it, `memory-index-fix` changes the row and keeps its other text, such as
keywords. It rebuilds an index block without rows of entries that are gone.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when nobody knows

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  - a note — about it

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
""",
    block_fix="removes the row from the index block",
)


ROW_FORM = IndexRule(
    "row-form",
    """A line has the form of a row, but cannot be read as one.

An operator that is neither `/when` nor `/how`, one with nothing behind it, an empty cell where a
table has the heading, a name or a path that is missing before or behind the arrow. Of an index
block: a second marker, one without the other, and entries or headings between the two, which a
rebuild would delete. An index that is not written in the configured form at all is one finding,
which names the form to configure or shows a row; `memory-index-fix` adds nothing to it.

Fix: write the row as one of the forms, configure `index-form`, or move what stands in the block out
of it.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /what is this

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs | lock, cache

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
""",
)


STALE_LINE_NUMBER = IndexRule(
    "stale-line-number",
    """A row points at a line in which its heading is not.

Line numbers shift with every edit above them, and the reader does not notice. A span has to begin
at the heading and to end within its section. Pointers into other files than that of the row are
not looked at.

Fix: correct the number or, better, leave it out.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs | decisions/cli.md:7

  <!-- agents/decisions/cli.md -->
  # Command line

  ## When a build hangs

  Look.
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs | agents/decisions/cli.md:3

  <!-- agents/decisions/cli.md -->
  # Command line

  ## When a build hangs

  Look.
  ```
""",
)


STRUCTURAL_ROW = IndexRule(
    "structural-row",
    """A structural heading has a row.

A heading whose title starts with a dot only groups what stands below it. It holds nothing to look
up, so it has no row.

Fix: remove the row, or the dot; `memory-index-fix` removes the row.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  Building — all about it
  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## .Building

  ### When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## .Building

  ### When a build hangs
  ```
""",
    fix="removes the row",
)


WRONG_SECTION = IndexRule(
    "wrong-section",
    """A row stands in the section of another file than its heading, or of none.

The heading was moved, or the row was written in the wrong section. A reader who follows the row
opens the wrong file. Rows in a section whose heading is not the path of a file, such as
`## Behaviour`, are one finding at that heading; a line there that repeats a row, or that names no
heading, is a note.

Fix: move the row to the section of its file; `memory-index-fix` does it.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when a page hangs

  ## agents/decisions/web.md

  Some text.

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  <!-- agents/decisions/web.md -->
  ## When a page hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## agents/decisions/web.md

  /when a page hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  <!-- agents/decisions/web.md -->
  ## When a page hangs
  ```
""",
    fix="moves rows to the section of their file",
)
