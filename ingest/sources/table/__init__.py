"""Any table of a user."""
