"""PrimeKG."""
