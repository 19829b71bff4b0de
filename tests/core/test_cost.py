"""Words and estimated tokens of texts."""

from __future__ import annotations

from learnings.core.cost import Cost, cost_of, total

# Each text with its words.
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


def test_a_token_has_so_many_bytes_and_the_rest_counts_as_one() -> None:
    assert [Cost(0, size).tokens for size in (0, 1, 38, 39)] == [0, 1, 10, 11]
    assert cost_of("наш урок") == Cost(2, 15)
    assert cost_of("\udcff") == Cost(1, 1)  # a byte that is not UTF-8


def test_costs_add_up() -> None:
    assert total([Cost(2, 10), Cost(0, 0), Cost(3, 5)]) == Cost(5, 15)
    assert total([]) == Cost(0, 0)
