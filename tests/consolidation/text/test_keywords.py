from __future__ import annotations

import time

import pytest

from learnings.consolidation.text.keywords import keywords, words
from learnings.consolidation.text.languages import stem
from learnings.core.labels import is_label, without_labels


def keys(text: str) -> list[str]:
    return [keyword.key for keyword in keywords(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hooks lose permissions", ["hook", "los", "permission"]),
        ("2026-02-16 120000 3.5 v2", []),
        ("src/core/parser.py", ["src", "cor", "parser"]),
        ("configuração configuracao", ["configuracao", "configuracao"]),
    ],
)
def test_keys(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "at_least"),
    [
        ("хуки теряют права", "права у хука пропали, хуки не работают", 2),
        ("フックスクリプトの実行権限", "実行権限を確認するフックスクリプト", 3),
        ("훅은 실행 권한을 잃는다", "권한이 없는 실행", 2),
    ],
)
def test_inflected_words_of_a_script_meet(one: str, other: str, at_least: int) -> None:
    assert len(set(keys(one)) & set(keys(other))) >= at_least


@pytest.mark.parametrize("text", ["的是了", "は が を に", "что это не"])
def test_function_words_of_a_script_are_no_keywords(text: str) -> None:
    assert keys(text) == []


def test_marks_belong_to_their_letters() -> None:
    assert words("अनुमति ทดสอบ") == ["अनुमति", "ทดสอบ"]


def test_words_as_written() -> None:
    assert [keyword.word for keyword in keywords("PreToolUse hooks, Hooks")] == [
        "PreToolUse",
        "hooks",
        "Hooks",
    ]


def test_comments_hold_no_keywords_and_one_without_an_end_is_text() -> None:
    text = "alpha<!-- hidden -->beta <!--\nmore\n--> gamma <!-- delta"
    assert keys(text) == ["alpha", "beta", "gamma", "delta"]
    assert keys("<!-- hidden -->alpha") == ["alpha"]


def test_many_comments_without_an_end_take_time_in_proportion() -> None:
    assert keys("<!--" * 200_000 + " alpha") == ["alpha"]  # was minutes


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("**Context**: a hook", " a hook"),
        ("Lesson: a hook", " a hook"),
        ("**教训**：钩子", "钩子"),
        ("#### Summary ####", ""),
        ("see https://a.b", "see https://a.b"),
    ],
)
def test_labels(text: str, rest: str) -> None:
    assert without_labels(text) == rest


def test_lines_stay() -> None:
    assert without_labels("**Status**: x\n\n**Fix**: y\n").count("\n") == 3


@pytest.mark.parametrize("text", ["", "Hook", "Context of the hook"])
def test_no_label(text: str) -> None:
    assert not is_label(text)


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
