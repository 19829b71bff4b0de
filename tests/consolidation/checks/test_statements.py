"""Texts as statements, and what negates them."""

from __future__ import annotations

import pytest

from learnings.consolidation.checks.negation import cues_of, sides_of
from learnings.consolidation.checks.opposition import opposed
from learnings.consolidation.checks.statements import Statement, statements


def of(*lines: str) -> tuple[Statement, ...]:
    return statements(tuple(f"{line}\n" for line in lines), 1)


@pytest.mark.parametrize(
    ("clause", "cues"),
    [
        ("Never retry a payment", ["never"]),
        ("Don't retry a payment", ["don't"]),
        ("Don’t retry a payment", ["don't"]),
        ("it no longer works", ["no longer"]),
        ("take a lock instead of a lease", ["instead of"]),
        ("take a lock, not a lease", [", not"]),
        ("Notable another knot", []),
        ("Não usar cache", ["nao"]),
        ("никогда не повторять", ["никогда", "не"]),
        ("不要缓存令牌", ["不要"]),
        ("キャッシュは使いません", ["ません"]),
        ("لا تستخدم الذاكرة", ["لا"]),
        ("", []),
    ],
)
def test_cues(clause: str, cues: list[str]) -> None:
    assert [cue.text for cue in cues_of(clause)] == cues


def test_sides() -> None:
    assert sides_of("before the deploy") & sides_of("Before!")
    assert sides_of("before the deploy") != sides_of("after the deploy")
    assert not sides_of("the deploy")


def test_lines_labels_and_negations() -> None:
    clauses = of(
        "## Cache tokens",
        "- Anti-pattern: Cache access tokens in memory",
        "- **Correct pattern:** Fetch access tokens each time",
        "Never cache access tokens; cache profiles briefly.",
        "| cache | access tokens |",
        "Words.",
    )
    assert [(s.line, s.negated, s.cue) for s in clauses] == [
        (2, True, "labelled as wrong"),
        (3, False, ""),
        (4, True, "never"),
        (4, False, ""),
    ]


def test_what_stands_beside_is_negated_alone() -> None:
    main, beside = of("Count logins per network instead of per account")
    assert (main.negated, beside.negated, beside.denied) == (False, True, ("account",))
    assert "account" not in main.keys


def test_a_bold_label_is_no_part_of_the_statement() -> None:
    (statement,) = of("**Anti-pattern:** Cache access tokens in memory")
    assert (statement.negated, statement.text) == (True, "Cache access tokens in memory")


def test_what_is_cut_off_from_its_sentence_denies_nothing() -> None:
    for half in (
        "Finds errors (most), but not failing calls.",
        "Finds errors (most) but not calls.",
    ):
        assert [statement.text for statement in of(half)] == ["Finds errors"]
    main, beside = of("The linter finds typing errors but not failing network calls.")
    assert (main.negated, beside.negated) == (False, True)


def test_two_negations_affirm() -> None:
    (statement,) = of("Never deploy without running migrations")
    assert not statement.negated


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cache access tokens in memory.", "Never cache access tokens in memory."),
        ("Run migrations before the deploy.", "Run migrations after the deploy."),
        ("Anti-pattern: Run all migrations by hand", "Run all migrations by hand."),
        ("Workers share the pool.", "Workers must not share the pool."),
        ("缓存访问令牌到内存", "不要缓存访问令牌到内存"),
    ],
)
def test_opposed(one: str, other: str) -> None:
    opposition = opposed(of(one), of(other))
    assert opposition is not None
    assert 0.6 <= opposition.score <= 1
    assert opposed(of(other), of(one)) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cache access tokens in memory.", "Cache access tokens in memory."),
        ("Never cache access tokens in memory.", "Never cache access tokens in memory."),
        ("Avatars are resized when uploaded.", "Documents are not resized when uploaded."),
        ("Never run migrations before the deploy.", "Run migrations after the deploy."),
        ("The page shows the request id.", "The page shows the request id, no stack trace."),
        ("Cache access tokens in memory.", "Never log customer names in errors."),
        ("Cache tokens", "No tokens"),
        ("Cache tokens.", "Never cache tokens in memory."),
        ("Anti-pattern: deploy migrations daily", "Deploy migrations weekly"),
        ("Agents don't get other step files.", "Agents run the steps of a plan."),
        ("Never call blocking functions in the event loop.", "Scripts call blocking functions."),
        ("Wrong: full test code in planning phases", "Test code is short in phases."),
        ("", "Never cache access tokens in memory."),
    ],
)
def test_not_opposed(one: str, other: str) -> None:
    assert opposed(of(one), of(other)) is None


def test_one_word_in_common_is_too_little_however_rare() -> None:
    one, other = of("Penguins like cache tokens."), of("Never penguins swim across oceans.")
    assert opposed(one, other, idf=lambda word: 20.0 if word == "penguin" else 1.0) is None


def test_the_closest_pair_is_given() -> None:
    ours = of("Workers share the pool of the web process.", "Cache access tokens in memory.")
    opposition = opposed(ours, of("Never cache access tokens in memory."))
    assert opposition is not None
    assert opposition.ours.line == 2
