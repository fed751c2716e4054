"""Tiny models that the tests save themselves and the product loads by their path."""

from pathlib import Path

import pytest
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertModel,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
    set_seed,
)

from qa.finetuning.pairs import Pair

UNKNOWN = "[UNK]"
WORDS = [
    *("[PAD]", UNKNOWN, "[CLS]", "[SEP]", "</s>", "what", "causes", "treats", "signs", "of", "is"),
    *("a", "the", "gout", "asthma", "rickets", "scurvy", "uric", "acid", "crystals", "airways"),
    *("narrow", "vitamin", "c", "d", "lack", "joints", "wheeze", "bones", "gums", "?", "."),
]


def _tokenizer(*, of_bert: bool) -> PreTrainedTokenizerFast:
    vocabulary = {word: at for at, word in enumerate(WORDS)}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    if of_bert:
        words.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    special = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "eos": "</s>"}
    named = {f"{name}_token": word for name, word in special.items()}
    return PreTrainedTokenizerFast(tokenizer_object=words, model_max_length=32, **named)


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of two layers, with dropout."""
    plain, folder = tmp_path_factory.mktemp("bert"), tmp_path_factory.mktemp("encoder")
    set_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(plain)
    _tokenizer(of_bert=True).save_pretrained(plain)
    transformer = Transformer(str(plain))
    pooling = Pooling(transformer.get_embedding_dimension())
    encoder = SentenceTransformer(modules=[transformer, pooling], device="cpu")
    encoder.save(str(folder), create_model_card=False)
    return folder


@pytest.fixture(scope="session")
def generator_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A T5 of one layer, which writes words of chance."""
    folder = tmp_path_factory.mktemp("t5")
    set_seed(0)
    config = T5Config(
        vocab_size=len(WORDS),
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_heads=2,
        pad_token_id=0,
        eos_token_id=4,
        decoder_start_token_id=0,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    _tokenizer(of_bert=False).save_pretrained(folder)
    return folder


@pytest.fixture
def pairs() -> list[Pair]:
    """Two questions on each of four diseases."""
    said = {
        "gout": ("uric acid crystals", "joints"),
        "asthma": ("airways narrow", "wheeze"),
        "rickets": ("lack of vitamin d", "bones"),
        "scurvy": ("lack of vitamin c", "gums"),
    }
    return [
        Pair(question=f"{asked} {disease} ?", passage=f"{disease} . {text}", disease=disease)
        for disease, (cause, sign) in said.items()
        for asked, text in (("what causes", cause), ("signs of", sign))
    ]
