from __future__ import annotations

import pytest

from learnings.core.findings.finding import Severity
from learnings.core.roles import Role
from tests.rules.cases import CLI, INDEX, lines, run

HANGS = "## When a build hangs\n"
WEB = "<!-- agents/decisions/web.md -->\n## When a page hangs\n"
STEPS = f"{HANGS}\n## How to b\n\n## How to c\n"
MEMORY = "<!-- .claude/memory/MEMORY.md -->\n- [Builds](builds.md) — {}\n"
BUILDS = "<!-- .claude/memory/builds.md -->\n---\ndescription: the lock stays behind here\n---\n"


def index(rows: str, file: str = HANGS) -> str:
    """An index with these lines below its first row, and the file that it lists."""
    return f"{INDEX}{rows}{CLI}{file}"


def pointing(words: str) -> str:
    return index("", f"{HANGS}\nLook.\n").replace("hangs\n", f"hangs | {words}\n", 1)


NEAR = index("/when the build hangs\n")


@pytest.mark.parametrize(
    ("rule", "source", "expected"),
    [
        ("ambiguous-heading", index("", f"{HANGS}\n### When A Build hangs\n"), [3]),
        ("ambiguous-heading", index("", f"# When a build hangs\n\n{HANGS}"), []),
        ("ambiguous-heading", index("", f"{HANGS}\n## .When a build hangs\n"), []),
        ("orphan-row", NEAR, [4]),
        ("orphan-row", index("/how gone | words\n"), [4]),
        ("orphan-row", index("Gone — words\n"), [4]),
        ("orphan-row", index("- Gone — words\n"), []),
        ("orphan-row", index("**Gone** — words\n"), []),
        ("orphan-row", index("```\n/when gone\n```\n"), []),
        ("orphan-row", index("<!--\n/when gone\n-->\n"), []),
        ("duplicate-row", index("/when A BUILD hangs | words\n"), [4]),
        ("duplicate-row", index("/when a build hangs\r\n"), [4]),
        ("duplicate-row", index("When a build hangs — words\n"), [4]),
        ("duplicate-row", index("/how a build hangs\n"), []),
        ("duplicate-row", index("- /when a build hangs\n"), []),
        ("missing-file", index("\n## agents/gone.md\n\n/when gone\n"), [5]),
        ("missing-file", index("\n## gone.md\n\n/when gone\n"), [5]),
        ("missing-file", index("\n## See agents/gone.md\n\n/when gone\n"), []),
        ("missing-row", index("", f"{HANGS}\n###### When a page hangs\n"), [3]),
        ("missing-row", index("", f"{HANGS}\r\n## When a page hangs\r\n"), [3]),
        ("missing-row", index("", f"{HANGS}\n## WHEN A BUILD HANGS\n"), []),
        ("missing-row", index("", f"{HANGS}\n## .Pages\n"), []),
        ("missing-row", index("", f"{HANGS}\n# Pages\n"), []),
        ("missing-row", index("", f"{HANGS}\n```\n## When a page hangs\n```\n"), []),
        ("order", index("/how b\n/how c\n", STEPS), []),
        ("order", index("/how c\n/how b\n", STEPS), [5]),
        ("order", index("- note\n/how c\n\nA line.\n\n/how b\n", STEPS), [9]),
        ("order", index("```\n/how c\n```\n/how b\n/how c\n", STEPS), []),
        ("row-form", index("/what x\n"), [4]),
        ("row-form", index("/when | words\n"), [4]),
        ("row-form", index("/usr/bin holds programs\n"), []),
        ("row-form", index("```\n/what x\n```\n"), []),
        ("row-form", index("- /what x\n"), []),
        ("stale-line-number", pointing("decisions/cli.md:1"), []),
        ("stale-line-number", pointing("decisions/cli.md#L1"), []),
        ("stale-line-number", pointing("agents/decisions/cli.md:1-3"), []),
        ("stale-line-number", pointing("decisions/cli.md:2"), [3]),
        ("stale-line-number", pointing("decisions/cli.md:1-4"), [3]),
        ("stale-line-number", pointing("decisions/web.md:99"), []),
        ("stale-line-number", pointing("port 8080"), []),
        ("structural-row", index("Pages — all\n", f"{HANGS}\n### .Pages\n"), [4]),
        ("structural-row", index("Pages — all\n", f"{HANGS}\n## Pages\n"), []),
        ("structural-row", index("Pages — all\n", f"{HANGS}\n## .Other\n"), []),
        ("wrong-section", index("/when a page hangs\n", HANGS + WEB), [4]),
        ("wrong-section", index("```\n/when a page hangs\n```\n", HANGS + WEB), []),
        ("wrong-section", index("- When a page hangs — note\n", HANGS + WEB), []),
        ("wrong-section", index("\n## Notes\n\n/when a page hangs\n", HANGS + WEB), [5]),
        (
            "wrong-section",
            index("\n## agents/decisions/web.md\n\n/when a page hangs\n", HANGS + WEB),
            [],
        ),
    ],
)
def test_rows_and_headings(rule: str, source: str, expected: list[int]) -> None:
    assert lines(f"index-{rule}", source) == expected


def test_a_finding_in_a_listed_file_has_its_path() -> None:
    (finding,) = run("index-ambiguous-heading", index("", f"{HANGS}\n### When A Build hangs\n"))
    assert finding.path == "agents/decisions/cli.md"
    assert "line 1" in finding.message


def test_a_row_that_comes_near_does_not_count() -> None:
    near = index("").replace("a build", "the build", 1)
    (finding,) = run("index-missing-row", near)
    assert "did you mean the row on line" in finding.message
    assert finding.path == "agents/decisions/cli.md"


def test_rows_of_a_missing_file_are_counted() -> None:
    (finding,) = run("index-missing-file", index("\n## gone.md\n\n/when gone\n/how gone\n"))
    assert "2 rows" in finding.message


def test_a_row_of_a_table_needs_the_heading() -> None:
    table = "| Topic | File |\n|---|---|\n|  | agents/decisions/cli.md |\n"
    source = f"{INDEX.partition(chr(10))[0]}\n{table}{CLI}# T\n"
    assert lines("index-row-form", source, index_form="table") == [3]


@pytest.mark.parametrize(
    ("hook", "count"), [("colours of dark buttons", 1), ("locks behind the dark buttons", 0)]
)
def test_a_hook_without_a_word_of_the_description_differs(hook: str, count: int) -> None:
    found = run("index-hook-differs", MEMORY.format(hook) + BUILDS, role=Role.INDEX)
    assert [(f.severity, f.line) for f in found] == [(Severity.NOTICE, 1)] * count
    assert all(hook in f.message and "the lock stays behind here" in f.message for f in found)
