"""How good an answer is beside another: words, meaning, readability, contradictions.

ROUGE is in ``qa.rouge``, since the choice of an answer needs it too.
"""
