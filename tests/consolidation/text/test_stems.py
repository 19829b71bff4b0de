from __future__ import annotations

import time

import pytest

from learnings.consolidation.text.languages import stem


@pytest.mark.parametrize(
    "forms",
    [
        ("hook", "hooks", "hooked", "hooking"),
        ("entry", "entries"),
        ("box", "boxes"),
        ("скрипт", "скрипты", "скриптов", "скриптами"),
    ],
)
def test_forms_meet(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["status", "process", "gas"])
def test_words_that_only_look_inflected(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize("pair", [("hook", "hoop"), ("plan", "plant"), ("test", "text")])
def test_words_stay_apart(pair: tuple[str, str]) -> None:
    assert stem(pair[0]) != stem(pair[1])


def test_the_time_grows_with_the_length_of_a_word() -> None:
    start = time.process_time()
    for word in ("a" * 50_000, "ab" * 25_000 + "bb", "e" * 50_000 + "xed", "b" * 50_000 + "ing"):
        stem(word)
    assert time.process_time() - start < 1
