"""The browsable report."""
