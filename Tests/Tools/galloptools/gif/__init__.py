"""GIF files: where their records are, how to damage them, and how to make a failing file smaller."""
