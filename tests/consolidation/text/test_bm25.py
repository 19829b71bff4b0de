from __future__ import annotations

from math import log

import pytest

from learnings.consolidation.text.similarity import Bm25

BAGS = [{"cache": 2.0, "key": 1.0}, {"cache": 1.0, "lock": 2.0}, {"queue": 3.0}]


def test_the_score_is_the_formula_of_the_literature() -> None:
    index = Bm25(BAGS, k1=1.2, b=0.75)
    idf = log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    assert index.idf("lock") == pytest.approx(idf)
    expected = idf * 2 * 2.2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 3))
    assert index.row({"lock": 1.0}) == pytest.approx([0, expected, 0], abs=1e-5)


def test_rare_words_weigh_more_and_shares_add_up_to_the_score() -> None:
    index = Bm25(BAGS)
    query = {"cache": 1.0, "lock": 1.0, "unknown": 5.0}
    shares = index.contributions(query, 1)
    assert [word for _, word in shares] == ["lock", "cache"]
    assert sum(share for share, _ in shares) == pytest.approx(index.row(query)[1], abs=1e-5)


def test_words_of_many_documents_are_scored_alike() -> None:
    words = ("often", "seldom", "once")
    bags = [
        {
            word: 1.0 + n % 3
            for word, every in zip(words, (2, 7, 999), strict=True)
            if n % every == 0
        }
        for n in range(400)
    ]
    index = Bm25(bags)
    query = {"often": 4 / 3, "seldom": 1.0, "once": 1.6, "never": 1.0}
    row = index.row(query)
    for document, score in enumerate(row):
        shares = index.contributions(query, document)
        assert score == pytest.approx(sum(share for share, _ in shares), abs=1e-3)
    assert row[2] == row[8]
    assert [index.count(word) for word in query] == [200, 58, 1, 0]


@pytest.mark.slow
def test_long_queries_do_not_run_into_other_documents() -> None:
    words = {f"w{number}": 100.0 for number in range(5000)}
    row = Bm25([words, {"other": 1.0}] * 60).row(words)
    assert row[::2] == [row[0]] * 60
    assert row[1::2] == [0.0] * 60


def test_nothing_is_found_in_nothing() -> None:
    assert Bm25([]).row({"cache": 1.0}) == []
    assert Bm25([{}, {}]).row({"cache": 1.0}) == [0, 0]
    assert Bm25(BAGS).row({}) == [0, 0, 0]
