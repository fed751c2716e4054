"""The page with the figures: what they mean and what they were measured on."""

import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Final

import psutil

from kg.server.jars import NEO4J_VERSION
from kg.server.java import find_java
from tests.benchmarks.run import KOZA_VERSION

_LIBRARIES: Final = (
    *("ahocorasick-rs", "duckdb", "fuzzywuzzy", "ibis-framework", "ladybug", "neo4j", "pandas"),
    *("py2neo", "pyarrow", "pykeen", "rapidfuzz", "scispacy", "spacy", "torch"),
)

_PAGE: Final = """\
# Benchmarks

Written by `make bench`, which measures medkg and each rival in the same run, every
figure in a process of its own. A process counts from its start to its end, so Python's
start and all imports are in it. The ratio says how many times better than the rival
medkg is; *load* is the machine's one-minute load average before and after the
measurement of ours, its own processes included: much more than the number of cores
means that something else was running.

{figures}

The input has PrimeKG's shape{share}: a `kg.csv` of its 12 columns with 129,375 nodes and
8.1 million rows, each edge in both directions; its edges are drawn evenly, so its
degrees are flatter than PrimeKG's.

* **read, clean and merge**: reader, merge and proof of the accounts, as `medkg build` runs
  them. The pandas script reads the file, drops what stands in both directions, groups by
  relation and writes Parquet; it compares no names and accounts for nothing. The run
  fails unless both arrive at the same number of edges.
* **merge six sources**: the same, and five tables of a million rows together: symptoms,
  indications, reactions and genes of its diseases and drugs, of which a third is in the
  kg.csv too, and the symptoms again under the ids of another ontology. Beside it twice the
  rows of everything on the same nodes: memory should not grow.
* **medkg build, nothing changed**: median of 10 runs of the command on the same six sources.
* **merge KGX records**: the graph of six sources as KGX tables, in two files of which each has
  every edge: turned round in the second, with an id of its own, where the relation has no
  direction. koza {koza} joins, de-duplicates and prunes them in an environment of its own; it
  tells an edge by its id, so it keeps both of those. The run fails unless medkg arrives at
  the graph's edges and koza at those and the ones turned round. Below, each one's steps
  with their share of its time. Koza has no counterpart of the last three; that edges are
  found again the other way round is part of our step of edges.
* **embedded load**: all tables into a new file, counts and ends of all edges verified. The
  rivals are Neo4j's own importer on the same tables, and a `MERGE` an edge on 20,000
  edges, whose time is scaled to all.
* **Neo4j import**: `neo4j-admin database import full`, the writing of its CSV files
  included. Its rival is our own load through Bolt, scaled to all edges.
* **through Bolt**: a quarter of the edges of every relation, on all nodes. The rival is
  `py2neo.bulk.create_relationships`, 10,000 edges a transaction, 100,000 edges with the
  same properties on the same server.
* **one hop**: the named query `disease.symptoms` on 1,000 random diseases through
  `store.query`, which is what `medkg query` runs. The rival is the same statement through
  the engine's own connection or driver, so the ratio is what medkg adds.
* **questions of 1, 8 and 32 threads or tasks**: six named queries (a node, its symptoms, genes,
  neighbours, drugs, ancestors) of one random disease after another, 2,400 in all, through
  `store.query` from threads and `store.aquery` from tasks. Beside them the same statements
  from as many threads with a connection each (embedded) or one driver (Neo4j). Medians of 7
  rounds in which the three take turns. The target of one caller is 0.8 of the rival's figure,
  that of more is 1.6 times (Neo4j: 3 times) what one caller gets.
* **all rules**: every consistency rule asked of the PrimeKG-shaped graph with the Human
  Phenotype Ontology beside it (4.6 million edges, 396,000 of symptoms); no rival has such
  rules, so each engine stands beside the other. Then the scores of all symptoms, and the layer
  with both applied to a copy of the embedded graph and to Neo4j.
* **symptom.differential, symptom.best_next_question**: 300 patients, each with four present
  findings and an absent one of a random disease, on the graph with the layer. PyHPO's ranking
  of OMIM diseases by enrichment is the rival of both; it knows no absent findings and no
  frequencies. Then both by `kg.differential.assess`, which scans once and checks what it is given.
* **umls, kinship**: `medkg embed train` by its preset, one seed, on the published split; filtered
  realistic MRR of both ends of the test triples. The rival is PyKEEN's own LCWA loop with the
  same model, loss, learning rate, batch and number of epochs, the rate constant and the query
  without dropout, for it has neither.
* **WN18RR, FB15k-237**: the same with ComplEx, beside the figure that Ruffinelli et al. 2020
  publish for ComplEx after a search of many days on GPUs.
* **training at PrimeKG's size**: one epoch of ComplEx (64 complex numbers a vector, 128 shared
  negatives, row-wise Adagrad) on 4.05 million triples, each learned as its inverse too and
  counted once. PyKEEN's default loop has the same model and optimiser, one negative a triple and
  no inverses.
* **filtered ranks**: of both ends of 2,000 triples among all 129,375 entities, by a model with
  fresh weights; PyKEEN's evaluator ranks 100 of them, and the ranks are compared.
* **a mention**: `Linker.resolve` with the scorer WRatio, end to end, on 100 mentions each that
  are misspelt, reordered, both, or names that are not among the names. The names are those
  of MONDO, DOID, HPO and EFO; a million is made by putting a word before them. The
  rivals compare a mention with every name, or (scispaCy) look through an index of n-grams.
* **best score**: share of the mentions of which the best WRatio among the names looked at (the
  60 nearest by n-grams, and those that are a part of the mention) is the best of all
  names. In the rival's column the same, where scores below the calibrated threshold
  count as equal: both abstain. WRatio gives .9 to every short name that stands anywhere
  in a longer mention ("a" in "scax1"), so for names that are not there the best of all
  is mostly noise; medkg's own scorer gives them little.
* **running text**: 10 MB of MedQuAD. The automaton alone; exact names with their offsets; and
  all that `medkg link` does. spaCy's PhraseMatcher has the same names, in lower case.
* **choice of five candidates**: of 120 words each, by ROUGE-L F1 with the names of a subgraph (of
  HPO), tokens and all. The run fails unless all scores are rouge-score's to 1e-12.
* **medkg --help**: median of 10 runs; the rival is the least that any Python program takes.

## Measured on

{machine}
"""


def page(figures: str, share: float) -> str:
    """The whole page.

    Args:
        figures: their table in Markdown.
        share: of PrimeKG's edges that the input had.
    """
    part = "" if share == 1 else f" (here {share:g} of its edges)"
    machine = "\n".join(f"* {line}" for line in _machine())
    return _PAGE.format(figures=figures, share=part, koza=KOZA_VERSION, machine=machine)


def _machine() -> tuple[str, ...]:
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{psutil.cpu_count()} cores ({_processor()}), {memory:.0f} GiB of memory",
        f"{platform.system()} {platform.release()}",
        f"medkg {version('medkg')}, Python {platform.python_version()}, {libraries}",
        f"Neo4j {NEO4J_VERSION} on {_java()}",
    )


def _processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text("utf-8")
    except FileNotFoundError:  # not Linux
        return platform.processor()
    found = re.search(r"^model name\s*: (.+)$", told, re.MULTILINE)
    return found[1] if found else platform.machine()


def _java() -> str:
    done = subprocess.run(
        [find_java().program, "-version"], capture_output=True, text=True, check=True
    )
    return done.stderr.splitlines()[0].replace('"', "")
