"""Learning tiers: raw files of work units, compacted to themes under an index."""
