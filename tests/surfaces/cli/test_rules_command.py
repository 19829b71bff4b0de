"""`learnings rules` and `learnings explain`: what there is to know of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learnings.core.settings.values import EXTRA_RULES
from learnings.rules import RULES
from learnings.surfaces.render.rule_pages import facts, page
from tests.rules.cases import examples
from tests.support.command import Command

IDS = [rule.ID for rule in RULES]


def test_every_rule_is_a_line(learnings: Command, nowhere: Path) -> None:
    run = learnings("rules", cwd=nowhere)
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert [line.split()[0] for line in lines] == IDS
    by_id = dict(zip(IDS, lines, strict=True))
    assert by_id["line-limit"].split(maxsplit=3)[1:3] == ["error", "target"]
    assert "  every file  " in by_id["final-newline"]
    assert by_id["section-without-content"].endswith("(only in extra-rules)")
    assert by_id["date-mismatch"].endswith("(with --history)")


def test_json(learnings: Command, nowhere: Path) -> None:
    run = learnings("rules", "--format", "json", cwd=nowhere)
    found = {each["id"]: each for each in json.loads(run.stdout)["rules"]}
    assert list(found) == IDS
    assert found["final-newline"] == {
        "id": "final-newline",
        "severity": "error",
        "roles": ["learnings", "target", "index", "agent", "none"],
        "extra": False,
        "history": False,
        "says": "The last line does not end with a newline.",
    }
    assert {name for name in found if found[name]["extra"]} == {*EXTRA_RULES}
    assert {name for name in found if found[name]["history"]} == {
        "date-mismatch",
        "resurrected-entry",
    }


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_page_tells_what_the_docstring_does(rule: object) -> None:
    by_id = {each.ID: each for each in RULES}
    told = by_id[getattr(rule, "ID")]  # noqa: B009  (a module)
    text = page(told)
    assert text.startswith(f"# {told.ID}\n\n*{told.SEVERITY.value.capitalize()}")
    assert facts(told).says in text
    assert "\nFix: " in text
    assert "\n\n\n" not in text
    shown = [(label, data) for label, data in examples(told.__doc__ or "")]
    as_text = [data for _, data in shown if f"{data.decode('utf-8', 'replace')}" in text]
    in_markdown = (told.__doc__ or "").count("```markdown")
    assert len(as_text) == in_markdown
    assert "```python" not in text


def test_explain(learnings: Command, nowhere: Path) -> None:
    run = learnings("explain", "date-mismatch", cwd=nowhere)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("# date-mismatch\n\n*Notice, only with `--history`.* A date")
    extra = learnings("explain", "section-without-content", cwd=nowhere)
    assert "*Notice, only where `extra-rules` names it.*" in extra.out


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("duplicate-entrys", "did you mean duplicate-entry?"),
        ("Soft_Limit", "did you mean soft-limit?"),
        ("xyz\x1b" * 40, "`learnings rules` lists all"),
    ],
)
def test_a_rule_that_there_is_not(
    learnings: Command, nowhere: Path, word: str, advice: str
) -> None:
    run = learnings("explain", word, cwd=nowhere)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("learnings: there is no rule '")
    assert run.err.endswith(f"'; {advice}\n")
    assert len(run.err) < 200
