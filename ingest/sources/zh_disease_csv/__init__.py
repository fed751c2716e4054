"""The disease table of two Chinese health sites, disease.csv."""
