"""Every Cure's lists of what drugs are given for and must not be given in."""
