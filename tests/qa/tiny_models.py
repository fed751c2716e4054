"""Models of a few neurons, saved as transformers saves them: real files, real loading."""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertForSequenceClassification,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

WORDS = [
    "question",
    "context",
    "gout",
    "brings",
    "pain",
    "in",
    "the",
    "joint",
    "and",
    "fever",
    "it",
    "hurts",
    "at",
    "night",
    ".",
    "?",
    ":",
    "<P>",
]
SPECIAL = ("<pad>", "</s>", "<s>", "<unk>")
NAMED = {
    "pad_token": "<pad>",
    "eos_token": "</s>",
    "bos_token": "<s>",
    "cls_token": "<s>",
    "sep_token": "</s>",
    "unk_token": "<unk>",
}
END = SPECIAL.index("</s>")


def save_tokenizer(folder: Path) -> int:
    """A tokenizer of whole words.

    Returns:
        How many it knows.
    """

    vocabulary = {word: at for at, word in enumerate([*SPECIAL, *WORDS])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=NAMED["unk_token"]))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> $B </s>",
        special_tokens=[(each, vocabulary[each]) for each in ("<s>", "</s>")],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        **NAMED,
        model_max_length=512,
    ).save_pretrained(folder)
    return len(vocabulary)


def save_bart(folder: Path, *, endless: bool = False) -> Path:
    """A BART that writes words at random; endless: never the end of its own accord."""

    torch.manual_seed(1)
    config = BartConfig(
        vocab_size=save_tokenizer(folder),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        max_position_embeddings=1_024,
        pad_token_id=0,
        eos_token_id=END,
        bos_token_id=2,
        decoder_start_token_id=END,
        forced_eos_token_id=END,
        init_std=0.02,
    )
    model = BartForConditionalGeneration(config)
    if endless:
        model.final_logits_bias[0, END] = -100.0
    model.save_pretrained(folder)
    return folder


def save_t5(folder: Path) -> Path:
    """A T5 that writes words at random."""

    torch.manual_seed(1)
    config = T5Config(
        vocab_size=save_tokenizer(folder),
        d_model=16,
        d_kv=8,
        d_ff=16,
        num_layers=1,
        num_heads=2,
        pad_token_id=0,
        eos_token_id=END,
        decoder_start_token_id=0,
        initializer_factor=0.05,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def save_classifier(folder: Path, labels: list[str], sure_of: int = 0) -> Path:
    """A classifier of pairs that gives nearly all of its probability to one label."""

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=save_tokenizer(folder),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=512,
        pad_token_id=0,
        id2label=dict(enumerate(labels)),
        label2id={label: at for at, label in enumerate(labels)},
    )
    model: Any = BertForSequenceClassification(config)
    model.classifier.bias.data[sure_of] = 10.0
    model.save_pretrained(folder)
    return folder
