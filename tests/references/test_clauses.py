"""Whether a sentence says of a name in it that it is gone."""

from __future__ import annotations

import pytest

from learnings.references.written import is_said_gone


def said(text: str, name: str = "x.py", label: str = "") -> bool:
    start = text.index(name)
    return is_said_gone(text, start, start + len(name), label=label)


SAID = [
    *("`x.py` was removed last week.", "`x.py` moved to `y.py`.", "Removed: `y.py`, `x.py`"),
    *("Use `new.py` instead of `x.py`.", "Run `y.py`, not `x.py`.", "the old `x.py` did"),
    *("`x.py` (removed in 1.2) did", "Moved from `x.py` to `y.py`", "renamed `x.py` to `y.py`"),
    *("~~`x.py` is it~~ no", "`x.py` does not exist any more", "There is no `x.py`."),
    *("The API no longer uses `x.py`.", "The code used to live in `x.py`."),
    *("`x.py` was split into `a.py` and `b.py`", "Config is in `y.py`; formerly in `x.py`."),
    *("| `x.py` | removed in 2.0 |", "`x.py` wurde gelöscht."),
    *("`x.py` foi substituído por `y.py`", "`x.py` fue eliminado", "`x.py` a été supprimé"),
    *("`x.py` существовал, но удалён", "文件 `x.py` 已删除"),
]
NOT_SAID = [
    *("We removed the cache; see `x.py`.", "`x.py` is used. The old cache was removed."),
    *("The cache moved to `x.py`.", "`a.py` was replaced by `x.py`", "renamed `y.py` to `x.py`"),
    *("`y.py` was split into `a.py` and `x.py`", "`y.py` foi substituído por `x.py`"),
    *("Two lines were removed from `x.py`.", "`x.py` checks that no entry is missing"),
    *("Do not edit `x.py` by hand", "The loader is in `x.py`, the config was removed."),
    *("see [x](x.py) and remove what is there", "If a file is missing, run `x.py`"),
    "Config is in `x.py`; formerly in `y.py`.",
]


def test_it_is_said_or_not() -> None:
    assert [text for text in (*SAID, *NOT_SAID) if said(text)] == SAID


@pytest.mark.parametrize("label", ["## Removed files", "These files were deleted in May:"])
def test_a_label_speaks_of_all_below_it(label: str) -> None:
    assert said("- `x.py`: the loader", label=label)
    assert not said("- `x.py`: the loader", label="## When a removed file breaks the build")


def test_a_long_text_takes_no_long_time() -> None:
    assert not said("`x.py` " + "has (what " * 5_000)
    assert not said("was, " * 5_000 + "`x.py`")
