from __future__ import annotations

import pytest

from tests.index.index_cases import ARROW, ROWS, TABLE, Files, fixed_text

FILES: Files = {
    "a.md": "## When Writing Tests\n\n## How to Read YAML\n\n## Caches\n\nKept. Long.\n",
    "b.md": "## When Reading Logs\n",
}
TABLE_HEAD = "| Topic | File | Key |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("form", "rows", "added"),
    [
        # In lower case, as the others.
        (ROWS, "/when writing tests\n", ["/how read yaml", "caches — Kept"]),
        # As the headings.
        (ROWS, "/when Writing Tests\n", ["/how Read YAML", "Caches — Kept"]),
        # Without operators, as the others.
        (ROWS, "When Writing Tests — s\n", ["How to Read YAML — a.md", "Caches — Kept"]),
        (
            TABLE,
            f"{TABLE_HEAD}| t | a.md | /when writing tests |\n",
            ["| How to Read YAML | a.md | /how read yaml |", "| Caches | a.md | caches |"],
        ),
        (
            ARROW,
            "**when writing tests** — s → a.md\n",
            ["**how to read yaml** — a.md → a.md", "**caches** — Kept → a.md"],
        ),
    ],
)
def test_an_added_row_is_written_as_its_neighbours(form: str, rows: str, added: list[str]) -> None:
    top = "## a.md\n\n" if form == ROWS else ""
    only = {"a.md": FILES["a.md"]}
    lines = fixed_text(top + rows, only, form, add_missing=True).splitlines()

    assert sorted(lines) == sorted([*(top + rows).splitlines(), *added])


@pytest.mark.parametrize(
    ("rows", "added"),
    [
        ("/when writing tests\n/how read yaml\nCaches — s\n", "/when reading logs"),
        # As many are written one way as the other.
        ("/when Writing Tests\nHow to Read YAML — s\nCaches — s\n", "/when Reading Logs"),
    ],
)
def test_a_file_without_rows_takes_the_style_of_the_index(rows: str, added: str) -> None:
    text = fixed_text(f"## a.md\n\n{rows}", FILES, add_missing=True)
    assert text.endswith(f"## b.md\n\n{added}\n")
