"""The one-page summary: what could be published, and what it costs, frozen for a decision."""
