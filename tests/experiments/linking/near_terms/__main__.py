"""Asks for real terms that lie a letter or two from others: ``python -m tests.experiments.linking.near_terms --data DIR``.

Rules were chosen on one half of the pairs, and the page is about the other.
"""

import argparse
import sys
from pathlib import Path

from tests.experiments.linking.near_terms.asking import ask, noisy, recall
from tests.experiments.linking.near_terms.page import page
from tests.experiments.linking.near_terms.terms import Terms


def main() -> None:
    """Ask, and print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.linking.near_terms")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument("--seed", type=int, default=2, help="of all draws")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    given = parser.parse_args()
    asked = list(ask(Terms.of(given.data), given.seed))
    text = page(asked, recall(noisy(given.data, given.seed)))
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
