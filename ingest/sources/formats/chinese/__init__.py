"""How Chinese health sites, and the files taken from them, write names, lists and entries."""
