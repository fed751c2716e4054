"""PrimeKG-Plus."""
