"""Entries whose text is still in the file, and which are entries no longer."""

from __future__ import annotations

from collections.abc import Callable

from tests.gate.case import Table
from tests.gate.entries import (
    CACHE,
    FIXTURE,
    INDEXES,
    LIMIT,
    POOL,
    QUEUE,
    RETRY,
    SHORT,
    SORT,
    TOKENS,
)
from tests.gate.languages import CHINESE, FRENCH, GERMAN, RUSSIAN
from tests.gate.shapes import edit, indented, memory, part

TABLE = Table("hidden in the file")

# How an entry between two others is hidden: the text around it, or its text as a whole.
AROUND = {
    "in a comment": ("<!--\n", "-->\n\n"),
    "in a comment with a reason": ("<!-- outdated, see the new service\n\n", "\n-->\n\n"),
    "in a fence": ("```\n", "```\n\n"),
    "in a fence of tildes with a language": ("~~~~markdown\n", "~~~~\n\n"),
    "in preformatted text": ("<pre>\n", "</pre>\n\n"),
    "in a script": ('<script type="text/plain">\n', "</script>\n\n"),
    "in a processing instruction": ("<?old\n", "?>\n\n"),
    "in raw data": ("<![CDATA[\n", "]]>\n\n"),
}
SHAPES = ("heading", "timestamped", "identified", "category")
for number, (name, (top, end)) in enumerate(AROUND.items()):
    shape = SHAPES[number % len(SHAPES)]
    whole = part(shape, SORT)
    before = memory(shape, POOL, SORT, TOKENS)
    TABLE.named(
        f"{name}, {shape}", shape, before, edit(before, (whole, f"{top}{whole}{end}")), SORT.title
    )


def collapsed(text: str) -> str:
    """Return a text without its blank lines, as in an HTML block."""
    return "".join(line for line in text.splitlines(keepends=True) if line.strip())


def quoted(text: str) -> str:
    return "".join(f"> {line}" for line in text.splitlines(keepends=True)) + "\n"


HIDDEN: dict[str, Callable[[str], str]] = {
    "in a collapsed section": lambda text: f"<details>\n{collapsed(text)}</details>\n\n",
    "in an attribute": lambda text: f'<img alt="\n{collapsed(text)}" src="a.png">\n\n',
    "in a block quote": quoted,
    "in a footnote": lambda text: f"[^old]: {indented(text, '    ').lstrip()}",
    "in a link definition": lambda text: f'[old]: a.md "{" ".join(text.split())}"\n\n',
    "as indented code": lambda text: indented(text, "    "),
    "one level down": lambda text: f"#{text}",
    "as a list item of the entry above": lambda text: f"- {text.lstrip('# ')}",
    "joined to the entry above": lambda text: text.partition("\n\n")[2],
}
for number, (name, hide) in enumerate(HIDDEN.items()):
    shape = SHAPES[number % 3]
    whole = part(shape, LIMIT)
    before = memory(shape, POOL, LIMIT, CACHE)
    TABLE.named(
        f"{name}, {shape}",
        shape,
        before,
        edit(before, (whole, hide(whole))),
        LIMIT.title,
        also=(POOL.title,),
    )
open_fence = memory("heading", POOL, LIMIT, QUEUE)
TABLE.named(
    "in a fence that is left open",
    "heading",
    open_fence,
    edit(open_fence, (f"## {LIMIT.title}", f"```text\n## {LIMIT.title}")),
    *(LIMIT.title, QUEUE.title),
    also=(POOL.title,),
)
open_comment = memory("timestamped", SORT, LIMIT, QUEUE)
TABLE.named(
    "in a comment that is left open",
    "timestamped",
    open_comment,
    edit(open_comment, ("## [2026-03-06", "<!-- TODO\n## [2026-03-06")),
    *(LIMIT.title, QUEUE.title),
    also=(SORT.title,),
)
TABLE.named(
    "in the front matter",
    "heading",
    memory("heading", SORT, QUEUE, TOKENS),
    "---\nowner: platform\nnotes: |\n"
    + indented(part("heading", SORT), "  ")
    + f"---\n\n{memory('heading', QUEUE, TOKENS)}",
    SORT.title,
)
TABLE.named(
    "its heading a bold line",
    "heading",
    memory("heading", POOL, LIMIT, QUEUE),
    edit(memory("heading", POOL, LIMIT, QUEUE), (f"## {LIMIT.title}", f"**{LIMIT.title}**")),
    LIMIT.title,
    also=(POOL.title,),
)
TABLE.named(
    "its heading without the blank",
    "category",
    memory("category", POOL, LIMIT, QUEUE),
    edit(memory("category", POOL, LIMIT, QUEUE), (f"### {LIMIT.title}", f"###{LIMIT.title}")),
    LIMIT.title,
    also=(POOL.title,),
)
TABLE.named(
    "an item under the item above",
    "bullet",
    memory("bullet", *SHORT),
    edit(
        memory("bullet", *SHORT), (part("bullet", INDEXES), indented(part("bullet", INDEXES), "  "))
    ),
    INDEXES.title,
    also=(FIXTURE.title,),
)
TABLE.named(
    "an item in a comment",
    "dated",
    memory("dated", *SHORT),
    edit(memory("dated", *SHORT), (part("dated", RETRY), f"<!-- {part('dated', RETRY)}-->\n")),
    RETRY.title,
)
TABLE.named(
    "the mark of an item gone",
    "numbered",
    memory("numbered", *SHORT),
    edit(memory("numbered", *SHORT), (f"3. **{INDEXES.title}", f"   **{INDEXES.title}")),
    INDEXES.title,
    also=(FIXTURE.title,),
)
TABLE.named(
    "a row in a comment",
    "table",
    memory("table", *SHORT),
    edit(
        memory("table", *SHORT),
        (part("table", SHORT[4]), f"\n<!--\n{part('table', SHORT[4])}-->\n"),
    ),
    SHORT[4].title,
)
FOREIGN = {
    "in a comment, German": (GERMAN, "<!--\n{}-->\n"),
    "in a fence, Chinese": (CHINESE, "```\n{}```\n"),
    "in preformatted text, Russian": (RUSSIAN, "<pre>\n{}</pre>\n"),
    "one level down, French": (FRENCH, "#{}"),
}
for name, (entry, form) in FOREIGN.items():
    before = memory("heading", POOL, entry, CACHE)
    whole = part("heading", entry)
    TABLE.named(
        name,
        "heading",
        before,
        edit(before, (whole, form.format(whole))),
        entry.title,
        also=(POOL.title,),
    )
