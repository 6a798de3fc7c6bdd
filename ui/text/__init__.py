"""Numbers, terms and sentences that pages share."""
