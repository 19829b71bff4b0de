"""What is to come out of a merge: three versions of a file and the fourth, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

TOP = "# Learnings\n\nOne entry for each lesson.\n\n---\n"
WORDS = {
    "A": "Look at the lock before you ask the cache, since a worker may still hold it.",
    "B": "A payment is retried with the key of the caller only, never without one.",
    "C": "The carrier sends dates without a zone: ask which one is meant, and write it down.",
    "D": "Migrations of the schema run before the deploy and have to work with the old code.",
    "E": "A fixture that sleeps is the reason of most flaky tests; wait for the event instead.",
    "O": "Our session has found that the importer reads the whole file into memory at once.",
    "T": "Their session has found that the queue drops a message that nobody confirms in time.",
    "M": "Locks and payments: ask the owner first, and give each call a key of its own.",
}
EDITED = {name: f"{text.partition(' ')[0]} IN OUR WORDS." for name, text in WORDS.items()}
OTHER = {name: f"{text.partition(' ')[0]} IN THEIR WORDS." for name, text in WORDS.items()}


class Case(NamedTuple):
    """A merge: None is a version without the file; conflicts is the number of those expected."""

    base: str | None
    ours: str
    theirs: str
    merged: str
    conflicts: int = 0

    @property
    def mirrored(self) -> Case:
        return self._replace(ours=self.theirs, theirs=self.ours)


def entry(name: str, *, level: str = "##") -> str:
    """Return an entry: `A`; `A'` with our edit, `A"` with theirs, `A2` with another heading."""
    heading = f"{level} When {name[0]} returns{' again' if name.endswith('2') else ''}"
    texts = {"'": EDITED, '"': OTHER}.get(name[1:2], WORDS)
    return f"{heading}\n\n{texts[name[0]]}\n"


def memory(names: str, top: str = TOP) -> str:
    return "\n".join([top, *map(entry, names.split())]) if names else top


def conflict(ours: str, theirs: str) -> str:
    return f"<<<<<<< ours\n{ours}=======\n{theirs}>>>>>>> theirs\n"


def marked(before: str, ours: str, theirs: str, after: str) -> str:
    sides = conflict(*(entry(name) if name else "" for name in (ours, theirs)))
    return "\n".join([TOP, *map(entry, before.split()), sides, *map(entry, after.split())])


def disputed(ours: str, theirs: str, *, size: int = 7) -> str:
    """Return a base with a conflict, as git leaves it between two entries."""
    text = marked("A", ours, theirs, "C")
    for sign in "<=>":
        text = text.replace(sign * 7, sign * size)
    return text


def simple(base: str, ours: str, theirs: str, merged: str) -> Case:
    return Case(memory(base), memory(ours), memory(theirs), memory(merged))


def built(build: Callable[[str], str], base: str, ours: str, theirs: str, merged: str) -> Case:
    return Case(build(base), build(ours), build(theirs), build(merged))


def with_stamps(names: str) -> str:
    return memory(names).replace("## When", "## [2026-03-01-120000] When")


def items(*texts: str) -> str:
    return "# Lessons\n\n" + "".join(f"- {text}\n" for text in texts)


def stamped(*days: str) -> str:
    entries = (f"## [2026-03-{day}-120000] Day {day}\n\nIt was {day}.\n" for day in days)
    return "\n".join([TOP, *entries])


def block(*days: str) -> str:
    rows = "".join(f"| 2026-03-{day} | Day {day} |\n" for day in days)
    head = "# Learnings\n\n<!-- INDEX:START -->\n| Date | Learning |\n|---|---|\n"
    return stamped(*days).replace(TOP, f"{head}{rows}<!-- INDEX:END -->\n")


def index_below(names: str) -> str:
    rows = "".join(f"| {name} |\n" for name in names)
    entries = "\n".join(map(entry, names))
    return f"{entries}\n<!-- INDEX:START -->\n{rows}<!-- INDEX:END -->\n"


def identified(*numbers: int) -> str:
    entries = (f"## L-{n:03}: Lesson {n}\n\nThe text of {n}.\n" for n in numbers)
    return "\n".join(["# Lessons\n", *entries])


def register(numbers: str) -> str:
    rows = "".join(f"| D{n} | Decision {n} | Because of {n} |\n" for n in numbers.split())
    return f"# Decisions\n\n| # | What | Why |\n|---|---|---|\n{rows}"


def report(status: str = "open", *, asked: str = " ", tested: str = " ") -> str:
    steps = f"- [{asked}] Ask the owner\n- [{tested}] Write the test\n"
    return f"# Log\n\n## When a queue stalls\n\n**Status**: {status}\n\n{steps}"


def form(name: str) -> str:
    fields = ("Severity**: two", "Area**: billing", "Owner**: platform", "State**: open")
    body = "".join(f"**{field}\n" for field in (*fields, "Kind**: outage", f"Cause**: {name}"))
    return f"## Case {name}\n\n{body}"


def forms(names: str) -> str:
    return "\n".join(["# Log\n", *map(form, names.split())])


def retitled(title: str, text: str) -> str:
    return f"# Log\n\n## [2026-03-04-101500] {title}\n\n{text}\n\n{entry('B')}"


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def categories(builds: str, tests: str) -> str:
    sections = [
        "\n".join([f"## {title}\n", *(entry(name, level="###") for name in names.split())])
        for title, names in (("Builds", builds), ("Tests", tests))
        if names
    ]
    return "\n".join(["# Learnings\n", *sections])


FENCE = "```sh\n# not a heading\n## nor this\n\n<<<<<<< nor that\n```\n"
FENCED = memory("A B").replace(WORDS["A"], FENCE + "<!--\n## hidden\n-->")
FRONT = "---\ntitle: Lessons\n---\n\n"
LONG_TOP = TOP.replace("One entry for each lesson.", "One.\n\nTwo.\n\nThree.")

CASES = {
    "nobody changes": simple("A B", "A B", "A B", "A B"),
    "both append": simple("A B", "A B O", "A B T", "A B O T"),
    "both append the same": simple("A B", "A B O", "A B O", "A B O"),
    "one of two is on both sides": simple("A B", "A B O C", "A B O T", "A B O C T"),
    "both remove": simple("A B C", "A C O", "A C T", "A C O T"),
    "all is removed": simple("A B", "A", "B", ""),
    "a branch older than a consolidation": simple("A B C", "C M", "A B C T", "C M T"),
    "two consolidations": simple("A B C D", "C D M", "A B E", "M E"),
    "ours edits": simple("A B C", "A B' C", "A B C T", "A B' C T"),
    "both make the same edit": simple("A B C", "A B' C O", "A B' C T", "A B' C O T"),
    "a heading is changed": simple("A B C", "A B2 C", "A B C T", "A B2 C T"),
    "heading on one side, text on the other": Case(
        memory("A B C"), memory("A B2 C"), memory('A B" C'),
        memory("A B2 C").replace(WORDS["B"], OTHER["B"]),
    ),
    "one moves": simple("A B C D", "D A B C", "A B C D T", "D A B C T"),
    "moved here and edited there": simple("A B C D", "D A B C", 'A B C D"', 'D" A B C'),
    "moved here and removed there": simple("A B C D", "D A B C", "A B C", "A B C"),
    "both move": simple("A B C D", "D A B C", "B A C D", "D A B C"),
    "new in the middle": simple("A B C", "A O B C", "A B T C", "A O B T C"),
    "edited differently": Case(
        memory("A B C"), memory("A B' C O"), memory('A B" C T'), marked("A", "B'", 'B"', "C O T"), 1
    ),
    "edited here, removed there": Case(
        memory("A B C"), memory("A B' C"), memory("A C T"), marked("A", "B'", "", "C T"), 1
    ),
    "removed here, edited there": Case(
        memory("A B C"), memory("A C O"), memory('A B" C'), marked("A", "", 'B"', "C O"), 1
    ),
    "both new, the files too": Case(None, memory("A O"), memory("A T"), memory("A O T")),
    "one title, two texts": Case(
        memory("A"), memory("A O'"), memory('A O"'), memory("A O' O\"")
    ),
    "ours empties the file": Case(memory("A B"), "", memory("A B T"), entry("T")),
    "a title twice, one of them edited": simple("A B' B", 'A B\' B"', "A B' B T", "A B' B\" T"),
    "a title twice, the first removed": simple("A B' B", "A B", "A B' B T", "A B T"),
    "both change the preamble": Case(
        memory("A", LONG_TOP), memory("A O", LONG_TOP.replace("One", "1")),
        memory("A T", LONG_TOP.replace("Three", "3")),
        memory("A O T", LONG_TOP.replace("One", "1").replace("Three", "3")),
    ),
    "both change one line of the preamble": Case(
        memory("A", LONG_TOP), memory("A O", LONG_TOP.replace("Two", "2")),
        memory("A T", LONG_TOP.replace("Two", "II")),
        memory("A O T", LONG_TOP.replace("Two.\n", conflict("2.\n", "II.\n"))), 1,
    ),
    "front matter": Case(
        FRONT + memory("A"), FRONT + memory("A O"), FRONT.replace("Les", "L") + memory("A T"),
        FRONT.replace("Les", "L") + memory("A O T"),
    ),
    "a byte order mark": Case(
        "\ufeff" + entry("A"), "\ufeff" + entry("A") + "\n" + entry("O"),
        "\ufeff" + entry("T") + "\n" + entry("A"),
        "\ufeff" + "\n".join(map(entry, "TAO")),
    ),
    "fences and comments": Case(
        FENCED, FENCED + "\n" + entry("O"), FENCED + "\n" + entry("T"),
        FENCED + "\n" + entry("O") + "\n" + entry("T"),
    ),
    "Windows line ends": built(
        lambda names: crlf(memory(names)), "A B", "A B O", 'A B" T', 'A B" O T'
    ),
    "theirs from Windows": Case(
        memory("A B"), memory("A B O"), crlf(memory("A B T")), memory("A B O T")
    ),
    "ours from Windows": Case(
        memory("A B"), crlf(memory("A B O")), memory("A B T"), crlf(memory("A B O T"))
    ),
    "no final newline in any": Case(
        memory("A B")[:-1], memory("A B O")[:-1], memory("A B T")[:-1], memory("A B O T")[:-1]
    ),
    "no final newline in ours": Case(
        memory("A B"), memory("A B O")[:-1], memory("A B T"), memory("A B O T")[:-1]
    ),
    "newest first": Case(
        stamped("05", "01"), stamped("06", "05", "01"), stamped("08", "07", "05", "01"),
        stamped("08", "07", "06", "05", "01"),
    ),
    "an index block": Case(
        block("05", "01"), block("06", "05", "01"), block("07", "05"), block("07", "06", "05")
    ),
    "an index block at the end": built(index_below, "AB", "ABO", "ABT", "ABOT"),
    "items": Case(
        items("2026-01-01: one lesson about locks.", "2026-01-02: two words on dates."),
        items("2026-01-01: one lesson about locks.", "2026-01-02: two words on dates.",
              "2026-01-03: ours."),
        items("2026-01-02: two words on dates.", "2026-01-04: theirs."),
        items("2026-01-02: two words on dates.", "2026-01-03: ours.", "2026-01-04: theirs."),
    ),
    "an item edited differently": Case(
        items("never retry on 409", "always ask the owner"),
        items("never retry on 409 or 412", "always ask the owner"),
        items("never ever retry on 409", "always ask the owner"),
        items("never retry on 409", "always ask the owner").replace(
            "- never retry on 409\n",
            conflict("- never retry on 409 or 412\n", "- never ever retry on 409\n")), 1,
    ),
    "categories": Case(
        categories("A B", "C"), categories("A B O", "C"), categories("B", "C T"),
        categories("B O", "C T"),
    ),
    "a category removed with its entries": Case(
        categories("A B", "C"), categories("A B O", ""), categories("A B", "C T"),
        categories("A B O", "T"),
    ),
    "identified": Case(
        identified(1, 2), identified(1, 2, 3), identified(2, 4), identified(2, 3, 4)
    ),
    "time stamps on their side, and entries in categories on ours": Case(
        categories("A B", "C"), categories("A B O", "C"), with_stamps("A B C"),
        with_stamps("A B") + "\n" + entry("O") + "\n" + with_stamps("C").removeprefix(TOP + "\n"),
    ),
    "time stamps on our side, and an edit in categories on theirs": Case(
        categories("A B", "C"), with_stamps("A B C"),
        categories("A B", "C").replace(WORDS["B"], OTHER["B"]),
        with_stamps("A B C").replace(WORDS["B"], OTHER["B"]),
    ),
    "blanks at the end of lines here, an edit there": Case(
        memory("A B"), memory("A B").replace(".\n", ". \n"), memory('A B"'),
        memory('A B"').replace(WORDS["A"], WORDS["A"] + " ").replace("lesson.", "lesson. "),
    ),
    "a time stamp here, another title there": Case(
        memory("A B"), with_stamps("A B"), memory("A B2"), with_stamps("A B2")
    ),
    "time stamps of both, one longer, and a text": Case(
        memory("A B"), with_stamps("A B"), with_stamps('A B"').replace("-120000", ""),
        with_stamps('A B"'),
    ),
    "no entry yet, and headings at two levels": Case(
        TOP, memory("O A"), memory("T C").replace("## When", "### When"), memory("O A T C")
    ),
    "rows of a table": Case(
        register("1 2"), register("1 2 3"), register("2 4"), register("2 3 4")
    ),
    "neighbouring items ticked": Case(
        report(), report(asked="x"), report(tested="x"), report(asked="x", tested="x")
    ),
    "one field, two values": Case(
        report(), report("done"), report("moved"),
        report("x").partition("## ")[0] + conflict(
            *("## " + report(status).partition("## ")[2] for status in ("done", "moved"))
        ), 1,
    ),
    "retitled and written anew here, removed there": Case(
        retitled("Old", "One."), retitled("New", "Words of another kind."), memory("B", "# Log\n"),
        retitled("New", "Words of another kind.").partition("## ")[0]
        + conflict("## [2026-03-04-101500] New\n\nWords of another kind.\n", "")
        + "\n" + entry("B"), 1,
    ),
    "a conflict in the base, settled in two ways": Case(
        disputed("B'", 'B"', size=9), memory("A B' C O"), memory('A B" C'),
        marked("A", "B'", 'B"', "C O"), 1,
    ),
    "a conflict in the base, settled in one way": Case(
        disputed("B'", 'B"'), memory("A B' C O"), memory("A B' C T"), memory("A B' C O T")
    ),
    "a conflict in the base, settled by leaving out and by one text": Case(
        disputed("B'", 'B"', size=11), memory("A C"), memory('A B" C'), memory('A B" C')
    ),
    "a conflict in the base, settled here, left there": Case(
        disputed("B'", 'B"'), memory("A B' C"), disputed("B'", 'B"') + "\n" + entry("T"),
        memory("A B' C T"),
    ),
    "a conflict of conflicts in the base, on Windows": Case(
        crlf(disputed("B'", 'B"').replace("=======", f"=======\n{conflict('', entry('B2'))}", 1)),
        crlf(memory("A B' C")), crlf(memory('A B" C')), crlf(marked("A", "B'", 'B"', "C")), 1,
    ),
    "a conflict of items in the base": Case(
        items("one") + conflict("- the daemon\n", "- a zombie\n"),
        items("one", "the daemon"), items("one", "a zombie"),
        items("one", "the daemon", "a zombie"),
    ),
    "a conflict above the entries of the base": Case(
        conflict("# L\n", "# M\n") + "\n" + entry("A"),
        memory("A", "# L\n"), memory("A", "# M\n"),
        conflict("# L\n", "# M\n") + "\n" + entry("A"), 1,
    ),
    "a conflict inside of an entry of the base": Case(
        memory("A").replace(WORDS["A"] + "\n", conflict("One.\n", "Two.\n")),
        memory("A").replace(WORDS["A"], "One."), memory("A").replace(WORDS["A"], "Two."),
        memory("").removesuffix("\n") + "\n\n"
        + conflict(*(entry("A").replace(WORDS["A"], text) for text in ("One.", "Two."))), 1,
    ),
    "an entry on a template replaced here, edited there": Case(
        forms("A B"), forms("O B"), forms("A B").replace("two", "three", 1),
        "# Log\n\n"
        + conflict(form("O"), form("A").replace("two", "three"))
        + "\n" + form("B"), 1,
    ),
}  # fmt: skip
