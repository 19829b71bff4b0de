"""How long the curation of a full confidence memory takes, and what is taken for the same.

    python benchmarks/confidence.py [--runs N]

350 active entries and 10,000 observations in 334 stories, always the same; processor time of the
computation. Then the pairs of
confidence_pairs.json: which observation matches the principle that
another one became.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from learnings.confidence.creation import NewEntryFacts, new_principle
from learnings.confidence.curation import curate
from learnings.confidence.kinds import CATEGORIES, principle_overlaps
from learnings.confidence.opposites import effect_of
from learnings.confidence.values import (
    RELATIONSHIPS,
    TYPES,
    AntiPattern,
    ConfidenceSettings,
    Memory,
    Observation,
    Principle,
    Procedure,
    Story,
)

SETTINGS = ConfidenceSettings()
START = Decimal("0.60")
STORIES, PER_STORY, LAST_STORY = 334, 30, 10
# reworded: notes by agents in different stories, with subject, text and tags. freely reworded: the
# same fact twice in different words. opposites: one text denies the other. read: pairs with the
# effect that a reader says, half of them set aside, written before opposites were compared.
PAIRS = json.loads(Path(__file__).with_name("confidence_pairs.json").read_text(encoding="utf-8"))
STEMS = "pool cache queue token shard batch stream schema lock render commit deploy metric trace"
WORDS = [f"{stem}{end}" for stem in STEMS.split() for end in ("", *"abcdefghijklmn")]
TAGS = [*(f"tag{number}" for number in range(40)), *CATEGORIES[:4]]


class Case:
    """Return a memory at its limits, and stories; four observations in ten repeat an entry."""

    def __init__(self, seed: int = 7) -> None:
        self.random = Random(seed)
        self.memory = Memory(
            tuple(self.principle(number) for number in range(1, 201)),
            tuple(self._anti_pattern(number) for number in range(1, 101)),
            tuple(self._procedure(number) for number in range(1, 51)),
        )
        self.stories = [self._story(number) for number in range(STORIES)]

    def text(self, words: int = 14) -> str:
        return " ".join(self.random.choices(WORDS, k=words))

    def _tags(self, count: int) -> tuple[str, ...]:
        return tuple(self.random.sample(TAGS, count))

    def principle(self, number: int) -> Principle:
        categories, guidance = (self.random.choice(CATEGORIES[:4]),), (self.text(6), self.text(6))
        name, text = f"PR-{number:03}", self.text()
        return Principle(name, text, START, categories, guidance, tags=self._tags(3))

    def _anti_pattern(self, number: int) -> AntiPattern:
        return AntiPattern(
            f"AP-{number:03}",
            self.text(),
            START,
            recommended_approach=self.text(),
            trigger_patterns=self._tags(3),
            tags=self._tags(2),
        )

    def _procedure(self, number: int) -> Procedure:
        name, tags = f"PC-{number:03}", self._tags(2)
        return Procedure(name, self.text(), START, tags=tags, applies_to=self._tags(1))

    def _story(self, number: int) -> Story:
        count = PER_STORY if number < STORIES - 1 else LAST_STORY
        observations = tuple(self._observation(place) for place in range(1, count + 1))
        date = f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z"
        return Story(f"ST-{number}", f"stories/{number}", observations, completed=date)

    def _observation(self, number: int) -> Observation:
        entry = self.random.choice(self.memory.entries)
        text = entry.failed_approach if isinstance(entry, AntiPattern) else entry.text
        repeated = self.random.random() < 0.4
        return Observation(
            f"OB-{number:03}",
            self.random.choice(TYPES),
            text if repeated else self.text(),
            entry.tags if repeated else self._tags(2),
            importance=self.random.randint(1, 10),
            principle_id=entry.id,
            relationship=self.random.choice(RELATIONSHIPS),
        )


def measure(runs: int, case: Case) -> None:
    """Print the processor time of the computation, and its result."""
    observations = sum(len(story.observations) for story in case.stories)
    seconds, actions = [], Counter[str]()
    for _ in range(runs):
        start = time.process_time()
        result = curate(case.memory, case.stories, SETTINGS, (), "2026-01-02")
        seconds.append(time.process_time() - start)
        actions = Counter(change.action for change in result.changes)
    print(f"{len(case.memory.entries)} entries, {observations} observations: ", end="")
    print(f"{median(seconds):.1f} s ({min(seconds):.1f} to {max(seconds):.1f})")
    print(", ".join(f"{count} {action}" for action, count in actions.most_common()))


def of_one_tag() -> Case:
    """Return the case in which any observation could be evidence for any other."""
    case = Case()
    for index, story in enumerate(case.stories):
        observations = tuple(
            item._replace(type="observation", tags=("process",), text=case.text())
            for item in story.observations
        )
        case.stories[index] = story._replace(observations=observations)
    return case


def observation(text: str, tags: str) -> Observation:
    return Observation("OB-001", "discovery", text, tuple(tags.split()))


def effect(one: Observation, other: Observation) -> str:
    """Return the effect of the second observation on the principle made from the first, if any."""
    principle = new_principle(one, NewEntryFacts("PR-001", START, "", ""), SETTINGS)
    overlaps = principle_overlaps(principle, other, SETTINGS)
    return effect_of(overlaps.said, other.text) if overlaps.is_match else ""


def topics(tags_of: Callable[[str], str]) -> Iterator[tuple[str, Observation]]:
    """Yield the reworded observations with their subjects."""
    for topic, texts in PAIRS["reworded"].items():
        for text, tags in texts:
            yield topic, observation(text, tags_of(tags))


def judge(name: str, tags_of: Callable[[str], str]) -> None:
    """Print the effects in pairs about one subject, and about two."""
    pairs = list(permutations(topics(tags_of), 2))
    for is_same, what in ((True, "the same"), (False, "others")):
        chosen = [(one[1], other[1]) for one, other in pairs if (one[0] == other[0]) is is_same]
        print(f"{name}, {what}: {counts(chosen)}")


def counts(pairs: Sequence[tuple[Observation, Observation]]) -> str:
    effects = Counter(effect(*pair) or "new" for pair in pairs)
    return f"{len(pairs)}: " + ", ".join(f"{n} {name}" for name, n in sorted(effects.items()))


def without_categories(tags: str) -> str:
    return " ".join(tag for tag in tags.split() if tag not in CATEGORIES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    measure(runs, Case())
    measure(runs, of_one_tag())
    judge("reworded", str)
    judge("reworded, tags without categories", without_categories)
    free = [(observation(*pair[:2]), observation(*pair[2:])) for pair in PAIRS["freely reworded"]]
    print(f"freely reworded: {counts([order for pair in free for order in (pair, pair[::-1])])}")
    opposites = [(observation(a, "cost"), observation(b, "cost")) for a, b in PAIRS["opposites"]]
    print(f"opposites: {counts(opposites)}")
    for half, cases in PAIRS["read"].items():
        right = [wanted == said(case) for wanted, *case in cases]
        print(f"{half}: {sum(right)} of {len(right)} as a reader says")


def said(case: Sequence[str]) -> str:
    """Return the effect of the second text of a case on the entry that the first one became."""
    kind, first, tags, second, other_tags, *guidance = case
    often, types = 1, ["discovery"] * 2
    if kind == "failure":
        types = ["incident-learning", "quality-loop-finding"]
    if kind == "habit":
        often, types = 3, ["observation"] * 2
    one = observation(first, tags)._replace(type=types[0], importance=10)
    dates = [f"2026-01-0{number}" for number in range(1, often + 1)]
    stories = [Story(f"ST-{day}", day, (one,), completed=day) for day in dates]
    memory = curate(Memory(), stories, SETTINGS, (), "2026-01-08").memory
    if guidance:
        entries = (entry._replace(guidance=tuple(guidance)) for entry in memory.principles)
        memory = memory._replace(principles=tuple(entries))
    other = observation(second, other_tags)._replace(type=types[1])
    last = Story("ST-9", "s/9", (other,), completed="2026-01-09")
    change = curate(memory, [last], SETTINGS, (), "2026-01-09").changes[0]
    return change.action if change.entry in {entry.id for entry in memory.entries} else "new"


if __name__ == "__main__":
    main()
