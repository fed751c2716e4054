"""Text as the graph compares it."""

from kg.text.normal import normalise

__all__ = ["normalise"]
