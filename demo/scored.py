"""The scene of a confidence memory: observations, distilled to scored entries."""

from __future__ import annotations

from demo import story
from demo.repository import Repository
from demo.stage import Stage

FOLDER = ".shaktra"
OTHER_MEMORIES = "other-memories"
MEMORY = f"{FOLDER}/memory/principles.yml"
STORIES = {
    "ST-101": """\
observations:
  - id: OB-001
    type: discovery
    text: Carriers close a connection after 90 seconds, so always renew it before each batch.
    tags: [reliability, carrier]
  - id: OB-002
    type: quality-loop-finding
    text: The label queue grew without a bound and used up the memory of its worker.
    tags: [queue, memory]
    severity: P1
    resolved: false
""",
    "ST-102": """\
observations:
  - id: OB-001
    type: consistency-check
    text: The new carrier closes them as well.
    principle_id: PR-001
    relationship: reinforce
  - id: OB-002
    type: quality-loop-finding
    text: The invoice queue grew without a bound and used up the memory of the worker.
    tags: [queue, memory]
    resolved: false
""",
}
NEXT = f"{FOLDER}/stories/ST-103/story.md"
NEXT_STORY = "A worker takes returns from a queue and tells the carrier.\n"


def the_scores(stage: Stage, repository: Repository) -> None:
    """Curate two stories, brief the next one, and refuse an invented number."""
    stage.scene(
        "Another form: observations become entries with a confidence",
        """
        Some agents note observations in YAML, story by story. Here are two stories of parcels. The
        second one confirms what the first one had found, and fails as it had failed:
        """,
    )
    repository.git("checkout", "--quiet", "-B", OTHER_MEMORIES, story.MAIN)
    for number, (name, text) in enumerate(STORIES.items(), start=4):
        repository.write(f"{FOLDER}/stories/{name}/.observations.yml", text)
        repository.write(f"{FOLDER}/stories/{name}/handoff.yml", f"completed: 2026-05-0{number}\n")
    curated = stage.run("learnings", "memory", "curate", "--today", "2026-05-05")
    stage.expect("reinforced   PR-001 0.60 -> 0.68" in curated, "a story reinforces a principle")
    stage.expect("created      AP-001 0.60" in curated, "two stories make an anti-pattern")
    again = stage.run("learnings", "memory", "curate")
    stage.expect(again == "nothing to curate\n", "nothing is applied twice")
    stage.say("What the next story has to know, before anybody works on it:")
    repository.write(NEXT, NEXT_STORY)
    briefing = stage.run("learnings", "memory", "brief", "--story", NEXT)
    stage.expect(briefing.startswith("AP-001 P1 (0.60)"), "the anti-pattern comes first")
    stage.say("The numbers are computed, so a number that somebody makes up is an error:")
    repository.git("add", FOLDER)
    repository.git(
        "commit", "--quiet", "--message=Curate", env=repository.environment("2026-05-05")
    )
    text = repository.read(MEMORY)
    repository.write(MEMORY, text.replace("confidence: 0.68", "confidence: 0.95"))
    refused = stage.run("learnings", "memory", "check", code=1)
    stage.expect("from 0.68 to 0.95 without an observation" in refused, "the check sees it")
    repository.git("checkout", "--quiet", "--", FOLDER)
