"""The consolidation issue: what it should be, and the requests that make it so."""
