"""What the labels in Every Cure's list forbid that is no disease: allergies, people, other drugs."""
