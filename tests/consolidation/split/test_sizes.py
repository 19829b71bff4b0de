from __future__ import annotations

import pytest

from learnings.consolidation.split.pieces import Sizes, sizes_for
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import SettingsSource


@pytest.mark.parametrize(
    ("table", "sizes"),
    [
        ({}, Sizes(100, 300)),
        ({"line-limit": 1000}, Sizes(100, 300)),
        ({"line-limit": 150}, Sizes(37, 112)),
        ({"line-limit": 1}, Sizes(1, 1)),
        ({"split-min": 40, "split-max": 200}, Sizes(40, 200)),
        ({"split-min": 200}, Sizes(200, 300)),
        ({"split-min": 90, "line-limit": 150}, Sizes(90, 112)),
        ({"split-min": 200, "line-limit": 150}, Sizes(112, 112)),
        ({"split-max": 140, "line-limit": 150}, Sizes(37, 140)),
        ({"split-max": 500}, Sizes(100, 400)),
    ],
)
def test_sizes_as_they_are_set(table: dict[str, object], sizes: Sizes) -> None:
    source = SettingsSource("learnings.toml")
    assert sizes_for(settings_from(table, source=source)) == sizes
