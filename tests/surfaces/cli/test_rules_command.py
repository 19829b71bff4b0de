"""`learnings rules` and `learnings explain`: the documentation of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learnings.core.settings.rule_ids import EXTRA_RULES
from learnings.rules import RULES
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.rules import page
from tests.rules.cases import examples
from tests.support.command import Command

IDS = [rule.id for rule in RULES]


def test_every_rule_is_a_line(learnings: Command, nowhere: Path) -> None:
    run = learnings("rules", cwd=nowhere)
    assert (run.code, run.err) == (0, "")
    blocks = dict(block.split("\n", 1) for block in run.out.split("\n\n"))
    lines = [line for block in blocks.values() for line in block.splitlines()]
    assert sorted(line.split()[0] for line in lines) == IDS
    by_id = {line.split()[0]: line for line in lines}
    assert by_id["line-limit"].split()[1] == "error"
    assert by_id["line-limit"] in blocks["target files"]
    assert by_id["final-newline"] in blocks["learnings files, target files, the memory index"]
    assert by_id["conflict-marker"] in blocks["every memory file"]
    assert by_id["unused-ignore"] in blocks["every file"]
    assert by_id["section-without-content"].endswith("(off by default)")
    assert by_id["date-mismatch"].endswith("(with --history)")


def test_json(learnings: Command, nowhere: Path) -> None:
    run = learnings("rules", "--format", "json", cwd=nowhere)
    rules = {rule["id"]: rule for rule in json.loads(run.stdout)["rules"]}
    assert list(rules) == IDS
    assert rules["final-newline"] == {
        "id": "final-newline",
        "severity": "error",
        "roles": ["learnings", "target", "index"],
        "extra": False,
        "history": False,
        "says": "The last line does not end with a newline.",
        "url": rule_link("final-newline"),
    }
    assert {name for name in rules if rules[name]["extra"]} == {*EXTRA_RULES}
    assert {name for name in rules if rules[name]["history"]} == {
        "date-mismatch",
        "dead-reference",
        "resurrected-entry",
    }


def test_page_says_what_the_docstring_does() -> None:
    for rule in RULES:
        text, source = page(rule), rule.__doc__ or ""
        assert text.startswith(f"# {rule.id}\n\n*{rule.severity.value.capitalize()}")
        assert rule.says in text
        assert "\nFix: " in text
        assert "\n\n\n" not in text
        assert "```python" not in text  # an example of bytes is for tests
        shown = [data for _, data in examples(source) if data.decode("utf-8", "replace") in text]
        assert len(shown) == source.count("```markdown")


def test_explain(learnings: Command, nowhere: Path) -> None:
    run = learnings("explain", "date-mismatch", cwd=nowhere)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("# date-mismatch\n\n*Notice, only with `--history`.* An entry")
    extra = learnings("explain", "section-without-content", cwd=nowhere)
    assert "*Notice, off by default; the configuration can turn it on.*" in extra.out


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("duplicate-entrys", "did you mean duplicate-entry?"),
        ("xyz\x1b" * 40, "`learnings rules` lists all"),
    ],
)
def test_a_rule_that_there_is_not(
    learnings: Command, nowhere: Path, word: str, advice: str
) -> None:
    run = learnings("explain", word, cwd=nowhere)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("learnings: unknown rule '")
    assert run.err.endswith(f"'; {advice}\n")
    assert len(run.err) < 200


def test_explain_knows_settings_too(learnings: Command, nowhere: Path) -> None:
    run = learnings("explain", "freshness", cwd=nowhere)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("# freshness\n")
    assert "freshness = 7\n" in run.out
    of_table = learnings("explain", "tiers.auto-compact", cwd=nowhere).out
    assert "[tiers]\nauto-compact = true\n" in of_table
    both = learnings("explain", "soft-limit", cwd=nowhere).out
    assert both.startswith("# soft-limit\n\n*Notice")
    assert "soft-limit = 80\n" in both
    unknown = learnings("explain", "size-triger", cwd=nowhere)
    assert (unknown.code, "size-trigger" in unknown.err) == (2, True)


def test_short_forms(learnings: Command, nowhere: Path) -> None:
    for words, other in [
        (["help"], ["--help"]),
        (["help", "due"], ["due", "--help"]),
        (["version"], ["--version"]),
        (["rules", "--json"], ["rules", "--format=json"]),
    ]:
        run, same = (learnings(*line, cwd=nowhere) for line in (words, other))
        assert (run.code, run.out) == (0, same.out) != (0, "")
