"""DDXPlus, synthetic patients for automatic diagnosis: its knowledge of conditions."""
