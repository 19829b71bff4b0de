"""Rules about the memory index: whether its rows agree with the headings of its files.

They share one comparison; `learnings.index` returns its problems as values. The text of each rule
is printed as its documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Fix, Severity
from learnings.rules.rule import INDEX, CheckedFile, IndexFacts, Rule

if TYPE_CHECKING:  # most checks meet no index
    from learnings.index.problems import IndexProblem


_RENAME = Fix("change the row to the new words of the heading, and keep its other text")
"""The fix of an orphan row, and of the heading that it was meant for."""


_ONE = "## When a build hangs"
_TWO = "## When a build hangs\n\n## How to read a trace"


class IndexRule(Rule):
    """A rule about one kind of index problem, with its fixes in an index and in an index block.

    The examples are rows of an index below the path of one file, and the headings of that file.
    """

    def __init__(
        self,
        kind: str,
        documentation: str,
        *,
        bad: str = "",
        good: str = "",
        headings: str = _ONE,
        good_headings: str = "",
        severity: Severity = Severity.ERROR,
        fix: Fix | None = None,
        block_fix: Fix | None = None,
    ) -> None:
        super().__init__(rule_id(kind), severity, INDEX, "index")
        examples = (("Bad", bad, headings), ("Good", good, good_headings or headings))
        self.__doc__ = documentation + "".join(_example(*one) for one in examples if bad)
        self.check = self._findings
        self.kind = kind
        self.fix = fix
        self.block_fix = block_fix or fix

    def _findings(self, _: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
        for problem in index.problems:
            if problem.kind == self.kind:
                severity = Severity.NOTICE if problem.is_notice else self.severity
                where = (problem.path, problem.line, 1)
                about = (problem.message, self.fix_of(problem), problem.subject)
                yield Finding(self.id, severity, *where, *about)

    def fix_of(self, problem: IndexProblem) -> Fix | None:
        if not problem.is_fixable:
            return None
        if problem.is_renamed:
            return _RENAME
        return self.block_fix if problem.in_block else self.fix


def rule_id(kind: str) -> str:
    return f"index-{kind}"


def _example(label: str, rows: str, headings: str) -> str:
    index = f"<!-- agents/memory-index.md -->\n## agents/decisions/cli.md\n\n{rows}\n"
    file = f"<!-- agents/decisions/cli.md -->\n{headings}\n"
    return f"\n{label}:\n\n" + indent(f"```markdown\n{index}\n{file}```\n", "  ")


AMBIGUOUS_HEADING = IndexRule(
    "ambiguous-heading",
    """Two headings in the indexed files have the same words.

A row identifies its heading only by words. If two headings have the same words, in one file or in
two, no row can say which one it means. The finding is on the second heading.

The rule skips headings of level 1, headings above the first heading of level 2, and structural
headings (their title starts with a dot).

Fix: reword one of the two headings, and its row.
""",
    bad="/when a build hangs",
    good="/when a build hangs\n/when a page hangs",
    headings="## When a build hangs\n\n### When a build hangs",
    good_headings="## When a build hangs\n\n### When a page hangs",
)


DUPLICATE_ROW = IndexRule(
    "duplicate-row",
    """Two rows name the same heading with the same words, or two links lead to the same file.

The text after the `|` or the dash is not part of the key. `/when x` and `/how x` differ, because
the second reads "how to x".

Fix: join the text of the two rows, and keep one. `memory-index-fix` removes the second row from an
index block.
""",
    bad="/when a build hangs\n/when a build hangs | lock",
    good="/when a build hangs\n/how a build hangs",
    headings="## When a build hangs\n\n## How to a build hangs",
    block_fix=Fix("remove the row from the index block"),
)


HOOK_DIFFERS = IndexRule(
    "hook-differs",
    """A row of a link index shares no word with the description of its file.

An agent reads the row to decide whether to open the file. The rule compares the row with the title,
the `description` in the front matter and the name of the file, if row and description each have at
least three longer words.

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
    """The index lists a file that does not exist.

The file was deleted or renamed, and the index was not updated. The finding is on the section, or on
the row if rows name files, and counts the rows that lead to the missing file. A section whose
heading is not a path contains notes, and the rule skips it. In a link index
(`- [Title](file.md) — description`, or any other form of link) the rule reports each missing file
once. `[[name]]` at the beginning of an item is a row too, if most such names are files here.

Fix: write the new path of the file, or remove the section. `learnings fix` corrects the path if all
headings that the rows name are in one other file. In a link index it corrects a link that is
written relative to the root, and a link to a file that is elsewhere in the memory folder and has no
row.
""",
    bad="/when a build hangs\n\n## agents/decisions/gone.md\n\n/when it is gone",
    good="/when a build hangs\n\n## Notes\n\nSome text.",
    fix=Fix("correct the path of the file"),
)


MISSING_ROW = IndexRule(
    "missing-row",
    """A heading of an indexed file has no row.

Readers of the index do not learn that the heading exists. In a link index, the rule gives a notice
for each file of the memory folder that no link, `[[name]]` or `` `name.md` `` names, in the index
or in an index that it links. The finding is on the heading, in its own file. The comparison ignores
case. A row in similar words does not count, but if that row has no heading, the finding asks
whether you meant it.

The index covers the files of `indexed` and all files that the index names. Every heading from level
2 down needs a row, unless its title starts with a dot or it stands above the first heading of level
2.

Fix: add a row, or run `memory-index-fix --add-missing` (for a link index, `learnings fix
--add-missing`, which writes the row as the last one is written; for the index block of a learnings
file, no option is needed). If exactly one row can have meant this heading, and it can have meant no
other heading, the heading was renamed: `memory-index-fix` then writes the new words into that row,
and keeps the rest.
""",
    bad="/when a build hangs",
    good="/when a build hangs\n/how read a trace",
    headings=_TWO,
    fix=Fix("add a row (only with --add-missing)", on_request=True),
    block_fix=Fix("add a row to the index block"),
)


ORDER = IndexRule(
    "order",
    """The rows of a file are not in the order of its headings.

In the same order, you can read index and file side by side, and a change to both makes one small
diff. The rule gives one finding for each group of rows, on the first row that stands too low.

Fix: run `memory-index-fix`, which reorders the rows.
""",
    bad="/how read a trace\n/when a build hangs",
    good="/when a build hangs\n/how read a trace",
    headings=_TWO,
    severity=Severity.NOTICE,
    fix=Fix("put the rows in the order of the headings"),
)


ORPHAN_ROW = IndexRule(
    "orphan-row",
    """A row names a heading that its file does not have.

The heading was reworded, removed, or moved to a file that is not indexed, so the row leads readers
nowhere. If a heading with similar words has no row, the finding suggests it.

The rule skips notes: list items, quotes, lines with bold words, lines of a paragraph, and, in a
section that names no file, lines that name no heading.

Fix: give the row the current words of the heading, or remove it. If the row can have meant exactly
one heading, and no other row can have meant it, `memory-index-fix` changes the row and keeps its
other text, such as keywords. In an index block it removes the rows of entries that are gone.
""",
    bad="/when a build hangs\n/when nobody knows",
    good="/when a build hangs\n- a note — about it",
    block_fix=Fix("remove the row from the index block"),
)


ROW_FORM = IndexRule(
    "row-form",
    """A line looks like a row, but is not a valid one.

The rule reports

- an operator other than `/when` and `/how`, or an operator without text after it;
- an empty cell in the heading column of a table;
- in an index block, a second marker, an unpaired marker, and entries or headings between the
  markers, which a rebuild would delete.

If the whole index is not in the configured form, the rule gives one finding, which names the form
to configure or shows a valid row; `memory-index-fix` adds nothing to such an index.

Fix: write the row in one of the forms, set `index-form`, or move the text out of the block.
""",
    bad="/when a build hangs\n/what is this",
    good="/when a build hangs | lock, cache",
)


STALE_LINE_NUMBER = IndexRule(
    "stale-line-number",
    """A row gives the wrong line number for its heading.

Every edit above a heading shifts its line number, and readers do not notice. A range must begin at
the heading and end within its section. The rule skips line numbers in other files than that of the
row.

Fix: run `memory-index-fix`, which corrects the number, or better, remove it.
""",
    bad="/when a build hangs | decisions/cli.md:7",
    good="/when a build hangs | agents/decisions/cli.md:3",
    headings="# Command line\n\n## When a build hangs\n\nLook.",
    fix=Fix("correct the line numbers"),
)


STRUCTURAL_ROW = IndexRule(
    "structural-row",
    """A structural heading has a row.

A heading whose title starts with a dot only groups the headings below it. It contains nothing to
look up, so it needs no row.

Fix: remove the row, or the dot; `memory-index-fix` removes the row.
""",
    bad="Building — all about it\n/when a build hangs",
    good="/when a build hangs",
    headings="## .Building\n\n### When a build hangs",
    fix=Fix("remove the row"),
)


WRONG_SECTION = IndexRule(
    "wrong-section",
    """A row is not in the section of the file that contains its heading.

The heading was moved, or the row was written in the wrong section. A reader who follows the row
opens the wrong file. If rows stand in a section whose heading is not a file path, such as
`## Behaviour`, the rule gives one finding on that heading. In such a section, a line that repeats a
row or names no heading is a note.

Fix: move the row to the section of its file, or correct the path in the row; `memory-index-fix`
does so.
""",
    bad="/when a build hangs\n/when a page hangs\n\n## agents/decisions/web.md\n\nSome text.",
    good="/when a build hangs\n\n## agents/decisions/web.md\n\n/when a page hangs",
    headings=("## When a build hangs\n\n<!-- agents/decisions/web.md -->\n## When a page hangs"),
    fix=Fix("move rows to the section of their file, or correct their path"),
)
