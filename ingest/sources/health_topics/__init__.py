"""What is known of common conditions and drugs, in English and Chinese."""
