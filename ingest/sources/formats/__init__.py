"""File formats that several sources come in."""
