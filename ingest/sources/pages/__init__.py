"""Pages on diseases, as health institutions write them for everybody: HTML, Markdown or JSON."""
