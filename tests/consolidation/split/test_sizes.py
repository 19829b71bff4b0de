from __future__ import annotations

from collections.abc import Callable

import pytest

from learnings.consolidation.split import splitting
from learnings.consolidation.split.source import Line
from learnings.consolidation.split.splitting import split_of
from learnings.consolidation.split.topics import Sizes, sizes_for
from learnings.core.errors import FixRefused
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import SettingsSource
from tests.consolidation.split.target_files import file_of, section


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


CODE = "```sh\nmake queues\n```\n\n"
FILE = file_of([section("Queues", 250, text=CODE), section("Logging", 250)])
FAULTS: dict[str, tuple[Callable[[str], str], str]] = {
    "a line is dropped": (
        lambda text: text.replace("- Queues 7\n", ""),
        'would lose or change the line "- Queues 7"',
    ),
    "a line stands twice": (
        lambda text: text.replace("- Queues 7\n", "- Queues 7\n- Queues 7\n"),
        'would write the line "- Queues 7" twice',
    ),
    "code begins later": (
        lambda text: text.replace("```sh\nmake queues\n", "make queues\n```sh\n"),
        'would lose or change the line "make queues"',
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_before_anything_is_written(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, reason = FAULTS[name]

    written = splitting.file_bytes

    def faulty(lines: list[Line], newline: str) -> bytes:
        return change(written(lines, newline).decode()).encode()

    monkeypatch.setattr(splitting, "file_bytes", faulty)
    with pytest.raises(FixRefused) as error:
        split_of("agents/services.md", FILE.encode(), sizes=Sizes(100, 300), neighbours={})
    assert reason in str(error.value)
    assert str(error.value).endswith("; split it by hand")
