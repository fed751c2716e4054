"""The index of texts: records found by words, by meaning, or by both."""

from qa.index.index import Filter, Index, Mode
from qa.index.records import Collate, Hit, Passages, Record

__all__ = ["Collate", "Filter", "Hit", "Index", "Mode", "Passages", "Record"]
