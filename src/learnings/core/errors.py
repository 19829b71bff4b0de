"""Problems that end a command: one sentence each, which tells the user what to do."""

from __future__ import annotations


class LearningsError(Exception):
    """A problem the user can solve; `str(error)` is the sentence that says how."""


class MissingFile(LearningsError):
    """A file that was named does not exist, is not a regular file or cannot be read."""


class MissingConfigured(MissingFile):
    """A file that the configuration names cannot be used; the sentence begins with the line."""


class UsageProblem(LearningsError):
    """The arguments of a command contradict each other, or ask for what does not exist."""


class UnusableFile(UsageProblem):
    """A file that was named is there, but is outside of the repository or too large."""


class BadSettings(LearningsError):
    """The configuration is broken; the sentence begins with the file and the line."""


class UntrustedHistory(LearningsError):
    """Git's history is absent or incomplete, so that every number from it would mislead."""


class FixRefused(LearningsError):
    """A fix that would lose something or would not last; the sentence says what and where."""
