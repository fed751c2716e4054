"""Contraindications and precautions that hold for all drugs of a class."""
