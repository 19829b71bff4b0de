"""Names of groups, and how their words are written."""

from __future__ import annotations

import pytest

from learnings.consolidation.groups.evidence import evidence
from learnings.consolidation.groups.groups import Group, propose
from learnings.consolidation.groups.profiles import Profile
from learnings.consolidation.groups.spelling import phrases, preferred
from learnings.consolidation.groups.topics import topic
from learnings.core.entries.document import Entry, read


def entries_of(*texts: tuple[str, str]) -> tuple[Entry, ...]:
    text = "".join(f"## {title}\n\n{body}\n\n" for title, body in texts)
    return read(f"# L\n\n{text}".encode()).entries


def group_of(*texts: tuple[str, str]) -> Group:
    (group,) = propose(entries_of(*texts)).groups
    return group


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (
            (("Hook scripts lose permissions", ""), ("Check hook scripts for permissions", "")),
            "Hook scripts, permissions",
        ),
        ((("PATH of a binary", "x"), ("The binary is on PATH", "y")), "PATH, binary"),
        ((("Ganchos e permissões", ""), ("Permissões dos ganchos", "")), "Ganchos, permissões"),
        ((("权限丢失", ""), ("检查权限丢失", "")), "权限丢失"),
        ((("フックの実行権限", ""), ("フックと実行権限", "")), "フック, 実行権限"),
    ],
)
def test_topic(texts: tuple[tuple[str, str], ...], name: str) -> None:
    assert group_of(*texts).topic == name


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        # what is done with it, how it is, or half of an identifier, is no name
        (
            (
                ("Index is auto-loaded", "An index of pages."),
                ("Why the index was auto-loaded", "The index."),
            ),
            "Index",
        ),
        (
            (
                ("Remember the token budget", "Never remember it."),
                ("To remember the budget", "A token is counted."),
            ),
            "Budget, token",
        ),
        # of several phrases the one of the titles
        (
            (
                ("Ralph loop is apart", "A loop prompt."),
                ("The Ralph loop prompt is stale", "Loop prompt."),
            ),
            "Ralph loop",
        ),
        # an identifier keeps its spelling
        ((("fmtTest fails", "timeout"), ("A fmtTest timeout", "x")), "fmtTest, timeout"),
    ],
)
def test_names_are_what_titles_speak_of(texts: tuple[tuple[str, str], ...], name: str) -> None:
    assert group_of(*texts).topic == name


def test_kinds_of_entries_and_marks_are_no_matter() -> None:
    text = "".join(
        f"## [LRN-20260206-00{n}] correction\n\n~~Superseded~~\n### Summary\nretry the upload\n\n"
        for n in (1, 2)
    )
    (group,) = propose(read(text.encode()).entries).groups
    assert sorted(group.keywords) == ["retry", "upload"]


def test_pairs_of_characters_are_shown_as_the_run_that_they_are_part_of() -> None:
    group = group_of(("数据库迁移要先于部署", "x"), ("部署前", "数据库迁移"))
    assert {keyword.word: keyword.lines for keyword in group.shared} == {
        "数据库迁移": (3, 9),
        "部署": (3, 7),
    }


def test_what_adds_most_to_the_closeness_is_shown_first() -> None:
    entries = entries_of(("One", "golangci file"), ("Two", "golangci file"), ("Three", "file"))
    weights = [{"golangci": 0.6, "file": 0.3}, {"golangci": 0.6, "file": 0.3}, {"file": 0.3}]
    profiled = [Profile(words, {}, frozenset(words), None) for words in weights]
    shown = evidence(entries, profiled, {"golangci": "golangci", "file": "file"})
    assert [keyword.word for keyword in shown] == ["golangci", "file"]


def test_entries_with_nothing_in_common_have_no_topic() -> None:
    assert topic(entries_of(("Hooks", ""), ("Caches", "")), {}, {}) == ""


def test_later_sentences_of_a_title_do_not_name_the_group() -> None:
    long = (
        ("Hook output mike november oscar papa quebec romeo. Alpha bravo", ""),
        ("Output of hooks sierra tango uniform victor whiskey yankee. Alpha bravo", ""),
    )
    group = group_of(*long, ("Hook", ""), ("Output", ""))
    assert group.topic in ("Hook, output", "Hook output")


@pytest.mark.parametrize(
    ("forms", "form"),
    [
        ({"Hook": 3, "hook": 2, "hooks": 1}, "hook"),
        ({"PATH": 9, "path": 2}, "PATH"),
        ({"hooks": 2, "hook": 1}, "hooks"),
        ({"cli": 3, "CLI": 1}, "CLI"),
        ({"tasks": 3, "TASKS": 2}, "tasks"),
        ({"Claude": 4}, "Claude"),
    ],
)
def test_preferred_form(forms: dict[str, int], form: str) -> None:
    assert preferred(forms) == form


def test_an_identifier_is_one_reason() -> None:
    group = group_of(("UserPromptSubmit hooks", "x"), ("Hooks of UserPromptSubmit", "y"))
    assert sorted(group.keywords) == ["UserPromptSubmit", "hooks"]


def test_phrases_stand_side_by_side() -> None:
    (entry,) = entries_of(("Hook scripts, and the mode", "of pre-commit hooks"))
    assert [text for _, _, text in phrases(entry)] == ["Hook scripts", "pre-commit hooks"]


def test_reasons_name_the_first_line_of_each_member() -> None:
    group = group_of(("A hook", "Permission of a file.\n\nPermission."), ("Hook permission", ""))
    assert {keyword.word: keyword.lines for keyword in group.shared} == {
        "hook": (3, 9),
        "permission": (5, 9),
    }
