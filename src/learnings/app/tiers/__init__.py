"""Learning tiers of a repository: from its disk to what a command prints or writes."""
