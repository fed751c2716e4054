"""Builds a graph again without some of its sources, for doctors that are not to see them.

A doctor that asks the very graph that its cases are drawn from knows their diseases better than any
clinic would. Without the sources of the cases it has what others say.
"""

from collections.abc import Sequence
from pathlib import Path

import kg
from cypher.translation import translate
from ingest.build import BuildResult, build
from ingest.configuration import BuildConfig
from kg.configuration import Settings
from kg.errors import EvaluationError
from kg.progress import Progress


def withhold(
    config: BuildConfig, sources: Sequence[str], home: Path, progress: Progress
) -> BuildResult:
    """Build the graph of a configuration without some sources, in a home of its own.

    What was built there from the same files is taken over, as by ``ingest.build.build``.

    Args:
        config: of the graph.
        sources: names of those that are left out.
        home: gets the graph and all that belongs to it; not that of the graph itself.
        progress: shows the steps.

    Raises:
        EvaluationError: a name is no source of the configuration, none or nothing else is left
            out, or the home is the present one.
        BuildError: another build runs in ``home``, or it cannot be written.
        SourceError: a source cannot be read.
        ConfigurationError: what is left does not build, such as texts without names to link with.
        StoreError: the store could not be loaded.
    """
    names = [source.name for source in config.sources]
    if unknown := [name for name in sources if name not in names]:
        message = "{name!r} is no source of the graph; leave out some of {names}"
        source_names = translate(", ").join(names)
        raise EvaluationError(translate(message, name=unknown[0], names=source_names))
    kept_sources = tuple(source for source in config.sources if source.name not in sources)
    if not kept_sources or len(kept_sources) == len(names):
        message = "of {count} sources {left_out} are left out; leave out some, and not all"
        raise EvaluationError(
            translate(message, count=len(names), left_out=len(names) - len(kept_sources))
        )
    present = Settings.read()
    if home.expanduser().resolve() == present.home.resolve():
        message = "{home}: has the graph itself; give another folder for the one without {sources}"
        left_out = translate(", ").join(sources)
        raise EvaluationError(translate(message, home=home, sources=left_out))
    remaining = BuildConfig(**{**dict(config), "sources": kept_sources})
    with kg.connect(str(home / "graph.lbug"), present) as store:
        return build(remaining, home, store, progress, allow_shrink=True)
