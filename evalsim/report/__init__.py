"""The report of runs: one page that needs no network, its tables as Markdown, its rows as CSV."""

from evalsim.report.origin import Prices
from evalsim.report.report import ReportFiles, read_prices, write_report

__all__ = ["Prices", "ReportFiles", "read_prices", "write_report"]
