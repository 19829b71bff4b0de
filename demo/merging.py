"""The scene of a branch older than a consolidation: merged by git alone, and by entry."""

from __future__ import annotations

from demo import story
from demo.repository import Repository
from demo.stage import Stage

DRIVER = "learnings merge-driver %O %A %B %P --marker-size=%L"
BRANCH, NIGHT = "after-the-consolidation", "night-session"
DAY = "2026-05-05"
LESSON = """\
## When a parcel has two carriers

Show the later one of two states, by the time of the carrier. The order in which
they arrive here says nothing.
"""
CHECK = ("learnings", "check", "--history", "--rule", "resurrected-entry")


def the_merge(stage: Stage, repository: Repository) -> None:
    """Merge a branch that still has the consolidated entries."""
    stage.scene(
        "A branch that is older than the consolidation",
        """
        A session of the night had begun before that consolidation, and nobody has told it. It
        appended a lesson to the old file, while the next session appended one to the new file. Git
        merges lines, so it stops at a conflict. Who takes the whole file of the branch then brings
        back what had been settled, and loses the newer lesson:
        """,
    )
    _prepare(repository)
    stage.run("git", "merge", "--quiet", NIGHT, day=DAY, code=1)
    stage.run("git", "checkout", "--theirs", story.MEMORY)
    stage.run("git", "commit", "--quiet", "--all", "--message", "Merge the night", day=DAY)
    output = stage.run(*CHECK, first=2, code=1)
    back = output.count("error resurrected-entry ")
    stage.expect(back > 0, "consolidated entries are back")
    stage.expect(LESSON not in repository.read(story.MEMORY), "and the newer lesson is gone")
    repository.git("reset", "--quiet", "--hard", "HEAD^")
    stage.say(
        """
        With the merge driver git merges entries. One line in .gitattributes, which is committed
        here already, says for which file, and each clone is told once what that means:
        """
    )
    stage.run("git", "check-attr", "merge", story.MEMORY)
    stage.run("git", "config", "merge.learnings.driver", DRIVER)
    stage.run("git", "merge", "--quiet", NIGHT, "--message", "Merge the night", day=DAY)
    stage.run("git", "diff", "--stat", "HEAD^")
    stage.run(*CHECK)
    memory = repository.read(story.MEMORY)
    before = repository.git("show", f"HEAD^:{story.MEMORY}")
    stage.expect(memory == f"{before}\n{story.OTHER_LESSON}", "one lesson more, and nothing back")
    _tidy(repository)


def _prepare(repository: Repository) -> None:
    """Add a lesson to the consolidation and to the state before it, on separate branches."""
    _append(repository, NIGHT, story.MAIN, story.OTHER_LESSON)
    repository.git("checkout", "--quiet", "-B", BRANCH, "consolidation")
    repository.write(".gitattributes", f"{story.MEMORY} merge=learnings\n")
    _append(repository, BRANCH, "HEAD", LESSON)


def _append(repository: Repository, branch: str, start: str, lesson: str) -> None:
    repository.git("checkout", "--quiet", "-B", branch, start)
    repository.write(story.MEMORY, f"{repository.read(story.MEMORY)}\n{lesson}")
    repository.git("add", "--all")
    message = f"Learn: {lesson.splitlines()[0].removeprefix('## ')}"
    env = repository.environment(story.NEXT_DAY, 12)
    repository.git("commit", "--quiet", f"--message={message}", env=env)


def _tidy(repository: Repository) -> None:
    repository.git("checkout", "--quiet", story.MAIN)
    repository.git("branch", "--quiet", "--delete", "--force", BRANCH, NIGHT)
    repository.git("config", "--remove-section", "merge.learnings")
