"""HSDN, the human symptoms-disease network."""
