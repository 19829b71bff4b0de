"""Nothing of the machine it was written on gets into the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.checkout import files
from tests.support.guard import ROOT

HOMES = re.compile(rb"(?<![\w.~:/-])/(?:home|root|Users|work)/[\w.]+")


@pytest.mark.outside
def test_no_file_names_a_folder_of_a_machine() -> None:
    here = {str(ROOT).encode(), str(Path(__file__).parents[2]).encode()}
    named = {
        str(path): [*HOMES.findall(data), *(place for place in here if place in data)]
        for path in files()
        if (data := (ROOT / path).read_bytes())
    }
    assert {path: places for path, places in named.items() if places} == {}
