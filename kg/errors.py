"""Every error that medkg raises for a user's input or surroundings.

A subclass exists where a caller would act differently. A mistake of the
calling code is a plain ``ValueError`` or ``TypeError``.
"""

from cypher.errors import MedKGError, QueryError

__all__ = [
    "AccountingError",
    "BuildError",
    "CheckError",
    "ConfigurationError",
    "EmbeddingError",
    "ExportError",
    "LayerDoesNotFitError",
    "LinkingError",
    "MedKGError",
    "ModelError",
    "QueryError",
    "QueryTooLargeError",
    "QuestionError",
    "RetrievalError",
    "ServerError",
    "SourceError",
    "StoreError",
    "StoreUnreachableError",
    "TablesError",
]


class AccountingError(MedKGError):
    """Counts that must agree do not; the build stops before it changes the store."""


class BuildError(MedKGError):
    """A build cannot go on: another one runs, the disk is full, its folder is not writable."""


class CheckError(MedKGError):
    """The consistency rules cannot be asked, or what they find cannot be applied."""


class ConfigurationError(MedKGError):
    """A setting, a configuration file or a mapping is missing or does not fit."""


class EmbeddingError(MedKGError):
    """Triples, a model or its training cannot be used: too few, unknown names, NaN, no memory."""


class EvaluationError(MedKGError):
    """Answers cannot be measured: no questions, a file of answers or a folder that does not fit."""


class ExportError(MedKGError):
    """An export cannot be written: its folder holds other things, a layer is not there, no room."""


class LinkingError(MedKGError):
    """A table of names, an index of them, a gold file or UMLS files cannot be used."""


class ModelError(MedKGError):
    """A model of language is not there, does not fit its purpose, or did not answer."""


class QuestionError(MedKGError):
    """A question names what the graph does not know or have, or contradicts itself."""


class RetrievalError(MedKGError):
    """An index of texts or pairs to train by are missing, damaged, or do not fit what is asked for."""


class SourceError(MedKGError):
    """A source file as a whole cannot be read; single bad rows are quarantined instead."""


class TablesError(MedKGError):
    """Graph tables on disk are missing, incomplete or not what they say they are."""


class StoreError(MedKGError):
    """A store refused or could not finish what it was asked."""


class LayerDoesNotFitError(StoreError):
    """A layer clashes with the graph, or depends on something that the graph does not have."""


class QueryTooLargeError(StoreError):
    """A query takes more time or memory than it may."""


class StoreUnreachableError(StoreError):
    """Nothing answers at the store's address, or it refuses the credentials."""


class ServerError(MedKGError):
    """The local Neo4j server cannot be started, stopped or found."""
