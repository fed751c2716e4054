"""ICD-10-CM in English and Chinese: names that bridge the two languages."""
