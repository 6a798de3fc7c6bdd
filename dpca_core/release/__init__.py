"""A release that spends a budget once: whole numbers, exact noise, a ledger, a certificate."""
