"""The command `learnings index`: the computed headings of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Command

TEXT = """\
# Title

#### Deep

## When `x` hangs

### .Group

```
## no heading
```

##

## Last
"""


NESTED = """\
- `Title` (line 1)
  - `Deep` (line 3)
  - ``When `x` hangs`` (line 5)
    - `.Group` (line 7)
  - `Last` (line 15)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((), NESTED),
        (
            ("--depth", "2"),
            "- `Title` (line 1)\n  - ``When `x` hangs`` (line 5)\n  - `Last` (line 15)\n",
        ),
        (("--depth=1",), "- `Title` (line 1)\n"),
    ],
)
def test_list(learnings: Command, file: Path, words: tuple[str, ...], shown: str) -> None:
    run = learnings("index", "a.md", *words, cwd=file.parent)
    assert (run.code, run.out, run.err) == (0, shown, "")


def test_document(learnings: Command, file: Path) -> None:
    run = learnings("index", "a.md", "--format", "json", "--depth", "3", cwd=file.parent)
    assert run.json["file"] == "a.md"
    headings = [tuple(heading.values()) for heading in run.json["headings"]]
    assert headings == [
        ("Title", 1, 1, 15, False),
        ("When `x` hangs", 2, 5, 12, False),
        (".Group", 3, 7, 12, True),
        ("Last", 2, 15, 15, False),
    ]


@pytest.mark.parametrize("depth", ["0", "7", "x", ""])
def test_depth_is_a_level(learnings: Command, file: Path, depth: str) -> None:
    run = learnings("index", "a.md", "--depth", depth, cwd=file.parent)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("data", [b"", b"\0\xff", b"\xef\xbb\xbf## \x1b[31mred\n", b"# \xff\n"])
def test_any_bytes(learnings: Command, file: Path, data: bytes) -> None:
    file.write_bytes(data)
    for form in ("markdown", "json"):
        run = learnings("index", "a.md", "--format", form, cwd=file.parent)
        assert (run.code, run.err) == (0, "")
        assert "\x1b" not in run.out
    assert file.read_bytes() == data


@pytest.mark.parametrize("name", ["gone.md", ".", ""])
def test_what_is_not_a_file_is_one_sentence(learnings: Command, file: Path, name: str) -> None:
    run = learnings("index", name, cwd=file.parent)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
