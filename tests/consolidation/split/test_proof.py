from __future__ import annotations

from collections.abc import Callable

import pytest

from learnings.consolidation.split.composing import SplitText
from learnings.consolidation.split.pieces import Sizes
from learnings.consolidation.split.splitting import split_of
from learnings.core.errors import FixRefused
from tests.consolidation.split.target_files import file_of, section

CODE = "```sh\nmake queues\n```\n\n"
FILE = file_of([section("Queues", 250, text=CODE), section("Logging", 250)])
FAULTS: dict[str, tuple[Callable[[str], str], str]] = {
    "a line is dropped": (
        lambda text: text.replace("- Queues 7\n", ""),
        'would lose the line "- Queues 7"',
    ),
    "a line stands twice": (
        lambda text: text.replace("- Queues 7\n", "- Queues 7\n- Queues 7\n"),
        'would write the line "- Queues 7" twice',
    ),
    "code begins later": (
        lambda text: text.replace("```sh\nmake queues\n", "make queues\n```sh\n"),
        'would change code or comments in "agents/services-queues.md"',
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_before_anything_is_written(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, reason = FAULTS[name]
    written = SplitText.to_bytes

    def faulty(text: SplitText, bom: str = "") -> bytes:
        return change(written(text, bom).decode()).encode()

    monkeypatch.setattr(SplitText, "to_bytes", faulty)
    with pytest.raises(FixRefused) as error:
        split_of("agents/services.md", FILE.encode(), sizes=Sizes(100, 300), neighbours={})
    assert reason in str(error.value)
    assert str(error.value).endswith("; split it by hand")
