"""Measures the answers of several systems beside each other."""
