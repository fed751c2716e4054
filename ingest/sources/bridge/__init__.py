"""Tables of names in two languages."""
