"""Where observations are: items of themes, or covered by what somebody wrote in a theme."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.similarity import Texts
from learnings.tiers.raw_files import RawObservation, item_of
from learnings.tiers.tier_files import ThemeFile, draft_text

COVERED = 0.15
"""Share of an observation at which a theme's text covers it, as in `learnings precheck`.

That command says "perhaps covered"; here the authors of the theme knew the observation.
"""


class Placed:
    """The places of observations: an item of a theme, or covered by a text that somebody wrote.

    home has the theme name of each observation, or None. items are the indices of those that are
    items, words the names of the themes whose text covers an observation, by index. texts are, by
    name, the words that people wrote: the text of themes that are no drafts, without the items.
    """

    def __init__(self, observations: Sequence[RawObservation], themes: Sequence[ThemeFile]) -> None:
        self._full = [item_of(observation).full for observation in observations]
        self._observations = observations
        items = {*self._full}
        by_item: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        for theme in themes:
            own = [item for item in map(_item_text, theme.plain) if item in items]
            by_item = dict.fromkeys(own, theme.name) | by_item
            if not theme.is_draft or len(own) < theme.items:
                lines = (line for line in theme.body.split("\n") if _item_text(line) not in items)
                self.texts[theme.name] = "\n".join(lines)
        self._themes = {theme.name: theme for theme in themes}
        self._listed = {theme.name: {unit for unit, _ in theme.units} for theme in themes}
        sections = {name: (Texts([text]), {*keys(text)}) for name, text in self.texts.items()}
        covers = (self._cover(observation, sections) for observation in observations)
        self.words = {index: name for index, name in enumerate(covers) if name}
        self.home = [by_item.get(text) for text in self._full]
        self.items = {index for index, name in enumerate(self.home) if name}
        self.home = [home or self.words.get(index) for index, home in enumerate(self.home)]

    def cover(self, index: int, name: str) -> None:
        """Record that the text of a theme covers an observation, unless another text does."""
        self.words.setdefault(index, name)
        self.home[index] = self.home[index] or name

    def is_listed(self, observation: RawObservation, name: str) -> bool:
        """Return True if a theme lists the work unit, by either of its names."""
        return not self._listed[name].isdisjoint((observation.unit, observation.work_id))

    def is_read(self, observation: RawObservation, name: str) -> bool:
        """Return True if a theme in somebody's words says that its author has read the work unit.

        More items do not change that, so what a text covers stays covered.
        """
        added = self._themes[name].added_units or ()
        is_listed = name in self.texts and self.is_listed(observation, name)
        return is_listed and observation.unit not in added

    def text_of(self, name: str, title: str, members: Collection[int]) -> str:
        """Return the text of a theme with these members, each whole.

        What somebody wrote gets items for those that are not in it, and loses the items of others.
        """
        theme = self._themes.get(name)
        if theme is None or name not in self.texts:
            items, units = self._items(sorted(members))
            return draft_text(name, title, items, units)
        here = {index for index, home in enumerate(self.home) if home == name}
        kept, units_kept = self._items(sorted(here & self.items & {*members}))
        gone, units_gone = self._items(sorted(here & self.items - {*members}))
        items, units = self._items(sorted({*members} - here))
        if not gone and not items:
            return theme.text
        listed = {one.unit for one in self._observations if self.is_listed(one, name)}
        return theme.with_items(
            [item for item in items if f"- {item}" not in theme.plain],
            {*units} - listed,
            {*gone} - {*kept, *items},
            {*units_gone} - {*units_kept, *units},
        )

    def _items(self, members: Sequence[int]) -> tuple[list[str], list[str]]:
        """Return the texts of members, each once, and their work units."""
        texts = dict.fromkeys(self._full[index] for index in members)
        return [*texts], [self._observations[index].unit for index in members]

    def _cover(
        self, observation: RawObservation, sections: Mapping[str, tuple[Texts, set[str]]]
    ) -> str | None:
        """Return the name of the theme whose text covers an observation best, or None.

        A text that shortens it has half of the words of its rule.
        """
        said = {*keys(observation.rule or observation.description)}
        best: tuple[float, str | None] = (0, None)
        for name, (section, words) in sections.items():
            if self.is_read(observation, name):
                texts = filter(None, (observation.text, observation.rule))
                covered = filter(None, map(section.best_of_text, texts))
                score = max((text.score for text in covered), default=0.0)
                is_short = len(said & words) >= max(2, len(said) / 2)
                if is_short or score >= COVERED:
                    best = max(best, (score + len(said & words) / len(said or " "), name))
        return best[1]


def _item_text(line: str) -> str:
    return line.strip().removeprefix("- ")
