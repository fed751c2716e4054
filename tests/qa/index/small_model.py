"""A small model of sentences: a vector for each of a few words."""

from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

DIMENSION = 8
_WORDS = (
    "gout asthma fever cough pain joint uric acid lung insulin diabetes type 1 2 is a the of causes "
    "treats needs attack child"
)


def save_model(folder: Path, seed: int) -> Path:
    """Save one whose vectors are drawn by a seed."""
    vocabulary = {word: at for at, word in enumerate(["[UNK]", *_WORDS.split()])}
    tokenizer = Tokenizer(WordLevel(vocabulary, "[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()
    weights = torch.randn(
        len(vocabulary), DIMENSION, generator=torch.Generator().manual_seed(seed)
    )
    module = StaticEmbedding(tokenizer, embedding_weights=weights.numpy())
    SentenceTransformer(modules=[module], device="cpu").save(str(folder))
    return folder
