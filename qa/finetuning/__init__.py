"""Training a sentence encoder to find the passage that answers a question."""
