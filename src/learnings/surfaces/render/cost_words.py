"""What the memory costs, in words, shared by the formats."""

from __future__ import annotations

from learnings.app.session_cost import SessionCost


def sentence(cost: SessionCost) -> str:
    """Return what each session pays, and how much of that the next consolidation can save."""
    saved = cost.batches.tokens
    saving = f", of which the next consolidation saves up to {saved:,}" if saved else ""
    return f"about {cost.total.tokens:,} tokens in each session{saving}"
