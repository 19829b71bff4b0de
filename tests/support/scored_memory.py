"""A realistic confidence memory: thirty entries with comments, stories, an incident."""

from __future__ import annotations

from tests.support.repository import GitRepository

SUBJECTS = (
    ("labels", "Label files are written once and never changed afterwards."),
    ("rates", "Cached rates expire after one hour, since carriers change them daily."),
    ("queue", "A parcel leaves the queue only when its status was stored."),
    ("time", "Times are stored in UTC and shown in the zone of the recipient."),
    ("retry", "Retries wait twice as long each time, five times at most."),
    ("csv", "Carrier files are read with the encoding that the contract names."),
    ("money", "Amounts are whole cents and never floating point numbers."),
    ("address", "Addresses are normalised before they are compared."),
    ("login", "Tokens of carriers are renewed ten minutes before they expire."),
    ("import", "Imports of orders can be repeated without making a second order."),
)
HANDOFF = "completed: 2026-05-{day:02}\n"


def observation(number: int, kind: str, text: str, *, tags: str = "", more: str = "") -> str:
    """Return an observation as a list item."""
    tags_line = f"    tags: [{tags}]\n" if tags else ""
    return f"  - id: OB-{number:03}\n    type: {kind}\n    text: {text}\n{tags_line}{more}"


def observations(*items: str, head: str = "") -> str:
    """Return the text of an observations file."""
    return f"{head}observations:\n{''.join(items)}"


def check(number: int, entry: str, relationship: str) -> str:
    """Return a consistency check of an entry."""
    more = f"    principle_id: {entry}\n    relationship: {relationship}\n"
    return observation(number, "consistency-check", "As briefed.", more=more)


def principle(number: int, tag: str, text: str) -> str:
    """Return a hand-written principle in one of three forms, with comments."""
    confidence = f"0.{40 + number}"
    forms = (
        (
            f"  - id: PR-{number:03}   # {tag}\n"
            f"    text: {text}\n"
            f"    confidence: {confidence}     # by hand, from the old wiki\n"
            f"    categories: [reliability]\n"
            f"    tags: [{tag}, parcels]\n"
            f"    source_count: 2\n"
            f"    owner: team {tag}          # unknown to learnings\n"
            f"    status: active\n"
            f"    created: 2026-01-{number:02}\n"
        ),
        (
            f"  - confidence: {confidence}\n"
            f'    id: "PR-{number:03}"\n'
            f"    status: active\n"
            f"    text: >\n      {text}\n"
            f"    guidance:\n      - {text}\n      # see the decision of March\n"
            f"    tags: [{tag}]\n"
            f"    source: 'ST-{number}'\n"
        ),
        (
            f"  # -- {tag} --\n"
            f"  - id: PR-{number:03}\n"
            f"    text: '{text}'\n"
            f"    confidence: {confidence}\n"
            f"    reviewed: {{by: ada, on: 2026-02-01}}\n"
        ),
    )
    return forms[number % 3]


def principles() -> str:
    """Return thirty principles, three on each subject."""
    entries = []
    for number in range(1, 31):
        tag, text = SUBJECTS[number % 10]
        said = text if number <= 10 else f"{tag.title()} of depot {number} follow runbook {number}."
        entries.append(principle(number, tag, said))
    return "# Principles of the parcel service.\nprinciples:\n" + "\n".join(entries) + "# the end\n"


def write_memory(repository: GitRepository, *, committed: bool = True) -> None:
    """Write the memory: two stories, a workflow and an incident, all not yet captured."""
    write = repository.write
    write(".shaktra/memory/principles.yml", principles())
    write(".shaktra/memory/anti-patterns.yml", "anti_patterns: []   # none yet\n")
    write(
        ".shaktra/stories/ST-1/.observations.yml",
        observations(
            observation(1, "fix-rationale", SUBJECTS[5][1], tags="csv, parcels, reliability"),
            check(2, "PR-004", "reinforce"),
            check(3, "PR-007", "contradict"),
            observation(
                4,
                "quality-loop-finding",
                "The label upload retries without any limit.",
                tags="upload, limit",
                more="    resolved: false\n    severity: P2\n",
            ),
        ),
    )
    write(".shaktra/stories/ST-1/handoff.yml", f"# of ada\n{HANDOFF.format(day=4)}state: done\n")
    write(
        ".shaktra/stories/ST-2/.observations.yml",
        observations(
            check(1, "PR-001", "contradict"),
            check(2, "PR-001", "weaken"),
            observation(
                3,
                "quality-loop-finding",
                "Retries of the label upload have no limit.",
                tags="upload, limit",
                more="    resolved: false\n    severity: P1\n",
            ),
        ),
    )
    write(".shaktra/stories/ST-2/handoff.yml", HANDOFF.format(day=5))
    write(
        ".shaktra/incidents/BUG-7/.observations.yml",
        observations(
            observation(
                1,
                "incident-learning",
                "The importer stopped at an unknown status because nothing caught it.",
                tags="import, status",
                more="    importance: 9\n",
            )
        ),
    )
    write(
        ".shaktra/observations/plan-sprint.yml",
        observations(
            observation(1, "observation", "Estimates of migrations are half of what they take.")
        ),
    )
    if committed:
        repository.commit(date="2026-05-06")
