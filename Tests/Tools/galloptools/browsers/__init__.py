"""Drivers for headless Chromium and Firefox, and the server of the pages that they show."""
