"""Add colours to rendered text by patterns of its lines.

If a pattern no longer matches its line, only the colour is lost.
"""

from __future__ import annotations

import re

from learnings.core.patterns import lazy_pattern

_RESET = "\033[0m"
_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36}

# The kind of text, and a pattern. A group is named for its colour, with a digit if the colour
# repeats. The first pattern that matches the start of a line counts.
_PATTERNS = (
    ("ages", r"(?P<bold>\S.*?): \d+ entr"),
    ("ages", r"(?P<dim> +age  added +title)$"),
    ("ages", r"(?P<dim> +- .*)"),
    ("archive", r"(?P<bold>\S.*?): \d+ archived "),
    ("archive", r"  [\d-]{10}  (?P<bold>.*) (?P<dim>\([0-9a-f]{12}\))$"),
    ("archive", r"    (?P<dim>\S+:\d+.*)"),
    ("config-report", r"(?P<bold>\S.*)"),
    ("doctor", r"[a-z ]{16}  (?:(?P<green>yes)|(?P<yellow>no )|(?P<dim>-  ))  "),
    (
        "due",
        r"(?P<bold>\S.*?): (?:(?P<yellow>due(?: \(escalated\))?|starved)|(?P<green>not-due))\b",
    ),
    ("due", r"  (?P<dim>size|staleness|batch|forecast|note) "),
    ("due", r"(?P<dim>  oldest first.*)"),
    ("overview", r"(?P<bold>\S.*?): (?:(?P<yellow>due|starved|no verdict)|(?P<green>not-due))\b"),
    ("overview", r"(?P<dim>targets|loaded|index|cost|findings|skipped) "),
    ("overview", r"(?P<bold>next) "),
    ("overview", r"  (?P<yellow>doubtful):"),
    ("overview", r"(?P<dim>    .*)"),
    (
        "findings",
        r"(?P<bold>.*?):\d+:\d+: (?:(?P<red>error)|(?P<yellow>notice)) (?P<dim>\S+) ",
    ),
    ("fleet", r"\d+ repositor(?:y|ies)\b.*"),
    ("fleet", r"(?P<bold>\S.*?): (?:(?P<yellow>due|unknown|errors|starved)|(?P<green>healthy))\b"),
    ("fleet", r"(?P<dim>  .*)"),
    ("replay", r"(?P<bold>\S.*?): \d+ active day"),
    ("replay", r"  (?P<yellow>due|starved) "),
    ("groups", r"(?P<bold>\S.*?): \d+ groups? of "),
    ("groups", r"(?P<bold>\S.*) (?P<dim>\(\d+ entr\w+, score [\d.]+\))$"),
    ("groups", r"(?P<bold>Ungrouped)$"),
    ("groups", r"(?P<dim>  because of|    “.*)"),
    ("precheck", r"(?P<yellow>[a-z]+, [a-z]+): (?P<bold>.*) \(line \d+\)$"),
    ("precheck", r"(?P<bold>\S.*?): \d+ entr"),
    ("precheck", r"(?P<dim>  .*)"),
    ("routes", r"(?P<bold>\S.*?): \d+ entr"),
    ("routes", r"(?P<bold>\S.*) \(line \d+.*\)$"),
    ("routes", r"(?P<dim>     .*)"),
    ("verify", r"(?P<bold>\S.*?:\d+): (?:(?P<red>error)|(?P<yellow>notice)): "),
    ("verify", r"(?P<green>(?:Nothing|No memory file) .*)"),
    (
        "diff",
        r"(?P<bold>\S.*?:\d+): (?P<yellow>reworded): .*?: "  # noqa: ISC004  (one pattern)
        r'(?P<red>"[^"]*") is now (?P<green>"[^"]*")'
        r'(?:; (?P<red2>"[^"]*") is now (?P<green2>"[^"]*"))?',
    ),
    (
        "diff",
        r"(?P<bold>\S.*?:\d+): (?:(?P<green>added|came back)|(?P<red>lost)|(?P<yellow>\w+)): ",
    ),
    ("curation", r"  \S+ +(?P<green>created|reinforced) "),
    ("curation", r"  \S+ +(?P<yellow>weakened|contradicted|skipped|archived|rotated|merged)\b"),
    ("curation", r"(?P<dim>  .*)"),
    ("curation", r"(?P<bold>\S.*)"),
    ("statistics", r"(?P<bold>strongest|growth|near archive.*|[a-z-]+s):?"),
    ("statistics", r"  (?P<bold>\S+)  [01]\.\d\d"),
    ("briefing", r"(?P<bold>\S+(?: P\d)?) \("),
    ("tiers-status", r"(?P<bold>\S.*?): (?:(?P<yellow>compaction is due)|(?P<green>not due))\b"),
    ("tiers-status", r"  (?P<dim>raw files|themes|INDEX\.md|next) "),
    ("tiers-compact", r"  (?:(?P<green>new)|(?P<yellow>\w+)) +(?P<bold>[a-z0-9-]+):"),
    ("tiers-compact", r"(?P<bold>(?:Compacted|Would compact) .*)"),
    ("tiers-promote", r"(?P<bold>## .*)"),
    ("tiers-promote", r"(?P<dim>- .*)"),
    ("rules", r"  (?P<bold>[a-z-]+) +(?:(?P<red>error)|(?P<yellow>notice)) "),
    ("rules", r"(?P<bold>\w.*)"),
    ("markdown", r"(?P<bold>#{1,6} .*)"),
    ("markdown", r"(?P<bold>\*\*[^*]+\*\*)"),
    ("markdown", r"(?P<dim><!--.*-->|- \w[\w ]*:)"),
    ("markdown", r" *- `.*` (?P<dim>\(line \d+\))$"),
    ("patch", r"(?P<bold>(?:---|\+\+\+) .*)"),
    ("patch", r"(?P<cyan>@@ .*)"),
    ("patch", r"(?P<green>\+.*)"),
    ("patch", r"(?P<red>-.*)"),
    ("problem", r"(?P<red>learnings:)"),
)
_LINE = lazy_pattern(r"[^\n]*\n|[^\n]+")


def highlighted(text: str, kind: str) -> str:
    """Return text with colours; kind is one of _PATTERNS, and any other gives no colour."""
    patterns = [re.compile(pattern) for name, pattern in _PATTERNS if name == kind]
    return "".join(_line(line, patterns) for line in _LINE.findall(text))


def _line(line: str, patterns: list[re.Pattern[str]]) -> str:
    match = next((match for pattern in patterns if (match := pattern.match(line))), None)
    if match is None:
        return line
    parts, end = [], 0
    for name, group in match.groupdict().items():
        if group:
            start = match.start(name)
            code = _CODES[name.rstrip("0123456789")]
            parts.append(f"{line[end:start]}\033[{code}m{group}{_RESET}")
            end = match.end(name)
    return "".join((*parts, line[end:]))
