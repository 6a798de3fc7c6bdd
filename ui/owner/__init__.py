"""The page "Your data": who is protected, which columns, what to expect."""
