"""JSON documents, and HTML pages: a page is one file that loads nothing and escapes all values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from learnings.core.patterns import lazy_pattern
from learnings.core.text import UNSEEN, counted, printable

# Escaped although JSON allows them: DEL and C1 controls, which some terminals obey; marks of
# writing direction and invisible characters; the two Unicode line ends; lone surrogates (non-UTF-8
# bytes), which cannot be encoded; and the bracket of `##[`, which GitHub Actions reads as a command
# anywhere in a line.
_UNSAFE = lazy_pattern(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    f"\ufff9-\ufffb\ud800-\udfff]|{UNSEEN}|(?<=##)\\["
)


def json_document(document: Mapping[str, object] | Sequence[object]) -> str:
    """Return a document as indented JSON with a newline at its end, with _UNSAFE escaped."""
    import json  # noqa: PLC0415  (other formats need no json)

    text = json.dumps(document, ensure_ascii=False, indent=2)
    return _UNSAFE.sub(_written_out, text) + "\n"


def _written_out(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def html_page(template: str, **values: object) -> str:
    from importlib import resources  # noqa: PLC0415  (as jinja2)

    from jinja2 import Environment, FunctionLoader  # noqa: PLC0415  (30 ms, for pages alone)

    folder = resources.files("learnings.surfaces") / "pages"
    environment = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
    )
    environment.filters["printable"] = printable
    environment.globals["counted"] = counted
    style = (folder / "style.css").read_text("utf-8")
    return environment.get_template(template).render(**values, style=style)
