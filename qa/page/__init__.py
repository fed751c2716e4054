"""The page that answers questions, and its JSON interface: ``medkg qa serve``."""
