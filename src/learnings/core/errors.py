"""Errors that end a command: one sentence each, which tells the user what to do."""

from __future__ import annotations


class LearningsError(Exception):
    """A problem that the user can solve; `str(error)` is the sentence that says how."""


class MissingFile(LearningsError):
    """A named file does not exist, is not a regular file or cannot be read."""


class MissingConfigured(MissingFile):
    """A configured file cannot be used; the sentence begins with the line of the setting."""


class UsageProblem(LearningsError):
    """The arguments of a command contradict each other, or name something that does not exist."""


class UnusableFile(UsageProblem):
    """A named file exists, but is outside the repository or too large."""


class BadSettings(LearningsError):
    """The configuration is invalid; the sentence begins with the file and the line."""


class UntrustedHistory(LearningsError):
    """Git history is absent or incomplete, so every number from it would mislead."""


class GitNotStarted(UntrustedHistory):
    """Git exists and could not be started this time; a second try may succeed."""


class FixRefused(LearningsError):
    """A fix would lose something or would not last; the sentence says what and where."""
