"""Words and numbers that pages share."""
