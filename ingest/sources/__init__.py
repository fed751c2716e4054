"""The kinds of source that medkg reads.

A folder for each kind: ``source.py`` has its settings and ``KIND``, which names what it
reads (``files``) and what leaves ``assertions.parquet`` and ``quarantine.parquet`` in a folder
(``read``); ``relations.yaml`` says what its words for relations mean. Readers of large
tables give ``parts``, others write row by row (``writing``).
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from cypher.translation import translate
from ingest.sources.babelon import source as babelon
from ingest.sources.babelon.source import BabelonSource
from ingest.sources.biomappings import source as biomappings
from ingest.sources.biomappings.source import BiomappingsSource
from ingest.sources.bridge import source as bridge
from ingest.sources.bridge.source import BridgeSource
from ingest.sources.cleaning import clean
from ingest.sources.cmekg import source as cmekg
from ingest.sources.cmekg.source import CMeKgSource
from ingest.sources.ddxplus import source as ddxplus
from ingest.sources.ddxplus.source import DdxPlusSource
from ingest.sources.dismech import source as dismech
from ingest.sources.dismech.source import DismechSource
from ingest.sources.drug_classes import source as drug_classes
from ingest.sources.drug_classes.source import DrugClassesSource
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.everycure import source as everycure
from ingest.sources.everycure.source import EveryCureSource
from ingest.sources.everycure_labels import source as everycure_labels
from ingest.sources.everycure_labels.source import EveryCureLabelsSource
from ingest.sources.health_topics import source as health_topics
from ingest.sources.health_topics.source import HealthTopicsSource
from ingest.sources.hetionet import source as hetionet
from ingest.sources.hetionet.source import HetionetSource
from ingest.sources.hpo import source as hpo
from ingest.sources.hpo.source import HpoSource
from ingest.sources.hsdn import source as hsdn
from ingest.sources.hsdn.source import HsdnSource
from ingest.sources.icd10cm import source as icd10cm
from ingest.sources.icd10cm.source import Icd10CmSource
from ingest.sources.indications import source as indications
from ingest.sources.indications.source import IndicationsSource
from ingest.sources.kgx import source as kgx
from ingest.sources.kgx.source import KgxSource
from ingest.sources.kind import SourceKind
from ingest.sources.medi import source as medi
from ingest.sources.medi.source import MediSource
from ingest.sources.medical_json import source as medical_json
from ingest.sources.medical_json.source import MedicalJsonSource
from ingest.sources.medquad import source as medquad
from ingest.sources.medquad.source import MedQuadSource
from ingest.sources.medquad_statements import source as medquad_statements
from ingest.sources.medquad_statements.source import MedQuadStatementsSource
from ingest.sources.ontology import source as ontology
from ingest.sources.ontology.source import OntologySource
from ingest.sources.optimuskg import source as optimuskg
from ingest.sources.optimuskg.source import OptimusKgSource
from ingest.sources.pages import source as pages
from ingest.sources.pages.source import PagesSource
from ingest.sources.primekg import source as primekg
from ingest.sources.primekg.source import PrimeKgSource
from ingest.sources.primekg_plus import source as primekg_plus
from ingest.sources.primekg_plus.source import PrimeKgPlusSource
from ingest.sources.sample import source as sample
from ingest.sources.sample.source import SampleSource
from ingest.sources.sider import source as sider
from ingest.sources.sider.source import SiderSource
from ingest.sources.sssom import source as sssom
from ingest.sources.sssom.source import SssomSource
from ingest.sources.symcat import source as symcat
from ingest.sources.symcat.source import SymCatSource
from ingest.sources.table import source as table
from ingest.sources.table.source import TableSource
from ingest.sources.triples import source as triples
from ingest.sources.triples.source import TriplesSource
from ingest.sources.umls import source as umls
from ingest.sources.umls.settings import UmlsSource
from ingest.sources.writing import ReadResult
from ingest.sources.zh_dictionary import source as zh_dictionary
from ingest.sources.zh_dictionary.source import ZhDictionarySource
from ingest.sources.zh_disease_csv import source as zh_disease_csv
from ingest.sources.zh_disease_csv.source import ZhDiseaseCsvSource
from kg.errors import SourceError
from kg.progress import Progress

__all__ = [
    "SOURCES",
    "BabelonSource",
    "BiomappingsSource",
    "BridgeSource",
    "CMeKgSource",
    "DdxPlusSource",
    "DismechSource",
    "DrugClassesSource",
    "EveryCureLabelsSource",
    "EveryCureSource",
    "HealthTopicsSource",
    "HetionetSource",
    "HpoSource",
    "HsdnSource",
    "Icd10CmSource",
    "IndicationsSource",
    "KgxSource",
    "MedQuadSource",
    "MedQuadStatementsSource",
    "MediSource",
    "MedicalJsonSource",
    "OntologySource",
    "OptimusKgSource",
    "PagesSource",
    "PrimeKgPlusSource",
    "PrimeKgSource",
    "ReadResult",
    "Resources",
    "SampleSource",
    "SiderSource",
    "Source",
    "SourceKind",
    "SssomSource",
    "SymCatSource",
    "TableSource",
    "TriplesSource",
    "UmlsSource",
    "ZhDictionarySource",
    "ZhDiseaseCsvSource",
    "cannot_be_opened",
    "files",
    "read",
    "require_files",
    "tools",
]

_MAX_FAULTS: Final = 5
"""Files that cannot be opened, as far as they are named."""

Source = Annotated[
    BabelonSource
    | BiomappingsSource
    | BridgeSource
    | CMeKgSource
    | DdxPlusSource
    | DismechSource
    | DrugClassesSource
    | EveryCureLabelsSource
    | EveryCureSource
    | HealthTopicsSource
    | HetionetSource
    | HpoSource
    | HsdnSource
    | Icd10CmSource
    | IndicationsSource
    | KgxSource
    | MedQuadSource
    | MedQuadStatementsSource
    | MediSource
    | MedicalJsonSource
    | OntologySource
    | OptimusKgSource
    | PagesSource
    | PrimeKgPlusSource
    | PrimeKgSource
    | SampleSource
    | SiderSource
    | SssomSource
    | SymCatSource
    | TableSource
    | TriplesSource
    | UmlsSource
    | ZhDictionarySource
    | ZhDiseaseCsvSource,
    Field(discriminator="kind"),
]
"""The settings of a source, of any kind."""

SOURCES: Final[Mapping[str, SourceKind]] = MappingProxyType(
    {
        "babelon": babelon.KIND,
        "biomappings": biomappings.KIND,
        "bridge": bridge.KIND,
        "cmekg": cmekg.KIND,
        "ddxplus": ddxplus.KIND,
        "dismech": dismech.KIND,
        "drug-classes": drug_classes.KIND,
        "everycure": everycure.KIND,
        "everycure-labels": everycure_labels.KIND,
        "health-topics": health_topics.KIND,
        "hetionet": hetionet.KIND,
        "hpo": hpo.KIND,
        "hsdn": hsdn.KIND,
        "icd10cm": icd10cm.KIND,
        "indications": indications.KIND,
        "kgx": kgx.KIND,
        "medi": medi.KIND,
        "medical-json": medical_json.KIND,
        "medquad": medquad.KIND,
        "medquad-statements": medquad_statements.KIND,
        "ontology": ontology.KIND,
        "optimuskg": optimuskg.KIND,
        "pages": pages.KIND,
        "primekg": primekg.KIND,
        "primekg-plus": primekg_plus.KIND,
        "sample": sample.KIND,
        "sider": sider.KIND,
        "sssom": sssom.KIND,
        "symcat": symcat.KIND,
        "table": table.KIND,
        "triples": triples.KIND,
        "umls": umls.KIND,
        "zh-dictionary": zh_dictionary.KIND,
        "zh-disease-csv": zh_disease_csv.KIND,
    }
)
"""By the ``kind`` in a build configuration."""


def files(source: Source) -> tuple[Path, ...]:
    """The input files of a configured source, in a fixed order.

    Raises:
        SourceError: they cannot be found, or the name of one is not UTF-8 as it is read here, so
            that what is said of it would depend on the machine.
    """
    paths = SOURCES[source.kind].files(source)
    for path in paths:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        if shown != str(path):
            raise SourceError(
                translate(
                    "{shown}: the path is not UTF-8, or not read as UTF-8 in this locale; rename "
                    "it, or set PYTHONUTF8=1 and run again",
                    shown=shown,
                )
            )
    return paths


def require_files(sources: Iterable[Source]) -> None:
    """Check that every input file can be opened, before hours are spent on the first ones.

    Raises:
        SourceError: some cannot be; it names the first of them.
    """
    faults = []
    for source in sources:
        for path in dict.fromkeys(files(source)):
            try:
                path.open("rb").close()
            except OSError as e:
                faults.append(cannot_be_opened(source, e))
    if faults:
        more = len(faults) - _MAX_FAULTS
        others = translate(" (and {count} more files)", count=more) if more > 0 else ""
        raise SourceError(translate("; ").join(faults[:_MAX_FAULTS]) + others)


def cannot_be_opened(source: Source, error: OSError) -> str:
    """What to do about a file of a source that the system does not open."""
    return translate(
        "{path}: {why}; correct the path of source {source!r} in the configuration",
        path=error.filename,
        why=translate(error.strerror or ""),
        source=source.name,
    )


def tools(source: Source) -> Mapping[str, str]:
    """The packages of an extra that a configured source is read with, and their versions.

    Raises:
        ConfigurationError: one that the settings ask for is not installed.
        SourceError: a model that they name is not there.
    """
    return SOURCES[source.kind].tools(source)


def read(
    source: Source, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Read a configured source: ``assertions.parquet`` and ``quarantine.parquet`` in ``out``.

    Names are cleaned of what nobody sees in them (``cleaning``), but for those of a graph that
    was exported: they were when it was built, and come back as they are.

    Raises:
        SourceError: a file as a whole cannot be read, or ``out`` not be
            written; ``out`` is then as it was.
    """
    result = SOURCES[source.kind].read(source, out, progress, resources)
    if source.kind == "kgx" and source.graph is not None:
        return result
    return replace(result, garbled=clean(out))
