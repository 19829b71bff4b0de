from __future__ import annotations

import pytest

from learnings.consolidation.text.similarity import Texts, texts_of
from learnings.core.entries.document import read
from tests.consolidation.memory import memory, target


def best(text: str, *texts: str) -> float:
    covered = Texts(texts).best_of_text(text)
    return 0.0 if covered is None else covered.score


def test_a_text_covers_itself_whatever_its_endings_and_case() -> None:
    assert best("Retry idempotent requests", "retrying idempotent Request") == 1.0


def test_pairs_reach_over_one_word_in_either_order() -> None:
    # alpha-beta, alpha-gamma, beta-gamma, beta-delta, gamma-delta
    assert best("alpha beta gamma delta", "beta alpha") == pytest.approx(1 / 5)
    assert best("alpha beta gamma delta", "gamma other alpha") == pytest.approx(1 / 5)
    assert best("alpha beta gamma delta", "alpha one two three delta") == 0.0


def test_words_in_one_text_count_and_not_those_of_all() -> None:
    assert best("alpha beta gamma delta", "alpha beta", "gamma delta") == pytest.approx(1 / 5)


def test_the_best_text_is_named_with_what_it_shares_and_lacks() -> None:
    texts = texts_of(target(("Queue", "other words"), ("Cache", "Stale keys expire")).sections)
    covered = texts.best(memory(("Cache keys", "Stale keys expire tomorrow")).entries[0])
    assert covered is not None
    assert covered.text_index == 2
    assert "Cache Stale" in covered.shared
    assert "expire tomorrow" in covered.missing
    assert covered.new_words == ("tomorrow",)
    assert covered.score == len(covered.shared) / (len(covered.shared) + len(covered.missing))


def test_the_heading_of_a_section_counts_and_all_of_a_list_item() -> None:
    texts = texts_of(target(("Retry budget", "nothing else")).sections)
    for text in (b"## Retry budget\n", b"- 2026-02-01: retry budget\n- 2026-02-02: other\n"):
        covered = texts.best(read(text).entries[0])
        assert covered is not None
        assert covered.score == 1.0


def test_no_words_no_cover() -> None:
    assert Texts([]).best_of_text("alpha beta") is None
    assert Texts(["alpha beta"]).best_of_text("") is None
    assert Texts(["alpha beta"]).best_of_text("and the of") is None


def test_scripts_without_spaces() -> None:
    assert best("数据库连接池大小", "我们的数据库连接池大小有限") > 0.5
    assert best("数据库连接池大小", "缓存键的版本") == 0.0
