"""Words about the record of a term only: who wrote it, when, in which subset."""

from typing import Final

_TAGS: Final = frozenset(
    {
        *("namespace", "consider", "subset", "comment", "created_by", "creation_date"),
        *("is_anonymous", "builtin"),
    }
)
_PREFIXES: Final = frozenset({"dc", "dcterms", "dc11", "dct", "terms", "rdfs", "foaf", "schema"})
_PROPERTIES: Final = frozenset(
    {
        *("oboInOwl:created_by", "oboInOwl:creation_date", "oboInOwl:id", "oboInOwl:inSubset"),
        *("oboInOwl:date", "oboInOwl:shorthand", "seeAlso"),
        *("IAO:0000114", "IAO:0000116", "IAO:0000117", "IAO:0000119"),  # status, notes, editor
        *("IAO:0000231", "IAO:0000232", "IAO:0000233", "IAO:0000234"),  # why obsolete, tracker
    }
)


def is_about_the_record(word: str) -> bool:
    """Whether a word is about the record of a term, not about its meaning."""
    return word in _TAGS or word in _PROPERTIES or word.partition(":")[0] in _PREFIXES
