"""dismech, the Disorder Mechanisms Knowledge Base: phenotypes, treatments and genes of disorders."""
