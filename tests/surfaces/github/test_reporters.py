"""The results that a step passes to the next ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from learnings.core.due.verdicts import Verdict
from learnings.core.settings.setting_values import FileSettings
from learnings.surfaces.github.reporters import append_text, output_text, outputs_for, save_report
from tests.support.runner import outputs_in
from tests.surfaces.verdicts import verdict

ENTRIES = [(f"When {number}", "text") for number in range(1, 9)]
DUE = verdict(ENTRIES)
STARVED = verdict(ENTRIES[:2], file="b.md", settings=FileSettings(starved_escalates_after=99))
CALM = verdict(ENTRIES, file="c.md", consolidated=2)


@pytest.mark.parametrize(
    ("verdicts", "word", "size"),
    [
        ([], "not-due", "0"),
        ([CALM], "not-due", "0"),
        ([CALM, STARVED], "starved", "0"),
        ([CALM, STARVED, DUE], "due", "5"),
        ([DUE, DUE], "due", "10"),
    ],
)
def test_the_worst_verdict_is_that_of_the_step(
    verdicts: list[Verdict], word: str, size: str
) -> None:
    outputs = outputs_for(verdicts)
    assert (outputs["verdict"], outputs["batch-size"]) == (word, size)
    assert len(outputs["reasons"].splitlines()) == len(verdicts)
    assert (CALM in verdicts) == ("c.md: no trigger holds" in outputs["reasons"])


def test_no_value_ends_early() -> None:
    values = {"a": "x\nEOF\nb<<y\nz", "b": "", "c": "end_"}
    text = output_text(values)
    assert outputs_in(text) == values
    delimiters = re.findall(r"<<(end_\w{32})$", text, re.MULTILINE)
    assert len(set(delimiters)) == 3


def test_files_that_the_runner_names(tmp_path: Path) -> None:
    path = tmp_path / "out"
    append_text(str(path), "ä")
    append_text(str(path), "\udce9")
    append_text(None, "nothing")
    assert path.read_bytes() == "ä\\udce9".encode()
    assert save_report(None, "x") == ""
    saved = save_report(str(tmp_path), "ä")
    assert Path(saved).read_text(encoding="utf-8") == "ä"


def test_no_reason_is_a_command_in_the_log_of_a_step_that_prints_it() -> None:
    reasons = outputs_for([verdict(ENTRIES, file="::add-mask::x ##[group]y.md")])["reasons"]
    assert reasons.startswith(r"\x3a:add-mask::x ##\x5bgroup]y.md: ")
