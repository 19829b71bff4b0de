"""The learnings files in configurations of every form."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.app.setup.text_steps import ManualEditRequired, with_files
from learnings.core.errors import BadSettings
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import SettingsSource

OWN, SHARED = "learnings.toml", "pyproject.toml"
ONE, TWO = ("agents/learnings.md",), ("learnings.md", "docs/lessons.md")
PATH = 'path = "agents/learnings.md"\n'
TABLES = '[[file]]\npath = "learnings.md"\n\n[[file]]\npath = "docs/lessons.md"\n'
DEEP = TABLES.replace("[[file]]", "[[tool.learnings.file]]")


@pytest.mark.parametrize(
    ("name", "before", "paths", "after"),
    [
        (OWN, None, ONE, PATH),
        (OWN, None, TWO, TABLES),
        (OWN, "# ours\nsize-trigger = 9 # x", ONE, f"# ours\n{PATH}size-trigger = 9 # x"),
        (OWN, "size-trigger = 9", TWO, f"size-trigger = 9\n\n{TABLES}"),
        (OWN, "[issue]\nlabel = 'a'\n", ONE, f"{PATH}[issue]\nlabel = 'a'\n"),
        (OWN, "[issue]\r\n", ONE, f"{PATH[:-1]}\r\n[issue]\r\n"),
        (SHARED, "", ONE, f"[tool.learnings]\n{PATH}"),
        (SHARED, "[project]\n\n", TWO, f"[project]\n\n{DEEP}"),
        (
            SHARED,
            "[tool.learnings] # ours\n\nfreshness = 3\n\n[tool.ruff]\n",
            ONE,
            f"[tool.learnings] # ours\n{PATH}\nfreshness = 3\n\n[tool.ruff]\n",
        ),
        (
            SHARED,
            'x = """\n[tool.learnings]\n"""\n[ tool . learnings ]\n',
            ONE,
            f'x = """\n[tool.learnings]\n"""\n[ tool . learnings ]\n{PATH}',
        ),
        (
            SHARED,
            "[tool.learnings.issue]\nlabel = 'a'\n",
            ONE,
            f"[tool.learnings.issue]\nlabel = 'a'\n\n[tool.learnings]\n{PATH}",
        ),
    ],
)  # fmt: skip
def test_the_new_text(name: str, before: str | None, paths: tuple[str, ...], after: str) -> None:
    edited = with_files(before, paths, name=name).text
    assert edited == after
    document = tomllib.loads(edited.removeprefix("\ufeff"))
    table = document["tool"]["learnings"] if name == SHARED else document
    known = {key: value for key, value in table.items() if key != "issue"}
    settings = settings_from(known, source=SettingsSource(name))
    assert tuple(file.path for file in settings.files) == paths


@pytest.mark.parametrize(
    ("name", "text", "paths"),
    [
        (SHARED, "tool.learnings = {freshness = 3}\n", ONE),
        (SHARED, "[tool]\nlearnings.freshness = 3\n", ONE),
        (SHARED, "[tool]\nlearnings = 3\n", TWO),
        (OWN, "file = []\n", TWO),
    ],
)
def test_what_is_left_to_the_user(name: str, text: str, paths: tuple[str, ...]) -> None:
    with pytest.raises(ManualEditRequired, match=f"^{name} was not changed") as raised:
        with_files(text, paths, name=name)
    lines: dict[str, Any] = tomllib.loads("\n".join(raised.value.lines))
    table = lines["tool"]["learnings"] if name == SHARED else lines
    assert table.keys() & {"path", "file"}


def test_broken_toml_is_reported() -> None:
    with pytest.raises(
        BadSettings, match=r"^pyproject.toml is not valid TOML \(.* line 1, column 5"
    ):
        with_files("x = \n", ONE, name=SHARED)


@given(path=st.text(min_size=1, max_size=20))
@settings(max_examples=25)
@pytest.mark.slow
def test_any_path_is_written_as_it_is_or_not_at_all(path: str) -> None:
    try:
        edited = with_files("", [path], name=OWN).text
    except ManualEditRequired:
        assert not path.isprintable()
    else:
        assert tomllib.loads(edited) == {"path": path}
