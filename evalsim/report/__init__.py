"""The report of runs: one page that needs no network, its tables as Markdown, its rows as CSV."""

from evalsim.report.origin import Prices
from evalsim.report.report import Written, read_prices, write_report

__all__ = ["Prices", "Written", "read_prices", "write_report"]
