"""Words and estimated tokens of texts."""

from __future__ import annotations

from learnings.core.cost import NOTHING, Cost, cost_of, total

# Each text with its words: three are four tokens.
WORDS = {
    "": 0,
    " \n\t": 0,
    "one": 1,
    "`learnings check --fix`\n\nfixes": 4,
    "наш урок": 2,
    "鎖を見る": 4,  # scripts without blanks: a character is a word
    "Look at 锁文件 first": 6,
    "안녕 세계": 2,  # Hangul has blanks
}


def test_words_are_counted_in_every_script() -> None:
    assert {text: cost_of(text).words for text in WORDS} == WORDS


def test_tokens_are_four_for_three_words_rounded_up() -> None:
    assert [Cost(words).tokens for words in (0, 1, 3, 225, 226)] == [0, 2, 4, 300, 302]


def test_costs_add_up() -> None:
    assert total([Cost(2), NOTHING, Cost(3)]) == Cost(5)
    assert total([]) == NOTHING
