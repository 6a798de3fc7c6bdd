"""Claims beside guarantees, requirements, sample sizes, reliability: what releases show."""
