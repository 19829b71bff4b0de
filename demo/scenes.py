"""The scenes of the demonstration; each checks its output."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Callable

from demo import story
from demo.merging import the_merge
from demo.repository import Repository
from demo.scored import the_scores
from demo.stage import Stage
from demo.tiers import the_tiers

TASK, PLAN = "consolidation-task.md", "consolidation-plan.md"
FIRST_STEP = "\n## "


def the_memory(stage: Stage, repository: Repository) -> None:
    """Present the repository."""
    stage.scene(
        "A memory that grows",
        f"""
        Coding agents work on a small service, parcels. What they learn they append to one file,
        {story.MEMORY}, which every session reads from the first line to the last. Two months of
        that have just been built here, as real commits:

        {repository.path}

        Lines with a $ are commands that are really run, followed by what they print. All of it
        takes about half a minute.
        """,
    )
    stage.run("git", "log", "--format=%h %as %s", first=12)
    shown = stage.run("git", "show", f"HEAD:{story.MEMORY}", first=20)
    stage.expect(shown == repository.read(story.MEMORY), "what is committed is what is there")


def the_hooks(stage: Stage, repository: Repository) -> None:
    """Refuse three broken memories, and accept a good one."""
    stage.scene(
        "The hooks refuse a broken memory",
        """
        A file that is only ever appended to breaks quietly. In your repositories pre-commit runs
        the hooks; here a plain git hook calls the same two programs, so that no network is needed.
        """,
    )
    text = story.entries()
    memory = repository.read(story.MEMORY)
    again = text[story.OLD_LESSON].replace("a cache", "a Cache")
    stage.say("A session writes down what another one had written two days before:")
    twice = f"{memory}\n{again}"
    _refused(stage, repository, twice, "Learn about caches", "duplicate-entry")
    stage.say(
        """
        The next one adds an example to an older entry and forgets to close the code block. For
        every reader of Markdown the entries below are then code:
        """
    )
    edited = text[story.EDITED_LESSON]
    open_ended = memory.replace(edited, f"{edited}\n{story.UNCLOSED}")
    _refused(stage, repository, open_ended, "Show how to raise it", "unclosed-fence")
    stage.say("A sound entry passes. The notice is not an error and stops nothing:")
    repository.write(story.MEMORY, f"{memory}\n{text[story.LAST_LESSON]}")
    message = f"Learn: {story.LAST_LESSON}"
    stage.run("git", "commit", "--quiet", "--all", "--message", message, day=story.LAST_DAY)
    stage.expect(repository.git("log", "-1", "--format=%s").strip() == message, "it is committed")
    _conflict(stage, repository)


def _refused(stage: Stage, repository: Repository, memory: str, message: str, rule: str) -> None:
    before = repository.git("rev-parse", "HEAD")
    repository.write(story.MEMORY, memory)
    output = stage.run("git", "commit", "--all", "--message", message, day=story.LAST_DAY, code=1)
    stage.expect(f"error {rule} " in output, f"the hook names {rule}")
    stage.expect(repository.git("rev-parse", "HEAD") == before, f"nothing with {rule} is committed")
    repository.git("checkout", "--quiet", "HEAD", "--", story.MEMORY)


def _conflict(stage: Stage, repository: Repository) -> None:
    """Merge a session that appended at the same position, and commit the conflict as it is."""
    before = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "--quiet", "-b", "night-session", "HEAD~1")
    repository.write(story.MEMORY, f"{repository.read(story.MEMORY)}\n{story.OTHER_LESSON}")
    env = repository.environment(story.LAST_DAY)
    repository.git("commit", "--quiet", "--all", "--message", "Learn about carriers", env=env)
    repository.git("checkout", "--quiet", story.MAIN)
    stage.say(
        """
        Two sessions that append at the same time meet in a merge. Committed as it is, every
        later session would read the markers, and both sides as if they were agreed:
        """
    )
    stage.run("git", "merge", "--quiet", "night-session", day=story.LAST_DAY, code=1)
    message = "Merge the session of the night"
    output = stage.run("git", "commit", "--all", "--message", message, day=story.LAST_DAY, code=1)
    stage.expect("error conflict-marker " in output, "the hook names conflict-marker")
    repository.git("merge", "--abort")
    repository.git("branch", "--quiet", "--delete", "--force", "night-session")
    stage.expect(repository.git("rev-parse", "HEAD") == before, "the merge is not committed")


def the_ages(stage: Stage, repository: Repository) -> None:
    """Show ages and compare each with the calendar of the story."""
    stage.scene(
        "How old is each entry?",
        """
        An entry ages by one on each later day on which somebody committed to the repository.
        Nobody worked from 2 to 12 April, so those days age nothing.
        """,
    )
    stage.run("learnings", "ages", first=23)
    stage.run("learnings", "ages", "--summary")
    stage.say(
        f"""
        "{story.ON_A_BRANCH}" was written on a branch on 12 March and merged on the 17th: it is as
        old as it is. "{story.FLAGS[1]}" had another heading until 24 March and kept its age. The
        last consolidation is the commit of 27 March that removed eight entries.
        """
    )
    days = story.days(story.LAST_DAY)
    learned = story.learned_on() | {story.LAST_LESSON: story.LAST_DAY}
    report = stage.document("learnings", "ages")
    for entry in report["entries"]:
        added = learned[entry["title"]]
        age = sum(day > added for day in days)
        reported = (entry["added"], entry["active_days"])
        stage.expect(
            reported == (added, age), f"{entry['title']}: {reported}, by hand {(added, age)}"
        )
    gone = {title for title, _ in story.CONSOLIDATED}
    left = {entry["title"] for entry in report["entries"]}
    stage.expect(left == set(learned) - gone, "all entries are there that were not consolidated")
    last = report["last_consolidation"]
    commit = repository.git("log", "-1", "--format=%H", "--grep=^Consolidate learnings").strip()
    stage.expect((last["commit"], last["removed"]) == (commit, len(gone)), "that is the commit")


def the_verdict(stage: Stage, repository: Repository) -> None:
    """Show the verdict now and over the past."""
    del repository
    stage.scene(
        "Is it time to consolidate?",
        """
        Two questions. The trigger: is the file long, or has nobody consolidated it for long? And
        the batch: are there enough entries that have had time to prove themselves? The three
        newest stay where they are in any case.
        """,
    )
    stage.run("learnings", "due")
    verdict = stage.document("learnings", "due")["files"][0]
    met = {condition["name"] for condition in verdict["conditions"] if condition["met"]}
    stage.expect(verdict["verdict"] == "due", "consolidation is due")
    stage.expect(met == {"staleness", "batch"}, "by staleness alone")
    superseded = "How to reproduce a time-zone bug"
    marked = [entry["title"] for entry in verdict["batch"] if entry["superseded"]]
    stage.expect(marked == [superseded], "a superseded entry takes part and is marked")
    stage.say(
        """
        The same question for the past: on which days would consolidation have been due, and what
        did the real consolidation find?
        """
    )
    output = stage.run("learnings", "due", "--replay")
    stage.expect("2026-03-20 to 2026-03-26" in output, "due from the 14th active day on")


def the_task(stage: Stage, repository: Repository) -> None:
    """Show the issue that a CI job would open, and keep its text as a task to hand over."""
    stage.scene(
        "The task, ready to be handed over",
        """
        A CI job keeps one issue open for as long as consolidation is due. In a dry run the same
        command shows what it would send, without a token and without a network: why, the entries
        with their text, and when it is done. It is a task for a person or for an agent. The
        text of entries is set as code, so that nothing in it can act.
        """,
    )
    shown = stage.run("learnings", "notify", "github", "--dry-run", first=2)
    body = shown.partition("  body:\n")[2].partition("\n  labels:")[0]
    task = textwrap.dedent(body.partition("\n")[2])
    beginning, _, rest = task.partition("\n### 2.")
    stage.say("The issue begins like this:")
    print(f"\n{textwrap.indent(beginning, '    ')}", end="")
    stage.expect(bool(rest), "and it goes on")
    file = repository.path.parent / TASK
    file.write_text(task, encoding="utf-8", newline="\n")
    batch = stage.document("learnings", "batch")["entries"]
    texts = [entry["text"].partition("\n")[2].strip() for entry in batch]
    stage.expect(bool(texts) and all(text in task for text in texts), "the task holds every entry")
    stage.expect("learnings verify --base" in task, "the task says when it is done")
    stage.say(f"All of it is in {file}")


def the_consolidation(stage: Stage, repository: Repository) -> None:
    """Carry the batch out on a branch, as a pull request would."""
    stage.scene(
        "A consolidation that loses nothing",
        """
        Now somebody does it, on a branch. A plan proposes what to merge and what to drop, and names
        targets for the rest; it is a file to edit:
        """,
    )
    batch = stage.document("learnings", "batch")["entries"]
    repository.git("checkout", "--quiet", "-B", "consolidation")
    file = repository.path.parent / PLAN
    file.unlink(missing_ok=True)
    stage.run("learnings", "plan", "--output", f"../{PLAN}")
    plan = file.read_text(encoding="utf-8")
    stage.show(f"## {plan.partition(FIRST_STEP)[2]}", first=16)
    stage.say(
        """
        Code moves every byte, but decides nothing: a plan that nobody has edited is refused, and so
        is one with anything wrong in it.
        """
    )
    output = stage.run("learnings", "apply", f"../{PLAN}", code=2)
    stage.expect("this plan is unedited" in output, "an unjudged plan is refused")
    stage.say(
        """
        What to keep of a text takes judgement; this demonstration has none. It takes what is
        proposed, and moves every entry that is left into a decision file:
        """
    )
    file.write_text(decided(plan), encoding="utf-8", newline="\n")
    before = repository.read(story.MEMORY)
    undo = _applied(stage)
    stage.expect(all(entry["text"] in _archive(repository) for entry in batch), "all is archived")
    stage.say("The last line takes everything back. Then it is done again, and committed:")
    stage.run(*shlex.split(undo))
    stage.expect(repository.read(story.MEMORY) == before, "the memory is as it was")
    _applied(stage)
    message = "Consolidate what has settled"
    stage.run("git", "commit", "--quiet", "--message", message, day=story.NEXT_DAY)
    stage.run("git", "diff", "--stat", "main", "consolidation")
    stage.say("A pull request is not believed either; every entry of main is looked for:")
    output = stage.run("learnings", "verify", "--base", "main")
    stage.expect(output.startswith("Nothing is lost"), "nothing is lost")
    stage.run("learnings", "due")
    verdict = stage.document("learnings", "due")["files"][0]
    stage.expect(verdict["verdict"] == "not-due", "consolidation is no longer due")
    last = stage.document("learnings", "ages")["last_consolidation"]
    stage.expect(last["removed"] == len(batch), "the consolidation took the batch")
    repository.git("checkout", "--quiet", story.MAIN)


def _applied(stage: Stage) -> str:
    """Apply the plan and return the command that undoes it."""
    now = f"{story.NEXT_DAY}T10:00:00"
    output = stage.run("learnings", "apply", f"../{PLAN}", "--stage", "--now", now)
    stage.expect("Originals archived." in output, "the plan is applied")
    again = stage.quietly("learnings", "apply", f"../{PLAN}")
    stage.expect(again == "Nothing left to do.\n", "a second run changes nothing")
    return output.splitlines()[-1].removeprefix("Undo: ")


def decided(plan: str) -> str:
    """Return an edited plan: no drafts left, and nothing only kept."""
    lines = (line for line in plan.splitlines(keepends=True) if not line.startswith("<!-- draft"))
    return "".join(
        re.sub(r"^- (?:keep|escalate) .*?(?=`[0-9a-f]{12}` )", _moved, line) for line in lines
    )


def _moved(match: re.Match[str]) -> str:
    is_test = "test" in match.string[match.end() :]
    return f"- move {story.TESTING if is_test else story.SERVICES} "


def _archive(repository: Repository) -> str:
    return repository.read(f"agents/archive/learnings-consolidated-{story.NEXT_DAY}.md")


def what_next(stage: Stage, repository: Repository) -> None:
    """Print the next steps for the reader."""
    stage.scene(
        "Where to look next",
        """
        The repository stays until the next demonstration; its branch main is the state before
        that consolidation. README.md shows the lines that put the hooks into a repository of your
        own, docs/configuration.md the settings, and docs/ages-and-triggers.md what is counted.

        To go on here:
        """,
    )
    print(f'\ncd "{repository.path}"')
    print(f'export PATH="{stage.scripts}:$PATH"')
    print("learnings --help")


ALL: tuple[Callable[[Stage, Repository], None], ...] = (
    the_memory,
    the_hooks,
    the_ages,
    the_verdict,
    the_task,
    the_consolidation,
    the_merge,
    the_scores,
    the_tiers,
    what_next,
)
