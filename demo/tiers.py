"""The scene of learning tiers: raw findings of work units, compacted into themes."""

from __future__ import annotations

import json

from demo import story
from demo.repository import Repository
from demo.stage import Stage

FOLDER = ".specwright/learnings"
INDEX = f"{FOLDER}/INDEX.md"
DAY = "2026-05-06"
FOUND = {
    "tenant-prices": [
        ("Put the tenant into the cache key", "A customer saw the prices of another one."),
        ("Freeze the clock in tests", "The label test broke on the last day of a month."),
    ],
    "german-labels": [
        ("Put the locale into the cache key", "German labels were printed in English."),
    ],
    "nightly-tests": [
        (
            "Freeze the clock in tests of what expires",
            "A coupon was no longer valid after midnight.",
        ),
    ],
}


def the_tiers(stage: Stage, repository: Repository) -> None:
    """Compact three raw files, and refuse an index that claims more than exists."""
    stage.scene(
        "A third form: raw findings become themes under an index",
        """
        Some agents write one JSON file for each work unit. Three of them are new, so that a
        compaction is due:
        """,
    )
    for number, (unit, findings) in enumerate(FOUND.items(), start=1):
        values = [{"proposedRule": rule, "description": seen} for rule, seen in findings]
        stamp = f"2026-05-0{number}T16:00:00Z"
        raw = {"workId": unit, "timestamp": stamp, "findings": values}
        repository.write(f"{FOLDER}/{unit}.json", json.dumps(raw, indent=2) + "\n")
    written = stage.run("learnings", "tiers", "compact", "--now", f"{DAY}T10:00:00Z")
    stage.expect("into 2 themes" in written, "findings that are alike are in one theme")
    again = stage.quietly("learnings", "tiers", "compact")
    stage.expect(again == "", "a second run changes nothing")
    stage.show(repository.read(INDEX), first=9)
    stage.say("An index that claims to cover more files than there are does not pass:")
    text = repository.read(INDEX)
    repository.write(INDEX, text.replace("rawFilesProcessed: 3", "rawFilesProcessed: 9"))
    refused = stage.run("learnings", "tiers", "check", code=1)
    stage.expect("tiers-index-ahead" in refused, "the check sees it")
    repository.write(INDEX, text)
    repository.git("add", FOLDER)
    repository.git("commit", "--quiet", "--message=Compact", env=repository.environment(DAY))
    repository.git("checkout", "--quiet", story.MAIN)
