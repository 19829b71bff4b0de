"""A consolidation plan: what a person or agent decides about entries, and what comes of it."""
