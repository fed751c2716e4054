"""scispaCy's candidate generator and entity linker over our own index of UMLS names.

scispaCy's ``create_tfidf_ann_index`` works on Python up to 3.10 only, and pickles; what it would
make is read here from the files of ``kg.linking.umls.index`` and handed to
``scispacy.candidate_generation.CandidateGenerator`` as its parts::

    generator = candidate_generator(folder)
    generator(["heart attack"], k=30)

As a spaCy pipe it is the factory ``medkg_umls``, whose configuration names that folder::

    import kg.linking.umls.spacy_pipe
    nlp.add_pipe("medkg_umls", config={"folder": "…/umls/index"})

Each entity of a document then has ``ent._.kb_ents``, a list of (CUI, similarity).
"""

from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

from kg.errors import LinkingError
from kg.linking.umls.building import new_index
from kg.linking.umls.extra import import_extra
from kg.linking.umls.ngrams import load_vectorizer
from kg.progress import Progress, Silent

EF_SEARCH: Final = 400
"""Names looked through at a query; chosen by measuring, see docs/umls.md."""
NEIGHBOURS: Final = 30
"""Names asked for at a query: scispaCy's own k."""

_FILES: Final = ("ngrams.parquet", "spellings.parquet", "concepts.jsonl", "names.hnsw")


def candidate_generator(folder: Path, progress: Progress | None = None) -> Any:  # noqa: ANN401
    """A ``scispacy.candidate_generation.CandidateGenerator`` over the index in ``folder``.

    Raises:
        ConfigurationError: the extra is not installed.
        LinkingError: the folder has no whole index.
    """
    generation = import_extra("scispacy.candidate_generation")
    linking_utils = import_extra("scispacy.linking_utils")
    if missing := [name for name in _FILES if not (folder / name).is_file()]:
        raise LinkingError(
            f"{folder / missing[0]}: missing, so there is no index of UMLS here; "
            "make it with 'medkg link --umls FOLDER'"
        )
    with (progress or Silent()).step("Loading the candidate index"):
        index = new_index()
        index.loadIndex(str(folder / "names.hnsw"), load_data=True)
        index.setQueryTimeParams({"efSearch": EF_SEARCH})
        return generation.CandidateGenerator(
            ann_index=index,
            tfidf_vectorizer=load_vectorizer(folder / "ngrams.parquet"),
            ann_concept_aliases_list=pq.read_table(folder / "spellings.parquet")[
                "name"
            ].to_pylist(),
            kb=linking_utils.KnowledgeBase(str(folder / "concepts.jsonl")),
        )


def entity_linker(
    folder: Path, *, threshold: float = 0.7, k: int = NEIGHBOURS, max_entities_per_mention: int = 5
) -> Any:  # noqa: ANN401 - of an untyped library
    """A ``scispacy.linking.EntityLinker``: call it on a spaCy document whose entities it links.

    Args:
        folder: of the index.
        threshold: cosine similarity that a candidate must exceed.
        k: names asked for at a mention.
        max_entities_per_mention: most CUIs of a mention.

    Raises:
        ConfigurationError: the extra is not installed.
        LinkingError: the folder has no whole index.
    """
    return import_extra("scispacy.linking").EntityLinker(
        candidate_generator=candidate_generator(folder),
        filter_for_definitions=False,  # MRDEF is not read, so no concept has one
        threshold=threshold,
        k=k,
        max_entities_per_mention=max_entities_per_mention,
    )
