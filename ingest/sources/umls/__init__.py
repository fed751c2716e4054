"""The UMLS Metathesaurus."""
