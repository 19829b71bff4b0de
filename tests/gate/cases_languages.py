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
    RUSSIAN,
    SPANISH,
    THAI,
    VIETNAMESE,
)
from tests.gate.shapes import Entry, memory

TABLE = Table("languages", SPANISH, GERMAN_2, VIETNAMESE)
add, change = TABLE.add, TABLE.change

GONE = {
    "timestamped": GERMAN,
    "heading": RUSSIAN,
    "identified": JAPANESE,
    "category": CHINESE,
    "team": ARABIC,
    "bullet": HINDI,
    "table": THAI,
}
for shape, entry in GONE.items():
    change("lost", "one deleted", shape, entry, None)
change("lost", "a filler, Japanese", "heading", JAPANESE, JAPANESE.with_body("別紙参照。"))
# A copy in which one sign of a word differs: name, entry, old, new.
COPIES = (
    ("a vowel sign of Hindi", HINDI, "रसीद बनाएँ", "रसीद बनाओ"),
    ("a mark of Thai", THAI, "ระบบจะหยุดตอบ", "ระบบจะหยดตอบ"),
    ("an umlaut", GERMAN, "dürfen nicht über", "durfen nicht über"),
    ("a number in Japanese", JAPANESE, "240件", "24件"),
    ("a negation of Chinese", CHINESE, "不要只重启", "要只重启"),
)
for name, entry, old, new in COPIES:
    change("lost", f"{name} archived", "heading", entry, None, archived=(entry.but(old, new),))
HERE = (
    ("a negation, German", "timestamped", GERMAN, "dürfen nicht über", "dürfen über", "nicht"),
    ("never, French", "heading", FRENCH, "ne faut jamais", "ne faut toujours", "jamais"),
    ("a number, Russian", "bullet", RUSSIAN, "эти 12 минут", "эти 21 минут", "12 21"),
    ("a number, Hindi", "timestamped", HINDI, "में 45 सेकंड", "में 54 सेकंड", "45 54"),
    ("a path, Japanese", "heading", JAPANESE, "docs/batch.md", "docs/retry.md", "retry.md"),
    ("a numeral, Chinese", "table", CHINESE, "三十分钟内", "三分钟内", ""),
)
for name, shape, entry, old, new, words in HERE:
    change("shown", name, shape, entry, entry.but(old, new), words=words)
SIGN = HINDI.but("रसीद बनाएँ", "रसीद बनाओ")
change("named", "a vowel sign in place, Hindi", "heading", HINDI, SIGN)


def rewrapped(entry: Entry) -> Entry:
    """Return an entry with a line break after every five words of the body."""
    words = entry.body.split()
    lines = (" ".join(words[start : start + 5]) for start in range(0, len(words), 5))
    return entry.with_body("\n".join(lines))


FIVE = (GERMAN, FRENCH, RUSSIAN, ARABIC, HINDI)
add("silent", "rewrapped", "timestamped", FIVE, tuple(map(rewrapped, FIVE)))
FOUR = (GERMAN, RUSSIAN, JAPANESE, HINDI)
add("silent", "other order, four scripts", "heading", FOUR, FOUR[::-1])
add("silent", "archived, four scripts", "identified", (SPANISH, *FOUR), (SPANISH,), archived=FOUR)
for shape, entry, word, quoted in (
    ("heading", GERMAN, "eigene", "„eigene“"),
    ("timestamped", FRENCH, "message", "«message»"),
):
    straight = entry.but(f" {word} ", f' "{word}" ')
    curly = entry.but(f" {word} ", f" {quoted} ")
    change("silent", "other quotes", shape, straight, curly)
JOINED = JAPANESE.with_body(JAPANESE.body.replace("\n", ""))
change("silent", "lines of Japanese joined", "heading", JAPANESE, JOINED)
COMPOSED = (VIETNAMESE, GERMAN_2)
OTHERWISE = unicodedata.normalize("NFD", memory("heading", *COMPOSED))
add("quiet", "letters composed in another way", "heading", COMPOSED, OTHERWISE)
