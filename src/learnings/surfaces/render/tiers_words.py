"""Learning tiers in words, for what is said beside the learnings files."""

from __future__ import annotations

from learnings.app.tiers.news import TierNews
from learnings.core.text import counted, printable

COMMAND = "learnings tiers compact"


def news_line(news: TierNews) -> str:
    """Return one line: the folder, what is new in it, and what to do if somebody has to."""
    folder = printable(news.folder)
    if news.problem is not None:
        return f"{folder}: {printable(news.problem)}"
    trigger = news.trigger
    files, themes = counted(trigger.valid, "raw file"), counted(news.themes, "theme")
    asks = f"; compaction is due: {COMMAND}" if news.asks else ""
    return f"{folder}: {files}, {trigger.new} new, {themes}{asks}"
