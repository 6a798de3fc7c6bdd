"""Controls and styles that pages share."""
