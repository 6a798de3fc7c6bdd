"""The page Prepare: who is protected, which columns, what to expect."""
