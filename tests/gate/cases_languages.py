"""The same changes in other languages and scripts."""

from __future__ import annotations

import unicodedata

from tests.gate.case import Table
from tests.gate.languages import (
    ARABIC,
    CHINESE,
    FRENCH,
    GERMAN,
    GERMAN_2,
    HINDI,
    JAPANESE,
    PORTUGUESE,
    RUSSIAN,
    SPANISH,
    THAI,
    VIETNAMESE,
)
from tests.gate.shapes import Entry, archive, memory, part, path_of

TABLE = Table("languages")

FIRST = (GERMAN, RUSSIAN, JAPANESE, HINDI)
for gone, shape in (
    (GERMAN, "timestamped"),
    (RUSSIAN, "heading"),
    (JAPANESE, "identified"),
    (CHINESE, "category"),
    (ARABIC, "team"),
    (HINDI, "bullet"),
    (THAI, "table"),
):
    rest = [entry for entry in (FRENCH, SPANISH, PORTUGUESE, VIETNAMESE) if entry != gone]
    TABLE.lost(
        f"one deleted, {gone.title.split()[0]}",
        shape,
        memory(shape, *rest[:2], gone, *rest[2:]),
        memory(shape, *rest),
        gone.title,
    )
TABLE.lost(
    "a body replaced by a filler, Japanese",
    "heading",
    memory("heading", CHINESE, JAPANESE),
    memory("heading", CHINESE, JAPANESE.with_body("別紙参照。")),
    JAPANESE.title,
)
TABLE.lost(
    "a body replaced by a filler, French",
    "timestamped",
    memory("timestamped", GERMAN, FRENCH),
    memory("timestamped", GERMAN, FRENCH.with_body("À compléter.")),
    FRENCH.title,
)
TABLE.lost(
    "titles kept as a list, German",
    "heading",
    memory("heading", GERMAN, GERMAN_2),
    f"# Gelernt\n\n- {GERMAN.title}\n- {GERMAN_2.title}\n",
    *(GERMAN.title, GERMAN_2.title),
)
# A copy in which one sign of a word differs: name, entry, old, new.
COPIES = (
    ("a vowel sign of Hindi", HINDI, "रसीद बनाएँ", "रसीद बनाओ"),
    ("a mark of Thai", THAI, "ระบบจะหยุดตอบ", "ระบบจะหยดตอบ"),
    ("a tone of Vietnamese", VIETNAMESE, "giữ khóa của bảng", "giữ khoa của bảng"),
    ("an umlaut", GERMAN, "dürfen nicht über", "durfen nicht über"),
    ("an accent", FRENCH, "renouveler le jeton avant", "renouvelé le jeton avant"),
    ("a negation of Russian", RUSSIAN, "письма пропадут", "письма не пропадут"),
    ("a number in Japanese", JAPANESE, "240件", "24件"),
    ("a negation of Chinese", CHINESE, "不要只重启", "要只重启"),
)
for name, entry, old, new in COPIES:
    TABLE.lost(
        f"archived with another form of {name}",
        "heading",
        memory("heading", SPANISH, entry),
        {
            path_of("heading"): memory("heading", SPANISH),
            "agents/archive/learnings-consolidated-2026-03-20.md": archive(
                part("heading", entry.but((old, new)))
            ),
        },
        entry.title,
        way="commit",
    )
HERE = (
    ("a negation, German", "timestamped", GERMAN, "dürfen nicht über", "dürfen über", ("nicht",)),
    ("never, French", "heading", FRENCH, "ne faut jamais", "ne faut toujours", ("jamais",)),
    ("a negation, Spanish", "category", SPANISH, "y no ejecutar", "y ejecutar", ("no",)),
    ("a negation, Portuguese", "heading", PORTUGUESE, "Guardar sempre", "Não guardar", ("sempre",)),
    ("a negation, Russian", "identified", RUSSIAN, "без следа в", "со следом в", ("без",)),
    ("a number, Russian", "bullet", RUSSIAN, "эти 12 минут", "эти 21 минут", ("12", "21")),
    ("a number, Arabic", "heading", ARABIC, "مدة 15 دقيقة", "مدة 51 دقيقة", ("15", "51")),
    ("a number, Hindi", "timestamped", HINDI, "में 45 सेकंड", "में 54 सेकंड", ("45", "54")),
    ("a path, Japanese", "heading", JAPANESE, "docs/batch.md", "docs/retry.md", ("retry.md",)),
    ("a numeral, Chinese", "table", CHINESE, "三十分钟内", "三分钟内", ()),
    ("a number, Thai", "heading", THAI, "นานขึ้น 6 เท่า", "นานขึ้น 9 เท่า", ("6", "9")),
)
for name, shape, entry, old, new, words in HERE:
    others = [one for one in (GERMAN_2, SPANISH, VIETNAMESE) if one != entry]
    TABLE.shown(
        name,
        shape,
        memory(shape, *others, entry),
        memory(shape, *others, entry.but((old, new))),
        entry.title,
        *words,
    )
TABLE.named(
    "a vowel sign in place, Hindi",
    "heading",
    memory("heading", GERMAN, HINDI),
    memory("heading", GERMAN, HINDI.but(("रसीद बनाएँ", "रसीद बनाओ"))),
    HINDI.title,
)
TABLE.named(
    "a word in place, Chinese",
    "timestamped",
    memory("timestamped", GERMAN, CHINESE),
    memory("timestamped", GERMAN, CHINESE.but(("等待所有节点确认", "等候所有节点确认"))),
    CHINESE.title,
)


def rewrapped(entry: Entry, width: int) -> Entry:
    """Return an entry with a line break after every few words of the body."""
    words = entry.body.split()
    lines = (" ".join(words[start : start + width]) for start in range(0, len(words), width))
    return entry.with_body("\n".join(lines))


TABLE.silent(
    "rewrapped, five languages",
    "timestamped",
    memory("timestamped", GERMAN, FRENCH, RUSSIAN, ARABIC, HINDI),
    memory(
        "timestamped",
        *(rewrapped(entry, 5) for entry in (GERMAN, FRENCH, RUSSIAN, ARABIC, HINDI)),
    ),
)
TABLE.silent(
    "other order, four scripts",
    "heading",
    memory("heading", *FIRST),
    memory("heading", *FIRST[::-1]),
)
TABLE.silent(
    "moved to an archive, four scripts",
    "identified",
    memory("identified", SPANISH, *FIRST),
    {
        path_of("identified"): memory("identified", SPANISH),
        ".learnings/archive/learnings-consolidated-2026-03-20.md": archive(
            *(part("identified", entry) for entry in FIRST), group="Group: Verschiedenes"
        ),
    },
    way="commit",
)
TABLE.silent(
    "other quotes, German",
    "heading",
    memory("heading", SPANISH, GERMAN.but(("eigene Verbindung", '"eigene" Verbindung'))),
    memory("heading", SPANISH, GERMAN.but(("eigene Verbindung", "„eigene“ Verbindung"))),
)
TABLE.silent(
    "other quotes, French",
    "timestamped",
    memory("timestamped", SPANISH, FRENCH.but(("message clair", '"message" clair'))),
    memory("timestamped", SPANISH, FRENCH.but(("message clair", "«message» clair"))),
)
TABLE.silent(
    "lines of Japanese joined",
    "heading",
    memory("heading", SPANISH, JAPANESE),
    memory("heading", SPANISH, JAPANESE.with_body(JAPANESE.body.replace("\n", ""))),
)
TABLE.silent(
    "an entry added, Arabic",
    "category",
    memory("category", RUSSIAN, CHINESE),
    memory("category", RUSSIAN, CHINESE, ARABIC),
)
TABLE.quiet(
    "letters composed in another way",
    "heading",
    memory("heading", VIETNAMESE, GERMAN_2),
    unicodedata.normalize("NFD", memory("heading", VIETNAMESE, GERMAN_2)),
)
