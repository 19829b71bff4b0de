from __future__ import annotations

import pytest

from learnings.consolidation.text.keywords import keywords, words


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
