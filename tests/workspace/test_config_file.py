from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.core.errors import BadSettings
from learnings.workspace.config_file import LARGEST_CONFIG, find_config

SECTION = "[tool.learnings]\nsize-trigger = 5\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "repository" / "a" / "b").mkdir(parents=True)
    return tmp_path / "repository"


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (root / name).write_bytes(data)


def refusal(root: Path, files: dict[str, str | bytes]) -> str:
    write(root, files)
    with pytest.raises(BadSettings) as caught:
        find_config(root, root)
    return str(caught.value)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"pyproject.toml": SECTION}, "pyproject.toml"),
        ({"learnings.toml": "size-trigger = 5"}, "learnings.toml"),
        ({"learnings.toml": "", "pyproject.toml": SECTION}, "learnings.toml"),
        ({"learnings.toml": "", "a/pyproject.toml": SECTION}, "a/pyproject.toml"),
        ({"pyproject.toml": SECTION, "a/b/learnings.toml": ""}, "a/b/learnings.toml"),
        ({"pyproject.toml": SECTION, "a/pyproject.toml": "[tool.other]"}, "pyproject.toml"),
        ({"pyproject.toml": SECTION, "a/pyproject.toml": "tool = 'learnings'"}, "pyproject.toml"),
        ({"pyproject.toml": SECTION, "a/b/pyproject.toml": "broken ["}, "pyproject.toml"),
        ({"../learnings.toml": ""}, None),
    ],
)
def test_the_nearest_configuration_upwards_holds(
    root: Path, files: dict[str, str | bytes], expected: str | None
) -> None:
    write(root, files)
    config = find_config(root / "a" / "b", root)
    assert (config and config.path) == (expected and root / expected)
    assert (config and config.source.name) == expected


def test_a_folder_with_the_name_of_the_file_is_ignored(root: Path) -> None:
    (root / "learnings.toml").mkdir()
    (root / "pyproject.toml").mkdir()
    assert find_config(root, root) is None


def test_a_file_instead_of_a_folder_has_no_configuration(root: Path) -> None:
    write(root, {"x": "", "pyproject.toml": SECTION})
    config = find_config(root / "x", root)
    assert config is not None
    assert config.path == root / "pyproject.toml"


def test_the_table_and_the_lines_of_its_keys(root: Path) -> None:
    write(root, {"a/pyproject.toml": f"[project]\nname = 'x'\n\n{SECTION}"})
    config = find_config(root / "a", root)
    assert config is not None
    assert config.table == {"size-trigger": 5}
    assert config.source.location(("size-trigger",)) == "a/pyproject.toml:5"
    assert config.source.location(()) == "a/pyproject.toml:4"
    assert config.source.location(("absent",)) == "a/pyproject.toml"
    assert config.source.folder == "a"


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf# x\r\nfreshness = 1\r\n", b"\nfreshness = 1"])
def test_a_bom_windows_newlines_and_a_link_inside_are_fine(root: Path, content: bytes) -> None:
    write(root, {"a/x.toml": content})
    (root / "learnings.toml").symlink_to("a/x.toml")
    config = find_config(root, root)
    assert config is not None
    assert config.table == {"freshness": 1}
    assert config.source.location(("freshness",)) == "learnings.toml:2"
    assert config.source.folder == ""


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("learnings.toml", "a = 1\nb =\n", "learnings.toml:2: is not valid TOML (Invalid value"),
        ("learnings.toml", "a = [\n1,\n\n", "learnings.toml:2: is not valid TOML (Invalid value"),
        ("learnings.toml", "a = 1\na = 2", "learnings.toml:2: is not valid TOML (Cannot overwrite"),
        ("pyproject.toml", "# learnings\n\n= 1", "pyproject.toml:3: is not valid TOML"),
        ("learnings.toml", b"a = 1\nb = '\xff'", "learnings.toml:2: is not UTF-8; save"),
        ("pyproject.toml", b"\n\n# \xe9 learnings", "pyproject.toml:3: is not UTF-8; save"),
        ("learnings.toml", b"\0", "learnings.toml:1: is not valid TOML"),
        ("learnings.toml", "a = " + "1" * 5000, "TOML (invalid date or number); correct it"),
        ("learnings.toml", "a = " + "[" * 99999, "learnings.toml: is nested too deeply"),
        ("learnings.toml", b"#" * (LARGEST_CONFIG + 1), "learnings.toml: has more than 1000000 b"),
        ("pyproject.toml", "\ntool.learnings = 5", "pyproject.toml:2: tool.learnings must be"),
        ("pyproject.toml", "[[tool.learnings]]", "pyproject.toml:1: tool.learnings must be a ta"),
    ],
)
def test_a_broken_file_is_one_sentence(
    root: Path, name: str, content: str | bytes, part: str
) -> None:
    sentence = refusal(root, {name: content})
    assert part in sentence
    assert sentence.isprintable()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("../outside.toml", "learnings.toml: leads out of the repository"),
        ("nowhere", "learnings.toml: is a broken link"),
        ("learnings.toml", "learnings.toml: cannot be read"),
        ("pipe", "is not a regular file"),
    ],
)
def test_links_that_lead_nowhere_good(root: Path, target: str, part: str) -> None:
    write(root, {"../outside.toml": ""})
    os.mkfifo(root / "pipe")
    (root / "learnings.toml").symlink_to(target)
    assert part in refusal(root, {})


def test_a_file_of_ten_gigabytes_is_refused_before_it_is_read(root: Path) -> None:
    write(root, {"learnings.toml": b"#" * LARGEST_CONFIG})
    assert find_config(root, root) is not None
    with (root / "learnings.toml").open("wb") as file:
        file.truncate(10_000_000_000)  # sparse: takes no space
    with pytest.raises(BadSettings, match=r"^learnings\.toml: has more than 1000000 bytes"):
        find_config(root, root)
    (root / "learnings.toml").rename(root / "pyproject.toml")
    assert find_config(root, root) is None
