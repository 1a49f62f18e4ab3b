"""Tools that tests and benchmarks share. Run with PYTHONPATH=Tests/Tools, as the Makefile does."""
