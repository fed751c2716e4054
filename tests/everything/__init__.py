"""The graph of all shared public data, and the page that keeps its accounts."""
