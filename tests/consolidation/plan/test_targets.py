from __future__ import annotations

from learnings.consolidation.plan.moving import names_of, section_called
from learnings.consolidation.text.sections import TargetSection, target_of

TARGET = target_of(
    "t.md",
    b"# All\n\n## Tests\n\n### Fixtures\n\na\n\n## Builds\n\n### Fixtures\n\nb\n\n## C\n\n## C\n",
)


def test_each_section_has_the_shortest_name_that_only_it_has() -> None:
    assert names_of(TARGET.sections) == [
        "All",
        "Tests",
        "Tests > Fixtures",
        "Builds",
        "Builds > Fixtures",
        "",
        "",
    ]


def test_a_section_is_called_by_any_of_its_names() -> None:
    cases = {"tests": 3, "all > tests": 3, "Builds  >  fixtures": 11, "All > Tests > Fixtures": 5}
    sections = {name: section_called(name, TARGET.sections) for name in cases}
    assert {n: s.line for n, s in sections.items() if isinstance(s, TargetSection)} == cases


def test_what_is_not_there_or_not_clear_is_explained() -> None:
    cases = {
        "Test": 't.md has no heading "Test"; the nearest is "Tests", or name the file alone',
        "Zebra": 't.md has no heading "Zebra"; use an existing heading, or name the file alone',
        "Fixtures": 't.md has that heading on lines 5, 11; write "Tests > Fixtures" or '
        '"Builds > Fixtures"',
        "C": "t.md has that heading on lines 15, 17; rename one of them",
    }
    assert {name: section_called(name, TARGET.sections) for name in cases} == cases
