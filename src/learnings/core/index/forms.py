"""The forms of a memory index, by the names that the setting `index-form` has for them.

To add a form:

1. Write a module `form_<name>.py` with a subclass of Form (model.py), whose methods say how the
   form is read, what must have a row, how a new row is written and where it goes. form_arrow.py is
   the shortest example; what a form does not say is the same for most.
2. Add it to FORMS below, and its name to INDEX_FORMS in core/settings/keys.py.
3. Add an example to FORMS_AS_TEXT in tests/core/index/index_cases.py, from which the tests of all
   forms take it, and describe it in docs/memory-index.md. `python -m tests.support.documents`
   writes the table of settings anew.

Nothing else asks for the name of a form: matching, checks and fixes ask the object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from learnings.core.entries.layout import INDEX_MARK
from learnings.core.index.form_arrow import Arrow
from learnings.core.index.form_block import Block
from learnings.core.index.form_rows import Rows
from learnings.core.index.form_table import TableRows
from learnings.core.index.lines import sections_of
from learnings.core.index.model import Form, IndexFile
from learnings.core.markdown.blocks import blocks_of
from learnings.core.text import BOM, encode

FORMS: Mapping[str, Form] = MappingProxyType(
    {form.name: form for form in (Rows(), TableRows(), Block(), Arrow())}
)


def read_index(data: bytes, *, form: str = "rows", path: str = "") -> IndexFile:
    """Read a memory index in the form of this name; there is no input that it refuses.

    path is POSIX from the repository's root. Raises ValueError for a form that is not in FORMS.
    """
    if form not in FORMS:
        raise ValueError(f"{form!r} is not a form of a memory index; those are {', '.join(FORMS)}")
    blocks = blocks_of(data)
    lines = blocks.lines
    bom = BOM if lines and lines[0].startswith(BOM) else ""
    if bom:
        lines = (lines[0].removeprefix(bom), *lines[1:])
    index = IndexFile(path, FORMS[form], bom, lines, tuple(sections_of(blocks)))
    return FORMS[form].read(index, blocks)


def has_block(data: bytes) -> bool:
    """Return True if a file has a marker of an index block that is a table, or shall become one.

    A list between the markers is kept up by another program.
    """
    if INDEX_MARK not in data:
        return False
    index = read_index(data, form=Block.name)
    return bool(index.faults) or (index.block is not None and index.is_block_readable)


def with_lines(index: IndexFile, lines: Iterable[str]) -> IndexFile:
    """Return the index that the file is with other lines, given with their terminators."""
    data = encode(index.bom + "".join(lines))
    return read_index(data, form=index.form.name, path=index.path)
