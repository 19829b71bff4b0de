"""Which observations stand in which theme already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from learnings.consolidation.text.coverage import Texts
from learnings.tiers.items import item_of
from learnings.tiers.raw_files import Observation
from learnings.tiers.theme_file import ThemeFile

COVERED = 0.15
"""Share of an observation from which the text of a theme covers it: what `learnings precheck` calls
perhaps covered, since those who wrote the theme had the observation before them."""


class Placed:
    """Where observations stand: as an item of a theme, or covered by a text that somebody wrote.

    home has for each observation the name of its theme, None for none. texts are, by name, the
    words that somebody wrote: of themes that are no drafts, without the items of observations.
    """

    def __init__(self, observations: Sequence[Observation], themes: Sequence[ThemeFile]) -> None:
        items = {text for observation in observations for text in item_of(observation)}
        by_item: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        for theme in themes:
            own = [item for item in map(_item, theme.plain) if item in items]
            by_item = dict.fromkeys(own, theme.name) | by_item
            if not theme.is_draft or len(own) < theme.items:
                lines = (line for line in theme.body.split("\n") if _item(line) not in items)
                self.texts[theme.name] = "\n".join(lines)
        self._units = {theme.name: {unit for unit, _ in theme.units} for theme in themes}
        self.home = [
            next((by_item[text] for text in item_of(observation) if text in by_item), None)
            for observation in observations
        ]
        with_items = {
            (home, observation.unit)
            for home, observation in zip(self.home, observations, strict=True)
        }
        self._read = {
            (name, unit)
            for name in self.texts
            for unit in self._units[name]
            if (name, unit) not in with_items
        }
        sections = {name: Texts([text]) for name, text in self.texts.items()}
        for index, observation in enumerate(observations):
            if self.home[index] is None:
                self.home[index] = self._cover(observation, sections)

    def is_read(self, observation: Observation, name: str) -> bool:
        """Return True if who wrote a theme has had the work unit before them: it says so."""
        return (name, observation.unit) in self._read

    def lacks_unit(self, observation: Observation, name: str) -> bool:
        """Return True if a theme does not name the work unit of an observation."""
        return observation.unit not in self._units[name]

    def _cover(self, observation: Observation, sections: Mapping[str, Texts]) -> str | None:
        """Return the name of the theme whose text covers an observation, None for none."""
        text = f"{observation.rule}\n{observation.description}"
        for name, section in sections.items():
            covered = section.best_of_text(text) if self.is_read(observation, name) else None
            if covered is not None and covered.score >= COVERED:
                return name
        return None


def _item(line: str) -> str:
    """Return what a line says as an item of a list."""
    return line.strip().removeprefix("- ")
