"""The spaCy factory ``medkg_umls``: scispaCy's entity linker over our index of UMLS names.

spaCy finds it through the entry point group ``spacy_factories``, or once this module is imported::

    nlp.add_pipe("medkg_umls", config={"folder": "…/umls/index"})

spaCy imports it for any pipeline, so nothing heavy is imported at the top.
Its configuration is plain JSON, as spaCy wants it; a candidate generator handed to scispaCy's own
factory would not be.
"""

from pathlib import Path
from typing import Any, Final

from spacy.language import Language

NAME: Final = "medkg_umls"
_NEIGHBOURS: Final = 30
"""Names asked for at a mention: scispaCy's own k."""


@Language.factory(
    NAME, default_config={"threshold": 0.7, "k": _NEIGHBOURS, "max_entities_per_mention": 5}
)
def make_linker(
    nlp: Language,
    name: str,
    *,
    folder: str,
    threshold: float,
    k: int,
    max_entities_per_mention: int,
) -> Any:  # noqa: ANN401 - of an untyped library
    """A linker over the index in ``folder``; each entity gets ``ent._.kb_ents``.

    Raises:
        LinkingError: the folder has no whole index.
    """
    from kg.linking.umls.candidates import entity_linker  # noqa: PLC0415 -- see the module

    del nlp, name
    return entity_linker(
        Path(folder), threshold=threshold, k=k, max_entities_per_mention=max_entities_per_mention
    )
