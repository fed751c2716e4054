"""OptimusKG."""
