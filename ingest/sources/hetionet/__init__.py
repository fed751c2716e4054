"""Hetionet."""
