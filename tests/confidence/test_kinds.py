from __future__ import annotations

from learnings.confidence.kinds import CATEGORIES, categories_of, roles_of
from tests.confidence.memory import SETTINGS

# The table of the source, name by name.
ROLES = {
    "correctness reliability performance": ("developer", "sw-engineer"),
    "security": ("developer", "sw-engineer", "sw-quality"),
    "maintainability testability": ("developer", "sw-quality"),
    "consistency patterns": ("developer", "sw-engineer", "architect"),
    "observability scalability": ("developer", "architect"),
    "workflow process planning": ("sdm",),
    "incident detection-gap post-mortem": (
        "developer",
        "sw-engineer",
        "sw-quality",
        "cr-analyzer",
    ),
    "other cost usability": ("developer",),
}


def test_roles_of_each_name_as_a_tag_or_a_category() -> None:
    wanted = {name: roles for names, roles in ROLES.items() for name in names.split()}
    assert {name: roles_of([name], []) for name in wanted} == wanted
    assert {name: roles_of([], [name.title()]) for name in wanted} == wanted


def test_roles_are_united_and_the_default_only_fills_a_gap() -> None:
    assert roles_of(["security", "scalability", "retry"], ["testability"]) == (
        "developer",
        "sw-engineer",
        "sw-quality",
        "architect",
    )
    assert roles_of(["planning", "retry"], []) == ("sdm",)
    assert roles_of(["planning", "security"], []) == (
        "developer",
        "sw-engineer",
        "sw-quality",
        "sdm",
    )
    assert roles_of([], []) == ("developer",)


def test_a_tag_stands_for_the_category_of_its_name() -> None:
    assert categories_of([*CATEGORIES, "retry"], SETTINGS) == CATEGORIES
    assert categories_of(["Security", "security"], SETTINGS) == ("security",)


def test_more_categories_come_from_a_setting() -> None:
    settings = SETTINGS._replace(
        tag_categories={"RETRY": ("reliability", "cost"), "security": ("compliance",)}
    )
    assert categories_of(["Retry", "security"], settings) == (
        "reliability",
        "cost",
        "security",
        "compliance",
    )
