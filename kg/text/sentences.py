"""Where the sentences of a text stand, English or Chinese."""

from kg.text._marks import Layout


def sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of every sentence, in code points, without the blanks around it.

    The mark that ends a sentence belongs to it. Abbreviations (Dr., e.g.) end none; an
    empty line does.
    """
    layout = Layout.of(text)
    spans, start = [], 0
    for mark in layout.ends:
        end = mark
        while end < len(text) and not text[end].isspace() and _ends(text[end]):
            end += 1
        said = text[start:end]
        if said.strip():
            left = start + len(said) - len(said.lstrip())
            spans.append((left, start + len(said.rstrip())))
        start = max(start, end)
    return spans


def _ends(character: str) -> bool:
    return character in ".!?。！？；;…\"')]\u201d"
