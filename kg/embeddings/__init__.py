"""Knowledge-graph embeddings: vectors of things and relations that score triples."""

import os

# OpenMP's idle threads spin otherwise, and on shared cores that takes the time from those at work
os.environ.setdefault("GOMP_SPINCOUNT", "0")
