from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learnings.index.matching import NearKeys

KEYS = ("when a build hangs", "when a page hangs", "how to read a log", "caches")


def test_keys_come_in_the_order_of_their_similarity() -> None:
    near = NearKeys(KEYS).near("when the page hangs", ratio=0.6)
    assert [key for _, key in near] == ["when a page hangs", "when a build hangs"]
    assert all(0.6 <= ratio <= 1 for ratio, _ in near)
    assert NearKeys(KEYS).near("nothing of the kind", ratio=0.7) == []
    assert NearKeys(()).near("caches", ratio=0.1) == []


@given(st.lists(st.text("abcd ", min_size=1, max_size=9), min_size=1, max_size=20))
def test_a_key_is_like_itself(keys: list[str]) -> None:
    for key in keys:
        assert NearKeys(keys).near(key, ratio=1.0) == [(1.0, key)]


def test_thousands_of_keys_and_megabytes_of_one_take_no_long_time() -> None:
    # Compared each with each these would take minutes, and the long one hours.
    keys = [f"when step {number:04} of {number % 97} hangs" for number in range(2000)]
    near_keys = NearKeys([*keys, "x" * 1_000_000])
    assert all(near_keys.near(key + "s", ratio=0.9)[0][1] == key for key in keys[::50])
    assert near_keys.near("x" * 900_000, ratio=0.9)
