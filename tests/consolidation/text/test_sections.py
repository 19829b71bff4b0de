from __future__ import annotations

from math import log

import pytest

from learnings.consolidation.text.sections import bag_of, bag_of_entry, target_of
from learnings.consolidation.text.similarity import Bm25, Texts, texts_of
from learnings.core.entries.document import read
from tests.consolidation.memory import memory, target

TEXT = """\
---
owner: ada
---
Before all.

# Decisions

## Cache

Keep it.

```sh
## not a heading
rm cache
```

### Keys

<!-- hidden
words -->
By tenant.
"""


def test_a_section_has_its_lines_the_headings_around_it_and_no_examples() -> None:
    target = target_of("a/b.md", TEXT.encode())
    assert (target.path, target.lines) == ("a/b.md", 21)
    assert [(s.title, s.trail, s.line, s.last) for s in target.sections] == [
        ("", (), 4, 5),
        ("Decisions", (), 6, 7),
        ("Cache", ("Decisions",), 8, 16),
        ("Keys", ("Decisions", "Cache"), 17, 21),
    ]
    cache, keys = target.sections[2:]
    assert cache.text.split() == ["Keep", "it."]
    assert keys.text.split() == ["By", "tenant."]
    assert cache.lines[cache.first - cache.line :][0] == "Keep it.\n" or cache.first == 9


def test_line_numbers_of_the_text_are_those_of_the_file() -> None:
    lines = TEXT.splitlines(keepends=True)
    for section in target_of("a.md", TEXT.encode()).sections:
        for number, line in enumerate(section.lines, start=section.first):
            assert line in ("\n", lines[number - 1])


def test_a_file_without_text_has_no_sections() -> None:
    assert target_of("a.md", b"").sections == ()
    assert target_of("a.md", b"\n\n").sections == ()
    assert [s.title for s in target_of("a.md", b"words\n").sections] == [""]


def test_titles_count_more_and_repetitions_little() -> None:
    (entry,) = memory(("Cache", "Locale tenant tenant.")).entries
    bag = bag_of_entry(entry)
    assert list(bag) == ["cach", "local", "tenant"]
    assert bag["local"] == 1.0
    assert bag["local"] < bag["cach"] == bag["tenant"] < 2.0


def test_a_list_item_is_counted_once() -> None:
    (item,) = read(b"- 2026-02-01: **Tenant** the cache\n").entries
    assert bag_of_entry(item)["cach"] == 1.0


def test_a_section_is_its_heading_and_text_without_the_headings_around() -> None:
    section = target(("Cache", "Locale, tenant and tenant."), path="docs/a.md").sections[-1]
    assert section.trail
    assert bag_of(section.title, section.text) == {"cach": 2.0, "local": 1.0, "tenant": 2.0}


BAGS = [{"cache": 2.0, "key": 1.0}, {"cache": 1.0, "lock": 2.0}, {"queue": 3.0}]


def test_the_score_is_the_formula_of_the_literature() -> None:
    index = Bm25(BAGS)
    idf = log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    assert index.idf("lock") == pytest.approx(idf)
    expected = idf * 2 * 2.2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 3))
    assert index.row({"lock": 1.0}) == pytest.approx([0, expected, 0], abs=1e-5)


def test_rare_words_weigh_more_and_shares_add_up_to_the_score() -> None:
    index = Bm25(BAGS)
    query = {"cache": 1.0, "lock": 1.0, "unknown": 5.0}
    assert index.shared(query, 1) == ["lock", "cache"]
    shares = [index.row({word: weight})[1] for word, weight in query.items()]
    assert sum(shares) == pytest.approx(index.row(query)[1], abs=1e-5)


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
    rows = [index.row({word: weight}) for word, weight in query.items()]
    for score, *shares in zip(row, *rows, strict=True):
        assert score == pytest.approx(sum(shares), abs=1e-3)
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
