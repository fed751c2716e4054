"""The medical.json family: entries on diseases from a Chinese health site."""
