"""Settings compared only by their values."""

from __future__ import annotations

from learnings.core.settings.setting_values import FileSettings, Settings


def values_of(settings: Settings) -> Settings:
    """Return settings without the places where they were set."""
    files = tuple(file_values_of(file) for file in settings.files)
    return settings._replace(file=file_values_of(settings.file), files=files, origins={})


def file_values_of(settings: FileSettings) -> FileSettings:
    """Return the settings of one learnings file without the places where they were set."""
    return settings._replace(origins={})
