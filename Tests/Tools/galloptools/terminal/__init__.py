"""A terminal for programs under test, with the screen that they draw."""
