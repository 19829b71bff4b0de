"""An HTML page from a template: one file that loads nothing and escapes every value."""

from __future__ import annotations

from importlib import resources

from learnings.core.text import counted, printable


def html_page(template: str, **values: object) -> str:
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
