"""The text of a JSON document: any value survives, and any output accepts it."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from learnings.surfaces.render.json_document import json_document

ANY = st.text(st.characters(exclude_categories=[]) | st.sampled_from("\x7f\x9b\u2028\udce9"))


def test_text_stays_readable() -> None:
    assert json_document({"a": "é 🦉 „x“"}) == '{\n  "a": "é 🦉 „x“"\n}\n'


@given(ANY)
@example("caf\udce9")
@example("\x1b[31m\x9b31m\u2028")
def test_nothing_is_lost_and_every_output_takes_it(text: str) -> None:
    document = json_document({"a": text})
    assert json.loads(document.encode("utf-8")) == {"a": _read_back(text)}
    assert len(document.splitlines()) == 3
    assert not {"\x1b", "\x7f", "\x9b"} & set(document)


def _read_back(text: str) -> str:
    """Return a text with surrogate pairs joined, as JSON reads them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
