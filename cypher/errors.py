"""The root of every medkg error, and the errors of the query library.

They stand in the lowest room so that every room above can share one base
class; ``kg.errors`` has the rest.
"""


class MedKGError(Exception):
    """Something a user can put right; its text is one sentence: what, where, what to do."""


class QueryError(MedKGError):
    """A query file is malformed, a query's name is unknown, or its arguments do not fit."""
