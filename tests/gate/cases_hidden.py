"""Entries whose text is still in the file, and which are entries no longer."""

from __future__ import annotations

from collections.abc import Callable

from tests.gate.case import Table
from tests.gate.entries import FIXTURE, INDEXES, LIMIT, POOL, QUEUE, SHORT, SORT, TOKENS
from tests.gate.shapes import Entry, edit, indented, memory, part

TABLE = Table("hidden in the file")
SHAPES = ("heading", "timestamped", "identified", "category")


def hidden(
    name: str, shape: str, entry: Entry, hide: Callable[[str], str], *also: str, above: Entry = POOL
) -> None:
    """Add a case in which the text of an entry between two others is replaced."""
    entries = SHORT if entry in SHORT else (above, entry, TOKENS)
    before = memory(shape, *entries)
    whole = part(shape, entry)
    after = edit(before, whole, hide(whole))
    TABLE.add("named", name, shape, before, after, entry.title, also=also)


# The text around an entry that is hidden.
AROUND = {
    "in a comment": "<!--\n{}-->\n\n",
    "in a fence": "```\n{}```\n\n",
    "in preformatted text": "<pre>\n{}</pre>\n\n",
    "in a script": '<script type="text/plain">\n{}</script>\n\n',
}
for number, (name, form) in enumerate(AROUND.items()):
    hidden(name, SHAPES[number % 4], SORT, form.format)


def collapsed(text: str) -> str:
    """Return a text without its blank lines, as in an HTML block."""
    return "".join(line for line in text.splitlines(keepends=True) if line.strip())


HIDDEN: dict[str, Callable[[str], str]] = {
    "in a collapsed section": lambda text: f"<details>\n{collapsed(text)}</details>\n\n",
    "in a block quote": lambda text: "> " + text.replace("\n", "\n> ") + "\n\n",
    "as indented code": lambda text: indented(text, "    "),
    "one level down": lambda text: f"#{text}",
    "as a list item of the entry above": lambda text: f"- {text.lstrip('# ')}",
}
for number, (name, hide) in enumerate(HIDDEN.items()):
    hidden(name, SHAPES[number % 3], LIMIT, hide, POOL.title)
BOLD = f"**{LIMIT.title}**\n\n{LIMIT.body}\n\n"
hidden("a bold line", "heading", LIMIT, lambda _: BOLD, POOL.title)
hidden("no blank", "category", LIMIT, lambda text: text.replace("### ", "###"), POOL.title)
hidden("below", "bullet", INDEXES, lambda text: indented(text, "  "), FIXTURE.title)
hidden("an item in a comment", "dated", SHORT[0], lambda text: f"<!-- {text}-->\n")
hidden("no mark", "numbered", INDEXES, lambda text: text.replace("3. ", "   "), FIXTURE.title)
hidden("a row in a comment", "table", SHORT[4], lambda text: f"\n<!--\n{text}-->\n")
text, below = memory("heading", POOL, LIMIT, QUEUE), part("heading", LIMIT)
OPEN = edit(text, below, f"```text\n{below}")
TITLES = (LIMIT.title, QUEUE.title)
TABLE.add("named", "left open behind ```", "heading", text, OPEN, *TITLES, also=(POOL.title,))
BELOW = memory("heading", QUEUE, TOKENS)
NOTES = indented(part("heading", SORT), "  ")
FRONT = f"---\nowner: platform\nnotes: |\n{NOTES}---\n\n{BELOW}"
TABLE.add("named", "in the front matter", "heading", (SORT, QUEUE, TOKENS), FRONT, SORT.title)
